/// Where the office keeps photos and what belongs to them. A folder and a memory implement it; one
/// contract suite holds both to it.
///
/// A delivery brings files before anybody knows whether the whole of it will come: they are received
/// under their device and digest, and given their name when the batch is complete.
public protocol PhotoStore: Sendable {
  /// Whether a file was received whole: its bytes were checked then.
  func holdsReceived(_ file: ReceivedFile) throws -> Bool
  /// Whether the bytes of a file that was received whole are still the right ones: they are looked at
  /// again where a crash of this machine may have come since.
  func isWhole(_ file: ReceivedFile) throws -> Bool
  /// How much of a file is here; nil when nothing is. Bytes that are all here and were never found to
  /// be the right ones are none.
  func received(upTo file: ReceivedFile) throws -> UploadState?
  /// How many files of a device are here, whole or in part, that no batch has claimed yet.
  func receivedCount(ofKey key: String) throws -> Int
  /// The files of all devices that are here, whole or in part, and no batch has claimed, with how many bytes
  /// of each are kept.
  func receivedFiles() throws -> [(file: ReceivedFile, bytes: Int)]
  /// Begins to receive a file of so many bytes, or goes on where it was left.
  /// - Throws: `OfficeRefusal`: upload-busy while somebody else receives it, upload-offset when it is
  ///   whole, input-invalid when more than nothing of it is here with another length.
  func resume(_ file: ReceivedFile, length: Int) throws -> any IncomingFile
  /// The bytes of a file that was received whole; nil when there is none.
  func received(_ file: ReceivedFile) throws -> [UInt8]?
  /// Gives files their names, and writes others beside them: all of it is durable when this returns. What
  /// has its name with the same bytes stays.
  /// - Parameters:
  ///   - replacing: whether what has a name with other bytes, being damaged, gives way.
  ///   - writing: bytes by their names.
  func place(
    _ placements: [FilePlacement], replacing: Bool, writing files: [(bytes: [UInt8], name: String)]
  ) throws
  /// Gives a file of this machine a name, durably; it stays where it is, too.
  /// - Throws: `StoreError` where there is a file of this name already.
  func adopt(file path: String, as name: String) throws
  /// Forgets what was received of a file: it has its name by now, or nobody wants it.
  /// - Throws: `OfficeRefusal` (upload-busy) while somebody receives it.
  func discardReceived(_ file: ReceivedFile) throws
  /// Makes a file and takes it away again, to see that it can be done.
  func probe() throws
  /// Writes a file under a name, durably: whoever reads it sees the one before or this one.
  func write(_ bytes: [UInt8], as name: String) throws
  /// Takes a name away, durably, with the bytes that nobody else names: for what a delivery has placed that was then not
  /// taken. It is no fault where there is none of this name.
  func remove(_ name: String) throws
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

/// What is received: bytes of a digest, from one device. Whoever only knows another device's digest has
/// not sent those bytes.
public struct ReceivedFile: Hashable, Sendable {
  /// Thumbprint of the device's key.
  public var key: String
  /// SHA-256 of the bytes.
  public var digest: String

  /// A file of a device.
  public init(key: String, digest: String) {
    self.key = key
    self.digest = digest
  }
}

/// A file that gets a name, or a second one.
public struct FilePlacement: Hashable, Sendable {
  /// Where its bytes are.
  public enum Source: Hashable, Sendable {
    /// It was received, and waits.
    case received(ReceivedFile)
    /// It has a name already.
    case stored(String)
  }

  /// Where its bytes are.
  public var source: Source
  /// SHA-256 of them.
  public var digest: String
  /// The name that it gets.
  public var name: String

  /// A placement from its parts.
  public init(_ source: Source, digest: String, as name: String) {
    self.source = source
    self.digest = digest
    self.name = name
  }
}

/// How much of a file is here.
public struct UploadState: Hashable, Sendable {
  /// How many bytes are here.
  public var offset: Int
  /// How many there will be.
  public var length: Int

  /// A state from its parts.
  public init(offset: Int, length: Int) {
    self.offset = offset
    self.length = length
  }
}

/// A file that is being received, chunk by chunk. Nobody else receives it meanwhile.
public protocol IncomingFile: AnyObject {
  /// How many bytes of it are kept.
  var offset: Int { get }
  /// Adds a piece to the chunk.
  /// - Throws: `OfficeRefusal` (file-mismatch) for more bytes than were announced.
  func append(_ bytes: UnsafeRawBufferPointer) throws
  /// The chunk is what it should be, and belongs to the file.
  func keepChunk()
  /// The chunk is not what it should be: the file is as it was before it.
  func dropChunk()
  /// Ends it, when its bytes have the digest that was announced. It is durable once it is placed.
  /// - Parameter isChecked: its bytes were found to have it already.
  /// - Throws: `OfficeRefusal` (file-mismatch) otherwise; nothing is kept then.
  func finish(isChecked: Bool) throws
  /// Lets go of it. What is kept stays for the next who resumes.
  func close()
}

extension IncomingFile {
  /// Adds a piece that is in hand.
  package func append(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try append($0) } }
}
