import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Sync
import Web

extension FieldPages {
  func addOutbox(to routes: inout Routes) {
    routes.get("/outbox") { request in try await reading(request) { try outbox($0) } }
    routes.get("/live/delivery") { request in
      try await reading(request) { _ in .events(live { deliveryFragment() }) }
    }
    routes.post("/reconcile") { request in
      try await reading(request) { reader in
        _ = try await reader.unit.reconcile(over: try server.link(to: reader.signIn.office))
        await server.deliverOnce()
        return .redirect("/outbox?done=compared")
      }
    }
    routes.post("/deliver") { request in
      try await reading(request) { _ in
        await server.deliverOnce()
        return .redirect("/outbox")
      }
    }
  }

  /// How far the delivery that runs just now has come.
  private func deliveryFragment() -> HTML {
    let status = server.deliveryStatus
    guard let progress = status.progress else { return "<p>\(contact(status))</p>" }
    let sending = progress.sending.sorted { $0.key < $1.key }.map { id, bytes in
      "<li><code class=\"digest\">\(String(id.description.suffix(12)))</code> \(bytes / 1024) KiB</li>"
        as HTML
    }
    return """
      <p><strong>\(t("Delivering"))</strong>: \(progress.words ?? t("{1} of {2} files", progress.filesDone, progress.files))</p>
      <progress max="100" value="\("\(Int(progress.share * 100))")">\(Int(progress.share * 100)) %</progress>
      <ul class="muted">\(sending)</ul>
      """
  }

  private func outbox(_ reader: Reader) throws -> WebResponse {
    let entries = try reader.unit.outbox()
    let status = server.deliveryStatus
    let removed = try reader.unit.removedPhotos().count
    let compared = try reader.unit.lastReconciliation()
    let rows = try entries.map { entry in
      """
      <tr><td data-label="\(t("What"))">\(try name(of: entry, reader))</td>
      <td class="number" data-label="\(t("Size"))">\(entry.bytes / 1024) KiB</td>
      <td data-label="\(t("Waits since"))">\(Self.time(entry.queued))</td>
      <td class="number" data-label="\(t("Tries"))">\(entry.attempts)</td>
      <td data-label="\(t("Last answer"))">\(entry.lastAnswer ?? (entry.hasBegun ? t("begun") : "—"))</td>
      <td data-label="\(t("Next try"))">\(entry.nextAttempt.map(Self.time) ?? "—")</td></tr>
      """ as HTML
    }
    let table: HTML =
      entries.isEmpty
      ? "<div class=\"empty\"><p>✓ \(t("Nothing waits."))</p></div>"
      : """
      <table class="list"><thead><tr><th>\(t("What"))</th><th class="number">\(t("Size"))</th><th>\(t("Waits since"))</th>
      <th class="number">\(t("Tries"))</th><th>\(t("Last answer"))</th><th>\(t("Next try"))</th></tr></thead><tbody>\(rows)</tbody></table>
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
      <h1>\(t("Outbox"))</h1>
      <div data-live="/live/delivery" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\(deliveryFragment())</div>\(signInAgain)
      <form class="actions" method="post" action="/deliver">\(reader.request.formField)
      <button class="button primary">\(t("Deliver now"))</button></form>\(table)
      \(list)
      <section class="card"><h2>\(t("What the office holds"))</h2>\(HTML.facts([
        (t("Compared last"), .text(compared.map(Self.time) ?? t("not yet"))),
        (t("Photos that have left this device"), .text("\(removed)")),
      ]))
      <form method="post" action="/reconcile">\(reader.request.formField)
      <p class="actions"><button class="button">\(t("Compare now"))</button>
      <span class="muted">\(t("by itself once a day; what the office does not hold any more is sent again"))</span></p></form></section>
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
