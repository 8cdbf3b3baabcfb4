import Foundation
import Geodesy
import Inspection
import Positioning

/// A task as somebody ordered it, before it has an identifier of its own.
public struct TaskOrder: Hashable, Sendable {
  /// Name on the list.
  public var name: String
  /// The agency's word for its kind; nil without one.
  public var type: String?
  /// What to do.
  public var instructions: String?
  /// Until when; nil without a date.
  public var due: DeviceTime?
  /// Login of its inspector; nil where the file leaves it to the reader.
  public var inspector: String?
  /// The land; nil where the feature has no geometry.
  public var parcel: Parcel?
  /// The parcel's identifier, also where its outline is to be looked up; nil without one.
  public var parcelIdentifier: String?
  /// What whoever orders knows the order by, so that it is found again; nil without one.
  public var reference: String?

  /// A due date as people and files write it: a date alone means its last second, in UTC; a time has its
  /// offset. Nil for anything else, and for what an offset leads out of the years 0000 to 9999: a message
  /// to a device could not carry it.
  public static func due(_ text: String) -> DeviceTime? {
    (DeviceTime(rfc3339: text) ?? DeviceTime(rfc3339: "\(text)T23:59:59Z")).flatMap {
      DeviceTime(rfc3339: $0.rfc3339) == $0 ? $0 : nil
    }
  }

  /// An order from its parts.
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

/// What can be wrong with a file of tasks.
public struct TaskFileError: Error, Hashable, Sendable, Worded {
  /// Which feature, counted from 1; nil when it is the whole file.
  public var feature: Int?
  /// What is wrong with it.
  public var reason: Wording
  /// The same in English.
  public var words: String { reason.description }

  /// Two are the same that say the same in English.
  public static func == (one: TaskFileError, other: TaskFileError) -> Bool {
    one.feature == other.feature && one.words == other.words
  }

  /// Where it is and what it says in English.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(feature)
    hasher.combine(words)
  }

  /// One line that says what and where.
  public var wording: Wording { feature.map { "feature \($0): \(reason)" } ?? reason }
}

/// Tasks as GeoJSON (RFC 7946), a feature each whose geometry is the parcel, or as CSV, a line each
/// with the parcel as WKT. Properties and columns are `identifier reference name type instructions due
/// inspector`.
public enum TaskFile {
  /// Reads a file's bytes. Either all features can be used, or none is: a list that is half taken is
  /// worse than none.
  /// - Throws: `TaskFileError` with the feature and what is wrong with it.
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

  /// The same for what must be GeoJSON.
  /// - Throws: `TaskFileError` with the feature and what is wrong with it.
  public static func orders(fromGeoJSON bytes: Data) throws(TaskFileError) -> [TaskOrder] {
    try orders(from: bytes, as: .geojson)
  }
}
