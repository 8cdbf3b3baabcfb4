import Foundation
import Inspection
import Office
import OfficeFrame
import Store
import TimeAndText
import Web

/// The counted answers to the questions of a template, as tables with bars.
struct AnswerFigures {
  let t: Texts
  let template: ItemTemplate
  /// The counts of all questions.
  let counts: [AnswerCount]

  /// The parts into which the range of an answer in numbers is divided.
  private static let parts = 10
  /// The most answers that are columns of a table.
  private static let columnsAtMost = 6

  /// One row: the words, the number of tasks, and the address of their list.
  private struct Row {
    let words: String
    let tasks: Int
    let href: String?
  }

  /// The questions and notes of the template, in their order.
  var questions: [OrderItem] {
    template.items.items.filter {
      switch $0.content {
      case .question, .note: true
      case .shot, .track, .words: false
      }
    }
  }

  /// Returns the answers to one question.
  /// - Parameter isAlone: true if the page shows no other question.
  func section(_ item: OrderItem, atMost limit: Int, isAlone: Bool = false) -> HTML {
    let own = counts.filter { $0.item == item.name }
    let rows = self.rows(of: item, own)
    let shown = rows.prefix(limit)
    let rest = rows.dropFirst(limit).reduce(0) { $0 + $1.tasks }
    let all = shown + (rest > 0 ? [Row(words: t("other answers"), tasks: rest, href: nil)] : [])
    let most = all.map(\.tasks).max() ?? 0
    let sum = all.reduce(0) { $0 + $1.tasks }
    let more: HTML? =
      isAlone || own.isEmpty
      ? nil
      : """
      <p><a href="/statistics?type=\(AddressText.escaped(template.type))&amp;item=\(item.name.description)">\(t("By inspector and week"))</a></p>
      """
    let table: HTML =
      own.isEmpty
      ? "<p class=\"muted\">\(t("No answer yet."))</p>"
      : """
      <table class="list figures"><thead><tr><th scope="col">\(t("Answer given"))</th><th scope="col" class="number">\(t("Tasks"))</th>\
      <th scope="col" class="number">%</th><td></td></tr></thead><tbody>
      \(all.map { row($0, most: most, sum: sum) })</tbody></table>
      """
    return """
      <section id="\(item.name.description)"><h2>\(item.wording)</h2>\(range(of: item, own))\(table)\(more)</section>
      """
  }

  private func row(_ row: Row, most: Int, sum: Int) -> HTML {
    let words: HTML = row.href.map { "<a href=\"\($0)\">\(row.words)</a>" } ?? "\(row.words)"
    let percent = sum == 0 ? 0 : Double(row.tasks) * 100 / Double(sum)
    return """
      <tr><th scope="row">\(words)</th><td class="number" data-label="\(t("Tasks"))">\(row.tasks)</td>\
      <td class="number" data-label="%">\(t.decimal(percent, places: 0))</td><td class="bar-cell">\(bar(row.tasks, of: most))</td></tr>
      """
  }

  /// Returns a bar, whose number stands beside it.
  private func bar(_ tasks: Int, of most: Int) -> HTML {
    guard tasks > 0, most > 0 else { return "" }
    let width = max(1, tasks * 200 / most)
    return """
      <svg class="figure-bar" viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true"><rect width="\(width)" height="12" rx="1"/></svg>
      """
  }

  // MARK: rows

  private func rows(of item: OrderItem, _ own: [AnswerCount]) -> [Row] {
    var rows: [Row] = []
    let values = own.filter { $0.kind == .value }
    if case .number = item.question?.form, let parts = parts(values) {
      rows += parts
    } else {
      rows += values.map { Row(words: words($0.value, of: item), tasks: $0.tasks, href: list($0)) }
        .sorted { ($1.tasks, $0.words) < ($0.tasks, $1.words) }
    }
    for (kind, words) in [(.words, t("answered in words")), (.notPossible, t("not possible"))]
      as [(TaskStanding.Value.Kind, String)]
    {
      let tasks = own.filter { $0.kind == kind }.reduce(0) { $0 + $1.tasks }
      if tasks > 0 { rows.append(Row(words: words, tasks: tasks, href: nil)) }
    }
    return rows
  }

  /// Returns the words for a value; the value itself if the template does not have it any more.
  private func words(_ value: String, of item: OrderItem) -> String {
    guard let question = item.question else { return value }
    switch question.form {
    case .choice, .several:
      return question.choices.first { $0.name.description == value }?.wording ?? value
    case .yesOrNo: return value == "true" ? t("yes") : t("no")
    case .number(let range):
      // The digits stay as they were sealed; only their sign is the language's.
      let number = t.form.decimal(value)
      return range.unit.map { "\(number) \($0)" } ?? number
    case .date: return CivilDate(iso8601: value).map(t.form.day) ?? value
    case .text: return value
    }
  }

