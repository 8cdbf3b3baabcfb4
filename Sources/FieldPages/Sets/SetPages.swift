import FieldUnit
import Guide
import SetCapture
import SetViewing
import Web

/// The pages that show the inspector's sets of frames.
struct SetPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldSets

  func add(to routes: inout Routes) {
    SetFlow.add(to: &routes) { request, answer in
      try await reading(request) { reader in
        try await answer(SetFlow(InspectorSetSite(unit: reader.unit, t: t), t)) { made in
          page(
            made.title, reader, current: "/photos", scripts: made.scripts,
            styles: [SetParts.style.href], "<h1>\(made.title)</h1>\(made.content)")
        }
      }
    }
  }
}
