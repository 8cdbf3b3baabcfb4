import Geodesy
import Inspection
import ItemViewing
import Office
import OfficeFrame
import SetViewing
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
  /// - Parameter returns: the returned items of a decision that was refused.
  func asked(
    _ view: TaskView, _ photos: [ReceivedPhoto], returns: ItemReturns, _ reader: Reader
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
      formField: nil, returning: try await returning(task, returns, reader)
    ).card(chosen: nil)
    let warning = unknownLand(items.order.items, task, reader)
    return "\(warning)\(card)\(earlier(answers, than: items.counted))"
  }

  /// Returns the warning that items ask for photos in land which the order does not name; nil if there is
  /// none, and for people who cannot change the order.
  private func unknownLand(
    _ items: OrderItems, _ task: InspectionTask, _ reader: Reader
  ) -> HTML? {
    let wanted = items.unknownStations(in: task).compactMap(LandParts(t: t).words)
    guard !wanted.isEmpty, reader.role == .officer, task.state.isEditable else { return nil }
    return """
      <p class="notice notice-warning">\(t("The items ask for photos in: {1}.", wanted.joined(separator: ", ")))
      <a href="/tasks/\(task.id.description)/places">\(t("Draw it"))</a></p>
      """
  }

  /// Returns the fields with which an officer returns single items of a task; nil for a task that is not
  /// to be decided by this reader.
  /// - Parameter returns: the returned items of a form that was refused.
  private func returning(
    _ task: InspectionTask, _ returns: ItemReturns, _ reader: Reader
  ) async throws -> ItemChecklist.Returning? {
    guard reader.own == nil, reader.role == .officer, task.state == .dataProvided else {
      return nil
    }
    return ItemChecklist.Returning(
      form: Self.decisionForm, reasons: try await office.policies.returnReasons(of: reader.agency),
      chosen: returns)
  }

  /// Returns the officer's own words and the returned items of the decision that was undone last;
  /// nothing if the last step is no undoing.
  func undone(
    _ view: TaskView, _ reader: Reader
  ) async throws -> (reason: String, returns: ItemReturns) {
    let task = view.task
    guard reader.own == nil, task.history.last?.action == .undo,
      let decision = task.history.dropLast().last
    else { return ("", .none) }
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
    let reasons = Dictionary(returned.map { ($0.item, $0.returned ?? "") }) { $1 }
    return (own, ItemReturns(reasons: reasons, marks: returned.flatMap(\.marks)))
  }

  /// Returns the way from the decision to the items, which are returned one by one; nil if none can be.
  func itemsHint(
    _ task: InspectionTask, _ possible: [TransitionRule], _ reader: Reader
  ) async throws -> HTML? {
    guard possible.contains(where: { $0.action == .returnToInspector }),
      try await hasItems(task, reader)
    else { return nil }
    return
      "<p class=\"hint\"><a href=\"#items\">\(t("Return single items"))</a>: \(t("tick them in the list."))</p>"
  }

  /// Returns the facts of a task's order.
  func orderFacts(_ task: InspectionTask) -> HTML {
    let now = office.clock.deviceTime
    return HTML.facts([
      (t("Inspector"), .text(task.inspector)), (t("Type"), task.type.map(HTML.text)),
      (t("Instructions"), task.instructions.map(HTML.text)),
      (t("Sets of pictures"), SetParts(t: t).words(task.sets)),
      (t("Ordered"), t.time(task.created)),
      (
        t("Due"),
        task.due.map {
          .text(t.form.day($0.date) + (task.isOverdue(at: now) ? " ⚠ " + t("overdue") : ""))
        }
      ),
      (
        t("Parcel"),
        task.parcel.map { parcel in
          """
          <a href="/tasks?parcel=\(AddressText.escaped(parcel.identifier))">\(parcel.identifier)</a>, \
          \(t.decimal(parcel.areaSquareMetres, places: 0)) m²
          """
        }
      ), (t("Sections and further parcels"), LandParts(t: t).words(task.places)),
      (t("Attachments"), FileParts(t: t).list(task)),
      (t("Reason for return"), task.returnReason.map(HTML.text)),
      (t("Inspector's note"), task.note.map(HTML.text)),
      (t("Revision"), task.revision > 1 ? .text("\(task.revision)") : nil),
    ])
  }

  /// The most bytes of a decision's form: with marks on twenty photos.
  static let decisionBytesAtMost = 1 << 20

  /// The name of the decision's form, to which the fields at the items belong.
  static let decisionForm = "decision"

  /// Reads the items that a decision's form returns, with their reasons.
  static func returnedItems(_ form: WebForm) -> [ItemName: String] {
    form.all("return").compactMap(ItemName.init(_:)).reduce(into: [:]) { reasons, name in
      reasons[name] = form["why-\(name.description)"] ?? ""
    }
  }

  /// Reads the marks on photos of the items that a decision's form returns. Those of other items are left
  /// out: their fields are not shown.
  /// - Throws: `InspectionError.item` for lines that are none.
  static func marks(_ form: WebForm) throws -> [PhotoMark] {
    try returnedItems(form).keys.sorted().flatMap { name -> [PhotoMark] in
      do throws(ItemRefusal) {
        return try marks(form.all("mark-\(name.description)"))
      } catch {
        throw InspectionError.item(error)
      }
    }
  }

  /// Reads the marks on the photos of an item: what was drawn, and the ring that was chosen.
  /// - Parameter texts: the photos, each with its lines behind a space; a photo may come twice.
  private static func marks(_ texts: [String]) throws(ItemRefusal) -> [PhotoMark] {
    var lines: [Identifier: [[PhotoMark.Place]]] = [:]
    for text in texts {
      let parts = text.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { continue }
      guard let photo = Identifier(String(parts[0])) else { throw .mark }
      lines[photo, default: []] += try PhotoMark(photo: photo, linesText: String(parts[1])).lines
    }
    var marks: [PhotoMark] = []
    for (photo, lines) in lines.sorted(by: { $0.key < $1.key }) {
      marks.append(try PhotoMark(photo: photo, lines: lines))
    }
    return marks
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
