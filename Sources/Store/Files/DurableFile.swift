import Foundation

/// Functions for files that are there whole after a power cut, or not at all.
public enum DurableFile {
  /// Makes a folder and the missing folders above it, for their owner only.
  public static func makeFolder(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.unwritable(path: path, reason: reason())
    }
  }

  /// Writes a new file and makes its bytes durable. The name is durable after `syncFolder`.
  /// - Parameter isSynced: true if the bytes must be durable on return; otherwise `sync` makes them
  ///   so later.
  public static func write(
    _ bytes: [UInt8], to path: String, mode: mode_t = 0o600, isSynced: Bool = true
  ) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw StoreError.unwritable(path: path, reason: reason()) }
    defer { close(descriptor) }
    try bytes.withUnsafeBytes { try write($0, to: descriptor, of: path) }
    guard !isSynced || fsync(descriptor) == 0 else {
      throw StoreError.unwritable(path: path, reason: reason())
    }
  }

  /// Writes several new files and makes their bytes durable, with little more than one wait for the
  /// disk. The names are durable after `syncFolder`.
  public static func write(_ files: [(bytes: [UInt8], path: String)]) throws {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for (bytes, path) in files {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw StoreError.unwritable(path: path, reason: reason()) }
      descriptors.append(descriptor)
      try bytes.withUnsafeBytes { try write($0, to: descriptor, of: path) }
      // Linux begins to write the file at once, so that the first wait below is for all of them.
      _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    }
    for (descriptor, file) in zip(descriptors, files) {
      guard fsync(descriptor) == 0 else {
        throw StoreError.unwritable(path: file.path, reason: reason())
      }
    }
  }

  /// Writes all of some bytes to an open file.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, of path: String
  ) throws(StoreError) {
    var offset = 0
    while offset < bytes.count {
      let count = Glibc.write(
        descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw StoreError.unwritable(path: path, reason: reason()) }
      offset += count
    }
  }

  /// Makes the bytes of a file durable that was written elsewhere, such as by SQLite.
  public static func sync(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError.unwritable(path: path, reason: reason()) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw StoreError.unwritable(path: path, reason: reason())
    }
  }

  /// Writes a new file under another name, makes it durable, and gives it its name: a reader of
  /// `path` sees either the file before or the file after.
  public static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o600) throws {
    try write(bytes, to: path + ".new", mode: mode)
    try rename(path + ".new", to: path)
    try syncFolder(folder(of: path))
  }

  /// Returns the folder of a file; `.` for a name without a folder.
  static func folder(of path: String) -> String {
    let folder = (path as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }

  /// Gives a file its final name; another file of that name is replaced.
  public static func rename(_ from: String, to: String) throws {
    guard Glibc.rename(from, to) == 0 else {
      throw StoreError.unwritable(path: to, reason: reason())
    }
  }

  /// Adds bytes to the end of a file, durably; makes the file if there is none. If that fails, a part of
  /// the bytes may be there.
  public static func append(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError.unwritable(path: path, reason: reason()) }
    defer { close(descriptor) }
    try bytes.withUnsafeBytes { try write($0, to: descriptor, of: path) }
    guard fsync(descriptor) == 0 else {
      throw StoreError.unwritable(path: path, reason: reason())
    }
  }

  /// Gives a file a second name; another file of that name is replaced.
  public static func link(_ path: String, as name: String) throws {
    if Glibc.link(path, name) == 0 { return }
    // A crash may have left the name there.
    try remove(name)
    guard Glibc.link(path, name) == 0 else {
      throw StoreError.unwritable(path: name, reason: reason())
    }
  }

  /// Makes the names in a folder durable.
  public static func syncFolder(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError.unwritable(path: path, reason: reason()) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw StoreError.unwritable(path: path, reason: reason())
    }
  }

  /// Removes a file that may be gone already.
  public static func remove(_ path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw StoreError.unwritable(path: path, reason: reason())
    }
  }

  /// Runs `body` while no other process or task holds the same lock. The lock ends with the process.
  public static func withLock<Result>(_ path: String, _ body: () throws -> Result) throws -> Result
  {
    try holding(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), path, body)
  }

  /// Runs `body` while no other process or task holds the folder itself as a lock.
  static func withLock<Result>(folder: String, _ body: () throws -> Result) throws -> Result {
    try holding(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), folder, body)
  }

  /// The longest wait for a lock. A large database may be migrated under one while photos wait. A
  /// process that holds a lock for longer hangs, and an error is better than to hang as well.
  private static let lockPatienceSeconds = 300

  private static func holding<Result>(
    _ descriptor: Int32, _ path: String, _ body: () throws -> Result
  ) throws -> Result {
    guard descriptor >= 0 else { throw StoreError.unwritable(path: path, reason: reason()) }
    defer { close(descriptor) }
    let end = ContinuousClock.now + .seconds(lockPatienceSeconds)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EINTR || errno == EWOULDBLOCK else {
        throw StoreError.unwritable(path: path, reason: reason())
      }
      guard ContinuousClock.now < end else {
        throw StoreError.unwritable(
          path: path, reason: "another standpoint has held it for \(lockPatienceSeconds) s")
      }
      usleep(2000)
    }
    return try body()
  }

  /// The most bytes of a file that are read at once.
  private static let readLimit = 256 << 20

  /// Reads a file's bytes, at most 256 MiB, without copying them.
  /// - Throws: `StoreError.unavailable` with the reason.
  public static func read(_ path: String) throws(StoreError) -> [UInt8] {
    func wrong(_ words: String) -> StoreError { .unavailable(path: path, reason: words) }
    // A pipe in place of a file would make the opening wait.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw wrong(reason()) }
    defer { close(descriptor) }
    guard let status = FileStatus(ofDescriptor: descriptor), status.isFile else {
      throw wrong("it is not a file")
    }
    let size = status.bytes
    guard size <= readLimit else { throw wrong("it is larger than 256 MiB") }
    var failure: String? = "it changes while it is read"
    // One byte more than the size is asked for, to notice a file that grows meanwhile.
    let bytes = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, filled in
      while filled <= size, let base = buffer.baseAddress {
        let count = Glibc.read(descriptor, base + filled, size + 1 - filled)
        if count < 0, errno == EINTR { continue }
        if count < 0 { failure = reason() }
        if count == 0, filled == size { failure = nil }
        guard count > 0 else { return }
        filled += count
      }
    }
    if let failure { throw wrong(failure) }
    return bytes
  }

  package static func reason() -> String {
    switch errno {
    case EACCES, EPERM: "its permissions do not allow it"
    case ENOSPC, EDQUOT: "the disk is full"
    case EROFS: "the file system is read-only"
    case ENOTDIR: "a part of the path is a file"
    case ENOENT: "the folder is not there"
    default: String(cString: strerror(errno))
    }
  }
}
