/// Where the office keeps photos and what belongs to them. A folder and a memory implement it; one
/// contract suite holds both to it.
///
/// A delivery brings files before anybody knows whether the whole of it will come: they are received
/// under their digest, and given their name when the batch is complete.
public protocol PhotoStore: Sendable {
  /// Begins to receive a file. Several may receive the same one: the last to finish wins, and the
  /// bytes are the same.
  func beginReceiving(_ digest: String) throws -> any IncomingFile
  /// Whether a file was received whole and is durable.
  func holdsReceived(_ digest: String) throws -> Bool
  /// The bytes of a file that was received; nil when there is none.
  func received(_ digest: String) throws -> [UInt8]?
  /// Gives a received file its name, durably. What has that name with the same bytes stays.
  func place(_ digest: String, as name: String) throws
  /// Forgets a received file that has its name by now.
  func discardReceived(_ digest: String) throws
  /// Writes a file under a name, durably: whoever reads it sees the one before or this one.
  func write(_ bytes: [UInt8], as name: String) throws
  /// Whether there is a file of this name.
  func holds(_ name: String) throws -> Bool
  /// A file's bytes; nil when there is none of this name.
  func bytes(of name: String) throws -> [UInt8]?
  /// Where a file lies on this machine's disk, for those who read it piece by piece; nil where it
  /// lies elsewhere.
  func path(of name: String) -> String?
  /// All names, in their order.
  func names() throws -> [String]
}

/// A file that is being received.
public protocol IncomingFile: AnyObject {
  /// Adds a piece.
  func append(_ bytes: [UInt8]) throws
  /// Ends it: when its bytes have the digest that was announced, it is durable when this returns.
  /// - Throws: `OfficeRefusal` (file-mismatch) otherwise; nothing is kept then.
  func finish() throws
  /// Nothing is kept.
  func abandon()
}
