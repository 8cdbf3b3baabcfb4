import Inspection
import TimeAndText

/// An order of a task before the office changed it. It is kept and shown, because the inspector may
/// have worked under it.
public struct EarlierOrder: Hashable, Sendable {
  /// The revision of the order.
  public var revision: Int
  /// The name of the task.
  public var name: String
  /// The agency's word for the kind of task; nil if it had none.
  public var type: String?
  /// The instructions to the inspector; nil if there were none.
  public var instructions: String?
  /// The date by which the task was due; nil if there was none.
  public var due: DeviceTime?
  /// The parcel; nil if the order named none.
  public var parcel: Parcel?
  /// The photo points that were to be photographed again; nil if the order named none.
  public var repeats: RepeatWish?
  /// The sets of frames that the order asked for.
  public var sets: OrderedSets
  /// The further parcels and the sections that the order named.
  public var places: OrderedPlaces
  /// The files for the inspector that came with the order.
  public var attachments: Attachments
  /// The time at which a later order replaced this one.
  public var replaced: DeviceTime

  /// Creates an earlier order.
  public init(
    revision: Int, name: String, type: String?, instructions: String?, due: DeviceTime?,
    parcel: Parcel?, repeats: RepeatWish? = nil, sets: OrderedSets = .none,
    places: OrderedPlaces = .none, attachments: Attachments = .none, replaced: DeviceTime
  ) {
    self.revision = revision
    self.name = name
    self.type = type
    self.instructions = instructions
    self.due = due
    self.parcel = parcel
    self.repeats = repeats
    self.sets = sets
    self.places = places
    self.attachments = attachments
    self.replaced = replaced
  }
}
