import Evidence
import Foundation
import Synchronization

/// A photo store that forgets everything with the process: for tests of what stands above it.
public final class MemoryPhotoStore: PhotoStore {
  private struct State {
    var incoming: [String: [UInt8]] = [:]
    var files: [String: [UInt8]] = [:]
  }

  private let state = Mutex(State())

  /// An empty store.
  public init() {}

  /// Begins to receive a file.
  public func beginReceiving(_ digest: String) throws -> any IncomingFile {
    MemoryIncomingFile(digest: digest) { bytes in
      self.state.withLock { $0.incoming[digest] = bytes }
    }
  }

  /// Whether a file was received whole and is durable.
  public func holdsReceived(_ digest: String) throws -> Bool {
    state.withLock { $0.incoming[digest] != nil }
  }

  /// The bytes of a received file.
  public func received(_ digest: String) throws -> [UInt8]? {
    state.withLock { $0.incoming[digest] }
  }

  /// Gives a received file its name.
  public func place(_ digest: String, as name: String) throws {
    try state.withLock { state in
      if let there = state.files[name], Digest.hexadecimal(there) == digest { return }
      guard let bytes = state.incoming[digest], PhotoStoreName.isValid(name) else {
        throw OfficeRefusal(.storeUnavailable, "there is no received file \(digest)")
      }
      state.files[name] = bytes
    }
  }

  /// Forgets a received file.
  public func discardReceived(_ digest: String) throws {
    state.withLock { _ = $0.incoming.removeValue(forKey: digest) }
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
  private let digest: String
  private let keep: ([UInt8]) -> Void
  private var bytes: [UInt8] = []

  init(digest: String, keep: @escaping ([UInt8]) -> Void) {
    self.digest = digest
    self.keep = keep
  }

  func append(_ bytes: [UInt8]) throws { self.bytes += bytes }

  func finish() throws {
    guard Digest.hexadecimal(bytes) == digest else {
      throw OfficeRefusal(
        .fileMismatch, "the bytes that came do not have the SHA-256 \(digest): send them again")
    }
    keep(bytes)
  }

  func abandon() { bytes = [] }
}
