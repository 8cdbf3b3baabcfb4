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

// Returns the name of a piece of land, written in its middle. A tooltip would stay where it was
// before the map had its view.
const landName = (L, shape, name) => L.marker(shape.getBounds().getCenter(), { interactive: false, keyboard: false,
  icon: L.divIcon({ className: "map-land", iconSize: [0, 0], html: make("span", name) }) });

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

// Adds the choice of the things that lie over the base map; the library's own label for it is English only.
const layersOn = (map, L, words, overlays, options) => {
  const control = L.control.layers({}, overlays, options).addTo(map);
  const toggle = control.getContainer().querySelector(".leaflet-control-layers-toggle");
  if (toggle) {
    toggle.title = words.layers;
    toggle.setAttribute("aria-label", words.layers);
  }
  return control;
};

// The base map that was chosen last; a browser that keeps nothing begins with the first.
const KEPT = "standpoint-base-map";
const keptBase = () => { try { return localStorage.getItem(KEPT); } catch { return null; } };
const keepBase = (key) => { try { localStorage.setItem(KEPT, key); } catch { /* The next page begins anew. */ } };

// Adds the choice of the base map, and says if its tiles do not come. Without any base map it says so, and leads
// whoever may add one to the page for it.
const basesOn = (map, L, element, words, bases) => {
  const control = L.control({ position: "topright" });
  const box = make("div", undefined, { class: "map-bases" });
  control.onAdd = () => { L.DomEvent.disableClickPropagation(box); return box; };
  if (bases.length === 1) {
    const note = make("p", words.noBase, { class: "map-note" });
    if (element.dataset.addBase) note.append(" ", make("a", words.addBase, { href: element.dataset.addBase }));
    box.append(note);
    bases[0].layer.addTo(map);
    control.addTo(map);
    return;
  }
  const select = make("select", undefined, { "aria-label": words.base, title: words.base });
  const trouble = make("p", "", { class: "map-note", role: "status", hidden: "" });
  box.append(select, trouble);
  for (const base of bases) select.append(make("option", base.name, { value: base.key }));
  let shown = null;
  const show = (key) => {
    const base = bases.find((one) => one.key === key) ?? bases[0];
    if (shown) map.removeLayer(shown.layer);
    shown = base;
    trouble.hidden = true;
    base.layer.addTo(map);
    select.value = base.key;
  };
  for (const base of bases) {
    let [came, failed] = [0, 0];
    base.layer.on("tileload", () => { came += 1; });
    base.layer.on("tileerror", () => { failed += 1; });
    base.layer.on("load", () => {
      if (base !== shown) return;
      trouble.textContent = words.noTiles.replace("{1}", base.name);
      trouble.hidden = came > 0 || failed === 0;
      [came, failed] = [0, 0];
    });
  }
  select.addEventListener("change", () => { keepBase(select.value); show(select.value); });
  control.addTo(map);
  show(keptBase());
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
  const plain = L.layerGroup();
  const bases = JSON.parse(element.dataset.layers).map((layer) => ({
    key: layer.url, name: layer.name,
    layer: L.tileLayer(layer.url, {
      maxNativeZoom: Number(layer.most), minNativeZoom: Number(layer.least), maxZoom: 20,
      attribution: make("span", layer.attribution).innerHTML,
    }),
  }));
  basesOn(map, L, element, words, [...bases, { key: "none", name: words.none, layer: plain }]);
  // A sign that gets the focus by Tab comes into view.
  map.on("layeradd", ({ layer }) => {
    if (!(layer instanceof L.Marker)) return;
    layer.getElement()?.addEventListener("focus", () => {
      if (map.getBounds().pad(-0.05).contains(layer.getLatLng())) return;
      map.fire("sought");
      map.panInside(layer.getLatLng(), { padding: [60, 60], animate: false });
    });
  });
  // Links that lead to what is in view carry it along.
  map.on("moveend", () => {
    const bounds = map.getBounds();
    const sides = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
    for (const link of document.querySelectorAll("a[data-view]")) {
      link.search = "box=" + sides.map((side) => side.toFixed(6)).join(",") + "&zoom=" + Math.round(map.getZoom());
    }
  });
  return { L, map, plain, hasBases: bases.length > 0 };
};

// The milliseconds without a further movement after which the map follows the years' slider.
const SLIDER_REST = 120;

// Adds the slider of years after an element: a bar for the photos of each year in view, and two
// handles for the first and the last year that the map shows. `choice` is written 2014-2026.
const yearsBeside = (element, words, choice, changed) => {
  const [first, last] = choice.split("-").map(Number);
  const box = make("details", undefined, { class: "map-years" });
  box.open = matchMedia("(min-width: 48em)").matches;
  const bars = make("div", undefined, { class: "map-year-bars", "aria-hidden": "true" });
  const all = [];
  for (let year = first; year <= last; year += 1) {
    const bar = make("span", undefined, { title: String(year) });
    all.push(bar);
    bars.append(bar);
  }
  const handle = (name, value) => {
    const label = make("label");
    const range = make("input", undefined, { type: "range", min: first, max: last, step: 1, value });
    const shown = make("output", String(value));
    label.append(make("span", name + " "), shown, range);
    return { label, range, shown };
  };
  const from = handle(words.firstYear, first);
  const to = handle(words.lastYear, last);
  const facts = make("span", undefined, { class: "muted", "aria-live": "polite" });
  const reset = make("button", words.allYears, { type: "button", class: "quiet" });
  const summary = make("summary", words.years + " ");
  summary.append(facts);
  const tools = make("div", undefined, { class: "map-year-tools" });
  tools.append(bars, from.label, to.label, reset);
  box.append(summary, tools);
  element.after(box);

  let counts = new Map();
  let timer = 0;
  const ends = () => [Number(from.range.value), Number(to.range.value)];
  const isAll = () => ends()[0] === first && ends()[1] === last;
  const span = () => isAll() ? null : ends().join("-");
  const show = () => {
    const [start, end] = ends();
    from.shown.textContent = start;
    to.shown.textContent = end;
    const most = Math.max(1, ...counts.values());
    let sum = 0;
    for (const [index, bar] of all.entries()) {
      const photos = counts.get(first + index) ?? 0;
      const isIn = first + index >= start && first + index <= end;
      if (isIn) sum += photos;
      bar.style.height = photos === 0 ? "0" : Math.max(8, 100 * photos / most) + "%";
      bar.classList.toggle("is-out", !isIn);
      bar.title = (first + index) + ": " + number.format(photos);
    }
    const title = start === end ? String(start) : start + "–" + end;
    facts.textContent = words.photosOfYears.replace("{1}", title).replace("{2}", number.format(sum));
    reset.disabled = isAll();
  };
  // One handle pushes the other: the first year is never after the last.
  const move = (moved) => {
    const [start, end] = ends();
    if (start > end) (moved === from ? to : from).range.value = moved.range.value;
    show();
    clearTimeout(timer);
    timer = setTimeout(changed, SLIDER_REST);
  };
  for (const one of [from, to]) one.range.addEventListener("input", () => move(one));
  reset.addEventListener("click", () => {
    [from.range.value, to.range.value] = [first, last];
    move(from);
    from.range.focus();
  });
  show();
  return {
    box,
    span,
    set: (text) => {
      if (!text) return;
      const [start, end] = text.split("-").map(Number);
      if (start > end) return;
      // The browser keeps each handle within its range.
      [from.range.value, to.range.value] = [start, end];
      show();
    },
    show: (years) => {
      counts = new Map(years.map((one) => [one.year, one.photos]));
      show();
    },
  };
};
