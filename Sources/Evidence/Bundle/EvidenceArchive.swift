import CZip
import Glibc
import Synchronization

// Bundles come from strangers. Before a byte is unpacked, the table of contents is checked against
// limits: on the number of entries, on the size of each, and on the size of all together, which may
// be no more than a multiple of the archive's own. An archive of a few kilobytes that claims
// terabytes, or whose entries share their bytes, is refused; and no entry ever becomes a file.

/// A reader of a bundle (ZIP), or of any other archive of evidence.
public struct EvidenceArchive: EvidenceFiles {
  /// The limits up to which an archive is read.
  struct Limits {
    var entries = 200_000
    var entryBytes = 256 << 20
    var totalBytes = 64 << 30
    /// All entries together may be this many times as large as the archive, plus `freeBytes`:
    /// photos do not shrink, JSON shrinks to a tenth.
    var ratio = 32
    var freeBytes = 64 << 20
    /// True if the archive may have a comment. Other programs can take an archive in a comment for the archive itself.
    var mayHaveComment = false
  }

  private struct Place {
    var index: UInt64
    var size: Int
    /// True if the entry is not compressed: its bytes are read as they are.
    var isPlain: Bool
  }

  /// The names of all entries that can be evidence, sorted.
  public let paths: [String]
  /// The names of all entries, sorted.
  public let allPaths: [String]
  /// True: a bundle ends where its selection ends.
  public let isSelection = true
  private let places: [String: Place]
  private let handles: ZipHandles

  /// Opens an archive.
  /// - Throws: `EvidenceError.malformedBundle` if the file is no ZIP, is damaged, or breaks a limit:
  ///   too many or too large entries, a name that comes twice or leads out of a folder, encryption.
  public init(path: String) throws(EvidenceError) {
    try self.init(path: path, limits: Limits())
  }

  /// Opens an archive of something else than evidence, with narrower limits.
  package init(
    path: String, entriesAtMost: Int, entryBytesAtMost: Int
  ) throws(EvidenceError) {
    try self.init(
      path: path,
      limits: Limits(
        entries: entriesAtMost, entryBytes: entryBytesAtMost, mayHaveComment: true))
  }

