import Evidence
import Geodesy
import Inspection
import Store
import Sync
import TimeAndText

/// Keeps an agency's batches with their receipts, and the room that deliveries take.
public protocol DeliveryRecords {
  /// Reads the receipt of a batch; nil for a batch without one.
  func receipt(
    ofBatch id: Identifier
  ) throws -> (receipt: String, messageDigest: String, inspector: String)?
  /// Keeps a batch's receipt.
  func insert(_ receipt: Receipt, messageDigest: String) throws
  /// Reads all receipts of a key, the oldest first.
  func receipts(ofKey key: String) throws -> [Receipt]
  /// Reads those of the latest receipts of a key whose deliveries the log has behind one entry and up to another, the
  /// earliest in the log first.
  func loggedReceipts(
    ofKey key: String, after entry: Int, upTo last: Int, limit: Int
  ) throws -> [Receipt]
  /// Calls `body` with each batch of a key that has a receipt, and with the receipt.
  func forEachReceipt(
    ofKey key: String, _ body: (_ batch: Identifier, _ receipt: String) throws -> Void
  ) throws
  /// Reads the digests of an inspector's record and files under an identifier; nil if there is none.
  func holding(
    of id: Identifier, inspector: String
  ) throws -> (kind: RecordKind, record: String, parts: [PartDigest])?
  /// Calls `body` with every sealed record of a key and the digests of its files.
  func forEachHolding(
    ofKey key: String,
    _ body: (
      _ kind: RecordKind, _ id: Identifier, _ parts: [PartDigest], _ isDeleted: Bool
    ) throws -> Void
  ) throws
  /// Finds the records of a key that name a file.
  func records(
    ofKey key: String, naming digest: String
  ) throws -> [(kind: RecordKind, id: Identifier, isRaw: Bool)]
  /// True if an identifier names another record of the agency already.
  func isTaken(_ id: Identifier, byOtherThan record: String) throws -> Bool
  /// Reads when each of these keys last delivered something new; silent keys are left out.
  func lastDeliveries(ofKeys keys: [String]) throws -> [String: DeviceTime]
  /// Reads the bytes that deliveries take, and may take; a nil quota is no limit.
  func storage() throws -> (storedBytes: Int, quotaBytes: Int?)
  /// Adds to the bytes that deliveries take.
  func addStored(bytes: Int) throws
  /// Sets the bytes that deliveries may take; nil is no limit.
  func setQuota(bytes: Int?) throws
}
