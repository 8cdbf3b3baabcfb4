import Evidence
import Inspection
import Positioning
import TimeAndText

/// What the targets of evidence share.
public enum EvidenceChecks {
  /// Files in memory.
  public struct Files: EvidenceFiles {
    struct Missing: Error {}
    private let files: [String: [UInt8]]

    /// Files by their paths.
    public init(_ files: [String: [UInt8]]) { self.files = files }

    /// Their paths.
    public var paths: [String] { Array(files.keys) }

    /// A file's bytes.
    public func bytes(of path: String) throws -> [UInt8] {
      guard let bytes = files[path] else { throw Missing() }
      return bytes
    }
  }

  private static let key = SoftwareDeviceKey()

  /// A seal over a record, whose file is named and is another than is there. What seal and record must
  /// agree upon is set in it.
  public static func sealFile(record: JSONValue) -> SealFile? {
    guard let id = Identifier("018f0000-0000-7000-8000-000000000000"),
      case .object(var members) = record
    else { return nil }
    members["schema"] = .string(Record.schema)
    members["id"] = .string(id.description)
    members["kind"] = .string("capture")
    var device: [String: JSONValue] = [:]
    if case .object(let known)? = members["device"] { device = known }
    device["key"] = .string(key.publicKey.thumbprint)
    members["device"] = .object(device)
    let record = JSONValue.object(members)
    let digest = Digest.hexadecimal(Array("another file".utf8))
    let link = Link(
      key: key.publicKey.thumbprint, sequence: 1, previous: nil, kind: .capture, id: id,
      record: Digest.hexadecimal(record.canonicalBytes), file: digest, raw: nil)
    return (try? Seal(link, with: key)).map { SealFile(record: record, seal: $0) }
  }

  /// The bytes of a seal file of a capture, whose record has this for its `photo`.
  public static func seal(record photo: String) -> [UInt8] {
    let record = try? JSONValue(parsing: Array(#"{"photo":\#(photo)}"#.utf8))
    return record.flatMap(sealFile(record:))?.bytes ?? []
  }
}
