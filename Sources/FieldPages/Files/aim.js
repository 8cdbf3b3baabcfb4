import { followSensors } from "/assets/compass.js";
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

/// Draws horizon, arrow and ghost over the picture of `root`.
export const beginAim = (root, words) => {
  const part = (name) => root.querySelector(`[data-camera-${name}]`);
  const stage = part("stage");
  const pose = part("pose");
  const choice = part("choice");
  const ghost = part("ghost");
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

  // The picture's longer side on the screen, pixels: it is shown whole, with bars beside it.
  const longerSide = () => {
    const box = stage.getBoundingClientRect();
    const { videoWidth, videoHeight } = part("video");
    if (!videoWidth || !videoHeight) return Math.max(box.width, box.height);
    const scale = Math.min(box.width / videoWidth, box.height / videoHeight);
    return Math.max(videoWidth, videoHeight) * scale;
  };

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

  const drawHorizon = (seen, scale) => {
    const line = part("horizon");
    line.hidden = !Number.isFinite(seen?.elevation) || Math.abs(seen.elevation) > 60;
    if (line.hidden) return;
    line.style.transform =
      `rotate(${-seen.roll}deg) translateY(${seen.elevation * scale}px)`;
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

  const drawGhost = (seen, scale) => {
    const target = part("target");
    const option = choice?.selectedOptions[0];
    const id = option?.value ?? "";
    const isShown = id !== "" && !stage.hidden;
    ghost.hidden = !isShown;
    target.hidden = true;
    if (!choice) return;
    part("earlier").hidden = stage.hidden;
    const tell = (name, text) => { part(name).textContent = text ?? words.unknown; };
    if (!isShown) {
      for (const name of ["place", "turn", "tilt"]) tell(name, null);
      return;
    }
    const address = `/photos/${id}/photo.jpg`;
    if (ghost.getAttribute("src") !== address) ghost.src = address;
    ghost.style.opacity = String(part("strength").value / 100);
    const number = (text) => text === undefined || text === "" ? NaN : Number(text);
    const place = (state.photos ?? []).find((one) => one.id === id)?.place;
    const turn = turnBetween(seen?.azimuth ?? NaN, number(option.dataset.azimuth));
    const tilt = number(option.dataset.elevation) - (seen?.elevation ?? NaN);
    const roll = turnBetween(seen?.roll ?? NaN, number(option.dataset.roll));
    const isHere = place && place.distanceMetres <= Math.max(3, state.uncertaintyMetres ?? 0);
    const isAimed = Math.abs(turn) <= 3 && Math.abs(tilt) <= 3;
    const way = place && Number.isFinite(place.bearingDegrees)
      ? `, ${degrees(place.bearingDegrees)}` : "";
    tell("place", place
      ? `${decimal(place.distanceMetres, 1)} m${isHere ? `, ${words.matches}` : way}` : null);
    tell("turn", Number.isFinite(turn)
      ? signed(turn) + (Math.abs(turn) <= 3 ? `, ${words.matches}` : "") : null);
    tell("tilt", Number.isFinite(tilt)
      ? signed(tilt) + (Math.abs(tilt) <= 3 ? `, ${words.matches}` : "") : null);
    if (!Number.isFinite(turn) || !Number.isFinite(tilt)) return;
    target.hidden = false;
    const held = (value, most) => Math.max(-most, Math.min(most, value));
    const box = stage.getBoundingClientRect();
    const x = held(turn * scale, box.width * .42);
    const y = held(-tilt * scale, box.height * .42);
    const size = place ? Math.max(.5, 1 - place.distanceMetres / 60) : 1;
    target.style.transform =
      `translate(${x}px, ${y}px) rotate(${Number.isFinite(roll) ? roll : 0}deg) scale(${size})`;
    target.classList.toggle("is-matching", Boolean(isAimed && isHere));
  };

  const drawNow = () => {
    const seen = aim();
    const scale = longerSide() / fieldOfView;
    drawPose(seen);
    drawHorizon(seen, scale);
    drawWay(seen);
    drawGhost(seen, scale);
  };

  choice?.addEventListener("change", draw);
  part("strength")?.addEventListener("input", draw);
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
