/// The way in which a browser made a frame. A frame of the live picture is coarser than a still,
/// and the browser has already compressed it: the officer who judges the picture should know.
public enum FrameMaking: String, Hashable, Sendable {
  /// A still that the camera took.
  case still
  /// One frame of the live picture, compressed by the browser.
  case liveFrame = "live-frame"
}
