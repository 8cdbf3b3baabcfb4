const half = Math.PI / 360;

// Rotations as quaternions [w, x, y, z]; the second one is applied first, in the device's own axes.
const product = ([a, b, c, d], [w, x, y, z]) => [
  a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
  a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w];
const about = (axis, degrees) => {
  const turn = [Math.cos(degrees * half), 0, 0, 0];
  turn[axis] = Math.sin(degrees * half);
  return turn;
};

/// Returns an angle brought to 0 ..< 360 degrees.
export const wrapped = (degrees) => ((degrees % 360) + 360) % 360;

/// Returns the shorter turn from one direction to another, -180 ..< 180 degrees, clockwise
/// positive.
export const turnBetween = (from, to) => wrapped(to - from + 180) - 180;

/// Returns the pose of the lens in the device's back: azimuth from the sensors' north (without
/// meaning if alpha is null), elevation above the horizon, roll of the picture clockwise; all in
/// degrees.
export const lensOf = ({ alpha, beta, gamma, screen }) => {
  const held = product(product(about(3, alpha ?? 0), about(1, beta)), about(2, gamma));
  const [w, x, y, z] = product(held, about(3, -screen));
  const east = 2 * (x * z + w * y);
  const north = 2 * (y * z - w * x);
  const up = 1 - 2 * (x * x + y * y);
  const level = Math.hypot(east, north);
  const elevation = Math.atan2(-up, level) / half / 2;
  if (level <= 1e-7) {
    const rightEast = 1 - 2 * (y * y + z * z);
    const rightNorth = 2 * (x * y + w * z);
    return { azimuth: wrapped(Math.atan2(-rightNorth, rightEast) / half / 2), elevation, roll: 0 };
  }
  const rightUp = 2 * (x * z - w * y);
  const topUp = 2 * (y * z + w * x);
  return {
    azimuth: wrapped(Math.atan2(-east, -north) / half / 2), elevation,
    roll: Math.atan2(-rightUp, topUp) / half / 2,
  };
};

/// Returns the angle by which the lens was turned between two poses, degrees; 0 if one of them is
/// unknown.
export const turned = (before, after) => {
  if (!before || !after) return 0;
  const radians = Math.PI / 180;
  const [a, b] = [lensOf(before), lensOf(after)].map(({ azimuth, elevation }) =>
    ({ azimuth: azimuth * radians, elevation: elevation * radians }));
  const isTold = before.alpha !== null && after.alpha !== null;
  const cosine = Math.sin(a.elevation) * Math.sin(b.elevation)
    + Math.cos(a.elevation) * Math.cos(b.elevation) * (isTold ? Math.cos(a.azimuth - b.azimuth) : 1);
  return Math.acos(Math.min(1, Math.max(-1, cosine))) / radians;
};

/// Returns the direction in which a person looks who holds the device before them, from the
/// sensors' north, 0 ..< 360 degrees: the screen may lie flat or stand upright. Null if the sensors
/// know no north, or if the device is held so that it has no such direction.
export const headingOf = ({ alpha, beta, gamma, screen }) => {
  if (alpha === null) return null;
  const held = product(product(about(3, alpha), about(1, beta)), about(2, gamma));
  const [w, x, y, z] = product(held, about(3, -screen));
  // The upper edge points ahead while the screen lies flat, and the back of the device while it
  // stands upright: their sum points ahead in between, too.
  const east = 2 * (x * y - w * z) - 2 * (x * z + w * y);
  const north = 1 - 2 * (x * x + z * z) - 2 * (y * z - w * x);
  if (Math.hypot(east, north) < .2) return null;
  return wrapped(Math.atan2(east, north) / half / 2);
};

/// Returns the attitude of the picture: the rotation [w, x, y, z] of its axes (x to the right, y up,
/// z towards the photographer) to true east, true north and up.
export const attitudeOf = ({ alpha, beta, gamma, screen }, declination) => product(
  about(3, -declination),
  product(product(product(about(3, alpha), about(1, beta)), about(2, gamma)), about(3, -screen)));

/// Returns what is known of a pose without a north: elevation and roll in degrees, and the attitude
/// as if the lens looked to the north.
export const tiltOf = (held) => {
  const { elevation, roll } = lensOf(held);
  return { elevation, roll, attitude: product(about(1, 90 + elevation), about(3, -roll)) };
};
