import Evidence
import Exports
import Foundation
import Guide
import Inspection
import LogPublishing
import Office
import OfficeFrame
import Store
import TimeAndText
import Web

/// The pages of the agency's log, on a page and as a table.
struct LogPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.officeLog

  private static let entriesPerPage = 100
  /// The largest number of entries in the table, which is meant for a spreadsheet; the whole log,
  /// signed, comes from `office log`.
  private static let entriesInFile = 100_000

  func add(to routes: inout Routes) {
    routes.get("/log") { request in try await reading(request) { try await log($0) } }
    routes.get("/log/log.csv") { request in
      try await reading(request) { reader in
        let words = words(reader)
        let entries = try await office.database.read(in: reader.agency) {
          try $0.log.page(before: nil, containing: words, limit: Self.entriesInFile)
        }
        var text = "number,time,person,action,subject,detail\r\n"
        for (number, entry) in entries {
          let cells = [
            "\(number)", entry.time.rfc3339, entry.person, entry.action, entry.subject,
            entry.detail ?? "",
          ]
          text += cells.map(CSVText.cell).joined(separator: ",") + "\r\n"
        }
        return .bytes(
          Array(text.utf8), mediaType: "text/csv; charset=utf-8", fileName: "log.csv",
          isAttachment: true)
      }
    }
  }

  /// Returns the lines that say who outside has stamped or signed the checkpoints, or that nobody does.
  private func outside() throws -> HTML {
    let stamps = try LogStamping(core: office.core).authorities().map { authority, state in
      line(authority.url, state) {
        t.html("{1} has stamped the first {2} entries, at {3}.", $0, $1, $2)
      }
    }
    let signatures = try LogWitnesses(core: office.core).all().map { witness in
      line(witness.url, witness.state) {
        t.html("{1} has witnessed the first {2} entries, at {3}.", $0, $1, $2)
      }
    }
    guard stamps.isEmpty, signatures.isEmpty else { return "\(stamps + signatures)" }
    return """
      <p class="hint">\(t("Nobody outside stamps or witnesses them: see standpoint office timestamp and standpoint office witness."))</p>
      """
  }

  private func line(
    _ url: String, _ state: OutsideState, success: (String, Int, HTML) -> HTML
  ) -> HTML {
    let host = URLComponents(string: url)?.host ?? url
    func moment(_ text: String?) -> HTML? {
      text.flatMap(DeviceTime.init(rfc3339:)).map { t.time($0) }
    }
    var words: HTML = "\(t("{1} has signed nothing yet.", host))"
    if let size = state.size, let time = moment(state.signed) { words = success(host, size, time) }
    let complaint: HTML? = state.problem.map { problem in
      """
       <strong>\(t.html("It has not answered as it should since {1}:", moment(state.problemSince) ?? ""))</strong> <span lang="en">\(problem)</span>.
      \(t("The office asks again every ten minutes."))
      """
    }
    return "<p class=\"hint\">\(words)\(complaint)</p>"
  }

  /// Returns the line that says where the checkpoints are; nil before the first.
  private func checkpoints() throws -> HTML? {
    try PublicLog(core: office.core).sizes().last.map { size in
      """
      <p class="hint">\(t("The office has signed its first {1} entries.", size)) <a href="/checkpoints">\(t("Checkpoints"))</a>.
      \(t("Keep one of them elsewhere: with it, standpoint verify --checkpoint shows whether the log was rewritten."))</p>
      """
    }
  }

  private func words(_ reader: Reader) -> String? {
    reader.request.query["text"].flatMap {
      let words = $0.trimmingCharacters(in: .whitespacesAndNewlines)
      return words.isEmpty ? nil : words
    }
  }

  private func log(_ reader: Reader) async throws -> WebResponse {
    let words = words(reader)
    let before = reader.request.query["before"].flatMap { Int64($0) }
    let (entries, tasks) = try await office.database.read(in: reader.agency) { session in
      let entries = try session.log.page(
        before: before, containing: words, limit: Self.entriesPerPage + 1)
      var tasks: [Identifier: String] = [:]
      for id in LogWords.tasks(in: entries.lazy.map(\.entry)) {
        tasks[id] = try StoreError.found { try session.tasks.task(id) }?.name
      }
      return (entries, tasks)
    }
    let people = try await office.people.accounts(ofAgency: reader.agency)
    let told = LogWords(
      t: t, names: Dictionary(people.map { ($0.login, $0.title) }) { $1 }, tasks: tasks)
    let page = entries.prefix(Self.entriesPerPage)
    let rows = page.map { number, entry in
      """
      <tr><td class="number" data-label="\(t("Number"))">\(String(number))</td>
      <td class="time" data-label="\(t("When"))">\(t.time(entry.time))</td>
      <td data-label="\(t("What happened"))"><span>\(told.sentence(entry, additions))</span></td>
      <td data-label="\(t("Detail"))">\(told.detail(entry) ?? "")</td>
      <td data-label="\(t("In the log"))"><code class="muted">\(entry.action)</code></td></tr>
      """ as HTML
    }
    let query = words.map { "text=\(AddressText.escaped($0))" } ?? ""
    let last = entries.count > Self.entriesPerPage ? page.last.map { String($0.number) } : nil
    let older: HTML? = last.map {
      "<a class=\"button\" href=\"/log?\(query)&amp;before=\($0)\">\(t("Older"))</a>"
    }
    let newest: HTML? =
      before == nil
      ? nil : "<a class=\"button\" href=\"/log?\(query)\">\(t("Newest"))</a>"
    let table: HTML =
      rows.isEmpty
      ? "<div class=\"empty\"><p>\(words == nil ? t("Nothing yet.") : t("No entry contains these words."))</p></div>"
      : """
      <table class="list"><thead><tr><th scope="col" class="number">\(t("Number"))</th>
      <th scope="col">\(t("When"))</th><th scope="col">\(t("What happened"))</th>
      <th scope="col">\(t("Detail"))</th><th scope="col">\(t("In the log"))</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    return self.page(
      t("Log"), reader, current: "/log",
      """
      <h1>\(t("Log"))</h1><p class="muted">\(t("Newest first. Entries are hash-chained and cannot be altered."))</p>
      <form class="filter" method="get" action="/log"><label>\(t("Search"))<input name="text" type="search"
      value="\(words ?? "")" data-key="/"></label><button class="button">\(t("Filter"))</button>
      <a class="button" href="/log/log.csv?\(query)">CSV</a></form>
      \(table)<nav class="pager" aria-label="\(t("Pages"))">\(newest)\(older)</nav>
      \(try checkpoints())\(try outside())
      """)
  }
}
