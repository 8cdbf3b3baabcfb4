import FieldUnit
import Guide
import Inspection
import Store
import Web

/// The photo points that a task names, with what became of each.
struct TaskPoints: FieldPage {
  let server: FieldServer
  let help = GuidePart.photoPoints

  func add(to routes: inout Routes) {
    routes.post("/tasks/{id}/points/{point}") { request in
      try await reading(request) { reader in
        let task = try identifier(request)
        let point = try InspectorUnit.identifier(request.parameters["point"] ?? "")
        let reason = (try await request.form())["reason"] ?? ""
        try reader.unit.excuse(point, ofTask: task, reason)
        return .redirect("/tasks/\(task)?done=reason")
      }
    }
  }

  /// Returns the list of a task's photo points; nil if its order names none.
  func section(_ task: InspectionTask, _ reader: Reader) throws -> HTML? {
    guard let wish = task.repeats else { return nil }
    let (repeated, reasons) = try reader.unit.points.outcome(ofTask: task.id)
    let rows = try wish.points.map { id -> HTML in
      let point = try StoreError.found { try reader.unit.points.point(id) }
      let name: HTML =
        point.map { "<a href=\"/points/\(id.description)\">\($0.title)</a>" }
        ?? .text(t("A photo point that is not on this device yet"))
      let isDone = repeated.contains(id)
      let state: HTML =
        isDone
        ? "✓ \(t("photographed again"))"
        : reasons[id].map { "– <q>\($0)</q>" } ?? "○ \(t("to be photographed again"))"
      return
        "<li><p>\(name) <span class=\"muted\">\(state)</span></p>\(task.state.isEditable && !isDone ? form(task, id, isHere: point != nil, reasons[id], reader) : nil)</li>"
    }
    let strict: HTML? =
      wish.isStrict
      ? "<p class=\"hint\">\(t("No photo is kept that misses the place or the direction."))</p>"
      : nil
    return """
      <section class="card"><h2>\(t("Photo points"))</h2><ul class="plain">\(rows)</ul>\(strict)</section>
      """
  }

  private func form(
    _ task: InspectionTask, _ point: Identifier, isHere: Bool, _ reason: String?, _ reader: Reader
  ) -> HTML {
    let again: HTML? =
      isHere
      ? """
      <p class="actions"><a class="button primary" href="/camera?task=\(task.id.description)&amp;point=\(point.description)">\(t("Take this view again"))</a></p>
      """ : nil
    return """
      \(again)<details><summary>\(t("Not possible?"))</summary><form class="fields" method="post" action="/tasks/\(task.id.description)/points/\(point.description)">\(reader.request.formField)
      <label>\(t("Why not"))<input name="reason" required maxlength="\(NoteRule.maximumCharacters)" value="\(reason)"></label>
      <p class="actions"><button class="button">\(t("Save"))</button></p></form></details>
      """
  }
}
