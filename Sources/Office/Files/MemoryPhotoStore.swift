import Evidence
import Foundation
import Synchronization

/// A photo store that forgets everything with the process: for tests of what stands above it.
public final class MemoryPhotoStore: PhotoStore {
  private struct State {
    var incoming: [ReceivedFile: (bytes: [UInt8], length: Int)] = [:]
    var busy: Set<ReceivedFile> = []
    var files: [String: [UInt8]] = [:]
  }

  private let state = Mutex(State())

  /// An empty store.
  public init() {}

  /// How much of a file is here.
  public func received(upTo file: ReceivedFile) throws -> UploadState? {
    state.withLock { state in
      state.incoming[file].map { UploadState(offset: $0.bytes.count, length: $0.length) }
    }
  }

  /// Begins to receive a file, or goes on.
  public func resume(_ file: ReceivedFile, length: Int) throws -> any IncomingFile {
    let kept = try state.withLock { state in
      guard state.busy.insert(file).inserted else { throw UploadRefusal.busy }
      let known = state.incoming[file] ?? (bytes: [], length: length)
      guard known.length == length else {
        state.busy.remove(file)
        throw UploadRefusal.otherLength(known.length)
      }
      state.incoming[file] = known
      return known.bytes
    }
    return MemoryIncomingFile(
      file, length: length, kept: kept,
      change: { bytes in
        self.state.withLock { $0.incoming[file] = bytes.map { (bytes: $0, length: length) } }
      }, release: { self.state.withLock { _ = $0.busy.remove(file) } })
  }

  /// The bytes of a received file.
  public func received(_ file: ReceivedFile) throws -> [UInt8]? {
    state.withLock { state in
      state.incoming[file].flatMap { $0.bytes.count == $0.length ? $0.bytes : nil }
    }
  }

  /// Gives a received file its name.
  public func place(_ file: ReceivedFile, as name: String) throws {
    try state.withLock { state in
      if let there = state.files[name], Digest.hexadecimal(there) == file.digest { return }
      guard let received = state.incoming[file], received.bytes.count == received.length,
        PhotoStoreName.isValid(name)
      else {
        throw OfficeRefusal(.storeUnavailable, "there is no received file \(file.digest)")
      }
      state.files[name] = received.bytes
    }
  }

  /// Forgets a received file.
  public func discardReceived(_ file: ReceivedFile) throws {
    try state.withLock { state in
      guard !state.busy.contains(file) else { throw UploadRefusal.busy }
      state.incoming[file] = nil
    }
  }

  /// Writes a file under a name, durably.
  public func write(_ bytes: [UInt8], as name: String) throws {
    guard PhotoStoreName.isValid(name) else {
      throw OfficeRefusal(.storeUnavailable, "\(name) is no name of a stored file")
    }
    state.withLock { $0.files[name] = bytes }
  }

  /// Whether there is a file of this name.
  public func holds(_ name: String) throws -> Bool { state.withLock { $0.files[name] != nil } }

  /// A file's bytes.
  public func bytes(of name: String) throws -> [UInt8]? { state.withLock { $0.files[name] } }

  /// Where a file lies on this disk.
  public func path(of name: String) -> String? { nil }

  /// All names, in their order.
  public func names() throws -> [String] { state.withLock { $0.files.keys.sorted() } }
}

private final class MemoryIncomingFile: IncomingFile {
  private let file: ReceivedFile
  private let length: Int
  private var kept: [UInt8]
  private var chunk: [UInt8] = []
  private let change: ([UInt8]?) -> Void
  private let release: () -> Void

  init(
    _ file: ReceivedFile, length: Int, kept: [UInt8], change: @escaping ([UInt8]?) -> Void,
    release: @escaping () -> Void
  ) {
    self.file = file
    self.length = length
    self.kept = kept
    self.change = change
    self.release = release
  }

  var offset: Int { kept.count }

  func append(_ bytes: [UInt8]) throws {
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
  }

  func close() { release() }
}
