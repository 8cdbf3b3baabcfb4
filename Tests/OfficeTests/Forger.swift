import FieldUnit
import Foundation
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import Testing
import TimeAndText

@testable import Evidence
@testable import Office
@testable import OfficePages

/// An attacker who holds a device's key and seals anything with it, behind the device's own
/// records.
struct Forger {
  private let scene: OfficeScene
  private let key: SoftwareDeviceKey
  private let visitor: Visitor
  /// A capture that the device has made.
  let model: SealFile
  private var last: Seal
  private var seals: [SealFile] = []
  private var files: [[UInt8]] = []

  /// - Parameter photo: a photo that the device has delivered; its record is the last of the chain.
  init(_ scene: OfficeScene, device: String, after photo: Identifier) async throws {
    self.scene = scene
    let (model, last) = try await scene.office.database.read(in: "north") { session in
      let model = try session.seals.seal(of: photo, .capture)
      return (model, try model.flatMap { try session.chains.head(ofKey: $0.seal.link.key) })
    }
    self.model = try #require(model)
    self.last = try #require(last)
    let place = scene.folder.appendingPathComponent(
      "\(device)/field/keys/\(self.last.link.key).pem")
    key = try SoftwareDeviceKey(pem: try String(contentsOf: place, encoding: .utf8))
    visitor = try await scene.office.sessions.visitor(
      withToken: try scene.desk(device).signedIn()?.token)
  }

  /// Seals a note on any photo or task.
  mutating func note(_ text: String, on subject: String, _ id: Identifier) throws {
    let note = Identifier(at: scene.clock.deviceTime)
    var words: [String: JSONValue] = ["text": .string(text)]
    var task: JSONValue?
    if subject == "photo" {
      words["photo"] = .string("\(id)")
    } else {
      task = .object(["id": .string("\(id)")])
    }
    var record = model.record
    record[["id"]] = .string("\(note)")
    record[["kind"]] = .string("note")
    record[["task"]] = task
    record[["note"]] = .object(words)
    try seal(.note, note, record, file: nil, raw: nil)
  }

  /// Seals the model's capture once more.
  /// - Parameters:
  ///   - window: changes the raw window.
  ///   - change: changes the record, which says that nothing was simulated.
  /// - Returns: the capture's identifier.
  @discardableResult
  mutating func capture(
    _ id: Identifier? = nil, window: (inout RawWindow) -> Void = { _ in },
    record change: (inout JSONValue) throws -> Void = { _ in }
  ) throws -> Identifier {
    let id = id ?? Identifier(at: scene.clock.deviceTime)
    let office = scene.office.photos
    let shown = model.seal.link.id
    let picture = try #require(try office.bytes(of: EvidenceName.file(.capture, shown)))
    let bytes = try #require(try office.bytes(of: EvidenceName.raw(shown)))
    var raw = try RawWindow(fileBytes: bytes)
    raw.source = "tcp://receiver:2947"
    window(&raw)
    var record = model.record
    record[["id"]] = .string("\(id)")
    record[["simulated"]] = .bool(false)
    record[["device", "receiver", "source"]] = .string(raw.source)
    try change(&record)
    try seal(.capture, id, record, file: picture, raw: try raw.fileBytes())
    return id
  }

  /// Seals a track whose record lacks all that a track has.
  mutating func nameless() throws {
    let id = Identifier(at: scene.clock.deviceTime)
    var record = model.record
    record[["id"]] = .string("\(id)")
    record[["kind"]] = .string("track")
    try seal(.track, id, record, file: Array("points".utf8), raw: nil)
  }

  private mutating func seal(
    _ kind: RecordKind, _ id: Identifier, _ record: JSONValue, file: [UInt8]?, raw: [UInt8]?
  ) throws {
    var link = model.seal.link
    (link.kind, link.id, link.previous) = (kind, id, last.digest)
    link.sequence = last.link.sequence + 1
    link.file = file.map { Digest.hexadecimal($0) }
    link.raw = raw.map { Digest.hexadecimal($0) }
    link.record = Digest.hexadecimal(record.canonicalBytes)
    last = try Seal(link, with: key)
    seals.append(SealFile(record: record, seal: last))
    files += [file, raw].compactMap(\.self)
  }

  /// Delivers the last link once more, bare, with the second signature that everybody can make from
  /// the first.
  func deliverTwin() async throws {
    let dot = try #require(last.jws.lastIndex(of: "."))
    let signature = try #require(Base64URL.bytes(last.jws[last.jws.index(after: dot)...]))
    let twin = try Seal(
      jws: last.jws[...dot] + Base64URL.text(try #require(ECDSATwin.other(signature))))
    let now = scene.clock.deviceTime
    let batch = BatchMessage(
      id: Identifier(at: now), key: last.link.key, made: now, links: [twin], seals: [], files: [])
    _ = try await scene.office.deliveries.receive(batch: batch.bytes, id: batch.id, from: visitor)
  }

  /// Delivers what was sealed since the last time.
  mutating func deliver() async throws {
    let unique = Dictionary(files.map { (Digest.hexadecimal($0), $0) }) { first, _ in first }
    for (digest, bytes) in unique {
      try scene.office.photos.receive(bytes, as: ReceivedFile(key: last.link.key, digest: digest))
    }
    let now = scene.clock.deviceTime
    let batch = BatchMessage(
      id: Identifier(at: now), key: last.link.key, made: now, links: [], seals: seals,
      files: unique.map { BatchMessage.File(digest: $0.key, bytes: $0.value.count) })
    let answer = try await scene.office.deliveries.receive(
      batch: batch.bytes, id: batch.id, from: visitor)
    try #require(answer.receipt != nil, "\(answer.missing)")
    try await scene.office.examiner.examineArrivals()
    (seals, files) = ([], [])
  }
}

extension JSONValue {
  /// The member of an object at a path of names; nil removes it.
  fileprivate subscript(path: [String]) -> JSONValue? {
    get { path.reduce(Optional(self)) { $0?[$1] } }
    set {
      guard let name = path.first, case .object(var members) = self else { return }
      if path.count == 1 {
        members[name] = newValue
      } else {
        var inner = members[name] ?? .object([:])
        inner[Array(path.dropFirst())] = newValue
        members[name] = inner
      }
      self = .object(members)
    }
  }
}
