/// The store of photos and of the files that belong to them. A folder and a memory implement it;
/// one contract suite tests both.
///
/// A delivery brings files before it is known if all of it will come: they are received under their
/// device and digest, and get their names when the batch is complete.
public protocol PhotoStore: Sendable {
  /// Returns true if a file was received whole: its bytes were checked then.
  func holdsReceived(_ file: ReceivedFile) throws -> Bool
  /// Returns true if the bytes of a file that was received whole are still the right ones. They are
  /// read again if this machine may have crashed since.
  func isWhole(_ file: ReceivedFile) throws -> Bool
  /// Returns how much of a file is here; nil if nothing is. Complete bytes that were never found to
  /// be the right ones count as 0.
  func received(upTo file: ReceivedFile) throws -> UploadState?
  /// Counts the files of a device that are here, whole or in part, and that no batch has claimed
  /// yet.
  func receivedCount(ofKey key: String) throws -> Int
  /// Returns the files of all devices that are here, whole or in part, and that no batch has
  /// claimed, with the number of bytes kept of each.
  func receivedFiles() throws -> [(file: ReceivedFile, bytes: Int)]
  /// Begins to receive a file of `length` bytes, or goes on where it was left.
  /// - Throws: `OfficeRefusal`: upload-busy while another request receives it, upload-offset if it
  ///   is whole, input-invalid if bytes of it are here with another length.
  func resume(_ file: ReceivedFile, length: Int) throws -> any IncomingFile
  /// Returns the bytes of a file that was received whole; nil if there is none.
  func received(_ file: ReceivedFile) throws -> [UInt8]?
  /// Gives files their names, and writes other files: everything is durable when this returns. A
  /// file that has its name with the same bytes stays.
  /// - Parameters:
  ///   - replacing: true if a file that has the name with other bytes, being damaged, gives way.
  ///   - files: bytes with their names.
  func place(
    _ placements: [FilePlacement], replacing: Bool, writing files: [(bytes: [UInt8], name: String)]
  ) throws
  /// Gives a file of this machine a name, durably; the file also stays where it is.
  /// - Throws: `StoreError` if there is a file of this name already.
  func adopt(file path: String, as name: String) throws
  /// Removes the received bytes of a file: it has its name by now, or is not wanted.
  /// - Throws: `OfficeRefusal` (upload-busy) while a request receives it.
  func discardReceived(_ file: ReceivedFile) throws
  /// Writes a file and removes it again, to test that this works.
  func probe() throws
  /// Writes a file under a name, durably: a reader sees the earlier file or this one.
  func write(_ bytes: [UInt8], as name: String) throws
  /// Removes a name, durably, and the bytes that no other name has: for the files of a delivery
  /// that was refused after all. A missing name is no fault.
  func remove(_ name: String) throws
  /// Returns true if there is a file of this name.
  func holds(_ name: String) throws -> Bool
  /// Returns a file's bytes; nil if there is none of this name.
  func bytes(of name: String) throws -> [UInt8]?
  /// Returns the path of a file on this machine's disk, for reading it piece by piece; nil if it is
  /// elsewhere.
  func path(of name: String) -> String?
  /// Returns all names, in their order, without received files.
  func names() throws -> [String]
}

/// The key to a received file: the digest of its bytes, and the device that sent them. A device
/// that only knows another device's digest has not sent those bytes.
public struct ReceivedFile: Hashable, Sendable {
  /// The thumbprint of the device's key.
  public var key: String
  /// The SHA-256 of the bytes, in hexadecimal.
  public var digest: String

  /// Creates the key to a device's file.
  public init(key: String, digest: String) {
    self.key = key
    self.digest = digest
  }
}

/// A file that gets a name, or a second one.
public struct FilePlacement: Hashable, Sendable {
  /// The place of the bytes before they get the name.
  public enum Source: Hashable, Sendable {
    /// The file was received, and waits for its batch.
    case received(ReceivedFile)
    /// The file has this name already.
    case stored(String)
  }

  /// The place of the bytes.
  public var source: Source
  /// The SHA-256 of the bytes, in hexadecimal.
  public var digest: String
  /// The name that the file gets.
  public var name: String

  /// Creates a placement.
  public init(_ source: Source, digest: String, as name: String) {
    self.source = source
    self.digest = digest
    self.name = name
  }
}

/// The progress of an upload.
public struct UploadState: Hashable, Sendable {
  /// The number of bytes that are here.
  public var offset: Int
  /// The number of bytes of the whole file.
  public var length: Int

  /// Creates the progress of an upload.
  public init(offset: Int, length: Int) {
    self.offset = offset
    self.length = length
  }
}

/// A file that is being received, chunk by chunk. No other request receives it meanwhile.
public protocol IncomingFile: AnyObject {
  /// The number of bytes that are kept.
  var offset: Int { get }
  /// Adds a piece to the chunk.
  /// - Throws: `OfficeRefusal` (file-mismatch) for more bytes than were announced.
  func append(_ bytes: UnsafeRawBufferPointer) throws
  /// Adds the chunk to the file, after it was found right.
  func keepChunk()
  /// Drops the chunk: the file is as it was before it.
  func dropChunk()
  /// Ends the file, if its bytes have the announced digest. It is durable once it is placed.
  /// - Parameter isChecked: true if the bytes' digest was found right already.
  /// - Throws: `OfficeRefusal` (file-mismatch) otherwise; nothing is kept then.
  func finish(isChecked: Bool) throws
  /// Releases the file. The kept bytes stay for the next request that resumes it.
  func close()
}

extension IncomingFile {
  /// Adds a piece that is in memory.
  package func append(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try append($0) } }
}
