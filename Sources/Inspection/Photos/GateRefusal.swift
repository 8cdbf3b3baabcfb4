import TimeAndText

/// A reason why no photo was taken, as a stable code and words.
public struct GateRefusal: Hashable, Sendable {
  /// The stable code of the reason, for programs.
  public var code: String
  /// Words for the inspector.
  public var wording: Wording
  /// The words in English.
  public var text: String { wording.description }

  /// Creates a reason.
  public init(code: String, wording: Wording) {
    self.code = code
    self.wording = wording
  }
}
