import Evidence
import Guide
import Inspection
import Office
import SetViewing
import Store
import Sync
import TimeAndText
import Web

/// The pages that show the sets of frames that an agency's inspectors have delivered.
struct SetPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.officeSets

  func add(to routes: inout Routes) {
    SetFlow.add(to: &routes) { request, answer in
      try await reading(request, own: true) { reader in
        try await answer(SetFlow(OfficeSetSite(office: office, reader: reader, t: t), t)) { made in
          page(
            made.title, reader, current: SetParts.path, scripts: made.scripts,
            styles: [SetParts.style.href], "<h1>\(made.title)</h1>\(made.content)")
        }
      }
    }
  }
}

/// The delivered sets that a reader may see: all of the agency's, or an inspector's own.
private struct OfficeSetSite: SetSite {
  let office: OfficeServer
  let reader: PageReader
  let t: Texts

  private func unknown(_ id: String) -> StoreError { .unknown(what: "set", id: id) }

  func all() async throws -> [(head: FrameSetHead, words: String)] {
    let sets = try await office.database.read(in: reader.agency, ofInspector: reader.own) {
      try $0.sets.list(.all)
    }
    let names = try await names()
    return sets.reversed().map { ($0.head, names[$0.inspector] ?? $0.inspector) }
  }

  func name(ofInspector login: String) async throws -> String {
    try await names()[login] ?? login
  }

  /// Returns the names of the agency's people by their logins.
  private func names() async throws -> [String: String] {
    let accounts = try await office.people.accounts(ofAgency: reader.agency)
    return Dictionary(accounts.map { ($0.login, $0.title) }, uniquingKeysWith: { one, _ in one })
  }

  func frameSet(_ id: String) async throws -> (set: FrameSet, record: String) {
    guard let identifier = Identifier(id) else { throw unknown(id) }
    let (task, seal) = try await office.database.read(
      in: reader.agency, ofInspector: reader.own
    ) { session in
      let head = try session.sets.set(identifier).head
      return (head.task, try session.seals.seal(of: identifier, RecordKind(head.kind)))
    }
    guard let seal,
      let list = try office.photos.bytes(of: EvidenceName.file(seal.seal.link.kind, identifier))
    else { throw unknown(id) }
    var set = try seal.frameSet(list: list)
    set.task = task
    return (set, seal.seal.link.record)
  }

  func frame(_ number: Int, of set: FrameSet) async throws -> [UInt8] {
    let name = EvidenceName.part(.frame(number), RecordKind(set.terms.kind), set.id)
    guard set.frames.indices.contains(number - 1), let bytes = try office.photos.bytes(of: name)
    else { throw unknown("\(number)") }
    return bytes
  }

  func content(
    ofFrame number: Int, of set: FrameSet
  ) async throws -> Evidence.Bundle.Entry.Content {
    let bytes = try await frame(number, of: set)
    guard Digest.hexadecimal(bytes) == set.frames[number - 1].digest else {
      throw StoreError.unavailable(
        path: EvidenceName.part(.frame(number), RecordKind(set.terms.kind), set.id),
        reason: "its bytes are not those that were sealed")
    }
    return .bytes(bytes)
  }

  func taskName(of set: FrameSet) async throws -> String? {
    guard let task = set.task else { return nil }
    return try await office.database.read(in: reader.agency, ofInspector: reader.own) {
      try $0.tasks.task(task).name
    }
  }
}
