import Evidence
import Geodesy
import Inspection
import Store
import Sync
import TimeAndText

/// Reads the seals that a person may see: all of an agency's, or one inspector's.
public protocol SealReads {
  /// Reads the seal over a thing of a kind, with its record; nil if there is none.
  func seal(of id: Identifier, _ kind: RecordKind) throws -> SealFile?
  /// Reads the task that the sealed record of a thing names; nil if it names none, or there is none.
  func taskNamed(byRecordOf id: Identifier, _ kind: RecordKind) throws -> Identifier?
}

/// Keeps the chains of sealed links of an agency's devices.
public protocol ChainRecords: SealReads {
  /// Keeps a link, and returns true if its record is new here. A known link stays; a bare one gets its
  /// record.
  @discardableResult
  func keep(_ link: ReceivedLink, inspector: String, at time: DeviceTime) throws -> Bool
  /// Reads all links of a key, in the order of their places.
  func links(ofKey key: String) throws -> [ReceivedLink]
  /// Reads the last link of a key's chain; nil before the first.
  func head(ofKey key: String) throws -> Seal?
  /// Reads the end of a key's chain as field units are told it; nil before its first link.
  func chainHead(ofKey key: String) throws -> ChainHead?
  /// Reads the digests of the links known at some places of a key's chain.
  func linkDigests(ofKey key: String, at places: ClosedRange<Int>) throws -> [Int: Set<String>]
  /// Reads the signatures over a key's links as they came, in the order of their places.
  func linkTexts(ofKey key: String) throws -> [String]
  /// Reads how far the order of a key's clock was followed; nil before its first record.
  func chainClock(ofKey key: String) throws -> ChainClock?
  /// Keeps how far the order of a key's clock was followed.
  func keep(_ clock: ChainClock, ofKey key: String) throws
  /// Calls `body` with the device times of a key's whole records, in the order of their places,
  /// without simulated ones.
  func forEachDeviceTime(
    ofKey key: String,
    _ body: (_ id: Identifier, _ sequence: Int, _ time: DeviceTime) throws -> Void
  ) throws
  /// Reads the sealed records that belong to a task: its own, those of photos given to it, and deletions.
  func seals(ofTask id: Identifier) throws -> [SealFile]
}
