import Evidence
import Foundation
import Imports
import Office
import Store
import Sync
import TimeAndText

/// A dump on this machine or at the standard input, packed by gzip or not.
public struct DumpFile: Sendable {
  /// The path of the dump; `-` is the standard input.
  public let path: String

  /// The dump's name in messages.
  var name: String {
    path == "-" ? "the standard input" : (path as NSString).lastPathComponent
  }

  /// Creates a dump at a path, which is opened when the dump is read.
  public init(path: String) { self.path = path }

  /// Opens the dump.
  /// - Throws: `OfficeRefusal` (input-invalid) if it cannot be opened.
  func open() throws -> DumpPieces { try DumpPieces(self) }

  func unreadable(_ reason: String) -> OfficeRefusal {
    OfficeRefusal(.inputInvalid, "\(name) cannot be read: \(reason)")
  }
}

/// The bytes of a dump, unpacked, piece by piece.
final class DumpPieces {
  private let file: DumpFile
  private let descriptor: Int32
  private var first: [UInt8] = []
  private var isFirstGiven = false
  private var gunzip: GunzipStream?
  /// The number of bytes read from the file, before they were unpacked.
  private(set) var bytes = 0
  /// The size of the file, bytes; nil if it is not known.
  let bytesInAll: Int?

  init(_ file: DumpFile) throws {
    self.file = file
    if file.path == "-" {
      descriptor = dup(STDIN_FILENO)
      bytesInAll = nil
    } else {
      // The program must not wait for a pipe in the place of a file.
      descriptor = Glibc.open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      bytesInAll = descriptor < 0 ? nil : FileStatus(ofDescriptor: descriptor)?.bytes
    }
    guard descriptor >= 0 else { throw file.unreadable(String(cString: strerror(errno))) }
    guard file.path == "-" || FileStatus(ofDescriptor: descriptor)?.isFile == true else {
      throw file.unreadable("it is not a file")
    }
    while first.count < 2 {
      var piece = [UInt8](repeating: 0, count: 2 - first.count)
      let count = try piece.withUnsafeMutableBytes { try readFile(into: $0) }
      if count == 0 { break }
      first += piece.prefix(count)
    }
    if first == GunzipStream.mark {
      gunzip = try GunzipStream { [unowned self] in try readAll(into: $0) }
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Fills a buffer from its beginning on.
  /// - Returns: the number of bytes; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let gunzip else { return try readAll(into: buffer) }
    do {
      return try gunzip.read(into: buffer)
    } catch let error as EvidenceError {
      throw OfficeRefusal(.inputInvalid, "\(name): \(error)")
    }
  }

  private var name: String { file.name }

  /// Reads the file from its beginning on, first the bytes by which gzip was recognised.
  private func readAll(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    if !isFirstGiven {
      isFirstGiven = true
      if !first.isEmpty, buffer.count >= first.count {
        buffer.copyBytes(from: first)
        return first.count
      }
    }
    return try readFile(into: buffer)
  }

  private func readFile(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw file.unreadable(String(cString: strerror(errno))) }
      bytes += count
      return count
    }
  }
}

extension CarryOver {
  /// The number of bytes of the dump that are read between two reports of progress.
  private static let progressBytes = 4 << 20
  /// The number of bytes of rows that are staged between two checks of the disk.
  private static let stagedBytes = 16 << 20
  /// The databases of the server itself, which dumps of all databases contain, too.
  private static let serversOwn: Set<String> = [
    "mysql", "sys", "information_schema", "performance_schema",
  ]

  /// Reads a dump to its end. None of the office's data is touched.
  func read(_ dump: DumpFile) throws -> DumpStage {
    let pieces = try dump.open()
    let stage = try DumpStage(folder: stagingFolder)
    do {
      try read(dump, pieces, onto: stage)
      return stage
    } catch {
      stage.remove()
      throw error
    }
  }

  private func read(_ dump: DumpFile, _ pieces: DumpPieces, onto stage: DumpStage) throws {
    var told = 0
    var staging = 0
    var databases: [String: Int] = [:]
    var telling: Set<String> = []
    var unreadable: [(database: Int, table: String, line: Int)] = []
    let reader = DumpReader(tables: Set(OlderTable.allCases.map(\.rawValue))) { buffer in
      if pieces.bytes - told >= Self.progressBytes {
        told = pieces.bytes
        try self.report(.reading, pieces.bytes, pieces.bytesInAll)
      }
      return try pieces.read(into: buffer)
    }
    do {
      while let row = try reader.next() {
        let name = row.database ?? ""
        guard !Self.serversOwn.contains(name.lowercased()) else { continue }
        let database = databases[name] ?? databases.count
        databases[name] = database
        if OlderTable(rawValue: row.table)?.isTelling == true { telling.insert(name) }
        if let staged = OlderRow.staged(row, database: database) {
          staging += staged.columns.utf8.count
          if staging >= Self.stagedBytes {
            // A few packed bytes may unpack to more than the disk has room for, and the office runs
            // on the same disk.
            try office.core.requireDisk()
            staging = 0
          }
          try stage.add(staged)
        } else if unreadable.count < 1000 {
          unreadable.append((database, row.table, row.line))
        }
      }
    } catch let fault as DumpFault {
      throw OfficeRefusal(.inputInvalid, Wording(verbatim: "\(dump.name): \(fault)"))
    }
    try report(.reading, pieces.bytes, pieces.bytes)
    let chosen = try choose(of: databases, telling: telling, in: dump)
    try stage.finish(keeping: chosen)
    for row in unreadable where row.database == chosen {
      try note(
        .rowUnreadable, row.table, nil, "a row in line \(row.line) of the dump",
        why: "its column id is no number, or missing")
    }
  }

  /// Decides which of a dump's databases is the older office's.
  private func choose(
    of databases: [String: Int], telling: Set<String>, in dump: DumpFile
  ) throws -> Int {
    if let name = options.database {
      guard let chosen = databases[name] ?? (Array(databases.keys) == [""] ? databases[""] : nil)
      else {
        throw OfficeRefusal(
          .inputInvalid, "\(dump.name) has no rows of an EGNSS4CAP office in a database \(name)")
      }
      return chosen
    }
    guard telling.count <= 1 else {
      let names = telling.sorted().map { $0.isEmpty ? "one without a name" : OlderRow.shown($0) }
      throw OfficeRefusal(
        .inputInvalid,
        "\(dump.name) has several databases with such tables: choose one with --database, of \(names.joined(separator: ", "))"
      )
    }
    guard let name = telling.first, let chosen = databases[name] else {
      throw OfficeRefusal(
        .inputInvalid,
        "\(dump.name) has no rows of an EGNSS4CAP office: its tables pa, user, task, photo, path and land are empty or missing"
      )
    }
    return chosen
  }
}
