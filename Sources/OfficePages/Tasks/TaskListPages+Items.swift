import Inspection
import Office
import OfficeFrame
import Store
import TimeAndText
import Web

// The filters by items and answers.
extension TaskListPages {
  /// The most answers that the filter offers, and of each template at least; the page of statistics leads to
  /// all of them.
  private static let (answersAtMost, ofEachAtLeast) = (300, 20)

  /// Returns the words below a task's state: since when the inspector has had it open, and how far its
  /// items are; nil if there is nothing to say.
  func standing(of task: InspectionTask, _ progress: KnownProgress?) -> HTML? {
    var parts: [HTML] = []
    if task.state == .open, let opened = task.history.last(where: { $0.to == .open })?.time {
      parts.append("<br><span class=\"muted\">\(t("since")) \(t.time(opened))</span>")
    }
    if let progress = progress?.counted(in: task.state) {
      let words = t("{1} of {2} items", progress.answered, progress.asked)
      parts.append("<br><span class=\"muted\">\(words)</span>")
    }
    return parts.isEmpty ? nil : "\(parts)"
  }

  /// Returns the choices by items and by answer; nil if the agency has no template.
  func answerChoices(_ filter: TaskFilter, _ reader: Reader) async throws -> HTML? {
    // An inspector sees no templates of types for which they may have no task.
    let templates =
      try await reader.own == nil ? office.templates.newest(of: reader.agency) : []
    guard !templates.isEmpty || filter.items != nil || filter.answer != nil else { return nil }
    let items = TaskFilter.Items.allCases.map { items in
      """
      <option value="\(items.rawValue)"\(raw: items == filter.items ? " selected" : "")>\(title(items))</option>
      """ as HTML
    }
    return """
      <label>\(t("Items"))<select name="items"><option value="">\(t("all"))</option>\(items)</select></label>
      <label>\(t("With the answer"))<select name="answer"><option value="">\(t("all"))</option>\(answers(of: templates, filter.answer))</select></label>
      """
  }

  private func title(_ items: TaskFilter.Items) -> String {
    switch items {
    case .missing: t("an item is missing")
    case .notPossible: t("an item was not possible")
    case .done: t("all items done")
    }
  }

  /// Returns the answers that can be chosen, by question: choices, and yes or no.
  private func answers(of templates: [ItemTemplate], _ chosen: TaskFilter.Answer?) -> [HTML] {
    let ofEach = max(Self.ofEachAtLeast, Self.answersAtMost / max(1, templates.count))
    var offered: Set<TaskFilter.Answer> = []
    var groups: [HTML] = []
    for template in templates {
      var left = ofEach
      for item in template.items.items {
        let options = choices(of: item).filter { !offered.contains($0.answer) }.prefix(left)
        offered.formUnion(options.map(\.answer))
        left -= options.count
        guard !options.isEmpty else { continue }
        let entries = options.map { answer, words in
          """
          <option value="\(answer.text)"\(raw: answer == chosen ? " selected" : "")>\(words)</option>
          """ as HTML
        }
        groups.append("<optgroup label=\"\(item.wording)\">\(entries)</optgroup>")
      }
    }
    // An answer from the address is shown even if no template has it.
    if let chosen, !offered.contains(chosen) {
      groups.append("<option value=\"\(chosen.text)\" selected>\(chosen.text)</option>")
    }
    return groups
  }

  /// Returns the answers to an item that can be chosen from a list, with their words.
  private func choices(of item: OrderItem) -> [(answer: TaskFilter.Answer, words: String)] {
    guard let question = item.question else { return [] }
    let choices =
      question.form == .yesOrNo
      ? [("true", t("yes")), ("false", t("no"))]
      : question.choices.map { ($0.name.description, $0.wording) }
    return choices.map { (TaskFilter.Answer(item: item.name, value: $0), $1) }
  }
}
