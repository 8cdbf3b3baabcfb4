import Evidence
import Foundation
import Inspection
import Positioning
import Sync
import Web

extension FieldPages {
  func addOutbox(to routes: inout Routes) {
    routes.get("/outbox") { request in try await reading(request) { try outbox($0) } }
    routes.post("/deliver") { request in
      try await reading(request) { _ in
        await server.deliverOnce()
        return .redirect("/outbox")
      }
    }
  }

  private func outbox(_ reader: Reader) throws -> WebResponse {
    let entries = try reader.unit.outbox()
    let status = server.deliveryStatus
    let rows = try entries.map { entry in
      """
      <tr><td data-label="\(t("What"))">\(try name(of: entry, reader))</td>
      <td class="number" data-label="\(t("Size"))">\(entry.bytes / 1024) KiB</td>
      <td data-label="\(t("Waits since"))">\(Self.time(entry.queued))</td>
      <td class="number" data-label="\(t("Tries"))">\(entry.attempts)</td>
      <td data-label="\(t("Last answer"))">\(entry.lastAnswer ?? (entry.hasBegun ? t("begun") : "—"))</td></tr>
      """ as HTML
    }
    let table: HTML =
      entries.isEmpty
      ? "<div class=\"empty\"><p>✓ \(t("Nothing waits."))</p></div>"
      : """
      <table class="list"><thead><tr><th>\(t("What"))</th><th class="number">\(t("Size"))</th><th>\(t("Waits since"))</th>
      <th class="number">\(t("Tries"))</th><th>\(t("Last answer"))</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    let receipts = try reader.unit.receipts().prefix(20).map { receipt in
      """
      <li>\(Self.time(receipt.received)): \(receipt.records.count) \(t("records")), \(receipt.files.count) \(t("files")),
      \(t("receipt")) <code class="digest">\(receipt.id.description)</code></li>
      """ as HTML
    }
    let list: HTML? =
      receipts.isEmpty
      ? nil : "<section class=\"card\"><h2>\(t("Receipts"))</h2><ul>\(receipts)</ul></section>"
    let signInAgain: HTML? =
      !status.asksForSignIn
      ? nil
      : "<p class=\"actions\"><a class=\"button\" href=\"/sign-out\">\(t("Sign in again"))</a></p>"
    return page(
      t("Outbox"), reader, current: "/outbox",
      """
      <h1>\(t("Outbox"))</h1><p>\(contact(status))</p>\(signInAgain)
      <form class="actions" method="post" action="/deliver">\(reader.request.formField)
      <button class="button primary">\(t("Deliver now"))</button></form>\(table)
      \(list)
      """)
  }

  private func name(of entry: OutboxEntry, _ reader: Reader) throws -> HTML {
    switch entry.kind {
    case .task:
      "<a href=\"/tasks/\(entry.id.description)\">\(try reader.unit.task(entry.id).name)</a>"
    case .photo: "<a href=\"/photos/\(entry.id.description)\">\(t("Photo"))</a>"
    case .track: .text("\(t("Track")) \(try reader.unit.track(entry.id).name)")
    case .note: .text(t("Note"))
    }
  }
}
