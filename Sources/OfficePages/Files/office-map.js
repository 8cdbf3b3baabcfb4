// Returns west, south, east and north, degrees; the whole world if the map shows it more than once.
const sidesOf = (bounds) => {
  const turn = (degrees) => ((degrees + 180) % 360 + 360) % 360 - 180;
  const isWorld = bounds.getEast() - bounds.getWest() >= 360;
  return [
    isWorld ? -180 : turn(bounds.getWest()), Math.max(bounds.getSouth(), -90),
    isWorld ? 180 : turn(bounds.getEast()), Math.min(bounds.getNorth(), 90)];
};

// The register's parcels on the map. The office returns the parcels in a view, or says that they
// are too many to be told apart. They are drawn below everything else, since tasks and photos
// matter more. On the page of a new task, a click on a parcel puts its identifier into the form.
  const register = (map, element, words, L) => {
    const source = new URL(element.dataset.parcels, location.href);
    const field = element.dataset.pick ? document.getElementsByName(element.dataset.pick)[0] : null;
    const layer = L.layerGroup();
    const drawn = new Map();
    map.createPane("parcels").style.zIndex = "350";

    const say = noteOn(map, L, "bottomleft");

    const paint = (identifier) => {
      const isChosen = field !== null && field.value.trim() === identifier;
      const { shape, isRough } = drawn.get(identifier);
      shape.setStyle({
        color: color(isChosen ? "--accent" : "--soft", element), weight: isChosen ? 4 : 1.5,
        dashArray: isRough ? "2 4" : null, fillOpacity: isChosen ? 0.3 : 0.05,
      });
      if (isChosen) shape.bringToFront();
    };

    const choose = (identifier) => {
      field.value = identifier;
      for (const one of drawn.keys()) paint(one);
      say(words.chosen + " " + identifier);
    };

    const card = (parcel) => {
      const box = make("div");
      box.append(make("p"));
      box.lastChild.append(make("strong", parcel.identifier));
      for (const line of [parcel.name, parcel.crop]) if (line) box.append(make("p", line));
      const link = (words_, href) => {
        box.append(make("p"));
        box.lastChild.append(make("a", words_, { href }));
      };
      const name = "?parcel=" + encodeURIComponent(parcel.identifier);
      link(words.parcelTasks, "/tasks" + name);
      if (element.dataset.orders === "yes") link(words.parcelOrder, "/tasks/new" + name);
      return box;
    };

    const add = (parcel) => {
      // GeoJSON repeats the first corner as the last one.
      const rings = parcel.coordinates.map((part) => part.map((ring) => ring.slice(0, -1).map(([x, y]) => [y, x])));
      const shape = L.polygon(rings, { pane: "parcels" });
      const title = [parcel.identifier, parcel.name, parcel.crop].filter(Boolean).join(", ");
      shape.bindTooltip(make("span", title), { sticky: true });
      shape.on("click", (event) => {
        // A click that sets a corner of an outline means the map.
        if (element.classList.contains("is-drawing")) return;
        L.DomEvent.stopPropagation(event);
        if (field) choose(parcel.identifier);
        // A popup of the map and not of the shape: drawing the view again would remove the shape's.
        else L.popup().setLatLng(event.latlng).setContent(card(parcel)).openOn(map);
      });
      drawn.set(parcel.identifier, { shape, isRough: parcel.isRough });
      shape.addTo(layer);
      paint(parcel.identifier);
      return shape;
    };

    const draw = (view) => {
      layer.clearLayers();
      drawn.clear();
      for (const parcel of view.parcels) add(parcel);
      say(view.isTooWide ? words.tooWide : "");
    };

    let asking = null;
    const fetched = async (name, value) => {
      asking?.abort();
      const mine = asking = new AbortController();
      const url = new URL(source);
      url.searchParams.set(name, value);
      try {
        const answer = await fetch(url, { signal: mine.signal, headers: { Accept: "application/json" } });
        if (!answer.ok) throw new Error(String(answer.status));
        const view = await answer.json();
        return mine === asking ? view : null;
      } catch (error) {
        if (error.name !== "AbortError") say(words.lost);
        return null;
      }
    };
    const ask = async () => {
      if (element.dataset.ready !== "yes") return;
      if (!map.hasLayer(layer)) return say("");
      const box = sidesOf(map.getBounds()).map((side) => side.toFixed(6)).join(",");
      const view = await fetched("box", box);
      if (view) draw(view);
    };
    map.on("moveend", ask);
    layer.on("add", ask);
    layer.on("remove", () => say(""));

    // After an identifier is entered, the map shows where the parcel is, or says that there is
    // none.
    field?.addEventListener("change", async () => {
      const identifier = field.value.trim();
      for (const one of drawn.keys()) paint(one);
      if (identifier === "") return say("");
      const view = await fetched("identifier", identifier);
      if (!view) return;
      if (view.parcels.length === 0) return say(words.noParcel);
      const corners = view.parcels[0].coordinates.flat(2).map(([x, y]) => [y, x]);
      map.fitBounds(corners, { padding: [60, 60], maxZoom: 17 });
      ask();
    });
    if (element.dataset.showsParcels === "yes") layer.addTo(map);
    return { layer, ask };
  };

