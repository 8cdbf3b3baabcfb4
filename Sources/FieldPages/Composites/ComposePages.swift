import Composing
import Evidence
import FieldUnit
import Guide
import Imagery
import Inspection
import Matching
import TimeAndText
import Web

/// The pages on which the inspector makes composites of photos on this device.
struct ComposePages: FieldPage {
  let server: FieldServer
  let matcher: PictureMatcher
  let help = GuidePart.fieldComposites

  func add(to routes: inout Routes) {
    ComposeFlow.add(to: &routes) { request, answer in
      try await reading(request) { reader in
        try await answer(flow(reader)) { shown($0, reader) }
      }
    }
  }

  private func flow(_ reader: Reader) -> ComposeFlow<FieldComposeSite> {
    ComposeFlow(
      FieldComposeSite(
        unit: reader.unit, matcher: matcher, request: reader.request, t: t), t)
  }

  private func shown(_ made: ComposePage, _ reader: Reader) -> WebResponse {
    page(
      made.title, reader, current: "/photos", notices: made.notice.map { [$0] } ?? [],
      status: made.status, scripts: made.scripts, styles: [ComposeView.style.href],
      "<h1>\(made.title)</h1>\(made.content)")
  }
}

/// The inspector's photos and composites on this device.
private struct FieldComposeSite: ComposeSite {
  let unit: InspectorUnit
  let matcher: PictureMatcher
  let request: WebRequest
  let t: Texts

  var formField: HTML { request.formField }

  func source(_ id: String) async throws -> CompositeSource {
    try unit.composites.source(try InspectorUnit.identifier(id))
  }

  func choices(
    with id: String
  ) async throws -> (photo: CompositeParts.Choice, others: [CompositeParts.Choice]) {
    let photo = try unit.photo(try InspectorUnit.identifier(id))
    let removed = try unit.delivery.removedPhotos()
    let others = try unit.photos().filter { removed[$0.id] == nil }
      .map { (id: $0.id, task: $0.task, place: $0.position.coordinate, $0) }
    return (choice(photo), CompositeRule.offered(beside: photo, among: others).map(choice))
  }

  private func choice(_ photo: Photo) -> CompositeParts.Choice {
    CompositeParts.Choice(
      id: photo.id.description, caption: t.moment(photo.deviceTime),
      thumbnail: "/photos/\(photo.id)/thumbnail.jpg")
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
    let id = try changed.map(InspectorUnit.identifier)
    return try await ComposeLane.pictures.run {
      try unit.composites.make(id, plan, below: below, above: above)
    }
  }

  func all() async throws -> [CompositeRecord] { try unit.composites.all() }

  func composite(_ id: String) async throws -> CompositeRecord {
    try unit.composites.composite(try InspectorUnit.identifier(id))
  }

  func file(_ id: String) async throws -> [UInt8] {
    try unit.composites.file(try InspectorUnit.identifier(id))
  }

  func remove(_ id: String) async throws {
    try unit.composites.remove(try InspectorUnit.identifier(id))
  }
}
