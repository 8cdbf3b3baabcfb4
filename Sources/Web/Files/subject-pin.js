// The map on which a person sets the pin of the thing that was photographed. The form's two fields
// say the same in numbers, and are all there is without a map. A fixed map only shows the pin.
const begin = (element) => {
  const words = JSON.parse(element.dataset.words);
  element.hidden = false;
  const ground = groundOf(element, words, { zoom: "bottomright", scale: "bottomleft" });
  if (!ground) {
    element.hidden = true;
    return;
  }
  const { L, map } = ground;
  const form = element.closest("form");
  const place = JSON.parse(element.dataset.place);
  const stood = [place[1], place[0]];
  map.setView(stood, 18);
  const accent = color("--accent", element);
  const azimuth = element.dataset.azimuth === "" ? NaN : Number(element.dataset.azimuth);
  if (Number.isFinite(azimuth)) {
    L.polygon(coneOf(place, azimuth, Number(element.dataset.view), 60),
      { color: accent, weight: 1, fillOpacity: .15, interactive: false }).addTo(map);
  }
  L.circleMarker(stood, { radius: 7, color: accent, fillOpacity: 1 }).bindTooltip(make("span", words.you)).addTo(map);
  const isFixed = "fixed" in element.dataset;
  let pin = null;
  const show = (at) => {
    if (!pin) {
      pin = L.marker(at, { draggable: !isFixed, keyboard: !isFixed, title: words.pin, alt: words.pin,
        icon: L.divIcon({ iconSize: [48, 48], className: "subject-pin", html: make("span", "✚") }) }).addTo(map);
      pin.on("drag", () => write(pin.getLatLng()));
    }
    pin.setLatLng(at);
  };
  new ResizeObserver(() => map.invalidateSize({ animate: false })).observe(element);
  element.dataset.ready = "yes";
  if (isFixed) {
    const [longitude, latitude] = JSON.parse(element.dataset.fixed);
    show([latitude, longitude]);
    map.fitBounds([stood, [latitude, longitude]], { padding: [48, 48], maxZoom: 18 });
    return;
  }
  const [latitude, longitude] = ["latitude", "longitude"].map((name) => form.elements[name]);
  const write = ({ lat, lng }) => {
    latitude.value = lat.toFixed(7);
    longitude.value = (((lng + 180) % 360 + 360) % 360 - 180).toFixed(7);
  };
  const read = () => {
    const [y, x] = [latitude, longitude].map((one) => Number(one.value.replace(",", ".")));
    const isPlace = latitude.value.trim() && longitude.value.trim() && Math.abs(y) <= 90 && Math.abs(x) <= 180;
    if (isPlace) show([y, x]);
    else { pin?.remove(); pin = null; }
  };
  map.on("click", (event) => { write(event.latlng); show(event.latlng); });
  for (const field of [latitude, longitude]) field.addEventListener("input", read);
  form.querySelector("[data-subject-hint]").hidden = false;
  read();
  // A pin that is far from the camera is in view at once.
  if (pin) map.fitBounds([stood, pin.getLatLng()], { padding: [48, 48], maxZoom: 18 });
};

for (const element of document.querySelectorAll("[data-subject-map]")) begin(element);
