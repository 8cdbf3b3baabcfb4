/// The reason why two pictures were not compared.
public enum MatchingError: Error, Hashable, Sendable {
  /// The two pictures of a comparison.
  public enum Which: String, Hashable, Sendable {
    /// The picture that was there first.
    case earlier
    /// The picture that repeats it.
    case later
  }

  /// The library that compares pictures is not installed, or does not fit.
  case unavailable(reason: String)
  /// A picture is no JPEG that can be read, or a side of it is below 32 pixels.
  case unreadable(Which)
  /// A picture is larger than the comparison takes, in bytes.
  case tooLarge(Which, bytes: Int)
  /// The comparison took longer than it may, or waited as long for others.
  case tookTooLong
  /// Too many comparisons wait already.
  case busy
  /// The process that compares pictures ended in the middle.
  case ended
}

extension MatchingError: CustomStringConvertible {
  /// The fault, as a line for people.
  public var description: String {
    switch self {
    case .unavailable(let reason): "pictures cannot be compared here: \(reason)"
    case .unreadable(let which):
      "the \(which.rawValue) picture cannot be read: it is no JPEG of 32 pixels and more"
    case .tooLarge(let which, let bytes):
      "the \(which.rawValue) picture has \(bytes) bytes, and \(MatchingWire.mostBytes) are the most"
    case .tookTooLong: "the comparison took too long and was ended"
    case .busy: "too many pictures wait to be compared; try again in a moment"
    case .ended: "the process that compares pictures ended in the middle; try again"
    }
  }
}
