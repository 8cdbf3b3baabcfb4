import Positioning

/// What an agency lays down for its field units. Each change is a further revision; none is changed.
public struct CapturePolicy: Hashable, Sendable {
  /// Counts up with each change, from 1.
  public var revision: Int
  /// When it was laid down, by the office's clock.
  public var issued: DeviceTime
  /// Whether each photo also tells which cells and access points were heard: off until it is turned on.
  public var readsSurroundings: Bool

  /// A policy from its parts.
  public init(revision: Int, issued: DeviceTime, readsSurroundings: Bool = false) {
    self.revision = revision
    self.issued = issued
    self.readsSurroundings = readsSurroundings
  }

  /// In one line, for people.
  public var summary: String { "radio surroundings \(readsSurroundings ? "on" : "off")" }
}