// The colour of each state, as in the lists.
const stateColours = { new: "--accent", open: "--accent", returned: "--warn", dataProvided: "--ink", accepted: "--good",
  declined: "--bad", withdrawn: "--soft" };

// Adds the legend of the states in view, and returns the function that sets them.
const legendOn = (map, L, title, states) => {
  const control = L.control({ position: "topleft" });
  const box = make("details", undefined, { class: "map-legend", hidden: "" });
  box.append(make("summary", title), make("ul"));
  if (matchMedia("(min-width: 48em)").matches) box.open = true;
  control.onAdd = () => { L.DomEvent.disableClickPropagation(box); return box; };
  control.addTo(map);
  return (present) => {
    const items = [...states.values()].filter((state) => present.includes(state.state)).map((state) => {
      const item = make("li");
      item.append(make("span", undefined, { class: "map-state state-" + state.state, "aria-hidden": "true" }), " " + state.title);
      return item;
    });
    box.lastChild.replaceChildren(...items);
    box.hidden = items.length === 0;
  };
};

// Adds a button at the bottom of the map.
const buttonOn = (map, L, words, press) => {
  const control = L.control({ position: "bottomright" });
  const box = make("div", undefined, { class: "map-tools" });
  const button = make("button", words, { type: "button" });
  button.addEventListener("click", press);
  box.append(button);
  control.onAdd = () => { L.DomEvent.disableClickPropagation(box); return box; };
  control.addTo(map);
};

