// Judges the frames of a set in the page: the same rules as in Sources/Inspection/FrameSets, where the
// reasons stand; a test compares the two. The field unit judges each kept frame again.

// The farthest that a sample may be from a frame whose attitude it tells, milliseconds.
export const reach = 50;
// The quality below which a frame is discarded.
export const least = .3;
// The tilt in degrees, and the acceleration in metres per second squared, at which a frame is hardly
// of use.
const [tiltUnit, accelerationUnit] = [10, 2];

const degree = Math.PI / 180;
const wrapped = (degrees) => ((degrees % 360) + 360) % 360;
/// Returns the distance of two angles on the circle, 0 to 180 degrees.
export const apart = (one, other) => {
  const turned = wrapped(one - other);
  return Math.min(turned, 360 - turned);
};

// Rotations are quaternions [w, x, y, z]; of a product, the second one is applied first.
const product = ([a, b, c, d], [w, x, y, z]) => [
  a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
  a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w];
const about = (axis, degrees) => {
  const turn = [Math.cos(degrees * degree / 2), 0, 0, 0];
  turn[axis] = Math.sin(degrees * degree / 2);
  return turn;
};
const inverse = ([w, x, y, z]) => [w, -x, -y, -z];

/// Returns the rotation of the device from the three angles of the browser, degrees.
export const rotationOf = (alpha, beta, gamma) =>
  product(product(about(3, alpha), about(1, beta)), about(2, gamma));

const between = (one, other, share) => {
  let dot = one.reduce((sum, part, place) => sum + part * other[place], 0);
  const sign = dot < 0 ? -1 : 1;
  dot = Math.min(1, Math.abs(dot));
  const angle = Math.acos(dot);
  let [first, second] = [1 - share, share];
  if (angle > 1e-6) {
    first = Math.sin((1 - share) * angle) / Math.sin(angle);
    second = Math.sin(share * angle) / Math.sin(angle);
  }
  return one.map((part, place) => first * part + second * sign * other[place]);
};

/// Returns the sensors' state at a moment, from the samples before and after it, each
/// `{ milliseconds, rotation, acceleration }`; null if none of them is within reach.
export const sampleAt = (moment, before, after) => {
  const far = (sample) => Math.abs(sample.milliseconds - moment);
  const near = [before, after].filter((sample) => sample && far(sample) <= reach)
    .sort((one, other) => far(one) - far(other))[0];
  if (!near) return null;
  const span = before && after ? after.milliseconds - before.milliseconds : 0;
  if (!(span > 0) || span > 2 * reach || before.milliseconds > moment || moment > after.milliseconds) {
    return near;
  }
  const share = (moment - before.milliseconds) / span;
  const isTold = before.acceleration !== null && after.acceleration !== null;
  return {
    milliseconds: moment, rotation: between(before.rotation, after.rotation, share),
    acceleration: isTold
      ? before.acceleration + (after.acceleration - before.acceleration) * share : null,
  };
};

/// Returns the rotation of the picture's axes from that of the device; `screen` is the turn of the
/// screen, degrees.
export const pictureOf = (rotation, screen) => product(rotation, about(3, -screen));

/// Returns the direction of the lens, degrees clockwise from the sensors' north; null if it looks up or
/// down.
export const azimuthOf = ([w, x, y, z]) => {
  const [east, north] = [-2 * (x * z + w * y), -2 * (y * z - w * x)];
  return Math.hypot(east, north) < .2 ? null : wrapped(Math.atan2(east, north) / degree);
};

