// The map on which an officer sets where an archive picture was taken, and where the camera looked. The
// form's fields say the same in numbers, and are all there is without a map.
const bearing = ([y1, x1], [y2, x2]) => {
  const radian = Math.PI / 180;
  const east = Math.sin((x2 - x1) * radian) * Math.cos(y2 * radian);
  const north = Math.cos(y1 * radian) * Math.sin(y2 * radian)
    - Math.sin(y1 * radian) * Math.cos(y2 * radian) * Math.cos((x2 - x1) * radian);
  return (Math.atan2(east, north) / radian + 360) % 360;
};

const begin = (element) => {
  const words = JSON.parse(element.dataset.words);
  const form = document.querySelector("[data-archive-form]");
  const ground = groundOf(element, words, { zoom: "bottomright", scale: "bottomleft" });
  if (!ground || !form) return;
  const { L, map } = ground;
  const [west, south, east, north] = element.dataset.box.split(",").map(Number);
  if ([west, south, east, north].every(Number.isFinite)) {
    map.fitBounds([[south, west], [north, east < west ? east + 360 : east]], { maxZoom: 17 });
  } else {
    map.setView([50, 15], 4);
  }
  const value = (name) => {
    const text = form.elements[name].value.trim().replace(",", ".");
    return text === "" ? NaN : Number(text);
  };
  const accent = color("--accent", element);
  const view = L.layerGroup().addTo(map);
  let pin = null;
  const at = () => {
    const place = [value("latitude"), value("longitude")];
    return place.every(Number.isFinite) && Math.abs(place[0]) <= 90 && Math.abs(place[1]) <= 180 ? place : null;
  };
  const draw = () => {
    view.clearLayers();
    const place = at();
    if (!place) {
      pin?.remove();
      pin = null;
      return;
    }
    if (!pin) {
      pin = L.marker(place, { draggable: true, title: words.stood, alt: words.stood, icon: L.divIcon({
        iconSize: [48, 48], className: "archive-pin", html: make("span", "◉") }) }).addTo(map);
      pin.on("drag", () => { put(pin.getLatLng()); draw(); });
    }
    pin.setLatLng(place);
    const azimuth = value("azimuth");
    if (Number.isFinite(azimuth)) {
      L.polygon(coneOf([place[1], place[0]], azimuth, 66, 60),
        { color: accent, weight: 1, fillOpacity: .2, interactive: false }).addTo(view);
    }
    const radius = value("uncertainty");
    if (radius > 0 && radius <= 10000) {
      L.circle(place, { radius, color: accent, weight: 1, dashArray: "4 4", fill: false, interactive: false }).addTo(view);
    }
  };
  const put = ({ lat, lng }) => {
    form.elements.latitude.value = lat.toFixed(7);
    form.elements.longitude.value = (((lng + 180) % 360 + 360) % 360 - 180).toFixed(7);
  };
  map.on("click", ({ latlng }) => {
    const place = at();
    if (place) form.elements.azimuth.value = bearing(place, [latlng.lat, latlng.lng]).toFixed(0);
    else put(latlng);
    draw();
  });
  for (const name of ["latitude", "longitude", "azimuth", "uncertainty"]) {
    form.elements[name].addEventListener("input", draw);
  }
  draw();
  element.dataset.ready = "yes";
};

for (const element of document.querySelectorAll("[data-pin-map]")) begin(element);
