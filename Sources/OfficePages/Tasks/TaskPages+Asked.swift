import Inspection
import ItemViewing
import Office
import OfficeFrame
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
  /// - Parameter marked: the marks of a decision that was refused.
  func asked(
    _ view: TaskView, _ photos: [ReceivedPhoto], marked: [ItemName: String], _ reader: Reader
  ) async throws -> HTML? {
    let task = view.task
    let (items, answers) = try await office.database.read(
      in: reader.agency, ofInspector: reader.own
    ) { session in
      let items = try TaskItemsRead(of: task, photos: photos, session)
      return (items, try items?.answers ?? session.answers.list(ofTask: task.id))
    }
    // The order may have changed since: the answers to items that are gone stay to be read.
    guard let items else { return earlier(answers, than: [:]) }
    let card = ItemChecklist(
      t: t, order: items.order.items, answers: items.counted.mapValues(\.answer),
      restsOn: items.counted.mapValues(\.photos), standing: items.standing,
      photos: photos.enumerated().map {
        ItemChecklist.Photo($1.photo, number: $0 + 1)
      }, task: task.id, taken: items.given.photos, verdicts: items.verdicts.last,
      changed: items.changed,
      formField: nil, marks: try await marks(task, marked, reader)
    ).card(chosen: nil)
    return "\(card)\(earlier(answers, than: items.counted))"
  }

  /// Returns the marks with which an officer returns single items of a task; nil for a task that is not
  /// to be decided by this reader.
  /// - Parameter marked: the marks of a form that was refused.
  private func marks(
    _ task: InspectionTask, _ marked: [ItemName: String], _ reader: Reader
  ) async throws -> ItemChecklist.Marks? {
    guard reader.own == nil, reader.role == .officer, task.state == .dataProvided else {
      return nil
    }
    return ItemChecklist.Marks(
      form: Self.decisionForm, reasons: try await office.policies.returnReasons(of: reader.agency),
      marked: marked)
  }

  /// Returns the officer's own words and the marks of the decision that was undone last; nothing if the
  /// last step is no undoing.
  func undone(
    _ view: TaskView, _ reader: Reader
  ) async throws -> (reason: String, marked: [ItemName: String]) {
    let task = view.task
    guard reader.own == nil, task.history.last?.action == .undo,
      let decision = task.history.dropLast().last
    else { return ("", [:]) }
    let (items, verdicts) = try await office.database.read(in: reader.agency, ofInspector: nil) {
      (
        try $0.tasks.items(ofTasks: [task.id])[task.id]?.items,
        try $0.answers.verdicts(ofDecisions: [decision.id])[decision.id] ?? []
      )
    }
    let returned = verdicts.filter { $0.returned != nil }
    let lines = Set(returned.map { ItemReview.line($0, of: items) })
    let own = (decision.reason ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !lines.contains(String($0)) }.joined(separator: "\n")
    return (own, Dictionary(returned.map { ($0.item, $0.returned ?? "") }) { $1 })
  }

  /// Returns the way from the decision to the items, which are returned one by one; nil if none can be.
  func itemsHint(
    _ task: InspectionTask, _ possible: [TransitionRule], _ reader: Reader
  ) async throws -> HTML? {
    guard possible.contains(where: { $0.action == .returnToInspector }),
      try await hasItems(task, reader)
    else { return nil }
    return
      "<p class=\"hint\"><a href=\"#items\">\(t("Return single items"))</a>: \(t("mark them in the list."))</p>"
  }

  /// The name of the decision's form, which the marks at the items belong to.
  static let decisionForm = "decision"

  /// Reads the marks of a decision's form.
  static func marks(_ form: WebForm) -> [ItemName: String] {
    form.all("return").compactMap(ItemName.init(_:)).reduce(into: [:]) { marks, name in
      marks[name] = form["why-\(name.description)"] ?? ""
    }
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
