import Crypto
import Evidence
import Foundation
import Store

/// A photo store in a folder of this machine.
public final class FolderPhotoStore: PhotoStore {
  private let root: String
  private var incoming: String { root + "/incoming" }

  /// A store below a folder, which is made when it is not there.
  public init(folder: String) throws {
    root = folder
    try DurableFile.makeFolder(root + "/incoming")
    // What was cut off while it was received will be sent again.
    for name in try FileManager.default.contentsOfDirectory(atPath: incoming)
    where name.contains(".part-") {
      try Self.removeAbandoned(incoming + "/" + name)
    }
  }

  /// Commands open this folder while the office runs: what it is receiving just now is locked.
  private static func removeAbandoned(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    try DurableFile.remove(path)
  }

  /// Begins to receive a file.
  public func beginReceiving(_ digest: String) throws -> any IncomingFile {
    try FolderIncomingFile(digest: digest, folder: incoming)
  }

  /// Whether a file was received whole and is durable.
  public func holdsReceived(_ digest: String) throws -> Bool {
    FileManager.default.fileExists(atPath: incoming + "/" + digest)
  }

  /// The bytes of a received file.
  public func received(_ digest: String) throws -> [UInt8]? {
    FileManager.default.contents(atPath: incoming + "/" + digest).map { Array($0) }
  }

  /// Gives a received file its name.
  public func place(_ digest: String, as name: String) throws {
    let target = try path(name)
    if let there = try bytes(of: name), Digest.hexadecimal(there) == digest { return }
    let folder = (target as NSString).deletingLastPathComponent
    try DurableFile.makeFolder(folder)
    // A second name for the same bytes: two records may name one file, and a crash between here and
    // the commit leaves the received file where the repetition looks for it.
    try DurableFile.remove(target)
    guard link(incoming + "/" + digest, target) == 0 else {
      throw StoreError.unwritable(path: target, reason: String(cString: strerror(errno)))
    }
    try DurableFile.syncFolder(folder)
  }

  /// Forgets a received file.
  public func discardReceived(_ digest: String) throws {
    try DurableFile.remove(incoming + "/" + digest)
  }

  /// Writes a file under a name, durably.
  public func write(_ bytes: [UInt8], as name: String) throws {
    let target = try path(name)
    try DurableFile.makeFolder((target as NSString).deletingLastPathComponent)
    try DurableFile.replace(target, with: bytes)
  }

  /// Whether there is a file of this name.
  public func holds(_ name: String) throws -> Bool {
    FileManager.default.fileExists(atPath: try path(name))
  }

  /// A file's bytes.
  public func bytes(of name: String) throws -> [UInt8]? {
    FileManager.default.contents(atPath: try path(name)).map { Array($0) }
  }

  /// Where a file lies on this disk.
  public func path(of name: String) -> String? { try? path(name) }

  /// All names, in their order.
  public func names() throws -> [String] {
    guard let walk = FileManager.default.enumerator(atPath: root) else { return [] }
    var names: [String] = []
    for case let path as String in walk {
      if path == "incoming" {
        walk.skipDescendants()
      } else if walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
        names.append(path)
      }
    }
    return names.sorted()
  }

  /// Names are made here from identifiers and digests; nothing else may become a path.
  private func path(_ name: String) throws -> String {
    guard PhotoStoreName.isValid(name) else {
      throw StoreError.unwritable(path: name, reason: "it is no name of a stored file")
    }
    return root + "/" + name
  }
}

/// Which names a photo store takes.
enum PhotoStoreName {
  static func isValid(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count < 200
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0)
          || [0x2D, 0x2E, 0x2F, 0x5F].contains($0)
      }
      && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && !$0.hasPrefix(".")
      }
  }
}

private final class FolderIncomingFile: IncomingFile {
  private let digest: String
  private let folder: String
  private let temporary: String
  private let handle: FileHandle
  private var hash = SHA256()
  private var isOver = false

  init(digest: String, folder: String) throws {
    self.digest = digest
    self.folder = folder
    temporary = "\(folder)/\(digest).part-\(UUID().uuidString)"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.unwritable(path: temporary, reason: String(cString: strerror(errno)))
    }
    // Held until the file has its name; it ends with the process, however that ends.
    flock(descriptor, LOCK_EX)
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit { abandon() }

  func append(_ bytes: [UInt8]) throws {
    hash.update(data: bytes)
    do {
      try handle.write(contentsOf: bytes)
    } catch {
      throw StoreError.unwritable(path: temporary, reason: "the disk is full or broken")
    }
  }

  func finish() throws {
    guard
      hash.finalize().map({ String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }).joined()
        == digest
    else {
      abandon()
      throw OfficeRefusal(
        .fileMismatch, "the bytes that came do not have the SHA-256 \(digest): send them again")
    }
    do {
      try handle.synchronize()
    } catch {
      throw StoreError.unwritable(path: temporary, reason: "the disk is full or broken")
    }
    try DurableFile.rename(temporary, to: folder + "/" + digest)
    isOver = true
    try? handle.close()
    try DurableFile.syncFolder(folder)
  }

  func abandon() {
    guard !isOver else { return }
    isOver = true
    try? handle.close()
    try? DurableFile.remove(temporary)
  }
}
