// The beginning of a map's script.
const number = new Intl.NumberFormat(document.documentElement.lang || "en");

// Returns a number with so many decimals, and with the decimal sign of the page's language.
const decimal = (value, places) => value.toLocaleString(document.documentElement.lang || "en",
  { minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: false });

// Returns a place as a page writes it, latitude first.
const degreesOf = ([longitude, latitude]) => decimal(latitude, 7) + "°, " + decimal(longitude, 7) + "°";

const make = (tag, text, attributes = {}) => {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

// Returns the place that is so many metres away in a direction; precise enough for a view cone.
const ahead = ([longitude, latitude], degrees, metres) => {
  const angle = degrees * Math.PI / 180;
  const north = metres * Math.cos(angle) / 111320;
  const east = metres * Math.sin(angle) / (111320 * Math.cos(latitude * Math.PI / 180));
  return [latitude + north, longitude + east];
};

// Returns the cone that a camera at a place sees, as the corners of a polygon.
const coneOf = (place, azimuthDegrees, viewDegrees, metres) => {
  const cone = [[place[1], place[0]]];
  for (let step = -4; step <= 4; step += 1) {
    cone.push(ahead(place, azimuthDegrees + viewDegrees * step / 8, metres));
  }
  return cone;
};

const color = (name, element) => getComputedStyle(element).getPropertyValue(name).trim();

// Adds a line of text to the map, and returns the function that sets it.
const noteOn = (map, L, position) => {
  const control = L.control({ position });
  const text = make("div", "", { class: "map-note", role: "status", hidden: "" });
  control.onAdd = () => text;
  control.addTo(map);
  return (line) => { text.textContent = line; text.hidden = line === ""; };
};

// Adds the choice of layers; the library's own label for it is English only.
const layersOn = (map, L, words, bases, overlays, options) => {
  const control = L.control.layers(bases, overlays, options).addTo(map);
  const toggle = control.getContainer().querySelector(".leaflet-control-layers-toggle");
  if (toggle) {
    toggle.title = words.layers;
    toggle.setAttribute("aria-label", words.layers);
  }
  return control;
};

// Makes the map with its base maps; null if the library is missing, and then says so.
const groundOf = (element, words, places) => {
  if (!globalThis.L) {
    element.replaceChildren(make("p", words.noMap, { class: "map-note" }));
    return null;
  }
  const L = globalThis.L;
  element.replaceChildren();
  const map = L.map(element, {
    zoomControl: false, worldCopyJump: true, minZoom: 1, maxZoom: 20, attributionControl: true,
  });
  map.attributionControl.setPrefix(false);
  L.control.zoom({ zoomInTitle: words.zoomIn, zoomOutTitle: words.zoomOut, position: places.zoom }).addTo(map);
  L.control.scale({ imperial: false, position: places.scale }).addTo(map);
  const layers = JSON.parse(element.dataset.layers);
  const bases = {};
  const names = [];
  for (const layer of layers) {
    // Leaflet takes a name for markup, and two equal names for one map.
    let name = make("span", layer.name).innerHTML;
    while (names.includes(name) || name === words.none) name += " ·";
    names.push(name);
    bases[name] = L.tileLayer(layer.url, {
      maxNativeZoom: Number(layer.most), minNativeZoom: Number(layer.least), maxZoom: 20,
      attribution: make("span", layer.attribution).innerHTML,
    });
  }
  const plain = L.layerGroup();
  if (layers.length > 0) {
    bases[words.none] = plain;
    bases[names[0]].addTo(map);
  } else {
    plain.addTo(map);
  }
  return { L, map, bases, plain, hasBases: layers.length > 0 };
};
