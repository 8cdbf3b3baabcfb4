import FieldUnit
import Guide
import SetCapture
import SetViewing
import Web

/// The pages that take and show the inspector's sets of frames.
struct SetPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldSets
  private let desk = SetDesk()

  /// Creates the pages of a field unit.
  init(server: FieldServer) { self.server = server }

  func add(to routes: inout Routes) {
    SetFlow.add(to: &routes) { request, answer in
      try await reading(request) { reader in
        let site = InspectorSetSite(unit: reader.unit, t: t, formField: request.formField)
        return try await answer(SetFlow(site, t)) { made in shown(made, reader) }
      }
    }
    SetCameraFlow(self, desk: desk).add(to: &routes)
  }

  private func shown(_ made: SetPage, _ reader: Reader) -> WebResponse {
    page(
      made.title, reader, current: "/camera", scripts: made.scripts,
      styles: [SetParts.style.href] + made.styles, "<h1>\(made.title)</h1>\(made.content)")
  }
}

extension SetPages: SetCameraHouse {
  func page(
    for request: WebRequest, _ make: (InspectorUnit) async throws -> SetPage
  ) async throws -> WebResponse {
    try await reading(request) { shown(try await make($0.unit), $0) }
  }

  func form(
    _ request: WebRequest, _ work: (InspectorUnit) async throws -> String
  ) async throws -> WebResponse {
    try await answering(request) { reader, _ in try await work(reader.unit) }
  }

  func script(
    _ request: WebRequest, _ work: (InspectorUnit) async throws -> [String: String]
  ) async throws -> WebResponse {
    try await saying(request) { Self.said(try await work($0.unit)) }
  }

  func part(
    for request: WebRequest, _ make: @escaping @Sendable (InspectorUnit) async -> HTML
  ) async throws -> WebResponse {
    try await reading(request) { reader in
      let unit = reader.unit
      return .events(live(of: unit) { await make(unit) })
    }
  }
}
