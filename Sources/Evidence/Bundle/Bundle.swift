import CZip
import Glibc
import Positioning
import TimeAndText

/// A bundle: a ZIP of evidence for strangers, with a README that says how to check it by hand.
///
/// Equal entries give equal bytes: the entries are sorted by name, all their times are `made`, and
/// no attribute of the writing machine goes in.
public enum Bundle {
  /// One file of a bundle.
  public struct Entry: Sendable {
    /// The source of an entry's bytes.
    public enum Content: Sendable {
      case bytes([UInt8])
      case file(path: String)
    }

    /// The entry's name in the bundle: a relative path with `/` between its parts.
    public var path: String
    /// The entry's bytes, in memory or in a file.
    public var content: Content

    /// Creates an entry.
    public init(path: String, content: Content) {
      self.path = path
      self.content = content
    }
  }

  /// The name of a bundle's first file, a text.
  public static let readmePath = "README.txt"

  /// Returns true if a README says that its bundle has a list of all files.
  package static func promisesList(readme: [UInt8]) -> Bool {
    BundleReadme.promisesList(String(decoding: readme, as: UTF8.self))
  }

  /// Writes a bundle under a temporary name, makes it durable, and moves it into place, so that it
  /// is there whole or not at all.
  /// - Parameters:
  ///   - readme: the text at the bundle's beginning; nil for the text on how to check evidence by hand.
  ///   - statement: signs the list of all other files; nil for a bundle without a list.
  ///   - progress: called with the number of entries written and the number of all entries.
  /// - Throws: `EvidenceError.malformedBundle` for a name that is refused or comes twice;
  ///   `EvidenceError.unwritable` if an entry cannot be read or the file cannot be written.
  package static func write(
    _ entries: [Entry], made: DeviceTime, toFile path: String, readme: String? = nil,
    statement: ((BundleList) throws(EvidenceError) -> BundleStatement)? = nil,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(EvidenceError) {
    try check(entries, besides: [readmePath, BundleList.path, BundleList.statementPath])
    let text = Entry(
      path: readmePath,
      content: .bytes(
        Array((readme ?? BundleReadme.text(made: made, isListed: statement != nil)).utf8)))
    var first = [text]
    if let statement {
      let list = BundleList(try digests(of: [text] + entries))
      first += [
        Entry(path: BundleList.path, content: .bytes(list.bytes)),
        Entry(
          path: BundleList.statementPath,
          content: .bytes(Array((try statement(list).jws + "\n").utf8))),
      ]
    }
    try writeFile(
      first + entries.sorted { $0.path < $1.path }, made: made, toFile: path, progress)
  }

  private static func digests(of entries: [Entry]) throws(EvidenceError) -> [String: String] {
    let found = Parallel.map(entries) { entry in
      switch entry.content {
      case .bytes(let bytes): Digest.hexadecimal(bytes)
      case .file(let path): Digest.hexadecimal(file: path)
      }
    }
    var digests: [String: String] = [:]
    for (entry, digest) in zip(entries, found) {
      guard let digest else {
        throw .unwritable(path: entry.path, reason: "its file cannot be read to its end")
      }
      digests[entry.path] = digest
    }
    return digests
  }

  /// Writes entries in the given order and without a text, under a temporary name first. Only the owner may read the
  /// file: it says where people were, and what they saw.
  package static func writeFile(
    _ entries: [Entry], made: DeviceTime, toFile path: String,
    _ progress: (Int, Int) -> Void
  ) throws(EvidenceError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = String(path[(slash.map(path.index(after:)) ?? path.startIndex)...])
    let random = String(UInt64.random(in: .min ... .max), radix: 36)
    let temporary = "\(folder)/.\(name).\(random).part"
    do throws(EvidenceError) {
      try writeArchive(entries, made: made, to: temporary, for: path, progress)
      if chmod(temporary, 0o600) != 0 { throw lastProblem(path) }
      try makeDurable(temporary, for: path)
      guard rename(temporary, path) == 0 else { throw lastProblem(path) }
    } catch {
      unlink(temporary)
      throw error
    }
    try makeDurable(folder, for: path)
  }

  static func check(_ entries: [Entry], besides: Set<String>) throws(EvidenceError) {
    var seen = besides
    for entry in entries {
      let shown = BundlePath.shown(entry.path)
      if let words = BundlePath.complaint(entry.path) {
        throw .malformedBundle("the name \(shown) is refused: \(words)")
      }
      guard seen.insert(entry.path).inserted else {
        throw .malformedBundle("the name \(shown) comes twice")
      }
      if case .file(let source) = entry.content, access(source, R_OK) != 0 {
        throw .unwritable(path: shown, reason: "\(source): \(String(cString: strerror(errno)))")
      }
    }
  }

  private static func writeArchive(
    _ entries: [Entry], made: DeviceTime, to temporary: String, for path: String,
    _ progress: (Int, Int) -> Void
  ) throws(EvidenceError) {
    do throws(ZipError) {
      let handle = try ZipHandle(path: temporary, flags: ZIP_CREATE | ZIP_EXCL)
      let time = ZipTime(made)
      for entry in entries { try add(entry, time, to: handle) }
      try finish(handle, count: entries.count, progress)
    } catch {
      throw .unwritable(path: path, reason: error.words)
    }
  }

  private static func add(
    _ entry: Entry, _ time: ZipTime, to handle: ZipHandle
  ) throws(ZipError) {
    guard let source = source(of: entry.content, in: handle) else { throw handle.lastError }
    let index = zip_file_add(
      handle.archive, entry.path, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
    guard index >= 0 else {
      zip_source_free(source)
      throw handle.lastError
    }
    // Photos and raw windows are compressed already.
    let lower = entry.path.lowercased()
    let isStored = [".jpg", ".jpeg", ".raw"].contains(where: lower.hasSuffix)
    guard
      zip_set_file_compression(
        handle.archive, UInt64(index), isStored ? ZIP_CM_STORE : ZIP_CM_DEFLATE,
        isStored ? 0 : 9) == 0,
      zip_file_set_dostime(handle.archive, UInt64(index), time.time, time.date, 0) == 0,
      zip_file_set_external_attributes(
        handle.archive, UInt64(index), 0, UInt8(ZIP_OPSYS_UNIX), UInt32(0o100_644) << 16) == 0
    else { throw handle.lastError }
  }

  /// Creates libzip's source for an entry's content; nil if memory is lacking or libzip refuses. libzip
  /// reads a source only when the archive is closed, so it gets a copy of the bytes, which it frees.
  private static func source(
    of content: Entry.Content, in handle: ZipHandle
  ) -> OpaquePointer? {
    switch content {
    case .file(let path): return zip_source_file(handle.archive, path, 0, -1)
    case .bytes(let bytes):
      guard let copy = malloc(max(1, bytes.count)) else { return nil }
      bytes.withUnsafeBytes { all in
        if let base = all.baseAddress { copy.copyMemory(from: base, byteCount: all.count) }
      }
      let source = zip_source_buffer(handle.archive, copy, UInt64(bytes.count), 1)
      if source == nil { free(copy) }
      return source
    }
  }

  private static func finish(
    _ handle: ZipHandle, count: Int, _ progress: (Int, Int) -> Void
  ) throws(ZipError) {
    // libzip does all its work here, and reports its progress through a C function.
    let failure = withoutActuallyEscaping(progress) { progress -> ZipError? in
      let told = Told(count: count, progress)
      let state = Unmanaged.passRetained(told)
      defer { state.release() }
      zip_register_progress_callback_with_state(
        handle.archive, 0.005,
        { _, share, state in
          guard let state else { return }
          Unmanaged<Told>.fromOpaque(state).takeUnretainedValue().tell(share)
        }, nil, state.toOpaque())
      do throws(ZipError) {
        try handle.close()
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// The receiver of libzip's progress reports: it turns a share from 0 to 1 into a number of entries.
  private final class Told {
    private let count: Int
    private let progress: (Int, Int) -> Void

    init(count: Int, _ progress: @escaping (Int, Int) -> Void) {
      self.count = count
      self.progress = progress
    }

    func tell(_ share: Double) {
      progress(Int((share * Double(count)).rounded(.down)), count)
    }
  }

  private static func makeDurable(
    _ written: String, for path: String
  ) throws(EvidenceError) {
    let file = open(written, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw lastProblem(path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw lastProblem(path) }
  }

  private static func lastProblem(_ path: String) -> EvidenceError {
    .unwritable(path: path, reason: String(cString: strerror(errno)))
  }
}
