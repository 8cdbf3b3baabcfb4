import Positioning

/// What an agency lays down for its field units. Each change is a further revision; none is changed.
public struct CapturePolicy: Hashable, Sendable {
  /// Counts up with each change, from 1.
  public var revision: Int
  /// When it was laid down, by the office's clock.
  public var issued: DeviceTime
  /// Whether each photo also tells which cells and access points were heard: off until it is turned on.
  public var readsSurroundings: Bool
  /// Whether a task's photos are delivered as soon as they are taken, and not with the task: they cannot
  /// be deleted then.
  public var deliversAhead: Bool
  /// After how many days delivered photos leave the field unit, once their task is decided and the
  /// office has read them again; nil is never.
  public var removesDeliveredAfterDays: Int?

  /// What can be said of days.
  public static let removalDays = 0...3650

  /// A policy from its parts.
  public init(
    revision: Int, issued: DeviceTime, readsSurroundings: Bool = false,
    deliversAhead: Bool = false, removesDeliveredAfterDays: Int? = nil
  ) {
    self.revision = revision
    self.issued = issued
    self.readsSurroundings = readsSurroundings
    self.deliversAhead = deliversAhead
    self.removesDeliveredAfterDays = removesDeliveredAfterDays
  }

  /// In one line, for people.
  public var summary: String {
    "radio surroundings \(readsSurroundings ? "on" : "off"), delivery ahead"
      + " \(deliversAhead ? "on" : "off"), delivered photos leave the device "
      + (removesDeliveredAfterDays.map { "after \($0) days" } ?? "never")
  }
}
