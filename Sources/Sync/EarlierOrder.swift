import Inspection
import Positioning

/// What a task ordered before the office changed it. It is kept and shown: work may have been done
/// under it.
public struct EarlierOrder: Hashable, Sendable {
  /// Its revision.
  public var revision: Int
  /// Its name.
  public var name: String
  /// The agency's word for its kind.
  public var type: String?
  /// What was to be done.
  public var instructions: String?
  /// Until when.
  public var due: DeviceTime?
  /// The land.
  public var parcel: Parcel?
  /// When a later order replaced it.
  public var replaced: DeviceTime

  /// An order from its parts.
  public init(
    revision: Int, name: String, type: String?, instructions: String?, due: DeviceTime?,
    parcel: Parcel?, replaced: DeviceTime
  ) {
    self.revision = revision
    self.name = name
    self.type = type
    self.instructions = instructions
    self.due = due
    self.parcel = parcel
    self.replaced = replaced
  }
}
