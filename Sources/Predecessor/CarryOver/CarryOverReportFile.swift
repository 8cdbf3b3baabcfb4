import Evidence
import Exports
import Foundation
import Office
import Store
import TimeAndText

/// The report of an import as a file: CSV if its name ends in `.csv`, otherwise a line of JSON for
/// each row. The file gets its name when it is whole, and only its owner can read it, because names
/// and logins are in it.
public final class CarryOverReportFile {
  private let path: String
  private let temporary: String
  private let isCSV: Bool
  private let handle: FileHandle
  private var waiting = Data()
  private var isOver = false

  /// Opens a report that is about to be written.
  /// - Throws: `StoreError` if nothing can be written there.
  public init(_ path: String) throws {
    self.path = path
    isCSV = path.lowercased().hasSuffix(".csv")
    let folder = (path as NSString).deletingLastPathComponent
    // The temporary name is random, because a file with a similar name may belong to another user.
    let random = String(UInt64.random(in: .min ... .max), radix: 36)
    temporary = (folder as NSString).appendingPathComponent(".standpoint-\(random).part")
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    if isCSV { waiting += Data("table,number,outcome,code,what,why,advice\r\n".utf8) }
  }

  deinit { if !isOver { unlink(temporary) } }

  /// Adds a line.
  /// - Throws: `StoreError.unwritable`.
  public func add(_ line: CarryOverLine) throws {
    waiting += Data(isCSV ? Self.csv(line).utf8 : Self.json(line).utf8)
    if waiting.count > 256 << 10 { try flush() }
  }

  private func flush() throws {
    do {
      try handle.write(contentsOf: waiting)
    } catch {
      throw StoreError.unwritable(path: path, reason: "\(error.localizedDescription)")
    }
    waiting = Data()
  }

  /// Ends the report: all lines are there, so the file gets its name.
  public func finish() throws {
    try flush()
    do {
      try handle.synchronize()
      try handle.close()
    } catch {
      throw StoreError.unwritable(path: path, reason: "\(error.localizedDescription)")
    }
    try DurableFile.rename(temporary, to: path)
    isOver = true
  }

  static func csv(_ line: CarryOverLine) -> String {
    [
      line.table, line.number.map { "\($0)" } ?? "", line.remark.outcome.rawValue,
      line.remark.rawValue, line.what, line.why, line.advice,
    ].map(CSVText.cell).joined(separator: ",") + "\r\n"
  }

  static func json(_ line: CarryOverLine) -> String {
    var members: [String: JSONValue] = [
      "table": .string(line.table), "outcome": .string(line.remark.outcome.rawValue),
      "code": .string(line.remark.rawValue), "what": .string(line.what), "why": .string(line.why),
      "advice": .string(line.advice),
    ]
    // JSON's readers hold large numbers inexactly, so all numbers are text.
    members["number"] = line.number.map { .string("\($0)") }
    return String(decoding: JSONValue.object(members).canonicalBytes, as: UTF8.self) + "\n"
  }
}
