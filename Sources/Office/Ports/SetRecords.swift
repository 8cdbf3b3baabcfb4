import Inspection
import Store
import Sync

/// Reads the sets that a person may see: all of an agency's, or one inspector's.
public protocol SetReads {
  /// Reads the sets of a selection, the oldest first.
  func list(_ selection: Selection) throws -> [ReceivedSet]
  /// Reads one set, or throws `StoreError.unknown`.
  func set(_ id: Identifier) throws -> ReceivedSet
}

/// Keeps an agency's delivered sets; their frames are in files.
public protocol SetRecords: SetReads {
  /// True if there is a set of this identifier, deleted or not.
  func isKnown(set id: Identifier) throws -> Bool
  /// True if a set was deleted before it was sent.
  func isDeleted(set id: Identifier) throws -> Bool
  /// Adds a delivered set; a reason if it was deleted before it was sent.
  func insert(_ set: ReceivedSet, deletedReason: String?) throws
}
