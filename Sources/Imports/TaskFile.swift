import Foundation
import Geodesy
import Inspection
import TimeAndText

/// A task that a person or a file orders, before it has an identifier of its own.
public struct TaskOrder: Hashable, Sendable {
  /// The name on the list.
  public var name: String
  /// The agency's word for the kind of task; nil if there is none.
  public var type: String?
  /// The instructions to the inspector; nil if there are none.
  public var instructions: String?
  /// The date by which the task is due; nil if there is none.
  public var due: DeviceTime?
  /// The login of the inspector; nil if the file leaves the choice to its reader.
  public var inspector: String?
  /// The parcel to inspect; nil if the feature has no geometry.
  public var parcel: Parcel?
  /// The parcel's identifier, also if its outline is still to be looked up; nil if there is none.
  public var parcelIdentifier: String?
  /// The orderer's own name for the order, by which it is found again; nil if there is none.
  public var reference: String?
  /// The photo points that are to be photographed again; nil if the order names none.
  public var repeats: RepeatWish?
  /// The sectors of the walk round a thing that the order asks for; 0 for no walk, nil if it says
  /// nothing of one.
  public var aroundSectors: Int?
  /// The views of the turn on the spot that the order asks for; 0 for no turn, nil if it says
  /// nothing of one.
  public var turnViews: Int?

  /// Reads a due date as people and files write it. A date alone means its last second, in UTC; a
  /// time has its offset. Nil for anything else, and for a time whose offset leads out of the years
  /// 0000 to 9999, because a message to a device could not carry it.
  public static func due(_ text: String) -> DeviceTime? {
    (DeviceTime(rfc3339: text) ?? DeviceTime(rfc3339: "\(text)T23:59:59Z")).flatMap {
      DeviceTime(rfc3339: $0.rfc3339) == $0 ? $0 : nil
    }
  }

  /// Returns the sets that the order asks for.
  /// - Parameter before: the sets of the order that this one replaces: they stay where this one says
  ///   nothing of them.
  /// - Throws: `FrameSetRefusal.sectors`.
  public func sets(
    inPlaceOf before: OrderedSets = .none
  ) throws(FrameSetRefusal) -> OrderedSets {
    var sets = before
    if let aroundSectors { sets = try sets.with(.around, aroundSectors) }
    if let turnViews { sets = try sets.with(.turn, turnViews) }
    return sets
  }

  /// Creates an order.
  public init(
    name: String, type: String? = nil, instructions: String? = nil, due: DeviceTime? = nil,
    inspector: String? = nil, parcel: Parcel? = nil, parcelIdentifier: String? = nil,
    reference: String? = nil
  ) {
    self.name = name
    self.type = type
    self.instructions = instructions
    self.due = due
    self.inspector = inspector
    self.parcel = parcel
    self.parcelIdentifier = parcelIdentifier ?? parcel?.identifier
    self.reference = reference
  }
}

/// A fault in a file of tasks.
public struct TaskFileError: Error, Hashable, Sendable, Worded {
  /// The feature, counted from 1; nil if the whole file is meant.
  public var feature: Int?
  /// The fault, and what to do about it.
  public var reason: Wording
  /// The reason in English.
  public var words: String { reason.description }

  /// Compares two errors: they are equal if they name one feature and have equal English words.
  public static func == (one: TaskFileError, other: TaskFileError) -> Bool {
    one.feature == other.feature && one.words == other.words
  }

  /// Hashes the feature and the English words.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(feature)
    hasher.combine(words)
  }

  /// The place and the fault, in one line.
  public var wording: Wording { feature.map { "feature \($0): \(reason)" } ?? reason }
}

/// Files of tasks: GeoJSON (RFC 7946) with one task in each feature, whose geometry is the parcel,
/// or CSV with one task in each line, with the parcel as WKT. Properties and columns are
/// `identifier reference name type instructions due inspector around turn`.
public enum TaskFile {
  /// Reads the bytes of a file. The file is accepted only if all its features are good, because
  /// half a list is worse than none.
  /// - Throws: `TaskFileError` with the feature and its fault.
  public static func orders(
    from bytes: Data, as format: ImportFormat? = nil
  ) throws(TaskFileError) -> [TaskOrder] {
    var orders: [TaskOrder] = []
    var reader = ImportReader(format: format)
    do {
      try bytes.withUnsafeBytes { buffer in
        try reader.feed(buffer) { orders.append(try $0.get().order()) }
      }
      try reader.finish { orders.append(try $0.get().order()) }
    } catch let fault as ImportFault {
      throw TaskFileError(
        feature: fault.row,
        reason: fault.row == nil ? fault.wording : fault.reason)
    } catch {
      throw TaskFileError(feature: nil, reason: "it cannot be read: \(error)")
    }
    return orders
  }

  /// Reads the bytes of a file that must be GeoJSON.
  /// - Throws: `TaskFileError` with the feature and its fault.
  public static func orders(fromGeoJSON bytes: Data) throws(TaskFileError) -> [TaskOrder] {
    try orders(from: bytes, as: .geojson)
  }
}
