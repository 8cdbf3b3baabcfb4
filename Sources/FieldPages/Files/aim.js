import { followSensors } from "/assets/compass.js";
import { beginRepeat } from "/assets/camera-repeat.js";
import { followMatch } from "/assets/camera-match.js";
import { lensOf, turnBetween, wrapped } from "/assets/camera-pose.js";

// The angle that a usual camera sees across the longer side, degrees.
const fieldOfView = 66;

// Returns a number with so many decimals, and with the decimal sign of the page's language.
const decimal = (value, places) => value.toLocaleString(document.documentElement.lang || "en",
  { minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: false });
const degrees = (value, places = 0) => `${decimal(value, places)}°`;
const signed = (value) => {
  const whole = Math.round(value);
  return `${whole > 0 ? "+" : whole < 0 ? "−" : ""}${Math.abs(whole)}°`;
};

/// Draws horizon, arrow, ghost and frame over the picture of `root`.
export const beginAim = (root, words) => {
  const part = (name) => root.querySelector(`[data-camera-${name}]`);
  const stage = part("stage");
  const pose = part("pose");
  let state = {};
  let looksTowards = false;
  let isWaiting = true;
  let isRefused = false;
  let hasAsked = false;
  let isPlanned = false;
  const button = part("sensors");
  const draw = () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      drawNow();
    });
  };
  const sensors = followSensors(draw);

  // The direction of the picture, with its azimuth from true north if one is known; null if nothing
  // is known.
  const aim = () => {
    const held = looksTowards ? null : sensors.latest();
    if (!held) {
      return Number.isFinite(state.headingDegrees)
        ? { azimuth: state.headingDegrees, isReceivers: true } : null;
    }
    const lens = lensOf(held);
    const known = held.alpha !== null && Number.isFinite(state.declinationDegrees);
    return {
      ...lens, azimuth: known ? wrapped(lens.azimuth + state.declinationDegrees) : null,
    };
  };

  // The picture's place on the stage, pixels: it is shown whole, with bars beside it.
  const picture = () => {
    const { width, height } = stage.getBoundingClientRect();
    const { videoWidth, videoHeight } = part("video");
    if (!videoWidth || !videoHeight) return { x: 0, y: 0, width, height };
    const scale = Math.min(width / videoWidth, height / videoHeight);
    const shown = { width: videoWidth * scale, height: videoHeight * scale };
    return { x: (width - shown.width) / 2, y: (height - shown.height) / 2, ...shown };
  };
  const repeat = beginRepeat(root, words, picture);

  const drawPose = (seen) => {
    pose.hidden = false;
    button.hidden = !sensors.canAsk || hasAsked || isWaiting || sensors.latest() !== null;
    const tell = (name, text) => { part(name).textContent = text ?? words.unknown; };
    tell("azimuth", Number.isFinite(seen?.azimuth) ? degrees(seen.azimuth) : null);
    tell("angle", Number.isFinite(seen?.elevation) ? degrees(seen.elevation + 90) : null);
    tell("roll", Number.isFinite(seen?.roll) ? signed(seen.roll) : null);
    part("source").textContent = looksTowards ? words.towards
      : seen?.isReceivers ? words.receiver
      : seen ? (Number.isFinite(seen.azimuth) ? words.sensors : words.noNorth)
      : isRefused ? words.sensorsRefused : isWaiting ? "" : words.noSensors;
  };

  const drawHorizon = (seen) => {
    const line = part("horizon");
    line.hidden = !Number.isFinite(seen?.elevation) || Math.abs(seen.elevation) > 60;
    if (line.hidden) return;
    const { width, height } = picture();
    const focal = Math.max(width, height) / 2 / Math.tan(fieldOfView * Math.PI / 360);
    const below = focal * Math.tan(seen.elevation * Math.PI / 180);
    line.style.transform = `rotate(${-seen.roll}deg) translateY(${below}px)`;
    line.classList.toggle("is-level", Math.abs(seen.roll) < 1.5);
  };

  const drawWay = (seen) => {
    const there = part("there");
    const arrow = part("arrow");
    there.hidden = !state.way;
    if (there.hidden) return;
    const ahead = Number.isFinite(seen?.azimuth) ? seen.azimuth : state.courseDegrees;
    const bearing = state.parcel?.bearingDegrees;
    arrow.hidden = !Number.isFinite(ahead) || !Number.isFinite(bearing);
    if (!arrow.hidden) arrow.style.transform = `rotate(${turnBetween(ahead, bearing)}deg)`;
    const text = arrow.hidden ? state.way.words : state.way.pointed;
    if (part("there-words").textContent !== text) part("there-words").textContent = text;
    there.classList.toggle("is-outside", Boolean(state.way.pointed));
  };

  // The wanted direction as a part of a ring that turns with the device; the lens looks to its top.
  const bearing = part("bearing");
  const [wanted, bearingWords] = [part("wanted"), part("bearing-words")];
  const plain = bearingWords?.textContent;
  const drawBearing = (seen) => {
    if (!bearing) return;
    const turn = Number.isFinite(seen?.azimuth)
      ? turnBetween(seen.azimuth, Number(bearing.dataset.degrees)) : null;
    const isMet = turn !== null && Math.abs(turn) <= Number(bearing.dataset.tolerance);
    wanted.toggleAttribute("hidden", turn === null);
    bearing.classList.toggle("is-met", isMet);
    if (turn !== null) wanted.setAttribute("transform", `rotate(${turn.toFixed(1)})`);
    const text = turn === null ? plain : isMet ? words.bearingMet
      : (turn > 0 ? words.turnRight : words.turnLeft).replace("{1}", String(Math.round(Math.abs(turn))));
    if (bearingWords.textContent !== text) bearingWords.textContent = text;
  };

  const drawNow = () => {
    const seen = aim();
    drawPose(seen);
    drawHorizon(seen);
    drawWay(seen);
    drawBearing(seen);
    repeat.draw(looksTowards ? null : sensors.latest(), state);
  };

  repeat.follow(draw);
  followMatch(root, part("video"), repeat, draw);
  addEventListener("resize", draw);
  button.addEventListener("click", async () => {
    isRefused = !await sensors.ask().catch(() => false);
    hasAsked = true;
    draw();
  });
  setTimeout(() => { isWaiting = false; draw(); }, 2500);
  draw();
  return {
    /// Takes the present state of the field unit.
    take: (new_) => { state = new_; draw(); },
    /// Takes the direction of the camera: "user" looks towards the person.
    look: (facing) => { looksTowards = facing === "user"; draw(); },
    /// Returns how the device is held, for the photo's record; null if unknown, or for the other
    /// camera.
    held: () => looksTowards ? null : sensors.latest(),
  };
};