  private func list(_ count: AnswerCount) -> String {
    let answer = TaskFilter.Answer(item: count.item, value: count.value)
    return
      "/tasks?type=\(AddressText.escaped(template.type))&answer=\(AddressText.escaped(answer.text))"
  }

  /// The number of an answer; nil for another one, which an earlier version of the template had under the name.
  private func number(_ count: AnswerCount) -> Double? {
    Double(count.value).flatMap { $0.isFinite ? $0 : nil }
  }

  private func spread(_ counts: [AnswerCount]) -> NumberSpread? {
    NumberSpread(
      Dictionary(
        counts.compactMap { count in number(count).map { ($0, count.tasks) } },
        uniquingKeysWith: +))
  }

  /// Returns the numbers in parts of equal width, and anything else as other answers; nil if there are few, or
  /// they have no parts.
  private func parts(_ values: [AnswerCount]) -> [Row]? {
    guard values.count > Self.parts, let (width, parts) = spread(values)?.parts(Self.parts) else {
      return nil
    }
    let others = values.filter { number($0) == nil }.reduce(0) { $0 + $1.tasks }
    return parts.map { part in
      let words = t("{1} to {2}", written(part.start, width), written(part.start + width, width))
      return Row(words: words, tasks: part.tasks, href: nil)
    } + (others > 0 ? [Row(words: t("other answers"), tasks: others, href: nil)] : [])
  }

  /// Writes a number with as many places as a step of this size needs.
  private func written(_ number: Double, _ step: Double) -> String {
    guard number.magnitude < 1e9 else { return t.form.decimal("\(number)") }
    let places = step >= 10 ? 0 : Int(min(9, max(1, 1 - log10(step).rounded(.down))))
    return t.decimal(number, places: places)
  }

  /// Returns the least, the mean and the largest number; nil for a question that is no number.
  private func range(of item: OrderItem, _ own: [AnswerCount]) -> HTML? {
    guard case .number = item.question?.form, let spread = spread(own) else { return nil }
    let step = max((spread.most - spread.least) / Double(Self.parts), 0.01)
    let words = t(
      "Least {1}, mean {2}, most {3}", written(spread.least, step), written(spread.mean, step),
      written(spread.most, step))
    return "<p class=\"muted\">\(words)</p>"
  }

  // MARK: by inspector, by week

  /// Returns a table of the answers to a question with a row for each group.
  /// - Parameter name: returns the words for a group.
  func groups(
    _ item: OrderItem, _ counts: [AnswerCount], _ title: String, _ head: String, atMost limit: Int,
    name: (String) -> String
  ) -> HTML {
    var order: [String] = []
    var tallies: [String: [String: Int]] = [:]
    var totals: [String: Int] = [:]
    for count in counts {
      if tallies[count.group] == nil { order.append(count.group) }
      let answer =
        switch count.kind {
        case .value: words(count.value, of: item)
        case .words: t("answered in words")
        case .notPossible: t("not possible")
        }
      tallies[count.group, default: [:]][answer, default: 0] += count.tasks
      totals[answer, default: 0] += count.tasks
    }
    let answers = totals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    let columns = Array(answers.prefix(Self.columnsAtMost))
    let hasOthers = answers.count > columns.count
    let most = tallies.values.map { $0.values.reduce(0, +) }.max() ?? 0
    let rows = order.prefix(limit).map { group -> HTML in
      let tally = tallies[group] ?? [:]
      let sum = tally.values.reduce(0, +)
      let shown = columns.map { tally[$0] ?? 0 }
      let cells = zip(columns, shown).map {
        "<td class=\"number\(raw: $1 == 0 ? " none" : "")\" data-label=\"\($0)\">\($1)</td>" as HTML
      }
      let others: HTML? =
        hasOthers
        ? "<td class=\"number\" data-label=\"\(t("other answers"))\">\(sum - shown.reduce(0, +))</td>"
        : nil
      return """
        <tr><th scope="row">\(name(group))</th>\(cells)\(others)<td class="bar-cell">\(bar(sum, of: most))</td></tr>
        """
    }
    let more: HTML? =
      order.count > limit
      ? "<p class=\"muted\">\(t("{1} further rows are not shown.", order.count - limit))</p>" : nil
    let others: HTML? =
      hasOthers ? "<th scope=\"col\" class=\"number\">\(t("other answers"))</th>" : nil
    return """
      <section><h2>\(title)</h2><table class="list figures"><thead><tr><th scope="col">\(head)</th>\
      \(columns.map { "<th scope=\"col\" class=\"number\">\($0)</th>" as HTML })\(others)<td></td></tr></thead>\
      <tbody>\(rows)</tbody></table>\(more)</section>
      """
  }
}