  init(path: String, limits: Limits) throws(EvidenceError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw .malformedBundle("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    let handle: ZipHandle
    do throws(ZipError) {
      handle = try ZipHandle(path: path, flags: ZIP_RDONLY | ZIP_CHECKCONS)
    } catch {
      // libzip says "File already exists" if a name comes twice in an archive that it reads.
      throw .malformedBundle(error.code == ZIP_ER_EXISTS ? "a name comes twice" : error.words)
    }
    var commentBytes: Int32 = 0
    _ = zip_get_archive_comment(handle.archive, &commentBytes, zip_flags_t(ZIP_FL_ENC_RAW))
    guard limits.mayHaveComment || commentBytes == 0 else {
      throw .malformedBundle("it has a comment, in which another archive may be hidden")
    }
    let count = zip_get_num_entries(handle.archive, 0)
    guard count <= limits.entries else {
      throw .malformedBundle("it has \(count) entries; at most \(limits.entries) are read")
    }
    let size = Int(clamping: status.st_size)
    let most = min(
      limits.totalBytes,
      size.multipliedReportingOverflow(by: limits.ratio).overflow
        ? limits.totalBytes : size * limits.ratio + limits.freeBytes)
    var total = 0
    var places: [String: Place] = [:]
    for index in 0..<UInt64(max(0, count)) {
      let (name, bytes, isPlain) = try Self.entry(handle, index, limits)
      total += bytes
      guard total <= most else {
        throw .malformedBundle("it would unpack to more than \(most) bytes")
      }
      // A name that ends in a slash is a folder's.
      if name.hasSuffix("/"), bytes == 0 {
        if let words = BundlePath.complaint(String(name.dropLast())) {
          throw .malformedBundle("the name \(BundlePath.shown(name)) is refused: \(words)")
        }
        continue
      }
      if let words = BundlePath.complaint(name) {
        throw .malformedBundle("the name \(BundlePath.shown(name)) is refused: \(words)")
      }
      guard
        places.updateValue(Place(index: index, size: bytes, isPlain: isPlain), forKey: name) == nil
      else {
        throw .malformedBundle("the name \(BundlePath.shown(name)) comes twice")
      }
    }
    self.places = places
    handles = ZipHandles(path: path, first: handle)
    allPaths = places.keys.sorted()
    paths = allPaths.filter(EvidencePath.mayBeEvidence)
  }

  /// Returns an entry's name, its unpacked size, and true if it is not compressed. Refuses an entry
  /// that may not be unpacked.
  private static func entry(
    _ handle: ZipHandle, _ index: UInt64, _ limits: Limits
  ) throws(EvidenceError) -> (name: String, bytes: Int, isPlain: Bool) {
    var entry = zip_stat_t()
    zip_stat_init(&entry)
    guard zip_stat_index(handle.archive, index, zip_flags_t(ZIP_FL_ENC_RAW), &entry) == 0,
      let raw = entry.name, let name = String(validatingCString: raw),
      entry.valid & UInt64(ZIP_STAT_SIZE) != 0
    else { throw .malformedBundle("entry \(index) has no name in UTF-8, or no size") }
    let shown = BundlePath.shown(name)
    guard entry.valid & UInt64(ZIP_STAT_ENCRYPTION_METHOD) == 0 || entry.encryption_method == 0
    else { throw .malformedBundle("\(shown) is encrypted") }
    let methods = [UInt16(ZIP_CM_STORE), UInt16(ZIP_CM_DEFLATE)]
    guard entry.valid & UInt64(ZIP_STAT_COMP_METHOD) == 0 || methods.contains(entry.comp_method)
    else { throw .malformedBundle("\(shown) is packed with method \(entry.comp_method)") }
    guard entry.size <= UInt64(limits.entryBytes) else {
      throw .malformedBundle(
        "\(shown) has \(entry.size) bytes; at most \(limits.entryBytes) are read")
    }
    var system: UInt8 = 0
    var attributes: UInt32 = 0
    if zip_file_get_external_attributes(handle.archive, index, 0, &system, &attributes) == 0,
      system == UInt8(ZIP_OPSYS_UNIX), attributes >> 16 & 0o170_000 == 0o120_000
    {
      throw .malformedBundle("\(shown) is a symbolic link")
    }
    let isPlain =
      entry.valid & UInt64(ZIP_STAT_COMP_METHOD) != 0 && entry.comp_method == UInt16(ZIP_CM_STORE)
    return (name, Int(entry.size), isPlain)
  }

  /// Returns an entry's bytes, unpacked.
  /// - Throws: `EvidenceError.malformedBundle` if there is no entry of this name or its bytes are damaged.
  public func bytes(of path: String) throws -> [UInt8] {
    guard let place = places[path] else {
      throw EvidenceError.malformedBundle("it has no \(BundlePath.shown(path))")
    }
    let handle = try handles.take()
    defer { handles.giveBack(handle) }
    // Uncompressed entries are digested anyway: a check of their CRC-32 would be one more pass that
    // says less.
    let flags = zip_flags_t(place.isPlain ? ZIP_FL_COMPRESSED : 0)
    guard let file = zip_fopen_index(handle.archive, place.index, flags) else {
      throw EvidenceError.malformedBundle(
        "\(BundlePath.shown(path)) is damaged: \(handle.lastError.words)")
    }
    defer { zip_fclose(file) }
    // The size in the table of contents is the limit. One byte more is asked for, which shows that
    // an entry is longer.
    var failure: String?
    let bytes = [UInt8](unsafeUninitializedCapacity: place.size + 1) { buffer, filled in
      while filled <= place.size, let base = buffer.baseAddress {
        let count = zip_fread(file, base + filled, UInt64(place.size + 1 - filled))
        if count < 0 { failure = String(cString: zip_file_strerror(file)) }
        guard count > 0 else { return }
        filled += Int(count)
      }
    }
    if let failure {
      throw EvidenceError.malformedBundle("\(BundlePath.shown(path)) is damaged: \(failure)")
    }
    guard bytes.count == place.size else {
      throw EvidenceError.malformedBundle(
        "\(BundlePath.shown(path)) is damaged: it has another size than it says")
    }
    return bytes
  }
}

/// A pool of open handles of one archive: libzip can do only one thing at a time with each handle.
private final class ZipHandles: Sendable {
  private let path: String
  private let free: Mutex<[Box]>

  /// A handle in the pool. One thread passes it to the next, and two threads never use it at once.
  private struct Box: @unchecked Sendable {
    let handle: ZipHandle
  }

  init(path: String, first: ZipHandle) {
    self.path = path
    free = Mutex([Box(handle: first)])
  }

  func take() throws -> ZipHandle {
    if let known = free.withLock({ $0.popLast() }) { return known.handle }
    do throws(ZipError) {
      return try ZipHandle(path: path, flags: ZIP_RDONLY)
    } catch {
      throw EvidenceError.malformedBundle(error.words)
    }
  }

  func giveBack(_ handle: ZipHandle) {
    let box = Box(handle: handle)
    free.withLock { $0.append(box) }
  }
}
