// The beginning of a map's script.
const number = new Intl.NumberFormat(document.documentElement.lang || "en");

const make = (tag, text, attributes = {}) => {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

// A place from another, so many metres in a direction; near enough for a view cone.
const ahead = ([longitude, latitude], degrees, metres) => {
  const angle = degrees * Math.PI / 180;
  const north = metres * Math.cos(angle) / 111320;
  const east = metres * Math.sin(angle) / (111320 * Math.cos(latitude * Math.PI / 180));
  return [latitude + north, longitude + east];
};

// The cone that a camera at a place sees, as the corners of a polygon.
const coneOf = (place, azimuthDegrees, viewDegrees, metres) => {
  const cone = [[place[1], place[0]]];
  for (let step = -4; step <= 4; step += 1) {
    cone.push(ahead(place, azimuthDegrees + viewDegrees * step / 8, metres));
  }
  return cone;
};

const color = (name, element) => getComputedStyle(element).getPropertyValue(name).trim();

// A line of text on the map for what is good to know; what says it is returned.
const noteOn = (map, L, position) => {
  const control = L.control({ position });
  const text = make("div", "", { class: "map-note", role: "status", hidden: "" });
  control.onAdd = () => text;
  control.addTo(map);
  return (line) => { text.textContent = line; text.hidden = line === ""; };
};

// The choice of what is shown; the library's own word for it is English.
const layersOn = (map, L, words, bases, overlays, options) => {
  const control = L.control.layers(bases, overlays, options).addTo(map);
  const toggle = control.getContainer().querySelector(".leaflet-control-layers-toggle");
  if (toggle) {
    toggle.title = words.layers;
    toggle.setAttribute("aria-label", words.layers);
  }
  return control;
};

// The map with its base maps; nothing where the library is not there, which is said instead.
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
    // Leaflet takes a name for markup, and the same name twice for the same map.
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
