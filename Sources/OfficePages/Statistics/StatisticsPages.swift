import Guide
import Inspection
import Office
import OfficeFrame
import Store
import TimeAndText
import Web

/// The page that counts the answers to the questions of a type's tasks.
struct StatisticsPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.statistics

  private static let style = Asset(
    file: "/assets/statistics.css", [PackageResources.statistics_css])
  /// The most answers of one question that are shown, the most frequent first.
  private static let answersAtMost = 40
  /// The most rows of a table by inspector or by week: the newest weeks come first.
  private static let groupsAtMost = 60

  func add(to routes: inout Routes) {
    routes.get("/statistics") { request in
      try await reading(request) { try await statistics($0) }
    }
    routes.get("/statistics/answers.csv") { request in
      try await reading(request) { reader in
        let templates = try await office.templates.newest(of: reader.agency)
        let type = try template(reader, among: templates).type
        let tasks = try await office.database.read(in: reader.agency) {
          try $0.tasks.identifiers(
            TaskFilter(type: type), TaskSorting(.created), at: office.clock.deviceTime)
        }
        return try await ExportPages(office: office).answers(of: tasks, "answers", reader)
      }
    }
    routes.get(Self.style.path) { request in Self.style.response(to: request) }
  }

  private func statistics(_ reader: Reader) async throws -> WebResponse {
    let templates = try await office.templates.newest(of: reader.agency)
    if templates.isEmpty {
      return framedPage(
        reader,
        """
        <div class="empty"><p>\(t("Answers are counted here once orders ask questions. Templates say which ones: build the first one."))</p></div>
        """)
    }
    let template = try template(reader, among: templates)
    let (counts, states) = try await office.database.read(in: reader.agency) {
      (
        try $0.standings.counts(ofType: template.type),
        try $0.standings.states(ofType: template.type)
      )
    }
    let figures = AnswerFigures(t: t, template: template, counts: counts)
    let chosen = reader.request.query["item"].flatMap(ItemName.init(_:))
    if let chosen, let question = figures.questions.first(where: { $0.name == chosen }) {
      return framedPage(
        reader, try await grouped(question, figures, template, reader))
    }
    let parts = figures.questions.map { figures.section($0, atMost: Self.answersAtMost) }
    return framedPage(
      reader,
      """
      \(choice(of: templates, template))
      <p class="muted">\(stateWords(states))</p>
      \(states.isEmpty ? nil : """
      <p><a class="button" href="/statistics/answers.csv?type=\(AddressText.escaped(template.type))">\(t("All answers as CSV"))</a></p>
      """ as HTML)
      \(parts.isEmpty ? "<p>\(t("The template for these tasks asks no question."))</p>" as HTML : "\(parts)")
      <p class="hint">\(t("Each task counts once for each answer that counts. A question with several choices counts each of them."))</p>
      """)
  }

  /// Returns the template that the address asks for, or the first.
  /// - Throws: `StoreError.unknown` if there is none.
  private func template(
    _ reader: Reader, among templates: [ItemTemplate]
  ) throws(StoreError) -> ItemTemplate {
    let asked = reader.request.query["type"]
    let found = asked.map { type in templates.first { $0.type == type } } ?? templates.first
    guard let found else {
      throw StoreError.unknown(what: "template for tasks of the type", id: asked ?? "")
    }
    return found
  }

  private func framedPage(_ reader: Reader, _ main: HTML) -> WebResponse {
    page(
      t("Statistics"), reader, current: "/statistics", styles: [Self.style.href],
      """
      <div class="heading"><h1>\(t("Statistics"))</h1>
      <p class="actions"><a class="button" href="/templates">\(t("Templates"))</a></p></div>\(main)
      """)
  }

  private func choice(of templates: [ItemTemplate], _ chosen: ItemTemplate) -> HTML {
    let options = templates.map {
      """
      <option value="\($0.type)"\(raw: $0.type == chosen.type ? " selected" : "")>\($0.title ?? $0.type)</option>
      """ as HTML
    }
    return """
      <form class="filter" method="get" action="/statistics"><label>\(t("Type"))<select name="type">\(options)</select></label>
      <button class="button">\(t("Show these"))</button></form>
      """
  }

  private func stateWords(_ states: [TaskState: Int]) -> String {
    let all = states.values.reduce(0, +)
    let parts = TaskState.allCases.compactMap { state in
      states[state].map { "\(t(state.title)) \($0)" }
    }
    let count = all == 1 ? t("1 task") : t("{1} tasks", all)
    return parts.isEmpty ? count : "\(count): \(parts.joined(separator: ", "))"
  }

  /// Returns the answers to one question by inspector and by week.
  private func grouped(
    _ question: OrderItem, _ figures: AnswerFigures, _ template: ItemTemplate, _ reader: Reader
  ) async throws -> HTML {
    let (byInspector, byWeek) = try await office.database.read(in: reader.agency) {
      (
        try $0.standings.counts(ofType: template.type, item: question.name, by: .inspector),
        try $0.standings.counts(ofType: template.type, item: question.name, by: .week)
      )
    }
    let people = try await office.people.accounts(ofAgency: reader.agency)
    let names = Dictionary(people.map { ($0.login, $0.title) }) { $1 }
    return """
      <p class="actions"><a class="button quiet" href="/statistics?type=\(AddressText.escaped(template.type))">\(t("All questions"))</a></p>
      \(figures.section(question, atMost: Self.answersAtMost, isAlone: true))
      \(figures.groups(question, byInspector, t("By inspector"), t("Inspector"), atMost: Self.groupsAtMost) { names[$0] ?? $0 })
      \(figures.groups(question, byWeek.reversed(), t("By week"), t("Week from"), atMost: Self.groupsAtMost) { day in
        CivilDate(iso8601: day).map(t.form.day) ?? day
      })
      """
  }
}
