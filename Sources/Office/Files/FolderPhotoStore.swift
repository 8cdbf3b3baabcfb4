import Evidence
import Foundation
import Store
import Synchronization

/// A photo store in a folder of this machine.
public final class FolderPhotoStore: PhotoStore {
  private let root: String
  private var incoming: String { root + "/incoming" }
  /// The received files whose bytes this process has checked. The bytes in the system's memory are
  /// those that it checked, even if they are not on the disk yet.
  private let proven = Mutex(Set<String>())

  /// Creates a store in a folder, and the folder if it is not there.
  public init(folder: String) throws {
    root = folder
    try DurableFile.makeFolder(root + "/incoming")
  }

  /// Removes received files that were not touched since a moment. A file that is being received,
  /// perhaps by another process, stays.
  public func removeReceived(untouchedSince moment: Date) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: incoming) {
      let path = incoming + "/" + name
      if name.hasSuffix(".length") {
        // The length goes together with its part; without the part it is of no use.
        if !FileManager.default.fileExists(atPath: path.dropLast(7) + ".part"),
          Self.isUntouched(path, since: moment)
        {
          try DurableFile.remove(path)
        }
        continue
      }
      guard Self.isUntouched(path, since: moment) else { continue }
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
      // Another process may have gone on with it until just now.
      if Self.isUntouched(path, since: moment) {
        try DurableFile.remove(path)
        proven.withLock { _ = $0.remove(path) }
        if name.hasSuffix(".part") { try DurableFile.remove(path.dropLast(5) + ".length") }
      }
      flock(descriptor, LOCK_UN)
    }
  }

  private static func isUntouched(_ path: String, since moment: Date) -> Bool {
    guard let status = FileStatus(ofPath: path) else { return false }
    return Double(status.writtenSecondsSince1970) < moment.timeIntervalSince1970
  }

  /// Returns the path of a file that was received whole. Digests and thumbprints contain no sign
  /// that a path would interpret.
  private func whole(_ file: ReceivedFile) throws -> String {
    let name = "\(file.digest)-\(file.key)"
    guard StoredName.isValid(name), !name.contains("/") else {
      throw StoreError.unwritable(path: name, reason: "it is no name of a received file")
    }
    return incoming + "/" + name
  }

  /// Returns true if a file was received whole.
  public func holdsReceived(_ file: ReceivedFile) throws -> Bool {
    FileManager.default.fileExists(atPath: try whole(file))
  }

  /// Returns true if a received file's bytes are the right ones. This process checks them only
  /// once.
  public func isWhole(_ file: ReceivedFile) throws -> Bool {
    let path = try whole(file)
    if proven.withLock({ $0.contains(path) }) { return true }
    guard try Self.digest(of: path) == file.digest else { return false }
    proven.withLock { _ = $0.insert(path) }
    return true
  }

  /// Returns the digest of a file. A file that cannot be read throws, because a failing disk proves
  /// nothing about the bytes.
  fileprivate static func digest(of path: String) throws -> String {
    guard let digest = Digest.hexadecimal(file: path) else {
      throw StoreError.unavailable(path: path, reason: "it cannot be read")
    }
    return digest
  }

  /// Returns how much of a file is here; nil if nothing is.
  public func received(upTo file: ReceivedFile) throws -> UploadState? {
    let path = try whole(file)
    func size(_ path: String) -> Int? { FileStatus(ofPath: path)?.bytes }
    if let bytes = size(path) { return UploadState(offset: bytes, length: bytes) }
    guard let bytes = size(path + ".part"), let length = FolderIncomingFile.length(of: path) else {
      return nil
    }
    return UploadState(offset: bytes < length ? bytes : 0, length: length)
  }

  /// Counts the files of a device that are here and that no batch has claimed yet.
  public func receivedCount(ofKey key: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: incoming).count {
      $0.hasSuffix("-\(key)") || $0.hasSuffix("-\(key).part")
    }
  }

  /// Returns the files that are here and that no batch has claimed, with the number of bytes kept
  /// of each.
  public func receivedFiles() throws -> [(file: ReceivedFile, bytes: Int)] {
    try FileManager.default.contentsOfDirectory(atPath: incoming).compactMap { name in
      // Digest, hyphen, key; a key may have hyphens of its own.
      let digest = String(name.prefix(64))
      guard Digest.isDigest(digest), name.dropFirst(64).first == "-", !name.contains(".length"),
        let status = FileStatus(ofPath: incoming + "/" + name)
      else { return nil }
      let key = name.dropFirst(65)
      return (
        ReceivedFile(
          key: String(key.hasSuffix(".part") ? key.dropLast(5) : key), digest: digest), status.bytes
      )
    }
  }

  /// Begins to receive a file, or goes on with it.
  public func resume(_ file: ReceivedFile, length: Int) throws -> any IncomingFile {
    try FolderIncomingFile(path: try whole(file), digest: file.digest, length: length) { path in
      self.proven.withLock { _ = $0.insert(path) }
    }
  }

  /// Returns the bytes of a received file; nil if there is none.
  public func received(_ file: ReceivedFile) throws -> [UInt8]? {
    FileManager.default.contents(atPath: try whole(file)).map { Array($0) }
  }

  /// Gives files their names, and writes other files. Everything is written before anything is
  /// synced: the first sync then brings most of the bytes to the disk that the others wait for.
  public func place(
    _ placements: [FilePlacement], replacing: Bool, writing files: [(bytes: [UInt8], name: String)]
  ) throws {
    var folders: Set<String> = []
    func prepare(_ target: String) throws {
      let folder = (target as NSString).deletingLastPathComponent
      if folders.insert(folder).inserted { try DurableFile.makeFolder(folder) }
    }
    let written = try files.map { bytes, name in
      let target = try path(name)
      try prepare(target)
      try DurableFile.write(bytes, to: target + ".new", isSynced: false)
      return target
    }
    var linked: [String] = []
    for placement in placements {
      let source =
        switch placement.source {
        case .received(let file): try whole(file)
        case .stored(let name): try path(name)
        }
      let target = try path(placement.name)
      try prepare(target)
      try link(source, to: target, digest: placement.digest, replacing: replacing)
      // A file that had its name already is synced, too: the process that named it may have been
      // killed before its sync.
      linked.append(target)
    }
    for path in linked + written.map({ $0 + ".new" }) { try DurableFile.sync(path) }
    for target in written { try DurableFile.rename(target + ".new", to: target) }
    for folder in folders { try DurableFile.syncFolder(folder) }
  }

  /// Gives the same bytes a second name. Two records may name one file, and after a crash before
  /// the commit the repetition still finds the received file.
  private func link(
    _ source: String, to target: String, digest: String, replacing: Bool
  ) throws {
    func isSame() -> Bool {
      FileManager.default.contents(atPath: target).map { Digest.hexadecimal($0) } == digest
    }
    guard Glibc.link(source, target) != 0 else { return }
    let code = errno
    // Another commit of the same batch was quicker; stored files are never removed.
    if isSame() { return }
    guard code == EEXIST, replacing else {
      throw StoreError.unwritable(path: target, reason: String(cString: strerror(code)))
    }
    // The right bytes get another name before the damaged ones go.
    try DurableFile.remove(target + ".new")
    guard Glibc.link(source, target + ".new") == 0 else {
      throw StoreError.unwritable(path: target, reason: String(cString: strerror(errno)))
    }
    try DurableFile.rename(target + ".new", to: target)
  }

  /// Removes the received bytes of a file.
  public func discardReceived(_ file: ReceivedFile) throws {
    let path = try whole(file)
    proven.withLock { _ = $0.remove(path) }
    if FileManager.default.fileExists(atPath: path + ".part") {
      // Throws if another request is receiving it.
      try FolderIncomingFile(
        path: path, digest: file.digest, length: FolderIncomingFile.length(of: path) ?? 0
      ) { _ in }.remove()
    }
    // A killed process may have left these, at the beginning of the upload or just before its end.
    try DurableFile.remove(path + ".length.new")
    try DurableFile.remove(path + ".length")
    try DurableFile.remove(path)
  }

  /// Writes a file and removes it again. It need not be durable.
  public func probe() throws {
    let path = incoming + "/probe-\(getpid())"
    try DurableFile.write([1], to: path, isSynced: false)
    try DurableFile.remove(path)
  }

  /// Writes a file under a name, durably.
  public func write(_ bytes: [UInt8], as name: String) throws {
    let target = try path(name)
    try DurableFile.makeFolder((target as NSString).deletingLastPathComponent)
    try DurableFile.replace(target, with: bytes)
  }

  /// Removes a name, durably.
  public func remove(_ name: String) throws {
    let target = try path(name)
    try DurableFile.remove(target)
    try DurableFile.syncFolder((target as NSString).deletingLastPathComponent)
  }

  /// Returns true if there is a file of this name.
  public func holds(_ name: String) throws -> Bool {
    FileManager.default.fileExists(atPath: try path(name))
  }

  /// Returns a file's bytes; nil if there is none of this name.
  public func bytes(of name: String) throws -> [UInt8]? {
    FileManager.default.contents(atPath: try path(name)).map { Array($0) }
  }

  /// Returns the path of a file on this disk; nil if the name is invalid.
  public func path(of name: String) -> String? { try? path(name) }

  /// Returns all names in their order, without received files.
  public func names() throws -> [String] {
    var names: [String] = []
    // A folder may be a link to another disk; links that lead round in a circle end.
    func walk(_ folder: String, _ depth: Int) throws {
      let entries: [String]
      do {
        entries = try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)
      } catch {
        throw StoreError.unavailable(
          path: root + "/" + folder, reason: "the folder cannot be read")
      }
      for entry in entries {
        let name = folder + entry
        var isFolder: ObjCBool = false
        // A disk of its own has a folder that only root may read.
        guard name != "incoming", name != "lost+found",
          FileManager.default.fileExists(atPath: root + "/" + name, isDirectory: &isFolder)
        else { continue }
        if isFolder.boolValue {
          if depth < Self.deepest { try walk(name + "/", depth + 1) }
        } else if FileStatus(ofPath: root + "/" + name)?.isFile == true {
          names.append(name)
        }
      }
    }
    try walk("", 0)
    return names.sorted()
  }

  /// The most folders that a file lies in.
  private static let deepest = 8

  /// Returns the path of a name. Names are made from identifiers and digests; no other text may
  /// become a path.
  private func path(_ name: String) throws -> String {
    guard StoredName.isValid(name) else {
      throw StoreError.unwritable(path: name, reason: "it is no name of a stored file")
    }
    return root + "/" + name
  }
}

