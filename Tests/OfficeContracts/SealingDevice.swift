import Evidence
import Inspection
import Positioning
import Sync
import TimeAndText

/// A device that seals one record after the other with a key of its own.
struct SealingDevice {
  let key = SoftwareDeviceKey()
  let inspector: String
  private var last: Seal?

  init(of inspector: String = "ines") { self.inspector = inspector }

  var thumbprint: String { key.publicKey.thumbprint }

  func enrolled(after seconds: Double = 0) -> EnrolledDevice {
    EnrolledDevice(
      key: thumbprint, inspector: inspector, device: "tablet of \(inspector)", certificate: "PEM",
      software: "standpoint 1", enrolled: Samples.time(seconds))
  }

  /// Seals the next record of the chain.
  /// - Parameter deleted: the thing that a record of the kind `deletion` names.
  mutating func seal(
    _ kind: RecordKind, _ id: Identifier, task: Identifier? = nil, deleted: Identifier? = nil,
    at time: DeviceTime = Samples.now, isSimulated: Bool = false, file: String? = nil,
    raw: String? = nil
  ) throws -> SealFile {
    let whole = try sealed(
      kind, id, task: task, deleted: deleted, at: time, isSimulated: isSimulated, file: file,
      raw: raw)
    last = whole.seal
    return whole
  }

  /// Seals a record for the chain's next place, and leaves the place free: the next seal makes a
  /// fork.
  func sealed(
    _ kind: RecordKind, _ id: Identifier, task: Identifier? = nil, deleted: Identifier? = nil,
    at time: DeviceTime = Samples.now, isSimulated: Bool = false, file: String? = nil,
    raw: String? = nil
  ) throws -> SealFile {
    var members: [String: JSONValue] = [
      "schema": .string("standpoint.record/1"), "id": .string(id.description),
      "kind": .string(kind.rawValue), "simulated": .bool(isSimulated),
      "time": .object(["device": .string(time.rfc3339)]),
    ]
    members["task"] = task.map { .object(["id": .string($0.description)]) }
    members["deletion"] = deleted.map { .object(["id": .string($0.description)]) }
    let record = JSONValue.object(members)
    let link = Link(
      key: thumbprint, sequence: (last?.link.sequence ?? 0) + 1, previous: last?.digest,
      kind: kind, id: id, record: Digest.hexadecimal(record.canonicalBytes), file: file, raw: raw)
    return SealFile(record: record, seal: try Seal(link, with: key))
  }
}

/// An office's key with its certificate, which signs receipts and policies.
struct OfficeSigner {
  let key = SoftwareDeviceKey()
  let certificate: EvidenceCertificate

  init() throws {
    let authority = try Authority.make(name: "Example office", at: Samples.now)
    certificate = try authority.certifyOffice(key.publicKey, at: Samples.now)
  }

  func receipt(
    _ id: Identifier, of batch: Identifier, for device: SealingDevice, in agency: String = "north",
    after seconds: Double = 0
  ) throws -> Receipt {
    try Receipt(
      id: id, batch: batch, agency: agency, inspector: device.inspector, key: device.thumbprint,
      head: nil, records: [Samples.digest("record")], files: [], received: Samples.time(seconds),
      signedWith: key, certificate: certificate)
  }

  func policy(_ revision: Int, of agency: String = "north") throws -> SignedPolicy {
    try SignedPolicy(
      CapturePolicy(revision: revision, issued: Samples.time(Double(revision))), agency: agency,
      signedWith: key, certificate: certificate)
  }
}