const begin = (element) => {
  const words = JSON.parse(element.dataset.words);
  const hasList = element.dataset.hasList === "yes";
  const ground = groundOf(element, words, { zoom: "topleft", scale: "bottomleft" });
  if (!ground) return () => {};
  const { L, map, hasBases } = ground;
  const ending = new AbortController();
  const { signal } = ending;
  const parcels = element.dataset.parcels ? register(map, element, words, L) : null;
  const overlays = parcels ? { [make("span", words.parcels).innerHTML]: parcels.layer } : {};
  // A single box to tick needs no button that hides it.
  if (parcels) layersOn(map, L, words, overlays, { position: "topright", collapsed: hasBases });

  const shapes = L.layerGroup().addTo(map);
  const marks = L.markerClusterGroup
    ? L.markerClusterGroup({ maxClusterRadius: 14, showCoverageOnHover: false,
        iconCreateFunction: (group) => bubble(group.getChildCount(), 0) })
    : L.layerGroup();
  marks.addTo(map);
  const counted = L.layerGroup().addTo(map);

  const bubble = (photos, tasks) => {
    const all = photos + tasks;
    const size = Math.round(26 + 6 * Math.log10(Math.max(all, 1)));
    return L.divIcon({
      className: photos > 0 ? "map-cluster" : "map-cluster is-tasks",
      html: all < 10000 ? number.format(all) : number.format(Math.round(all / 1000)) + "k",
      iconSize: [all < 1000 ? size : size + 10, size],
    });
  };

  const popup = (title, lines, href, picture) => {
    const box = make("div");
    // The picture's size is stated before it is loaded, so that the map makes room for the whole
    // card when it opens.
    if (picture) box.append(make("img", undefined, { src: picture, alt: "", width: "320", height: "240" }));
    const head = make("p");
    head.append(make("strong", title));
    box.append(head);
    for (const line of lines) box.append(make("p", line));
    const link = make("p");
    link.append(make("a", words.open, { href }));
    box.append(link);
    return box;
  };

  // On a task's own page the map and the photo beside it follow each other.
  const places = new Map();
  let chosen = "";
  const follow = (id) => {
    // The script of the desk has laid the page out since the map measured itself.
    map.invalidateSize({ pan: false });
    places.get(chosen)?.(false);
    chosen = id;
    places.get(id)?.(true);
  };
  if (!hasList) document.addEventListener("photo", (event) => follow(event.detail), { signal });
  const isPicking = element.dataset.picksPhotos !== undefined;
  if (isPicking) {
    document.addEventListener("photos", (event) => {
      for (const [id, mark] of places) mark(event.detail.includes(id));
    }, { signal });
    const seen = () => [...places.keys()].filter((id) => map.getBounds().contains(places.get(id).at));
    buttonOn(map, L, words.pickView, () =>
      document.dispatchEvent(new CustomEvent("photos-chosen", { detail: seen() })));
  }

  const states = new Map(JSON.parse(element.dataset.states).map((state) => [state.state, state]));
  const legend = legendOn(map, L, words.legend, states);
  const list = element.dataset.list;
  const way = (task) => "/tasks/" + task + (list ? "?list=" + encodeURIComponent(list) : "");

  const draw = (view) => {
    for (const layer of [shapes, marks, counted]) layer.clearLayers();
    const accent = color("--accent", element);
    const ink = color("--ink", element);
    for (const task of view.tasks) {
      const rings = task.rings.map((ring) => ring.map(([x, y]) => [y, x]));
      const state = states.get(task.state);
      const card = () => popup(task.name, [state?.title ?? task.state], way(task.id));
      L.polygon(rings, { color: color(stateColours[task.state] ?? "--ink", element), weight: 2, fillOpacity: 0.12,
        dashArray: task.state === "withdrawn" ? "4 4" : null }).bindPopup(card).addTo(shapes);
      // The sign says the state where a colour alone would not. On a task's own map it is in the page's head.
      if (!hasList) continue;
      const title = task.name + ": " + (state?.title ?? task.state);
      L.marker([task.at[1], task.at[0]], { title, alt: title, zIndexOffset: -500,
        icon: L.divIcon({ className: "map-state state-" + task.state, iconSize: [20, 20] }) })
        .bindPopup(card).addTo(shapes);
    }
    for (const place of view.places ?? []) {
      const land = L.polygon(place.rings.map((ring) => ring.map(([x, y]) => [y, x])), { color: ink, weight: 2,
        dashArray: "8 4", fill: false, interactive: false }).addTo(shapes);
      landName(L, land, place.name).addTo(shapes);
    }
    if (hasList) legend(view.tasks.map((task) => task.state));
    for (const track of view.tracks) {
      L.polyline(track.line.map(([x, y]) => [y, x]), { color: accent, weight: 2, dashArray: "5 3" })
        .bindTooltip(make("span", track.origin === "egnss4cap" ? track.name + ", " + words.phone : track.name))
        .addTo(shapes);
    }
    let count = 0;
    for (const photo of view.photos) {
      const at = [photo.at[1], photo.at[0]];
      const cone = photo.azimuthDegreesTrue === undefined ? null
        : L.polygon(coneOf(photo.at, photo.azimuthDegreesTrue, photo.viewDegrees, 25),
          { color: accent, weight: 1, fillOpacity: 0.18, interactive: false }).addTo(shapes);
      if (photo.uncertaintyMetres95 !== undefined) {
        L.circle(at, { radius: photo.uncertaintyMetres95, color: ink, weight: 1, dashArray: "2 2",
          fill: false, interactive: false }).addTo(shapes);
      }
      const name = words.photo + " " + localMoment(photo.time);
      const href = photo.task && hasList ? way(photo.task) + "#photo-" + photo.id : "/photos/" + photo.id;
      const lines = [degreesOf(photo.at)];
      if (photo.heightMetres !== undefined) lines.push(decimal(photo.heightMetres, 1) + " m");
      if (photo.uncertaintyMetres95 !== undefined) lines.push("± " + decimal(photo.uncertaintyMetres95, 1) + " m");
      // On a task's own map, the number is that of the photo on the page.
      const mark = hasList ? "" : String(count += 1);
      const marker = L.marker(at, { title: name, alt: name,
        icon: L.divIcon({ className: "map-number", html: mark, iconSize: hasList ? [16, 16] : [26, 26] }),
      }).bindPopup(() => popup(name, lines, href, "/photos/" + photo.id + "/thumbnail.jpg"))
        .addTo(hasList ? marks : shapes);
      if (hasList) continue;
      // The photo itself stands beside the map of a desk: a card of it would only cover the map.
      if (element.closest("[data-desk]") || isPicking) marker.unbindPopup();
      marker.on("click", () => document.dispatchEvent(new CustomEvent("photo-chosen", { detail: photo.id })));
      const show = (isChosen) => {
        marker.getElement()?.classList.toggle("is-chosen", isChosen);
        marker.setZIndexOffset(isChosen ? 1000 : 0);
        cone?.setStyle({ weight: isChosen ? 3 : 1, fillOpacity: isChosen ? 0.4 : 0.18 });
        if (isChosen && !isPicking && !map.getBounds().pad(-0.1).contains(at)) map.panTo(at);
      };
      show.at = at;
      places.set(photo.id, show);
    }
    for (const cluster of view.clusters) {
      const isPhoto = cluster.photos > 0;
      const parts = [];
      if (cluster.photos > 0) parts.push(number.format(cluster.photos) + " " + words.photos);
      if (cluster.tasks > 0) parts.push(number.format(cluster.tasks) + " " + words.tasks);
      const title = cluster.id === undefined ? parts.join(", ") : isPhoto ? words.photo : words.task;
      const at = [cluster.at[1], cluster.at[0]];
      const marker = L.marker(at, { icon: bubble(cluster.photos, cluster.tasks), title, alt: title, keyboard: true })
        .addTo(counted);
      const [west, south, east, north] = cluster.box;
      // On a small map the box may fill the window already: a press still leads nearer.
      const nearer = () => map.setView(at, Math.min(20,
        Math.max(map.getZoom() + 1, map.getBoundsZoom([[south, west], [north, east]]))));
      if (cluster.id === undefined) marker.on("click", nearer);
      else marker.bindPopup(() => popup(title, [degreesOf(cluster.at)],
        isPhoto ? "/photos/" + cluster.id : way(cluster.id),
        isPhoto ? "/photos/" + cluster.id + "/thumbnail.jpg" : undefined));
    }
    if (chosen) follow(chosen);
    document.dispatchEvent(new CustomEvent("map-drawn"));
    years?.show(view.years ?? []);
    const isEmpty = view.photos.length + view.clusters.length + view.tracks.length === 0;
    say(isEmpty && years?.span() ? words.noneOfYears : isEmpty && view.tasks.length === 0 ? words.empty : "");
  };

  const say = noteOn(map, L, "bottomleft");

  const source = new URL(element.dataset.source, location.href);
  let asking = null;
  const ask = async () => {
    // A task's page carries the map's data.
    if (element.dataset.view) {
      const view = JSON.parse(element.dataset.view);
      draw(view);
      return view;
    }
    asking?.abort();
    const mine = asking = new AbortController();
    const url = new URL(source);
    if (hasList) {
      const bounds = map.getBounds();
      url.searchParams.set("box", sidesOf(bounds).map((side) => side.toFixed(6)).join(","));
      url.searchParams.set("zoom", String(map.getZoom()));
    }
    if (years) url.searchParams.set("years", years.span() ?? "all");
    try {
      const answer = await fetch(url, { signal: mine.signal, headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const view = await answer.json();
      if (mine === asking) draw(view);
      return view;
    } catch (error) {
      if (error.name !== "AbortError") say(words.lost);
      return null;
    }
  };

  // The map's position is in the address, so that a view can be sent to a colleague.
  const remembered = () => {
    const found = /^#map=(\d+)\/(-?[\d.]+)\/(-?[\d.]+)(?:\/(\d{4}-\d{4}))?$/.exec(location.hash);
    if (!found || !hasList) return null;
    years?.set(found[4]);
    return found.slice(1, 4).map(Number);
  };
  // The part of the map that is seen, with the years that were chosen.
  const remember = () => {
    const centre = map.getCenter();
    const span = years?.span();
    history.replaceState(history.state, "", location.pathname + location.search
      + `#map=${map.getZoom()}/${centre.lat.toFixed(5)}/${centre.lng.toFixed(5)}` + (span ? "/" + span : ""));
  };
  const years = element.dataset.years ? yearsBeside(element, words, element.dataset.years, () => { remember(); ask(); }) : null;
  const place = remembered();
  const sides = (element.dataset.box || "").split(",").map(Number);
  if (place) map.setView([place[1], place[2]], place[0]);
  else if (sides.length === 4) map.fitBounds([[sides[1], sides[0]], [sides[3], sides[2]]], { padding: [24, 24], maxZoom: 17 });
  else map.setView([50, 15], 3);
  element.dataset.ready = "yes";
  parcels?.ask();

  if (hasList) {
    map.on("moveend", () => { remember(); ask(); });
    ask();
    tools(map, element, words, L);
  } else if (element.dataset.source) {
    ask().then((view) => {
      if (!view) return;
      const points = [];
      for (const task of view.tasks) for (const ring of task.rings) for (const [x, y] of ring) points.push([y, x]);
      for (const photo of view.photos) points.push([photo.at[1], photo.at[0]]);
      for (const track of view.tracks) for (const [x, y] of track.line) points.push([y, x]);
      if (points.length === 0) return;
      const fit = () => map.fitBounds(points, { padding: [24, 24], maxZoom: 19, animate: false });
      fit();
      // The page gets its form step by step: the view fits until a person moves the map.
      let isMoved = false;
      for (const kind of ["pointerdown", "wheel", "keydown"]) {
        element.addEventListener(kind, () => { isMoved = true; }, { passive: true });
      }
      const size = new ResizeObserver(() => {
        map.invalidateSize({ pan: false });
        if (!isMoved) fit();
      });
      size.observe(element);
      signal.addEventListener("abort", () => size.disconnect());
    });
  }
  element.dispatchEvent(new CustomEvent("map-ready", { bubbles: true,
    detail: { L, map, words, make, color, decimal, number, noteOn } }));
  return () => {
    ending.abort();
    years?.box.remove();
    map.remove();
  };
};

// Opens the list of tasks in a part of the map: the present view, or a drawn rectangle.
const tools = (map, element, words, L) => {
  const go = (bounds) => {
    const query = new URLSearchParams(element.dataset.list);
    query.set("area", sidesOf(bounds).map((side) => side.toFixed(5)).join(","));
    location.assign("/tasks?" + query);
  };
  // At the bottom, where the map has no other controls, however narrow it is.
  const control = L.control({ position: "bottomright" });
  const box = make("div", undefined, { class: "map-tools" });
  const view = make("button", words.view, { type: "button" });
  view.addEventListener("click", () => go(map.getBounds()));
  const area = make("button", words.area, { type: "button", "aria-pressed": "false" });
  let first = null;
  let shape = null;
  const stop = () => {
    area.setAttribute("aria-pressed", "false");
    area.textContent = words.area;
    element.classList.remove("is-drawing");
    map.dragging.enable();
    shape?.remove();
    first = shape = null;
  };
  area.addEventListener("click", () => {
    if (area.getAttribute("aria-pressed") === "true") return stop();
    area.setAttribute("aria-pressed", "true");
    area.textContent = words.drawing;
    element.classList.add("is-drawing");
    map.dragging.disable();
  });
  map.on("mousedown", (event) => {
    if (area.getAttribute("aria-pressed") !== "true") return;
    first = event.latlng;
    shape = L.rectangle([first, first], { color: color("--accent", element), weight: 2 }).addTo(map);
  });
  map.on("mousemove", (event) => { if (first) shape.setBounds(L.latLngBounds(first, event.latlng)); });
  map.on("mouseup", (event) => {
    if (!first) return;
    const bounds = L.latLngBounds(first, event.latlng);
    const isSomething = !bounds.getNorthEast().equals(bounds.getSouthWest());
    stop();
    if (isSomething) go(bounds);
  });
  element.addEventListener("keydown", (event) => { if (event.key === "Escape") stop(); });
  control.onAdd = () => { L.DomEvent.disableClickPropagation(box); return box; };
  box.append(view, area);
  control.addTo(map);
};

let ends = [];
const beginAll = () => {
  for (const end of ends) end();
  ends = [...document.querySelectorAll("[data-map]")].map(begin);
};
beginAll();
document.addEventListener("page", beginAll);
