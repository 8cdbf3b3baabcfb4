import Evidence
import Guide
import Inspection
import Office
import OfficeExporting
import OfficeFrame
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
    guard let identifier = Identifier(id) else { throw StoreError.unknown(what: "set", id: id) }
    return try await office.exports.frameSet(
      identifier, in: reader.agency, ofInspector: reader.own)
  }

  func frame(_ number: Int, of set: FrameSet) async throws -> [UInt8] {
    try office.exports.frame(number, of: set)
  }

  func content(
    ofFrame number: Int, of set: FrameSet
  ) async throws -> Evidence.Bundle.Entry.Content {
    .bytes(try office.exports.sealedFrame(number, of: set))
  }

  func paper() async throws -> SetPaper {
    SetPaper(
      agencyTitle: try await office.people.agencyTitle(reader.agency),
      isDemonstration: office.configuration.isDemonstration, made: office.clock.deviceTime,
      software: office.configuration.software)
  }

  func impossible(_ reason: Wording) -> any Error {
    OfficeRefusal(.exportImpossible, reason)
  }

  func taskName(of set: FrameSet) async throws -> String? {
    guard let task = set.task else { return nil }
    return try await office.database.read(in: reader.agency, ofInspector: reader.own) {
      try $0.tasks.task(task).name
    }
  }
}
