import { guideOn } from "/assets/guide.js";

// Without a base map: a grid of degrees, which shows scale and direction.
const STEPS = [60, 30, 20, 10, 5, 2, 1, .5, .2, .1, .05, .02, .01, .005, .002, .001, .0005, .0002, .0001,
  .00005, .00002, .00001];

const grid = ({ L, map, plain }, element) => {
  const lines = L.layerGroup().addTo(plain);
  const label = (at, text) => L.marker(at, { interactive: false, keyboard: false,
    icon: L.divIcon({ className: "map-degree", html: make("span", text), iconSize: [0, 0] }) }).addTo(lines);
  const draw = () => {
    lines.clearLayers();
    if (!map.hasLayer(plain)) return;
    const bounds = map.getBounds();
    const width = bounds.getEast() - bounds.getWest();
    // A line each 90 to 220 px: closer, their numbers would run into each other on a phone.
    const step = STEPS.find((one) => width / one >= map.getSize().x / 220) ?? STEPS.at(-1);
    const places = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    const south = Math.max(bounds.getSouth(), -85);
    const north = Math.min(bounds.getNorth(), 85);
    const style = { color: color("--edge", element), weight: 1, opacity: .6, interactive: false };
    for (let x = Math.ceil(bounds.getWest() / step); x * step < bounds.getEast(); x += 1) {
      L.polyline([[south, x * step], [north, x * step]], style).addTo(lines);
      const shown = ((x * step + 180) % 360 + 360) % 360 - 180;
      label([north, x * step], decimal(Math.abs(shown), places) + "° " + (shown < 0 ? "W" : "E"));
    }
    for (let y = Math.ceil(south / step); y * step < north; y += 1) {
      L.polyline([[y * step, bounds.getWest()], [y * step, bounds.getEast()]], style).addTo(lines);
      label([y * step, bounds.getWest()], decimal(Math.abs(y * step), places) + "° " + (y < 0 ? "S" : "N"));
    }
  };
  map.on("moveend", draw);
  plain.on("add", draw);
  return draw;
};

// Parcels, photos and tracks.
const TONES = { new: "--accent", open: "--accent", returned: "--warn", dataProvided: "--ink",
  accepted: "--good", declined: "--bad", withdrawn: "--soft" };
const DASHES = { new: "6 4", withdrawn: "2 6", returned: "10 4" };

// The zoom from which on the points of a track are drawn.
const NEAR = 15;

// The zoom from which on the parcels around the tasks are drawn: further away they run into each other.
const NEIGHBOURS = 14;

const link = (words, href) => make("a", words, { href, class: "button quiet" });

const card = (title, lines, links) => {
  const box = make("div");
  box.append(make("p"));
  box.lastChild.append(make("strong", title));
  for (const line of lines) if (line) box.append(make("p", line));
  for (const one of links) box.append(one);
  return box;
};

// A receiver that sends no date gives a time of day, in UTC.
const clock = (time) => time.includes("T") ? localMoment(time) : time.slice(0, 8) + " UTC";
const metres = (value) => value === undefined ? "" : "± " + decimal(value, 1) + " m";
const flip = ([x, y]) => [y, x];
// A place on that side of the antimeridian on which another longitude is.
const near = ([y, x], longitude) => [y, x + 360 * Math.round((longitude - x) / 360)];

// How outlines and tracks lie on each other: a track is a broad band that lets through what is
// below, and an outline is a narrow line with an edge in the colour of the ground, above all bands.
const BAND = { weight: 8, opacity: .5 };
const outlinesOn = (L, map) => {
  const pane = map.createPane("outlines");
  pane.style.zIndex = "450";
  // A tap means what is below: the land itself, a photo or a track.
  pane.style.pointerEvents = "none";
  return L.canvas({ pane: "outlines", padding: .3 });
};
const outline = (L, rings, tone, dashes, element, renderer) => L.layerGroup([
  L.polygon(rings, { renderer, fill: false, interactive: false, weight: 7, opacity: .9,
    color: color("--surface", element) }),
  L.polygon(rings, { renderer, fill: false, interactive: false, weight: 3, color: tone, dashArray: dashes }),
]);
// The words for a place: degrees as a receiver writes them, and the height above the ellipsoid.
const placeWords = ({ at, heightMetres }) => degreesOf(at)
  + (heightMetres === undefined ? "" : ", " + decimal(heightMetres, 1) + " m");

