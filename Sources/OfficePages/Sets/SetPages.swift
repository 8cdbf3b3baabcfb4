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
    try await office.database.read(in: reader.agency, ofInspector: reader.own) {
      try $0.sets.list(.all)
    }.reversed().map { ($0.head, $0.inspector) }
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

  func taskName(of set: FrameSet) async throws -> String? {
    guard let task = set.task else { return nil }
    return try await office.database.read(in: reader.agency, ofInspector: reader.own) {
      try $0.tasks.task(task).name
    }
  }
}
