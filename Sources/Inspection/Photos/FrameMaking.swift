/// How a browser made the frame that it handed over. A frame of the live picture is coarser than a still, and
/// the browser itself has compressed it: whoever judges the picture should know.
public enum FrameMaking: String, Hashable, Sendable {
  /// The camera took a still.
  case still
  /// One frame of the live picture, compressed by the browser.
  case liveFrame = "live-frame"
}
