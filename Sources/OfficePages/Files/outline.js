// The outline of a new task, drawn on the map: each click sets a corner, and the form's field has
// the corners as GeoJSON. An outline that is typed or pasted into the field is drawn, too.

// Returns the corners, [latitude, longitude] each, of a GeoJSON outline; null if it is none. It may
// be a feature, a polygon, its coordinates, or one ring of them. An outline with holes or further
// parts is none: the first change on the map would lose them.
const cornersIn = (text) => {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (Array.isArray(value?.features)) {
    if (value.features.length !== 1) return null;
    value = value.features[0];
  }
  value = value?.geometry ?? value;
  value = value?.coordinates ?? value;
  while (Array.isArray(value?.[0]?.[0])) {
    if (value.length !== 1) return null;
    value = value[0];
  }
  if (!Array.isArray(value) || value.length < 3) return null;
  const corners = value.map((one) => [Number(one?.[1]), Number(one?.[0])]);
  if (!corners.every(([y, x]) => Math.abs(y) <= 90 && Math.abs(x) <= 180)) return null;
  // GeoJSON repeats the first corner as the last one.
  const [first, last] = [corners[0], corners.at(-1)];
  if (first[0] === last[0] && first[1] === last[1]) corners.pop();
  return corners;
};

// Returns the area of a small outline in hectares: good enough to see if it is the right field.
const hectaresOf = (corners) => {
  const scale = Math.cos(corners[0][0] * Math.PI / 180);
  let sum = 0;
  corners.forEach(([y, x], index) => {
    const [north, east] = corners[(index + 1) % corners.length];
    sum += (x * north - east * y) * scale;
  });
  return Math.abs(sum) / 2 * 111320 ** 2 / 10000;
};

const drawOn = (element, { L, map, words, make, color, decimal, number, noteOn }) => {
  const field = document.getElementsByName(element.dataset.outline)[0];
  if (!field) return;
  const layer = L.layerGroup().addTo(map);
  const say = noteOn(map, L, "bottomleft");
  let corners = [];
  let isDrawing = false;
  // True while the field has a text that is not drawn.
  let isUnread = false;

  const box = make("div", undefined, { class: "map-tools", role: "group", "aria-label": words.outline });
  const button = (text, action) => {
    const made = make("button", text, { type: "button" });
    made.addEventListener("click", action);
    box.append(made);
    return made;
  };

  const sentence = () => {
    if (corners.length === 0) return isDrawing ? words.firstCorner : isUnread ? words.notDrawn : "";
    const said = corners.length < 3 ? words.corners.replace("{1}", number.format(corners.length))
      : words.cornersAndArea.replace("{1}", number.format(corners.length))
        .replace("{2}", decimal(hectaresOf(corners), 2));
    return isDrawing ? said + " " + words.drawing : said;
  };

  const paint = () => {
    layer.clearLayers();
    const style = { color: color("--accent", element), weight: 3, interactive: false };
    if (isDrawing || corners.length < 3) L.polyline(corners, style).addTo(layer);
    else L.polygon(corners, { ...style, fillOpacity: 0.2 }).addTo(layer);
    corners.forEach((corner, index) => {
      const name = words.corner.replace("{1}", String(index + 1));
      const mark = L.marker(corner, { draggable: true, title: name, alt: name, keyboard: false,
        icon: L.divIcon({ className: "map-corner", iconSize: [16, 16] }) }).addTo(layer);
      mark.on("dragend", () => {
        const { lat, lng } = mark.getLatLng();
        corners[index] = [lat, lng];
        tell();
      });
      // A click on the first corner closes the outline.
      mark.on("click", (event) => {
        L.DomEvent.stopPropagation(event);
        if (index === 0 && isDrawing && corners.length > 2) stop();
      });
    });
    draw.textContent = isDrawing ? words.close : words.draw;
    draw.setAttribute("aria-pressed", String(isDrawing));
    draw.disabled = isDrawing && corners.length < 3;
    undo.disabled = clear.disabled = corners.length === 0;
    element.classList.toggle("is-drawing", isDrawing);
    say(sentence());
  };

  // Puts the corners into the form.
  const tell = () => {
    const ring = corners.map(([y, x]) => "[" + x.toFixed(7) + ", " + y.toFixed(7) + "]");
    field.value = ring.length === 0 ? "" : "[" + ring.join(", ") + "]";
    isUnread = false;
    paint();
  };

  const stop = () => {
    isDrawing = false;
    // Without a corner nothing has replaced a text that is not drawn.
    if (isUnread) paint();
    else tell();
  };

  const draw = button(words.draw, () => {
    if (isDrawing) return stop();
    isDrawing = true;
    paint();
    map.getContainer().focus({ preventScroll: true });
  });
  const undo = button(words.undo, () => {
    corners.pop();
    tell();
  });
  const clear = button(words.clear, () => {
    corners = [];
    tell();
  });

  const add = ({ lat, lng }) => {
    corners.push([lat, L.Util.wrapNum(lng, [-180, 180], true)]);
    tell();
  };
  map.on("click", (event) => { if (isDrawing) add(event.latlng); });
  map.doubleClickZoom.disable();
  map.getContainer().addEventListener("keydown", (event) => {
    if (!isDrawing || event.target !== map.getContainer()) return;
    if (event.key === "Enter") add(map.getCenter());
    else if (event.key === "Backspace" && corners.length > 0) undo.click();
    else if (event.key === "Escape") stop();
    else return;
    event.preventDefault();
  });

  // Draws what the field has, and shows where it is. An outline that is not drawn leaves none of an
  // earlier text on the map.
  const read = () => {
    const typed = cornersIn(field.value);
    isUnread = !typed && field.value.trim() !== "";
    corners = typed ?? [];
    isDrawing = false;
    paint();
    if (typed) map.fitBounds(typed, { padding: [40, 40], maxZoom: 18 });
  };
  field.addEventListener("change", read);

  const control = L.control({ position: "bottomright" });
  control.onAdd = () => { L.DomEvent.disableClickPropagation(box); return box; };
  control.addTo(map);
  paint();
  if (field.value.trim() !== "") read();
};

document.addEventListener("map-ready", (event) => {
  if (event.target.dataset.outline) drawOn(event.target, event.detail);
});