const thingsOn = (element, ground, words, say) => {
  const { L, map } = ground;
  // One canvas for everything: a tap means the thing that was drawn last, and may miss it by a
  // little.
  const brush = L.canvas({ padding: .3, tolerance: 14 });
  map.options.renderer = brush;
  const outlines = outlinesOn(L, map);
  const cluster = () => L.markerClusterGroup
    ? L.markerClusterGroup({ maxClusterRadius: 36, showCoverageOnHover: false,
        iconCreateFunction: (group) => L.divIcon({ className: "map-cluster", iconSize: [48, 48],
          html: make("span", number.format(group.getChildCount())) }) })
    : L.layerGroup();
  const marks = { task: cluster(), own: cluster(), earlier: cluster() };
  const cones = { task: L.layerGroup(), own: L.layerGroup() };
  const groups = {
    parcels: L.featureGroup(), taskPhotos: L.layerGroup([cones.task, marks.task]),
    ownPhotos: L.layerGroup([cones.own, marks.own]), tracks: L.layerGroup(),
    neighbours: L.layerGroup(), photoPoints: L.layerGroup(), earlierPhotos: L.layerGroup([marks.earlier]),
  };
  const dots = L.layerGroup().addTo(groups.tracks);
  const ways = L.layerGroup().addTo(groups.tracks);
  const overlays = {};
  for (const [name, group] of Object.entries(groups)) {
    group.addTo(map);
    overlays[make("span", words[name]).innerHTML] = group;
  }
  layersOn(map, L, words, overlays, { position: "bottomright", collapsed: true });

  const places = new Map();
  const tracks = new Map();

  const drawTask = (task) => {
    const tone = color(TONES[task.state] ?? "--soft", element);
    const title = task.sign + " " + task.name + ", " + task.stateTitle;
    const content = () => card(task.name, [task.sign + " " + task.stateTitle],
      [...task.takesPhotos ? [link(words.shoot, "/camera?task=" + task.id)] : [],
        link(words.open, "/tasks/" + task.id), link(words.guide, "/map?task=" + task.id + "&guide=yes")]);
    const rings = task.rings.map((ring) => ring.map(flip));
    const shape = L.polygon(rings, { stroke: false, fillColor: tone, fillOpacity: .1 })
      .bindPopup(content).addTo(groups.parcels);
    outline(L, rings, tone, DASHES[task.state] ?? null, element, outlines).addTo(groups.parcels);
    for (const place of task.places) {
      const land = place.rings.map((ring) => ring.map(flip));
      outline(L, land, tone, "8 6", element, outlines).addTo(groups.parcels);
      landName(L, L.polygon(land), place.name).addTo(groups.parcels);
    }
    // Above the photos: one that was taken in the middle of a parcel must not cover the way to its task.
    L.marker(flip(task.at), { title, alt: title, zIndexOffset: 1000, icon: L.divIcon({ iconSize: [48, 48],
      className: "map-sign map-sign-" + task.state, html: make("span", task.sign) }) })
      .bindPopup(content).addTo(groups.parcels);
    places.set("task:" + task.id, { bounds: shape.getBounds() });
  };

  const drawPhoto = (photo) => {
    const kind = photo.task ? "task" : "own";
    const at = flip(photo.at);
    const accent = color("--accent", element);
    if (photo.azimuthDegreesTrue !== undefined) {
      L.polygon(coneOf(photo.at, photo.azimuthDegreesTrue, photo.viewDegrees, 25),
        { color: accent, weight: 1, fillOpacity: .2, interactive: false }).addTo(cones[kind]);
    }
    if (photo.uncertaintyMetres95 !== undefined) {
      L.circle(at, { radius: photo.uncertaintyMetres95, color: color("--ink", element), weight: 1,
        dashArray: "2 2", fill: false, interactive: false }).addTo(cones[kind]);
    }
    const title = words.photo + " " + clock(photo.time);
    const degrees = (name, value) => value === undefined ? "" : name + " " + decimal(value, 0) + "°";
    const marker = L.marker(at, { title, alt: title, icon: L.divIcon({ iconSize: [48, 48],
      className: "map-photo" + (photo.task ? "" : " is-alone"), html: make("span") }) })
      .bindPopup(() => card(title, [photo.taskName, placeWords(photo),
        [metres(photo.uncertaintyMetres95), degrees(words.azimuth, photo.azimuthDegreesTrue),
          degrees(words.angle, photo.angleDegrees)].filter(Boolean).join(", "),
        photo.isSent ? "↑ " + words.sent : "○ " + words.notSent],
        [link(words.open, "/photos/" + photo.id)])).addTo(marks[kind]);
    places.set("photo:" + photo.id, { at, marker });
  };

  const drawPhotoPoint = (point) => {
    const at = flip(point.at);
    const accent = color("--good", element);
    if (point.azimuthDegreesTrue !== undefined) {
      L.polygon(coneOf(point.at, point.azimuthDegreesTrue, point.viewDegrees, 25),
        { color: accent, weight: 1, fillOpacity: .2, interactive: false }).addTo(groups.photoPoints);
    }
    const content = () => {
      const box = card(point.title, [], [link(words.open, "/points/" + point.id)]);
      if (point.hasPicture) {
        box.firstChild.before(make("img", undefined,
          { src: "/points/" + point.id + "/reference.jpg", alt: "", class: "map-picture" }));
      }
      return box;
    };
    const marker = L.marker(at, { title: point.title, alt: point.title, icon: L.divIcon({
      iconSize: [48, 48], className: "map-point", html: make("span", "◎") }) })
      .bindPopup(content).addTo(groups.photoPoints);
    places.set("point:" + point.id, { at, marker });
  };

  const pointTitle = (point, count) => words.point + " " + number.format(count);
  const pointCard = (id, point, count) => card(pointTitle(point, count), [clock(point.time), placeWords(point),
    [words[point.kind] ?? point.kind, metres(point.uncertaintyMetres95)].filter(Boolean).join(", "),
    point.gap ? words.gap + ": " + (words[point.gap] ?? point.gap) : ""],
    [link(words.open, "/tracks/" + id)]);

  const drawTrack = (track) => {
    const tone = color("--accent", element);
    const content = () => card(track.name, [number.format(track.points) + " " + words.points, track.id],
      [link(words.open, "/tracks/" + track.id)]);
    const pieces = track.pieces.map((piece) => piece.map(flip));
    if (track.isClosed) {
      L.polygon(pieces.flat(), { stroke: false, fillColor: tone, fillOpacity: .08, interactive: false }).addTo(ways);
      L.polyline([pieces.at(-1).at(-1), pieces[0][0]], { color: tone, weight: 3, dashArray: "2 8" }).addTo(ways);
    }
    const way = L.polyline(pieces, { ...BAND, color: tone }).bindPopup(content).addTo(ways);
    for (let next = 1; next < pieces.length; next += 1) {
      L.polyline([pieces[next - 1].at(-1), pieces[next][0]], { color: tone, weight: 2, dashArray: "2 8" }).addTo(ways);
    }
    const bounds = way.getBounds();
    tracks.set(track.id, { bounds, points: null });
    places.set("track:" + track.id, { bounds });
  };

  // A point of a track, drawn if the points are far enough from each other to be tapped.
  const dot = (id, point, count) => {
    const kind = point.kind === "recorded" ? 0 : 1;
    return L.circleMarker(flip(point.at), { radius: kind ? 8 : 4, weight: kind ? 4 : 2,
      color: color(kind ? "--ink" : "--accent", element), fillColor: color("--surface", element), fillOpacity: 1 })
      .bindPopup(() => pointCard(id, point, count));
  };
  // Points closer than SPACING pixels would merge into a line that hides what is below; from ALL on
  // the map is so near that each is drawn.
  const DOTS = 3000;
  const SPACING = 18;
  const ALL = 19;
  const drawDots = async () => {
    dots.clearLayers();
    if (map.getZoom() < NEAR || !map.hasLayer(groups.tracks)) return;
    const seen = map.getBounds().pad(.1);
    let left = DOTS;
    for (const [id, track] of tracks) {
      if (!track.bounds.isValid() || !seen.intersects(track.bounds)) continue;
      if (track.points === null) {
        track.points = [];
        fetch("/tracks/" + id + "/points.json", { headers: { Accept: "application/json" } })
          .then((answer) => answer.ok ? answer.json() : Promise.reject())
          .then((view) => { track.points = view.points; drawDots(); })
          .catch(() => { track.points = null; });
        continue;
      }
      let last = null;
      for (const [index, point] of track.points.entries()) {
        if (left === 0) return;
        if (!seen.contains(flip(point.at))) continue;
        const place = map.latLngToLayerPoint(flip(point.at));
        const isClose = last !== null && place.distanceTo(last) < SPACING;
        if (isClose && map.getZoom() < ALL && point.kind === "recorded") continue;
        last = place;
        left -= 1;
        dot(id, point, index + 1).addTo(dots);
      }
    }
  };
  map.on("moveend", drawDots);

  // The parcels around the tasks lie below everything else: whatever is drawn there has the tap.
  const lots = L.layerGroup();
  let isAsked = false;
  const drawLot = (parcel) => {
    L.polygon(parcel.rings.map((ring) => ring.map(flip)),
      { fill: false, weight: 1.5, dashArray: "4 4", color: color("--soft", element) })
      .bindTooltip(make("span", parcel.identifier), { sticky: true }).addTo(lots);
  };
  const drawNeighbours = async () => {
    if (map.getZoom() < NEIGHBOURS || !map.hasLayer(groups.neighbours)) {
      groups.neighbours.removeLayer(lots);
      return;
    }
    groups.neighbours.addLayer(lots);
    if (!isAsked) {
      isAsked = true;
      try {
        const answer = await fetch(element.dataset.parcels, { headers: { Accept: "application/json" } });
        if (!answer.ok) throw new Error(String(answer.status));
        for (const parcel of (await answer.json()).parcels) drawLot(parcel);
      } catch {
        // The next zoom asks again.
        isAsked = false;
      }
    }
    lots.eachLayer((lot) => lot.bringToBack());
  };
  map.on("zoomend", drawNeighbours);
  groups.neighbours.on("add", drawNeighbours);

  // The earlier photos of the agency around the tasks, with small pictures and dates; at the office
  // there may be more of them than came to this device.
  let earlier = [];
  let years = null;
  const earlierCard = (photo) => {
    const box = card(clock(photo.taken), [], []);
    if (photo.hasPicture) {
      box.firstChild.before(make("img", undefined, { src: "/map/earlier/" + photo.id + "/small.jpg", alt: "",
        class: "map-picture" }));
    } else box.append(make("p", words.noPicture));
    return box;
  };
  const drawEarlier = () => {
    marks.earlier.clearLayers();
    for (const name of [...places.keys()]) if (name.startsWith("earlier:")) places.delete(name);
    const [first, last] = (years?.span() ?? "0-9999").split("-").map(Number);
    const counts = new Map();
    for (const place of earlier) {
      const photos = place.photos.filter((photo) => !places.has("photo:" + photo.id));
      for (const photo of photos) {
        const year = new Date(photo.taken).getUTCFullYear();
        counts.set(year, (counts.get(year) ?? 0) + 1);
        if (year < first || year > last) continue;
        const title = words.earlierPhoto + " " + clock(photo.taken);
        const marker = L.marker(flip(photo.at), { title, alt: title, icon: L.divIcon({ iconSize: [48, 48],
          className: "map-photo is-earlier", html: make("span") }) })
          .bindPopup(() => earlierCard(photo)).addTo(marks.earlier);
        places.set("earlier:" + photo.id, { at: flip(photo.at), marker });
      }
      const more = place.count - place.photos.length;
      if (more > 0 && !years?.span()) {
        const title = words.moreEarlier.replace("{1}", number.format(more));
        L.marker(flip(place.at), { title, alt: title, icon: L.divIcon({ iconSize: [48, 48],
          className: "map-cluster is-earlier", html: make("span", "+" + number.format(more)) }) })
          .bindPopup(() => card(title, [], [])).addTo(marks.earlier);
      }
    }
    years?.show([...counts].map(([year, photos]) => ({ year, photos })));
  };
  const loadEarlier = async () => {
    try {
      const answer = await fetch(element.dataset.earlier, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(String(answer.status));
      earlier = (await answer.json()).clusters;
    } catch {
      // The map works without them; the next load asks again.
      return;
    }
    const all = earlier.flatMap((place) => place.photos).map((photo) => new Date(photo.taken).getUTCFullYear());
    const span = [Math.min(...all), Math.max(...all)];
    const panel = document.querySelector("[data-earlier-years]");
    if (!years && panel && span[0] < span[1]) {
      years = yearsBeside(panel.lastElementChild, words, span.join("-"), drawEarlier);
      panel.hidden = false;
    }
    drawEarlier();
  };

  const load = async () => {
    try {
      const answer = await fetch(element.dataset.source, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const view = await answer.json();
      for (const group of [groups.parcels, marks.task, marks.own, cones.task, cones.own, ways, dots,
        groups.photoPoints]) group.clearLayers();
      places.clear();
      tracks.clear();
      for (const task of view.tasks) drawTask(task);
      for (const photo of view.photos) drawPhoto(photo);
      for (const track of view.tracks) if (track.points > 0) drawTrack(track);
      for (const point of view.points) drawPhotoPoint(point);
      say(places.size === 0 ? words.emptyMap : "");
      drawDots();
      loadEarlier();
      return true;
    } catch {
      say(words.noData);
      return false;
    }
  };

  const everything = () => {
    const all = L.latLngBounds([]);
    for (const place of places.values()) all.extend(place.bounds ?? place.at);
    if (all.isValid()) map.fitBounds(all, { padding: [32, 32], maxZoom: 18 });
    return all.isValid();
  };

  const show = (name) => {
    const place = places.get(name);
    if (!place) return false;
    if (place.bounds?.isValid()) map.fitBounds(place.bounds, { padding: [32, 32], maxZoom: 19 });
    else if (place.at) map.setView(place.at, 19);
    if (place.marker) {
      const group = [marks.task, marks.own].find((one) => one.hasLayer(place.marker));
      const open = () => place.marker.openPopup();
      if (group?.zoomToShowLayer) group.zoomToShowLayer(place.marker, open);
      else open();
    }
    return true;
  };

  return { load, everything, show, dot, groups, outlines, color: (name) => color(name, element),
    bounds: (name) => places.get(name)?.bounds ?? null };
};

// The moving things on the map: the inspector, the way to a parcel, the track that is being
// recorded.
const liveOn = (element, { L, map }, words, things) => {
  const layer = L.layerGroup().addTo(map);
  map.createPane("me").style.zIndex = "640";
  let me = null;
  let ring = null;
  let way = null;
  let isFollowing = element.dataset.follows === "yes";
  let isReading = false;
  let hasPlace = false;
  // True from the first position that is not old.
  let wasSeen = false;
  // The longitude near which the inspector is drawn; null for where they are.
  let anchor = null;
  // Where the inspector looks, degrees, if a guide knows it; undefined for their course.
  let facing;
  map.on("popupopen", () => { isReading = true; });
  map.on("popupclose", () => { isReading = false; });

  const ages = (isOld) => {
    if (!me) return;
    me.getElement()?.classList.toggle("is-old", isOld);
    const title = isOld ? words.old : words.you;
    me.getElement()?.setAttribute("title", title);
    me.getElement()?.setAttribute("aria-label", title);
    ring?.setStyle({ dashArray: isOld ? "2 6" : null, fillOpacity: isOld ? 0 : .12 });
    if (isOld) { way?.remove(); way = null; }
  };

  const turn = (degrees) => {
    const sign = me?.getElement();
    sign?.classList.toggle("has-course", degrees !== undefined);
    if (sign?.firstChild) sign.firstChild.style.rotate = (degrees ?? 0) + "deg";
  };

  const position = (place) => {
    if (!place) return ages(true);
    const at = near(flip(place.at), anchor ?? place.at[0]);
    if (!me) {
      me = L.marker(at, { pane: "me", title: words.you, alt: words.you, keyboard: false, interactive: false,
        icon: L.divIcon({ className: "map-me", html: make("span"), iconSize: [48, 48] }) }).addTo(layer);
    }
    me.setLatLng(at);
    me.getElement()?.setAttribute("role", "img");
    turn(facing ?? place.courseDegreesTrue);
    if (place.uncertaintyMetres95 === undefined) {
      ring?.remove();
      ring = null;
    } else {
      ring ??= L.circle(at, { interactive: false, weight: 2, color: things.color("--ink") }).addTo(layer);
      ring.setLatLng(at).setRadius(place.uncertaintyMetres95);
    }
    ages(place.isOld);
    if (place.isOld) return;
    if (!hasPlace) map.setView(at, 18, { animate: false });
    else if (isFollowing && !isReading) {
      map.setView(at, wasSeen ? map.getZoom() : Math.max(map.getZoom(), 17), { animate: false });
    }
    hasPlace = true;
    wasSeen = true;
  };

  const guide = (guidance, place) => {
    if (!guidance?.to || !place || place.isOld) {
      way?.remove();
      way = null;
      return;
    }
    way ??= L.polyline([], { renderer: things.outlines, interactive: false, weight: 4, dashArray: "12 8",
      color: things.color("--bad") }).addTo(layer);
    const at = near(flip(place.at), anchor ?? place.at[0]);
    way.setLatLngs([at, near(flip(guidance.to), at[1])]);
  };

  // The track that is being recorded: points from before the page was opened are fetched once, and
  // each further point comes by itself.
  let now = null;
  const path = L.polyline([], { ...BAND, color: things.color("--bad") }).addTo(things.groups.tracks);
  const pins = L.layerGroup();
  // From afar the points would merge into a blot, and thousands of them would be slow.
  const showPins = () => {
    if (map.getZoom() >= NEAR) things.groups.tracks.addLayer(pins);
    else things.groups.tracks.removeLayer(pins);
  };
  map.on("zoomend", showPins);
  showPins();
  const put = (point) => {
    now.points.push(point);
    path.addLatLng(flip(point.at));
    things.dot(now.track, point, now.points.length).addTo(pins);
  };
  const restart = (track, deletions) => {
    now = { track, deletions, points: [], isFetching: false };
    path.setLatLngs([]);
    pins.clearLayers();
  };
  const fetchAll = async () => {
    const mine = now;
    if (mine.isFetching) return;
    mine.isFetching = true;
    try {
      const answer = await fetch("/tracks/" + mine.track + "/points.json", { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      const view = await answer.json();
      if (mine !== now) return;
      restart(mine.track, view.deletions);
      for (const point of view.points) put(point);
    } catch {
      // The next event asks again.
    } finally {
      mine.isFetching = false;
    }
  };
  const record = (recording) => {
    if (!recording) {
      if (now) {
        now = null;
        path.setLatLngs([]);
        pins.clearLayers();
        things.load();
      }
      return;
    }
    if (now?.track !== recording.track) restart(recording.track, recording.deletions);
    const missing = recording.points - now.points.length;
    if (now.deletions !== recording.deletions || missing > 1 || missing < 0) fetchAll();
    else if (missing === 1 && !now.isFetching) put(recording.last);
  };

  const following = document.querySelector("[data-follow]");
  const setFollowing = (isOn) => {
    isFollowing = isOn;
    following?.setAttribute("aria-pressed", String(isOn));
    if (isOn && me && !me.getElement()?.classList.contains("is-old")) map.setView(me.getLatLng(), Math.max(map.getZoom(), 17));
  };
  following?.addEventListener("click", () => setFollowing(!isFollowing));
  // A first position that comes now does not move the map away from where the person looks.
  map.on("dragstart sought", () => {
    hasPlace = true;
    setFollowing(false);
  });
  setFollowing(isFollowing);
  document.querySelector("[data-everything]")?.addEventListener("click", () => { setFollowing(false); things.everything(); });

  return {
    // The requested thing is shown first; the map follows the inspector only after "Follow me".
    stay: () => { hasPlace = true; },
    show: (event) => { position(event.position); guide(event.guidance, event.position); record(event.recording); },
    lost: () => ages(true),
    // Where the inspector is drawn; null before the first position.
    at: () => me?.getLatLng() ?? null,
    drawNear: (longitude) => { anchor = longitude; },
    face: (degrees) => {
      if (facing === degrees) return;
      facing = degrees;
      if (me && !me.getElement()?.classList.contains("is-old")) turn(degrees);
    },
    follow: setFollowing,
  };
};

// The panel below the map, and the stream that updates panel and map. After LOST milliseconds
// without an event the stream counts as lost.
const LOST = 3500;

const tones = () => {
  let context = null;
  // A browser makes no sound before the page was touched.
  addEventListener("pointerdown", () => { context ??= new AudioContext(); context.resume(); }, { once: true });
  return (isCorner) => {
    if (context?.state !== "running") return;
    const tone = context.createOscillator();
    const loudness = context.createGain();
    tone.frequency.value = isCorner ? 1320 : 880;
    loudness.gain.setValueAtTime(.2, context.currentTime);
    loudness.gain.exponentialRampToValueAtTime(.001, context.currentTime + .12);
    tone.connect(loudness).connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + .13);
  };
};

const panelOf = (element, words, live, guide) => {
  const panel = document.querySelector("[data-map-panel]");
  const find = (name) => panel.querySelector("[data-" + name + "]");
  const here = find("here");
  const sound = element.dataset.tones === "yes" ? tones() : null;
  let counted = null;

  const line = (text, light) => {
    here.textContent = text;
    here.className = "map-here light light-" + light;
  };
  const put = (one, text) => {
    if (!one) return;
    if (one.textContent !== text) one.textContent = text;
    if (one.matches(".notice, .map-way")) one.hidden = text === "";
  };
  const show = (event) => {
    line(event.here.text, event.here.light);
    put(find("way"), event.guidance?.words ?? "");
    put(find("ended"), event.ended ?? "");
    const recording = event.recording;
    if (find("idle")) find("idle").hidden = recording !== undefined;
    if (find("recording")) find("recording").hidden = recording === undefined;
    if (recording) {
      for (const one of panel.querySelectorAll("[data-value]")) put(one, recording.words[one.dataset.value] ?? "");
      panel.querySelector("[data-control='pause']").hidden = recording.isPaused;
      panel.querySelector("[data-control='resume']").hidden = !recording.isPaused;
      if (counted?.track === recording.track && recording.points > counted.points) {
        sound?.(recording.last?.kind !== "recorded");
      }
    }
    counted = recording ?? null;
    live?.show(event);
    guide?.take(event);
  };

  let stream = null;
  let heard = performance.now();
  const follow = () => {
    stream?.close();
    stream = new EventSource(element.dataset.events);
    stream.onmessage = (message) => {
      heard = performance.now();
      show(JSON.parse(message.data));
    };
  };
  // Values that no longer arrive are not shown as present ones.
  setInterval(() => {
    if (performance.now() - heard < LOST) return;
    line(words.lost, "bad");
    put(find("way"), "");
    live?.lost();
    guide?.lost(words.lost);
    if (stream?.readyState === EventSource.CLOSED) { heard = performance.now(); follow(); }
  }, 1000);
  addEventListener("pagehide", () => stream?.close());
  addEventListener("pageshow", (event) => { if (event.persisted) follow(); });
  follow();

  // The buttons of the recording do not leave the page.
  for (const form of panel.querySelectorAll("form[data-control]")) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      event.stopPropagation();
      const button = form.querySelector("button");
      if (button.getAttribute("aria-busy") === "true") return;
      button.setAttribute("aria-busy", "true");
      put(find("failed"), "");
      try {
        const answer = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" },
          body: new URLSearchParams(new FormData(form)) });
        const body = await answer.json();
        if (!answer.ok) put(find("failed"), words.failed + ": " + (body.detail ?? answer.status));
        else if (body.track) location.assign("/map?track=" + encodeURIComponent(body.track) + "&done=recorded");
        else form.closest("details")?.removeAttribute("open");
      } catch {
        put(find("failed"), words.lost);
      } finally {
        button.removeAttribute("aria-busy");
      }
    });
  }
};

const begin = async (element) => {
  const words = JSON.parse(element.dataset.words);
  const ground = groundOf(element, words, { zoom: "bottomright", scale: "bottomleft" });
  if (!ground) return panelOf(element, words, null);
  const say = noteOn(ground.map, ground.L, "topleft");
  const drawGrid = grid(ground, element);
  // The map shrinks when the buttons of a recording need room.
  new ResizeObserver(() => ground.map.invalidateSize({ animate: false })).observe(element);
  ground.map.setView([50, 15], 4);
  drawGrid();
  const things = thingsOn(element, ground, words, say);
  const live = liveOn(element, ground, words, things);
  document.querySelector("[data-map-tools]").hidden = false;
  await things.load();
  const focus = Object.entries(JSON.parse(element.dataset.focus)).map(([kind, id]) => kind + ":" + id);
  if (focus.some((name) => things.show(name))) live.stay();
  else if (things.everything() && element.dataset.follows !== "yes") live.stay();
  const guide = guideOn(ground, things, live);
  element.dataset.ready = "yes";
  panelOf(element, words, live, guide);
};

for (const element of document.querySelectorAll("[data-field-map]")) begin(element);
