import Evidence
import Foundation
import Office
import Positioning
import Store
import Synchronization
import TimeAndText

/// A photo store in memory that ends with the process, for tests of the parts above it.
public final class MemoryPhotoStore: PhotoStore {
  private struct State {
    var parts: [ReceivedFile: (bytes: [UInt8], length: Int)] = [:]
    var whole: [ReceivedFile: [UInt8]] = [:]
    var busy: Set<ReceivedFile> = []
    var files: [String: [UInt8]] = [:]
  }

  private let state = Mutex(State())

  /// Creates an empty store.
  public init() {}

  /// Returns true if a file was received whole.
  public func holdsReceived(_ file: ReceivedFile) throws -> Bool {
    state.withLock { $0.whole[file] != nil }
  }

  /// Returns true if a received file's bytes are the right ones.
  public func isWhole(_ file: ReceivedFile) throws -> Bool {
    state.withLock { $0.whole[file].map { Digest.hexadecimal($0) } } == file.digest
  }

  /// Returns how much of a file is here; nil if nothing is.
  public func received(upTo file: ReceivedFile) throws -> UploadState? {
    state.withLock { state in
      if let bytes = state.whole[file] {
        return UploadState(offset: bytes.count, length: bytes.count)
      }
      return state.parts[file].map { part in
        UploadState(
          offset: part.bytes.count < part.length ? part.bytes.count : 0, length: part.length)
      }
    }
  }

  /// Counts the files of a device that are here and that no batch has claimed yet.
  public func receivedCount(ofKey key: String) throws -> Int {
    state.withLock { state in
      state.parts.keys.count { $0.key == key } + state.whole.keys.count { $0.key == key }
    }
  }

  /// Returns the files that are here and that no batch has claimed, with the number of bytes kept
  /// of each.
  public func receivedFiles() throws -> [(file: ReceivedFile, bytes: Int)] {
    state.withLock { state in
      state.parts.map { (file: $0.key, bytes: $0.value.bytes.count) }
        + state.whole.map { (file: $0.key, bytes: $0.value.count) }
    }
  }

  /// Begins to receive a file, or goes on with it.
  public func resume(_ file: ReceivedFile, length: Int) throws -> any IncomingFile {
    let kept = try state.withLock { state in
      if let whole = state.whole[file] { throw UploadRefusal.otherOffset(whole.count) }
      guard !state.busy.contains(file) else { throw UploadRefusal.busy }
      var part = state.parts[file] ?? (bytes: [], length: length)
      if part.bytes.count >= part.length { part.bytes = [] }
      if part.bytes.isEmpty { part.length = length }
      guard part.length == length else { throw UploadRefusal.otherLength(part.length) }
      state.busy.insert(file)
      state.parts[file] = part
      return part.bytes
    }
    return MemoryIncomingFile(
      file, length: length, kept: kept,
      change: { bytes in
        self.state.withLock { $0.parts[file] = bytes.map { (bytes: $0, length: length) } }
      },
      complete: { bytes in
        self.state.withLock { state in
          state.parts[file] = nil
          state.whole[file] = bytes
        }
      }, release: { self.state.withLock { _ = $0.busy.remove(file) } })
  }

  /// Returns the bytes of a received file; nil if there is none.
  public func received(_ file: ReceivedFile) throws -> [UInt8]? {
    state.withLock { $0.whole[file] }
  }

  /// Gives files their names, and writes other files.
  public func place(
    _ placements: [FilePlacement], replacing: Bool, writing files: [(bytes: [UInt8], name: String)]
  ) throws {
    try state.withLock { state in
      for placement in placements {
        let name = placement.name
        let there = state.files[name]
        if there.map({ Digest.hexadecimal($0) }) == placement.digest { continue }
        let bytes: [UInt8]? =
          switch placement.source {
          case .received(let file): state.whole[file]
          case .stored(let other): state.files[other]
          }
        guard let bytes, StoredName.isValid(name), replacing || there == nil else {
          throw OfficeRefusal(.storeUnavailable, "there is nothing that could become \(name)")
        }
        state.files[name] = bytes
      }
      for (bytes, name) in files { state.files[name] = bytes }
    }
  }

  /// Gives a file of this machine a name.
  public func adopt(file path: String, as name: String) throws {
    guard let bytes = FileManager.default.contents(atPath: path), StoredName.isValid(name),
      state.withLock({ state in
        if state.files[name] != nil { return false }
        state.files[name] = Array(bytes)
        return true
      })
    else { throw OfficeRefusal(.storeUnavailable, "nothing could become \(name)") }
  }

  /// Removes a received file.
  public func discardReceived(_ file: ReceivedFile) throws {
    try state.withLock { state in
      guard !state.busy.contains(file) else { throw UploadRefusal.busy }
      state.parts[file] = nil
      state.whole[file] = nil
    }
  }

  /// Does nothing: memory always has room.
  public func probe() throws {}

  /// Writes a file under a name.
  public func write(_ bytes: [UInt8], as name: String) throws {
    guard StoredName.isValid(name) else {
      throw OfficeRefusal(.storeUnavailable, "\(name) is no name of a stored file")
    }
    state.withLock { $0.files[name] = bytes }
  }

  /// Removes a name.
  public func remove(_ name: String) throws { state.withLock { $0.files[name] = nil } }

  /// Returns true if there is a file of this name.
  public func holds(_ name: String) throws -> Bool { state.withLock { $0.files[name] != nil } }

  /// Returns a file's bytes; nil if there is none of this name.
  public func bytes(of name: String) throws -> [UInt8]? { state.withLock { $0.files[name] } }

  /// Returns nil: no file is on a disk.
  public func path(of name: String) -> String? { nil }

  /// Returns all names, in their order.
  public func names() throws -> [String] { state.withLock { $0.files.keys.sorted() } }
}

private final class MemoryIncomingFile: IncomingFile {
  private let file: ReceivedFile
  private let length: Int
  private var kept: [UInt8]
  private var chunk: [UInt8] = []
  private let change: ([UInt8]?) -> Void
  private let complete: ([UInt8]) -> Void
  private let release: () -> Void

  init(
    _ file: ReceivedFile, length: Int, kept: [UInt8], change: @escaping ([UInt8]?) -> Void,
    complete: @escaping ([UInt8]) -> Void, release: @escaping () -> Void
  ) {
    self.file = file
    self.length = length
    self.kept = kept
    self.change = change
    self.complete = complete
    self.release = release
  }

  var offset: Int { kept.count }

  func append(_ bytes: UnsafeRawBufferPointer) throws {
    guard kept.count + chunk.count + bytes.count <= length else {
      throw UploadRefusal.tooMany(length)
    }
    chunk += bytes
  }

  func keepChunk() {
    kept += chunk
    chunk = []
    change(kept)
  }

  func dropChunk() { chunk = [] }

  func finish(isChecked: Bool) throws {
    guard kept.count == length, Digest.hexadecimal(kept) == file.digest else {
      change(nil)
      throw UploadRefusal.otherBytes(file.digest)
    }
    complete(kept)
  }

  func close() { release() }
}
