import Evidence
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Sync

@Suite("Batches and their receipts")
struct BatchMessageTests {
  private let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)
  private let ines = Person(agency: "north", login: "ines", role: .inspector)
  private let key = SoftwareDeviceKey()

  /// Makes a batch of notes in a chain: the first is bare, the others whole.
  private func batch(_ count: Int = 3) throws -> BatchMessage {
    let thumbprint = key.publicKey.thumbprint
    let context = RecordContext(
      person: ines, device: "d", key: thumbprint, software: "test", isSimulated: false)
    var previous: String?
    var files: [SealFile] = []
    for place in 1...count {
      let id = Identifier(at: now)
      let record = Record.note(
        id: id, task: nil, photo: nil, text: "note \(place)", at: now, in: context)
      let seal = try Seal(
        Link(
          key: thumbprint, sequence: place, previous: previous, kind: .note, id: id,
          record: Digest.hexadecimal(record.canonicalBytes), file: nil, raw: nil), with: key)
      previous = seal.digest
      files.append(SealFile(record: record, seal: seal))
    }
    return BatchMessage(
      id: Identifier(at: now), key: thumbprint, made: now, links: [files[0].seal],
      seals: Array(files.dropFirst()),
      files: [BatchMessage.File(digest: String(repeating: "a", count: 64), bytes: 7)])
  }

  @Test("a batch comes through its bytes unchanged")
  func roundTrip() throws {
    let batch = try batch()
    let read = try BatchMessage(batch.bytes)
    #expect(read == batch)
    #expect(read.bytes == batch.bytes)
  }

  @Test("one changed byte is refused, wherever it is")
  func changed() throws {
    let bytes = try batch().bytes
    let seals = try BatchMessage(bytes).seals
    forEachSeed(0..<60) { seed, random in
      var other = bytes
      let place = Int.random(in: other.indices, using: &random)
      other[place] ^= UInt8.random(in: 1...255, using: &random)
      // Members without a seal (times, sizes, digests of files) may change and still be a batch,
      // but never one with other records.
      if let read = try? BatchMessage(other) {
        #expect(read.seals == seals, "seed \(seed)")
      }
    }
  }

  @Test("a newer schema is named, and what to do")
  func newer() throws {
    let text = String(decoding: try batch().bytes, as: UTF8.self)
      .replacing("standpoint.batch/1", with: "standpoint.batch/2")
    let error = #expect(throws: SyncError.self) { try BatchMessage(Array(text.utf8)) }
    #expect(error?.code == "message-version")
  }

  @Test("links of another key do not travel in it")
  func otherKey() throws {
    var batch = try batch()
    batch.key = SoftwareDeviceKey().publicKey.thumbprint
    #expect(throws: SyncError.self) { try BatchMessage(batch.bytes) }
  }

  // MARK: receipts

  private struct Office {
    let authority: Authority
    let key = SoftwareDeviceKey()
    let certificate: EvidenceCertificate

    init(at time: DeviceTime) throws {
      authority = try Authority.make(name: "office", at: time)
      certificate = try authority.certifyOffice(key.publicKey, at: time)
    }
  }

  private func receipt(
    _ office: Office, for batch: BatchMessage, _ change: (inout Parts) -> Void = { _ in }
  ) throws -> Receipt {
    let head = try #require(batch.seals.last?.seal)
    var parts = Parts(
      batch: batch.id, agency: "north", inspector: "ines", key: batch.key,
      head: Receipt.Head(sequence: head.link.sequence, link: head.digest),
      records: batch.recordDigests.sorted(), files: batch.fileDigests.sorted())
    change(&parts)
    return try Receipt(
      id: Identifier(at: now), batch: parts.batch, agency: parts.agency,
      inspector: parts.inspector, key: parts.key, head: parts.head, records: parts.records,
      files: parts.files, received: now, signedWith: office.key, certificate: office.certificate)
  }

  private struct Parts {
    var batch: Identifier
    var agency: String
    var inspector: String
    var key: String
    var head: Receipt.Head?
    var records: [String]
    var files: [String]
  }

  @Test("a receipt that names everything matches, and so does one that names more")
  func matching() throws {
    let office = try Office(at: now)
    let batch = try batch()
    let more = String(repeating: "b", count: 64)
    for receipt in [
      try receipt(office, for: batch),
      try receipt(office, for: batch) {
        $0.records.append(more)
        $0.records.sort()
        $0.head = Receipt.Head(sequence: 99, link: more)
      },
    ] {
      try batch.requireMatch(receipt, authority: office.authority.certificate, person: ines)
    }
  }

  @Test("anything less is no receipt")
  func notMatching() throws {
    let office = try Office(at: now)
    let other = try Office(at: now)
    let batch = try batch()
    let time = now
    let changes: [(String, (inout Parts) -> Void)] = [
      ("another batch", { $0.batch = Identifier(at: time) }),
      ("another agency", { $0.agency = "south" }), ("another inspector", { $0.inspector = "otto" }),
      ("another key", { $0.key = String(repeating: "x", count: 43) }),
      ("a record less", { $0.records.removeLast() }), ("a file less", { $0.files = [] }),
      ("no head", { $0.head = nil }),
      ("an earlier head", { $0.head?.sequence -= 1 }),
      ("another end", { $0.head?.link = String(repeating: "0", count: 64) }),
    ]
    for (name, change) in changes {
      let receipt = try receipt(office, for: batch, change)
      #expect(throws: SyncError.self, "\(name)") {
        try batch.requireMatch(receipt, authority: office.authority.certificate, person: ines)
      }
    }
    let foreign = try receipt(other, for: batch)
    #expect(throws: SyncError.self) {
      try batch.requireMatch(foreign, authority: office.authority.certificate, person: ines)
    }
  }
}