private final class FolderIncomingFile: IncomingFile {
  private let path: String
  private let digest: String
  private let length: Int
  private let handle: FileHandle
  private(set) var offset: Int
  private var chunk = 0
  private var isOver = false
  private var isAnnounced = false
  /// True if a length is noted for this file, this one or another.
  private var isNoted = false
  /// True if the part is gone: renamed to the whole file, or removed.
  private var isGone = false
  private let isWhole: (_ path: String) -> Void

  private var part: String { path + ".part" }

  /// Returns the announced number of bytes of a file; nil if it is unknown.
  static func length(of path: String) -> Int? {
    FileManager.default.contents(atPath: path + ".length")
      .flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }

  /// Opens the part of a file for writing, and locks it.
  /// - Parameter isWhole: called when all bytes are here and are the right ones.
  init(
    path: String, digest: String, length: Int, isWhole: @escaping (_ path: String) -> Void
  ) throws {
    self.path = path
    self.isWhole = isWhole
    self.digest = digest
    self.length = length
    let part = path + ".part"
    let descriptor = open(part, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.unwritable(path: part, reason: String(cString: strerror(errno)))
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // The lock is held until the file is closed; it ends with the process, however that ends.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw UploadRefusal.busy }
    // The former holder of the lock may have renamed or removed the file: then it is no part any
    // more, and perhaps an accepted photo.
    guard let own = FileStatus(ofDescriptor: descriptor),
      own.identity == FileStatus(ofPath: part)?.identity
    else { throw UploadRefusal.busy }
    if let whole = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int {
      try DurableFile.remove(part)
      throw UploadRefusal.otherOffset(whole)
    }
    let known = Self.length(of: path)
    var kept = Int(try handle.seekToEnd())
    // Bytes without a known length, and complete bytes that were never found to be the right ones,
    // are received again.
    if kept >= known ?? 0 { kept = 0 }
    if kept > 0, let known, known != length { throw UploadRefusal.otherLength(known) }
    try handle.truncate(atOffset: UInt64(kept))
    offset = kept
    isAnnounced = known == length
    isNoted = known != nil
  }

  /// Notes the length for an upload that will go on later. A file that comes in one go needs no
  /// note.
  private func announce() throws {
    guard !isAnnounced else { return }
    // Written under another name first: half a number would be another length.
    try DurableFile.write(Array("\(length)".utf8), to: path + ".length.new", isSynced: false)
    try DurableFile.rename(path + ".length.new", to: path + ".length")
    (isAnnounced, isNoted) = (true, true)
  }

  deinit { close() }

  func append(_ bytes: UnsafeRawBufferPointer) throws {
    guard offset + chunk + bytes.count <= length else { throw UploadRefusal.tooMany(length) }
    do {
      try DurableFile.write(bytes, to: handle.fileDescriptor, of: part)
    } catch {
      throw StoreError.unwritable(path: part, reason: "the disk is full or broken")
    }
    chunk += bytes.count
  }

  func keepChunk() {
    offset += chunk
    chunk = 0
  }

  func dropChunk() {
    chunk = 0
    try? handle.truncate(atOffset: UInt64(offset))
  }

  func finish(isChecked: Bool) throws {
    guard try isChecked || FolderPhotoStore.digest(of: part) == digest else {
      remove()
      throw UploadRefusal.otherBytes(digest)
    }
    // Not synced here: the file is synced when it gets its name, together with the rest of its
    // batch. If this process ends before that, the bytes are checked again.
    try DurableFile.rename(part, to: path)
    if isNoted { try DurableFile.remove(path + ".length") }
    isGone = true
    isWhole(path)
  }

  func remove() {
    isGone = true
    try? DurableFile.remove(part)
    try? DurableFile.remove(path + ".length")
    close()
  }

  func close() {
    guard !isOver else { return }
    isOver = true
    if chunk > 0 { dropChunk() }
    if !isGone { try? announce() }
    // Unlocked explicitly: a child process that was forked just now still holds the descriptor
    // until it runs its own program.
    flock(handle.fileDescriptor, LOCK_UN)
    try? handle.close()
  }
}
