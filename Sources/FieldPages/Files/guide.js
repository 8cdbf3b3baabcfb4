import { followSensors } from "/assets/compass.js";
import { headingOf, turnBetween, wrapped } from "/assets/camera-pose.js";

/// Returns the direction in which a person goes or looks, degrees from true north, with its
/// source; null if nothing says it. Whoever walks may hold the device as they like: then the course
/// counts.
export const directionOf = (position, held) => {
  if (!position || position.isOld) return null;
  if (Number.isFinite(position.courseDegreesTrue)) return { degrees: position.courseDegreesTrue, source: "course" };
  if (Number.isFinite(position.headingDegreesTrue)) return { degrees: position.headingDegreesTrue, source: "receiver" };
  const compass = held ? headingOf(held) : null;
  if (compass === null || !Number.isFinite(position.declinationDegrees)) return null;
  return { degrees: wrapped(compass + position.declinationDegrees), source: "compass" };
};

/// Returns the words for a turn, -180 ..< 180 degrees, clockwise positive.
const turnWords = (turn, words) => {
  const degrees = Math.abs(Math.round(turn));
  if (degrees <= 10) return words.ahead;
  if (degrees >= 170) return words.behind;
  return (turn > 0 ? words.right : words.left).replace("{1}", degrees);
};

/// Shows in `root` how far a parcel is, and where: with an arrow that turns with the person if their
/// direction is known, and otherwise on a rose whose north is up. `changed` hears each new direction.
const beginGuide = (root, changed) => {
  const words = JSON.parse(root.dataset.words);
  const part = (name) => root.querySelector(`[data-guide-${name}]`);
  let event = null;
  let isWaiting = true;
  let isRefused = false;
  let isPlanned = false;
  // Angles go on beyond a whole turn, so that none is shown as a spin the long way round.
  const shown = { arrow: 0, north: 0 };
  const rotate = (name, degrees) => {
    shown[name] += turnBetween(shown[name], degrees);
    part(name).style.transform = `rotate(${shown[name]}deg)`;
  };
  const tell = (name, text) => {
    const one = part(name);
    if (one.textContent !== text) one.textContent = text;
  };

  const draw = () => {
    isPlanned = false;
    if (!event) return;
    const { guidance, position } = event;
    const direction = directionOf(position, sensors.latest());
    changed(direction?.degrees);
    const isKnown = guidance !== undefined;
    const isThere = isKnown && guidance.bearingDegreesTrue === undefined;
    root.dataset.state = !isKnown ? "unknown" : isThere ? "there" : direction ? "turning" : "north-up";
    part("compass").hidden = !sensors.canAsk || isWaiting || isRefused || sensors.latest() !== null;
    if (!isKnown) {
      tell("far", "–");
      tell("turn", event.here.text);
      tell("how", words.unknown);
      return;
    }
    tell("far", isThere ? words.there : guidance.distance);
    rotate("north", -(direction?.degrees ?? 0));
    if (isThere) {
      tell("turn", "");
      tell("how", "");
      return;
    }
    const turn = turnBetween(direction?.degrees ?? 0, guidance.bearingDegreesTrue);
    rotate("arrow", turn);
    tell("turn", direction ? `${turnWords(turn, words)} · ${guidance.direction}` : guidance.direction);
    tell("how", direction ? words[direction.source] : words.northUp);
  };
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(draw);
  };
  const sensors = followSensors(plan);
  part("compass").addEventListener("click", async () => {
    isRefused = !await sensors.ask().catch(() => false);
    plan();
  });
  setTimeout(() => { isWaiting = false; plan(); }, 2500);
  return {
    /// Takes an event of the map's stream.
    take: (news) => { event = news; plan(); },
    /// The stream is lost: nothing old stays in view as if it held.
    lost: (text) => { event = { here: { text } }; plan(); },
  };
};

/// Keeps the inspector and the parcel in view until somebody moves the map, and shows the way in the
/// card over it. Null if the page guides nobody.
export const guideOn = ({ L, map }, things, live) => {
  const root = document.querySelector("[data-guide]");
  if (!root) return null;
  const parcel = things.bounds("task:" + root.dataset.task);
  if (parcel) live.drawNear(parcel.getCenter().lng);
  const button = document.querySelector("[data-both]");
  let isKeeping = true;
  let isMoving = false;
  const NEAREST = 18;
  const both = () => {
    const all = L.latLngBounds(parcel.getSouthWest(), parcel.getNorthEast());
    return live.at() ? all.extend(live.at()) : all;
  };
  const fit = () => {
    if (!parcel?.isValid()) return;
    isMoving = true;
    map.fitBounds(both(), { paddingTopLeft: [40, 40], paddingBottomRight: [76, 40], maxZoom: NEAREST, animate: false });
    isMoving = false;
  };
  const set = (isOn) => {
    isKeeping = isOn;
    button.setAttribute("aria-pressed", String(isOn));
    if (isOn) { live.follow(false); fit(); }
  };
  // The map moves when one of both leaves it, or when it could be nearer: not with each step.
  const keep = () => {
    if (!isKeeping || !parcel?.isValid()) return;
    const all = both();
    const nearer = Math.min(NEAREST, map.getBoundsZoom(all.pad(.4)));
    if (!map.getBounds().contains(all) || nearer > map.getZoom()) fit();
  };
  button.addEventListener("click", () => set(!isKeeping));
  map.on("dragstart", () => set(false));
  map.on("zoomstart", () => { if (!isMoving) set(false); });
  document.querySelector("[data-follow]")?.addEventListener("click", () => set(false));
  document.querySelector("[data-everything]")?.addEventListener("click", () => set(false));
  map.on("resize", keep);
  const guide = beginGuide(root, (degrees) => live.face(degrees));
  set(true);
  return { take: (event) => { guide.take(event); keep(); }, lost: guide.lost };
};
