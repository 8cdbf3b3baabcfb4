import { attitudeOf, tiltOf } from "/assets/camera-pose.js";
import { frameOf, partsOf, relativeOf } from "/assets/camera-frame.js";

// The frames are drawn with this share of a picture's sides: their corners are the marks by which
// the displacement of two pictures is measured.
const drawn = .6;
// The tangent of half the angle that a usual camera sees across its longer side, 66 degrees.
const longAcross = Math.tan(33 * Math.PI / 180);
// The limits of a view that is met: by the sensors, degrees; by the pictures, per cent of the frame,
// and degrees about the lens.
const metDegrees = 3;
const metPercent = 2;
const metTurn = 2;
// A match of two pictures guides so long, milliseconds; then the sensors do alone.
const matchLasts = 2500;

// Sensors tremble by a degree. A reading that is no further than that from what went before counts
// little, one that is four degrees away counts whole: the frame rests at rest, and lags by about a
// degree while one turns.
const calmer = () => {
  let calm = null;
  let last = "";
  return (reading) => {
    if (!reading) return null;
    const key = reading.join();
    if (key === last) return calm;
    last = key;
    if (!calm) return calm = reading;
    const dot = reading.reduce((sum, part, index) => sum + part * calm[index], 0);
    const away = 2 * Math.acos(Math.min(1, Math.abs(dot))) * 180 / Math.PI;
    const share = Math.min(1, Math.max(.12, (away / 4) ** 2));
    const mixed = calm.map((part, index) => part + share * (Math.sign(dot || 1) * reading[index] - part));
    const length = Math.hypot(...mixed);
    return calm = length > 1e-6 ? mixed.map((part) => part / length) : reading;
  };
};

const quaternion = (text) => {
  const parts = (text ?? "").split(" ").map(Number);
  return parts.length === 4 && parts.every(Number.isFinite) ? parts : null;
};