/// Returns the attitude of a picture against the first one: the angle clockwise as seen from above, and
/// the deviations `pitch` (the lens lifted) and `roll` (turned anti-clockwise), all in degrees; null if
/// every angle would fit.
export const attitudeOf = (first, now) => {
  const change = product(inverse(first), now);
  const [w, x, y, z] = first;
  const up = [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
  const along = change[1] * up[0] + change[2] * up[1] + change[3] * up[2];
  if (!(along * along + change[0] * change[0] > 1e-12)) return null;
  const turn = 2 * Math.atan2(along, change[0]);
  const unturned = product([Math.cos(turn / 2), 0, 0, -Math.sin(turn / 2)], now);
  const [a, b, c, d] = product(inverse(first), unturned);
  return {
    angle: wrapped(-turn / degree),
    pitch: Math.asin(Math.min(1, Math.max(-1, 2 * c * d + 2 * a * b))) / degree,
    roll: Math.atan2(-2 * b * c + 2 * a * d, c * c - d * d + a * a - b * b) / degree,
  };
};

/// Returns the sectors of a circle: which one holds an angle, where their middles are, and how far an
/// angle is from the middle of its sector.
export const ringOf = (count, firstMiddle = 0) => {
  const width = 360 / count;
  const sector = (angle) => Math.min(count - 1, Math.floor(wrapped(angle - firstMiddle + width / 2) / width));
  const middle = (place) => wrapped(firstMiddle + place * width);
  return { count, width, sector, middle, off: (angle) => apart(angle, middle(sector(angle))) };
};

/// Returns the quality of a frame, 0 to 1.
export const qualityOf = ({ angle, pitch, roll }, acceleration, ring, weights) => {
  const off = ring.off(angle) / (ring.width / 2);
  const shake = (acceleration ?? 0) / accelerationUnit;
  const distance = Math.sqrt(weights.roll * (roll / tiltUnit) ** 2 + weights.pitch * (pitch / tiltUnit) ** 2
    + weights.acceleration * shake ** 2 + weights.angle * off ** 2) / 2;
  return Number.isFinite(distance) ? 1 - Math.min(1, distance) : 0;
};

/// Judges the frames of one set.
///
/// `terms` has the number of `sectors`, `firstMiddle` (or a function that returns it when the first frame
/// is there), the four `weights`, the angle of the first frame (`firstDegrees`: not 0 after an
/// interruption), and the qualities that are `held`, by sector.
/// `decided(frame, decision)` is called once for each frame, with its `answer`: `kept`, `noSample`, `poor`
/// or `notBetter`; of a kept one, `isFirst` tells if all angles are counted from it. A frame is `{ milliseconds, screen }` and whatever else its caller needs; at most
/// two wait for the sample after them.
export const beginJudge = (terms, decided) => {
  const middle = () => typeof terms.firstMiddle === "function" ? terms.firstMiddle() : terms.firstMiddle;
  let ring = ringOf(terms.sectors, middle());
  const held = Array.from({ length: ring.count }, (_, place) => terms.held?.[place] ?? null);
  let first = null;
  let before = null;
  let waiting = [];

  const decide = (frame, after) => {
    const sample = sampleAt(frame.milliseconds, frame.before, after);
    const told = { before: frame.before, after };
    if (!sample) return decided(frame, { answer: "noSample", ...told });
    const picture = pictureOf(sample.rotation, frame.screen);
    const attitude = attitudeOf(first ?? picture, picture);
    if (!attitude) return decided(frame, { answer: "poor", ...told });
    attitude.angle = wrapped(attitude.angle + (terms.firstDegrees ?? 0));
    if (!first) ring = ringOf(terms.sectors, middle());
    const quality = qualityOf(attitude, sample.acceleration, ring, terms.weights);
    const sector = ring.sector(attitude.angle);
    const all = { ...told, attitude, quality, sector, acceleration: sample.acceleration };
    if (quality < least) return decided(frame, { answer: "poor", ...all });
    // The first good frame is handed in any case: all angles of the others are counted from it.
    const isFirst = first === null;
    first ??= picture;
    if (!isFirst && held[sector] !== null && held[sector] >= quality) {
      return decided(frame, { answer: "notBetter", ...all });
    }
    held[sector] = Math.max(quality, held[sector] ?? 0);
    return decided(frame, { answer: "kept", ...all, isFirst, firstMiddle: ring.middle(0) });
  };

  // Decides the waiting frames that are meant.
  const settle = (after, isMeant = () => true) => {
    const due = waiting.filter(isMeant);
    waiting = waiting.filter((frame) => !due.includes(frame));
    for (const frame of due) decide(frame, after);
  };
  const wake = (now) => settle(null, (frame) => now - frame.milliseconds > reach);

  return {
    /// The sectors.
    get ring() { return ring; },
    /// The quality of each sector's frame; null for an empty sector.
    held,
    /// Takes a sample of the sensors, and decides the frames that waited for it.
    sense: (sample) => {
      settle(sample);
      before = sample;
    },
    /// Takes a frame, or discards it if two wait already.
    offer: (frame) => {
      wake(frame.milliseconds);
      if (waiting.length > 1) return decided(frame, { answer: "noSample" });
      return waiting.push({ ...frame, before });
    },
    /// Decides the frames for which no sample will come within reach.
    wake,
    /// Returns the attitude of a moment, for the guidance; null before the first frame, or if no sample
    /// is near.
    now: (moment, screen) => {
      const sample = sampleAt(moment, before, null);
      if (!sample || !first) return null;
      const attitude = attitudeOf(first, pictureOf(sample.rotation, screen));
      if (!attitude) return null;
      return {
        ...attitude, angle: wrapped(attitude.angle + (terms.firstDegrees ?? 0)), acceleration: sample.acceleration,
      };
    },
    /// Gives a sector back, because its frame did not arrive; without a first frame, all angles begin
    /// anew.
    giveBack: (sector, quality, isFirst) => {
      held[sector] = quality;
      if (isFirst) first = null;
    },
  };
};

// The tilt or roll, degrees, and the acceleration, metres per second squared, from which on the
// inspector is told.
const [tiltTold, shakeTold] = [6, 1.5];
// The fewest frames that a sector shall get on the way through it, and the frames a second that a
// handheld judges at least.
const [framesWanted, framesExpected] = [4, 15];

/// Returns what the inspector shall do next: its `code`, and for `left` and `right` the `degrees`.
///
/// `seen` is the present attitude with its `acceleration` and `rate` (degrees a second, clockwise above
/// 0), or null. Walking round a thing, a step to the left goes clockwise as seen from above; turning on the
/// spot, a turn to the right does.
export const guidance = (seen, held, ring, isWalked) => {
  if (!seen) return { code: "sensors" };
  const missing = held.flatMap((quality, sector) => quality === null ? [ring.middle(sector)] : []);
  if (!missing.length) return { code: "whole" };
  if (Math.abs(seen.pitch) > tiltTold) return { code: seen.pitch > 0 ? "down" : "up" };
  if (Math.abs(seen.roll) > tiltTold) return { code: "level" };
  const fastest = ring.width * framesExpected / framesWanted;
  if (Math.abs(seen.rate ?? 0) > fastest || (seen.acceleration ?? 0) > shakeTold) return { code: "slower" };
  if (held[ring.sector(seen.angle)] === null) return { code: "here" };
  const ways = missing.map((middle) => {
    const clockwise = wrapped(middle - seen.angle);
    return clockwise <= 180 ? clockwise : clockwise - 360;
  });
  // Of two that are as near, the one ahead counts.
  const ahead = Math.sign(seen.rate || 1);
  const way = ways.sort((one, other) => Math.abs(one) - Math.abs(other) || ahead * (other - one))[0];
  const isLeft = (way > 0) === isWalked;
  return { code: isLeft ? "left" : "right", degrees: Math.max(1, Math.round(Math.abs(way))) };
};
