import Inspection
import TimeAndText

// The office's log as a file, for auditors: for each entry the line of JSON over which its digest
// is made, and at the end the office's signature over the number of entries and the last digest. An
// auditor with the file can see that nothing was changed, taken out or put in, and with an earlier
// file also that nothing was rewritten.

/// A writer of the office's log as a file.
public struct LogExport {
  /// The schema's name.
  public static let schema = "standpoint.log/1"

  private var number = 0
  private var previous: String?

  /// Creates an export without entries.
  public init() {}

  /// Returns the line of the next entry, with its line end.
  public mutating func line(of entry: LogEntry) -> [UInt8] {
    number += 1
    let json = entry.json(number: number, after: previous)
    previous = Digest.hexadecimal(json.canonicalBytes)
    return json.canonicalBytes + [0x0A]
  }

  /// Returns the last line: the office's signature over all lines before it.
  /// - Parameter origin: the name of the log, which its checkpoints have, too; nil if it has none.
  /// - Throws: `EvidenceError.malformedLog` if the certificate is not that of the key; the key's
  ///   error if it does not sign.
  public func end(
    at time: DeviceTime, origin: String? = nil, signedWith signer: some DeviceKey,
    certificate: EvidenceCertificate
  ) throws -> [UInt8] {
    let payload = JSONValue.object(known: [
      ("schema", .string(Self.schema)), ("entries", .integer(number)),
      ("last", previous.map { .string($0) }), ("origin", origin.map { .string($0) }),
      ("time", .string(time.rfc3339)),
    ])
    let jws = try OfficeStatement.sign(
      payload, with: signer, certificate: certificate, else: EvidenceError.malformedLog)
    return Array((jws + "\n").utf8)
  }
}

/// An exported log of an office whose chain and signature hold.
package struct ExportedLog {
  /// The number of entries.
  package let entries: Int
  /// The time of the export, by the office's clock.
  package let time: DeviceTime
  /// The certificate of the key that signed.
  package let certificate: EvidenceCertificate
  /// The name of the log, which its checkpoints have, too; nil for a log that was exported before it had one.
  package let origin: String?

  /// Returns true if the bytes of a log file are meant to be an office's log: other programs write
  /// logs, too.
  package static func isMeant(by bytes: [UInt8]) -> Bool {
    // One line may be damaged: the first two are looked at, and the last.
    let first = bytes.split(separator: 0x0A, maxSplits: 2).prefix(2)
    let isEntry = first.contains { line in
      let json = try? JSONValue(parsing: Array(line.prefix(65_536)))
      return json?["number"] != nil && json?["action"] != nil
    }
    let end = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
    let last = end.suffix(from: end.lastIndex(of: 0x0A).map { $0 + 1 } ?? end.startIndex)
    return isEntry || (try? statement(last)) != nil
  }

  private static func statement(
    _ line: ArraySlice<UInt8>
  ) throws(EvidenceError) -> OfficeStatement {
    try OfficeStatement(
      jws: String(decoding: line, as: UTF8.self), schema: LogExport.schema, limit: 65_536
    ) { .malformedLog("its last line is not its signature: \($0)") }
  }

  /// Reads an exported log, and checks its chain and its signature.
  /// - Parameter each: called with the digest of each entry, the first first.
  /// - Throws: `EvidenceError.malformedLog`, which names the first line that does not hold.
  package init(
    _ bytes: [UInt8], each: (String) -> Void = { _ in }
  ) throws(EvidenceError) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.popLast()?.isEmpty == true, let last = lines.popLast() else {
      throw .malformedLog("its last line is incomplete")
    }
    var previous: String?
    for (index, line) in lines.enumerated() {
      let json: JSONValue
      do {
        json = try JSONValue(parsing: Array(line))
      } catch {
        throw .malformedLog("line \(index + 1) is \(error)")
      }
      guard json["number"]?.wholeNumber == index + 1, json["previous"]?.text == previous,
        json.canonicalBytes.elementsEqual(line)
      else {
        throw .malformedLog("line \(index + 1) does not continue the one before it")
      }
      let digest = Digest.hexadecimal(line)
      each(digest)
      previous = digest
    }
    let statement = try Self.statement(last)
    guard statement.payload["entries"]?.wholeNumber == lines.count,
      statement.payload["last"]?.text == previous,
      let time = statement.payload["time"]?.text.flatMap(DeviceTime.init(rfc3339:))
    else { throw .malformedLog("the office signed a different log") }
    entries = lines.count
    self.time = time
    certificate = statement.certificate
    origin = statement.payload["origin"]?.text
  }
}
