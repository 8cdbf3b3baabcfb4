// The same rules as `NavigationRectangle` and `RelativeAttitude` in Sources/Inspection/PhotoPoints,
// where the reasons stand; a test compares the two.

const degrees = (radians) => radians * 180 / Math.PI;

/// Returns the rotation from the earlier picture's axes to the present one's, from two quaternions
/// [w, x, y, z] of pictures to east, north and up; null if one has no length.
export const relativeOf = (reference, now) => {
  const [a, b, c, d] = [reference[0], -reference[1], -reference[2], -reference[3]];
  const [w, x, y, z] = now;
  const product = [
    a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
    a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w];
  const length = Math.hypot(...product) * (product[0] < 0 ? -1 : 1);
  if (!Number.isFinite(length) || Math.abs(length) < 1e-9) return null;
  return product.map((part) => part / length);
};

/// Returns the whole angle of a rotation and its three parts, in degrees: about the upright axis
/// (above 0 to the left), about the axis to the right (above 0 upwards), and about the lens (above
/// 0 anti-clockwise).
export const partsOf = ([w, x, y, z]) => ({
  angle: degrees(2 * Math.atan2(Math.hypot(x, y, z), w)),
  roll: degrees(Math.atan2(-2 * x * z + 2 * w * y, z * z - y * y - x * x + w * w)),
  pitch: degrees(Math.asin(Math.min(1, Math.max(-1, 2 * y * z + 2 * w * x)))),
  yaw: degrees(Math.atan2(-2 * x * y + 2 * w * z, y * y - z * z + w * w - x * x)),
});

const smooth = (share) => {
  const held = Math.min(1, Math.max(0, share));
  return held * held * (3 - 2 * held);
};

/// Returns the frame that leads back to an earlier picture: its middle (x, y) from the upper left
/// corner of the present picture, its width and height, all in pixels; its turn clockwise, degrees;
/// and whether its middle is in view.
///
/// `view` is the present picture on the screen: width and height in pixels, and its horizontal
/// field of view in degrees. `reference` is the earlier one, of which the shape and the angle count.
export const frameOf = (relative, view, reference) => {
  const [w, x, y, z] = relative;
  const parts = partsOf(relative);
  const direction = [2 * (w * y - x * z), -2 * (y * z + w * x), 2 * (x * x + y * y) - 1];
  const map = [(parts.roll + 180) / 360 * view.width, (parts.pitch + 90) / 180 * view.height];
  const tangent = Math.tan(view.across * Math.PI / 360);
  const full = view.width * Math.tan(reference.across * Math.PI / 360) / tangent;
  const shape = reference.height / reference.width;
  const small = view.across / 360;
  const sized = (middle, share, isInView) => ({
    x: middle[0], y: middle[1], width: full * (1 + (small - 1) * share),
    height: full * (1 + (small - 1) * share) * shape, turn: parts.yaw, isInView,
  });
  if (direction[2] >= 0) return sized(map, 1, false);
  const focal = view.width / 2 / tangent;
  const projected = [
    view.width / 2 + focal * direction[0] / -direction[2],
    view.height / 2 - focal * direction[1] / -direction[2]];
  const beyond = 2 * Math.max(
    Math.abs(projected[0] / view.width - .5), Math.abs(projected[1] / view.height - .5));
  const share = smooth(beyond - 1);
  const middle = share === 1 ? map
    : projected.map((place, index) => place + (map[index] - place) * share);
  return sized(middle, share, beyond <= 1);
};
