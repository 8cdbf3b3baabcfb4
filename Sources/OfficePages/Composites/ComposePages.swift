import Composing
import Evidence
import Geodesy
import Guide
import Imagery
import Inspection
import Matching
import Office
import OfficeFrame
import Store
import Sync
import TimeAndText
import Web

/// The pages on which officers make composites of their agency's photos.
struct ComposePages: OfficePage {
  let office: OfficeServer
  let matcher: PictureMatcher
  let help = GuidePart.officeComposites

  func add(to routes: inout Routes) {
    ComposeFlow.add(to: &routes) { request, answer in
      try await reading(request) { reader in
        try await answer(flow(reader)) { shown($0, reader) }
      }
    }
  }

  private func flow(_ reader: Reader) -> ComposeFlow<OfficeComposeSite> {
    ComposeFlow(
      OfficeComposeSite(
        office: office, matcher: matcher, reader: reader, t: t), t)
  }

  private func shown(_ made: ComposePage, _ reader: Reader) -> WebResponse {
    page(
      made.title, reader, current: CompositeParts.path, notices: made.notice.map { [$0] } ?? [],
      status: made.status, scripts: made.scripts, styles: [ComposeView.style.href],
      "<h1>\(made.title)</h1>\(made.content)")
  }
}

/// An agency's photos and composites.
private struct OfficeComposeSite: ComposeSite {
  let office: OfficeServer
  let matcher: PictureMatcher
  let reader: PageReader
  let t: Texts

  /// The most photos that are read round one, of which the nearest are offered.
  private static let readAtMost = 400

  var formField: HTML { reader.request.formField }

  private func identifier(_ text: String) throws -> Identifier {
    guard let id = Identifier(text) else {
      throw OfficeRefusal(.unknown, "there is nothing at this address")
    }
    return id
  }

  func source(_ id: String) async throws -> CompositeSource {
    try await office.composites.source(try identifier(id), in: reader.agency)
  }

  func choices(
    with id: String
  ) async throws -> (photo: CompositeParts.Choice, others: [CompositeParts.Choice]) {
    let id = try identifier(id)
    let now = office.clock.deviceTime
    return try await office.database.read(in: reader.agency) { session in
      let photo = try session.photos.photo(id).photo
      var others: [Identifier: (id: Identifier, task: Identifier?, place: Coordinate, DeviceTime)] =
        [:]
      if let task = photo.task {
        for other in try session.photos.list(.task(task)) where other.deletedReason == nil {
          let other = other.photo
          others[other.id] = (other.id, task, other.position.coordinate, other.deviceTime)
        }
      }
      if let box = CoordinateBox.around(
        photo.position.coordinate, metres: CompositeRule.nearMetres)
      {
        for other in try session.map.placedPhotos(
          in: box, nil, years: nil, at: now, limit: Self.readAtMost)
        {
          others[other.id] = (other.id, other.task, other.place, other.time)
        }
      }
      let offered = CompositeRule.offered(
        beside: photo, among: others.values.map { ($0.id, $0.task, $0.place, choice($0.id, $0.3)) })
      return (choice(id, photo.deviceTime), offered)
    }
  }

  private func choice(_ id: Identifier, _ taken: DeviceTime) -> CompositeParts.Choice {
    CompositeParts.Choice(
      id: id.description, caption: t.moment(taken), thumbnail: "/photos/\(id)/thumbnail.jpg")
  }

  func map(from earlier: CompositeSource, to later: CompositeSource) async throws -> [Double]? {
    do {
      let comparison = try await matcher.compare(
        PictureMatcher.Earlier(digest: earlier.original.digest, bytes: earlier.file),
        with: later.file)
      guard case .matched(_, let map) = comparison else { return nil }
      return map.rows
    } catch {
      throw ComposeUnmatched()
    }
  }

  func make(
    _ changed: String?, _ plan: CompositePlan, below: CompositeSource, above: CompositeSource
  ) async throws -> CompositeRecord {
    try await office.composites.make(
      try changed.map(identifier), plan, below: below, above: above,
      by: reader.visitor.account.login, in: reader.agency)
  }

  func all() async throws -> [CompositeRecord] {
    try office.composites.all(in: reader.agency)
  }

  func composite(_ id: String) async throws -> CompositeRecord {
    try office.composites.composite(try identifier(id), in: reader.agency)
  }

  func file(_ id: String) async throws -> [UInt8] {
    try office.composites.file(try identifier(id), in: reader.agency)
  }

  func remove(_ id: String) async throws {
    try await office.composites.remove(
      try identifier(id), by: reader.visitor.account.login, in: reader.agency)
  }
}