/// Leads back to an earlier picture: the ghost over the live picture, the frame, and its words.
///
/// `picture()` returns the live picture's place on the stage, in pixels: x, y, width, height.
export const beginRepeat = (root, words, picture) => {
  const part = (name) => root.querySelector(`[data-camera-${name}]`);
  const choice = part("choice");
  const [stage, target, ghost, edges, hint, flip, thirds] =
    ["stage", "target", "ghost", "edges", "hint", "flip", "thirds"].map(part);
  const language = document.documentElement.lang || "en";
  const decimal = (value, places) => value.toLocaleString(language,
    { minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: false });
  let isFlipped = false;
  let match = null;
  let sensed = null;
  const [calmTrue, calmTilt] = [calmer(), calmer()];

  // The earlier photo that is chosen; null if none is.
  const earlier = () => {
    const data = choice?.selectedOptions[0]?.dataset;
    if (!choice?.value || !data) return null;
    const one = {
      id: choice.value, kind: data.kind, src: data.src, attitude: quaternion(data.attitude), tilt: quaternion(data.tilt),
      width: Number(data.width), height: Number(data.height), across: Number(data.across),
    };
    // A file may be stored sideways: the browser shows it upright, and its own size is that.
    const isLoaded = ghost.complete && ghost.getAttribute("src") === one.src;
    if (isLoaded && (ghost.naturalWidth > ghost.naturalHeight) !== (one.width > one.height)) {
      [one.width, one.height, one.across] = [one.height, one.width, Number(data.along)];
    }
    return one;
  };

  const shownEdges = () => part("edges-only")?.checked ?? false;

  // Edges alone: what is bright where the picture changes most.
  const drawEdges = () => {
    if (!ghost.complete || !ghost.naturalWidth) return;
    const scale = Math.min(1, 640 / Math.max(ghost.naturalWidth, ghost.naturalHeight));
    const width = Math.round(ghost.naturalWidth * scale);
    const height = Math.round(ghost.naturalHeight * scale);
    edges.width = width;
    edges.height = height;
    const context = edges.getContext("2d", { willReadFrequently: true });
    context.drawImage(ghost, 0, 0, width, height);
    const image = context.getImageData(0, 0, width, height);
    const grey = new Float32Array(width * height);
    for (let at = 0; at < grey.length; at++) {
      const [r, g, b] = image.data.subarray(4 * at, 4 * at + 3);
      grey[at] = .299 * r + .587 * g + .114 * b;
    }
    const strength = new Float32Array(width * height);
    for (let y = 1; y < height - 1; y++) {
      for (let x = 1; x < width - 1; x++) {
        const at = y * width + x;
        strength[at] = Math.hypot(grey[at + 1] - grey[at - 1], grey[at + width] - grey[at - width]);
      }
    }
    // The strongest tenth, whatever the light was.
    const limit = Float32Array.from(strength).sort()[Math.floor(.9 * strength.length)] || 1;
    for (let at = 0; at < grey.length; at++) {
      image.data.set([255, 198, 26, strength[at] > limit ? 255 : 0], 4 * at);
    }
    context.putImageData(image, 0, 0);
  };

  const drawGhost = (one) => {
    const isShown = one !== null && one.src !== "" && !stage.hidden;
    flip.hidden = !isShown;
    const byEdges = isShown && shownEdges() && !isFlipped;
    ghost.hidden = !isShown || byEdges;
    edges.hidden = !byEdges;
    if (!isShown) return;
    if (ghost.getAttribute("src") !== one.src) {
      ghost.src = one.src;
      edges.width = 0;
      match = null;
    }
    const opacity = isFlipped ? 1 : part("strength").value / 100;
    ghost.style.opacity = edges.style.opacity = String(opacity);
  };

  const middleOf = (area) => ({
    x: area.width / 2, y: area.height / 2, width: area.width, height: area.height, turn: 0,
  });

  // Places one of the frames over the stage.
  const placed = (element, frame, area) => {
    const [width, height] = [frame.width * drawn, frame.height * drawn];
    element.style.width = `${width}px`;
    element.style.height = `${height}px`;
    element.style.transform = `translate(${area.x + frame.x - width / 2}px, `
      + `${area.y + frame.y - height / 2}px) rotate(${frame.turn}deg)`;
  };

  // The frame as the pictures themselves place it, from the map between squares of 1 × 1.
  const frameByMatch = (rows, view) => {
    const through = (x, y) => {
      const scale = rows[6] * x + rows[7] * y + rows[8];
      return [(rows[0] * x + rows[1] * y + rows[2]) / scale * view.width,
        (rows[3] * x + rows[4] * y + rows[5]) / scale * view.height];
    };
    const [middle, left, right] = [through(.5, .5), through(.2, .5), through(.8, .5)];
    const [across, along] = [right[0] - left[0], right[1] - left[1]];
    const width = Math.hypot(across, along) / .6;
    return { x: middle[0], y: middle[1], width, turn: Math.atan2(along, across) * 180 / Math.PI };
  };

  // Between two matches the sensors carry the frame on.
  const carried = (frame, view) => {
    if (!match || performance.now() - match.time > matchLasts) return null;
    const before = match.sensed;
    const byPicture = frameByMatch(match.rows, view);
    const moved = frame && before
      ? { x: frame.x - before.x, y: frame.y - before.y, turn: frame.turn - before.turn }
      : { x: 0, y: 0, turn: 0 };
    const width = byPicture.width;
    return {
      x: byPicture.x + moved.x, y: byPicture.y + moved.y, turn: byPicture.turn + moved.turn,
      width, height: width * match.shape, scale: width / view.width,
    };
  };

  const wordsFor = (parts, isTrusted) => {
    const said = [];
    const say = (value, more, less) => {
      const degrees = Math.abs(Math.round(value));
      if (degrees > (isTrusted ? 0 : metDegrees)) said.push([degrees, (value > 0 ? more : less).replace("{1}", degrees)]);
    };
    if (isTrusted) say(parts.roll, words.turnRight, words.turnLeft);
    say(parts.pitch, words.lower, words.lift);
    say(parts.yaw, words.clockwise, words.anticlockwise);
    return said.sort((one, other) => other[0] - one[0]).map(([, text]) => text);
  };

  const wordsForMatch = (frame, view) => {
    const said = [];
    const [right, down] = [frame.x / view.width - .5, frame.y / view.height - .5];
    const limit = metPercent / 100;
    if (Math.abs(right) > limit) said.push([Math.abs(right), right > 0 ? words.right : words.left]);
    if (Math.abs(down) > limit) said.push([Math.abs(down), down > 0 ? words.down : words.up]);
    if (Math.abs(frame.scale - 1) > 2 * limit) {
      said.push([Math.abs(frame.scale - 1) / 2, frame.scale < 1 ? words.closer : words.back]);
    }
    const turn = Math.round(Math.abs(frame.turn));
    if (Math.abs(frame.turn) > metTurn) {
      said.push([turn / 100, (frame.turn > 0 ? words.clockwise : words.anticlockwise).replace("{1}", turn)]);
    }
    return said.sort((one, other) => other[0] - one[0]).map(([, text]) => text);
  };

  const tell = (name, text) => {
    const value = text ?? words.unknown;
    if (part(name).textContent !== value) part(name).textContent = value;
  };

  const drawFacts = (parts, isTrusted, way, isHere) => {
    if (!choice) return;
    const met = (value, more, less) => {
      const degrees = Math.abs(Math.round(value));
      const text = degrees === 0 ? "0°" : (value > 0 ? more : less).replace("{1}", degrees);
      return Math.abs(value) <= metDegrees ? `${text}, ${words.matches}` : text;
    };
    const towards = way && Number.isFinite(way.bearingDegrees) ? `, ${decimal(way.bearingDegrees, 0)}°` : "";
    tell("place", way
      ? `${decimal(way.distanceMetres, 1)} m${isHere ? `, ${words.matches}` : towards}` : null);
    tell("turn", parts && isTrusted ? met(parts.roll, words.turnRight, words.turnLeft) : null);
    tell("tilt", parts ? met(parts.pitch, words.lower, words.lift) : null);
    tell("lean", parts ? met(parts.yaw, words.clockwise, words.anticlockwise) : null);
  };

  const say = (text, isMet = false) => {
    hint.hidden = !text;
    hint.classList.toggle("is-met", isMet);
    if (hint.textContent !== (text ?? "")) hint.textContent = text ?? "";
  };

  // A first picture: the frame lies in the middle and turns with the horizon.
  const drawLevel = (held, area) => {
    const tilt = held && tiltOf(held);
    target.hidden = !tilt;
    if (!tilt) return say(null);
    placed(target, { ...middleOf(area), turn: -tilt.roll }, area);
    target.classList.toggle("is-matching", Math.abs(tilt.roll) < 1.5);
    say(null);
  };

  /// Draws everything anew for the present pose of the device (null if unknown) and the present state
  /// of the field unit.
  const draw = (held, state) => {
    const area = picture();
    const one = earlier();
    if (part("earlier")) part("earlier").hidden = stage.hidden;
    part("grid").hidden = stage.hidden || !thirds.checked;
    Object.assign(part("grid").style, {
      left: `${area.x}px`, top: `${area.y}px`, width: `${area.width}px`, height: `${area.height}px`,
    });
    placed(part("centre"), middleOf(area), area);
    if (choice) drawGhost(one);
    if (!one) {
      drawFacts(null, false, null, false);
      return drawLevel(held, area);
    }
    const isWide = area.width > area.height;
    const across = 2 * Math.atan(longAcross * area.width / Math.max(area.width, area.height));
    const view = { width: area.width, height: area.height, across: across * 180 / Math.PI };
    const declination = state.declinationDegrees;
    const isTrusted = one.attitude !== null && held !== null && held?.alpha !== null
      && Number.isFinite(declination) && !(held.accuracy > 15);
    const reference = isTrusted ? one.attitude : one.tilt;
    const now = !held ? null
      : isTrusted ? calmTrue(attitudeOf(held, declination)) : calmTilt(tiltOf(held).attitude);
    const relative = reference && now ? relativeOf(reference, now) : null;
    const parts = relative && partsOf(relative);
    const frame = relative && frameOf(relative, view, one);
    sensed = frame;
    const stood = (state.photos ?? []).find((photo) => photo.id === one.id);
    const way = stood?.place;
    const isHere = Boolean(way) && way.distanceMetres <= stood.toleranceMetres;
    drawFacts(parts, isTrusted, way, isHere);
    const byPicture = carried(frame, view);
    const shown = byPicture ?? frame;
    target.hidden = !shown;
    if (shown) placed(target, shown, area);
    const isAimed = isTrusted && Boolean(parts) && parts.angle <= metDegrees;
    const isTurned = one.width > one.height !== isWide;
    const said = isTurned ? [one.width > one.height ? words.sideways : words.upright]
      : byPicture ? wordsForMatch(byPicture, view)
      : parts && !isAimed ? wordsFor(parts, isTrusted)
      : way && !isHere ? [words.away.replace("{1}", decimal(way.distanceMetres, 1))] : [];
    const isMet = said.length === 0 && (byPicture ? true : isAimed && isHere);
    target.classList.toggle("is-matching", isMet);
    const hasNoCompass = parts && (held.alpha === null || held.accuracy > 15);
    say(said[0] ?? (isMet ? words.met : hasNoCompass ? words.byEye : null), isMet);
  };

  /// Takes the answer to a picture that was compared: the map between squares of 1 × 1, or null; and
  /// the frame by the sensors and the time when that picture was taken.
  const takeMatch = (rows, shape, asked, time) => {
    match = rows ? { rows, shape, time, sensed: asked } : null;
  };

  const setFlipped = (is, redraw) => {
    isFlipped = is;
    redraw();
  };

  return {
    draw, earlier, takeMatch,
    /// Returns the frame that the sensors alone give now; null if they give none.
    sensed: () => sensed,
    /// Has everything drawn anew after what a person changes.
    follow: (redraw) => {
      choice?.addEventListener("change", () => { match = null; redraw(); });
      part("strength")?.addEventListener("input", redraw);
      part("edges-only")?.addEventListener("change", redraw);
      thirds.addEventListener("change", redraw);
      ghost.addEventListener("load", () => { drawEdges(); redraw(); });
      for (const [kind, is] of [["pointerdown", true], ["pointerup", false], ["pointerleave", false],
        ["pointercancel", false], ["blur", false]]) {
        flip.addEventListener(kind, () => {
          setFlipped(is, redraw);
          // Behind a finger the keys of a clicker are the shutter's again.
          if (kind === "pointerup" || kind === "pointercancel") flip.blur();
        });
      }
      flip.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        setFlipped(true, redraw);
      });
      flip.addEventListener("keyup", () => setFlipped(false, redraw));
      flip.addEventListener("contextmenu", (event) => event.preventDefault());
    },
  };
};
