import Inspection
import ItemViewing
import Office
import Store
import Sync
import TimeAndText
import Web

// The sets and the items of a task.
extension TaskPages {
  /// Returns the sets of a task.
  func sets(of task: InspectionTask, _ reader: Reader) async throws -> [FrameSetHead] {
    try await office.database.read(in: reader.agency, ofInspector: reader.own) {
      try $0.sets.list(.task(task.id)).map(\.head)
    }
  }

  /// Returns what a task's order asks for, with the inspector's answers; nil if it asks for nothing.
  func asked(_ view: TaskView, _ photos: [ReceivedPhoto], _ reader: Reader) async throws -> HTML? {
    let task = view.task
    let (items, answers) = try await office.database.read(
      in: reader.agency, ofInspector: reader.own
    ) { session in
      (
        try session.tasks.items(ofTasks: [task.id])[task.id],
        try session.answers.list(ofTask: task.id)
      )
    }
    let names = Set(items?.items.items.map(\.name) ?? [])
    let counted = Dictionary(
      answers.lazy.filter { !$0.isLate && names.contains($0.answer.item) }
        .map { ($0.answer.item, $0.answer) }
    ) { $1 }
    // The order may have changed since: the answers to items that are gone stay to be read.
    guard let items else { return earlier(answers, than: [:]) }
    var given = GivenItems()
    given.answers = counted.mapValues(\.answer)
    given.fill(
      items.items, photos: photos.lazy.filter { $0.deletedReason == nil }.map(\.photo.item),
      sets: try await sets(of: task, reader), tracks: view.tracks.count)
    let card = ItemChecklist(
      t: t, order: items.items, answers: given.answers, restsOn: counted.mapValues(\.photos),
      standing: ItemStanding(of: items.items, given),
      photos: photos.enumerated().map { ItemChecklist.Photo(id: $1.photo.id, number: $0 + 1, item: $1.photo.item) },
      task: task.id, taken: given.photos, formField: nil
    ).card(chosen: nil)
    return "\(card)\(earlier(answers, than: counted))"
  }

  /// Returns true if a task's order asks for items.
  func hasItems(_ task: InspectionTask, _ reader: Reader) async throws -> Bool {
    try await office.database.read(in: reader.agency, ofInspector: reader.own) { session in
      try session.tasks.items(ofTasks: [task.id])[task.id] != nil
    }
  }

  /// Returns the words that do not count: those that the inspector changed, those to items that the
  /// order has no more, and those that came after the decision; nil if there are none.
  private func earlier(
    _ answers: [ReceivedAnswer], than counted: [ItemName: SealedAnswer]
  ) -> HTML? {
    let others = answers.filter { counted[$0.answer.item]?.id != $0.answer.id }
    guard !others.isEmpty else { return nil }
    let rows = others.map { received -> HTML in
      let answer = received.answer
      let words: String =
        switch answer.answer {
        case .value: answer.words ?? ""
        case .notPossible(let reason): t("not possible: {1}", reason)
        }
      let cameAfter: HTML? =
        received.isLate ? " <span class=\"verdict-doubtful\">\(t("late"))</span>" : nil
      return "<li>\(t.time(answer.time)): \(answer.asked) – \(words)\(cameAfter)</li>"
    }
    return """
      <details><summary>\(t("Answers that do not count"))</summary><ul>\(rows)</ul></details>
      """
  }
}
