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
      try await reading(request) { reader in
        let unit = reader.unit
        return .events(live { deliveryFragment(unit) })
      }
    }
    routes.post("/reconcile") { request in
      try await reading(request) { reader in
        _ = try await reader.unit.reconcile(over: try server.link(to: reader.signIn.office))
        await server.deliverForPage()
        return .redirect("/outbox?done=compared")
      }
    }
    routes.post("/deliver") { request in
      try await reading(request) { _ in
        await server.deliverForPage()
        return .redirect("/outbox")
      }
    }
  }

  private static let mostRows = 100
  /// After so many seconds without an answer the page says that there is none.
  private static let stillSeconds = 5

  /// How far the delivery that runs just now has come.
  func deliveryFragment(_ unit: InspectorUnit) -> HTML {
    let status = server.deliveryStatus
    guard let progress = status.progress else { return "<p>\(contact(status))</p>" }
    let sending = progress.sending.sorted { $0.key < $1.key }.map { id, bytes -> HTML in
      guard let photo = try? unit.photo(id), photo.bytes > 0 else { return "" }
      return
        "<li>\(t("Photo")) \(Self.time(photo.deviceTime)): \(min(100, bytes * 100 / photo.bytes)) %</li>"
    }
    let still = status.progressed.map { Int(server.clock.elapsed.seconds(since: $0)) } ?? 0
    let isStill: HTML? =
      still < Self.stillSeconds
      ? nil
      : """
      <p class="light light-warn">\(t("Nothing has come back for {1} s: the network or the office is slow, or gone. It goes on by itself; what has not arrived stays queued.", still))</p>
      """
    return """
      <p><strong>\(t("Delivering"))</strong>: \(progress.words.map { t($0) } ?? t("{1} of {2} files", progress.filesDone, progress.files))</p>\(isStill)
      <progress max="100" value="\("\(Int(progress.share * 100))")">\(Int(progress.share * 100)) %</progress>
      <ul class="muted">\(sending)</ul>
      """
  }

  private func outbox(_ reader: Reader) throws -> WebResponse {
    let entries = try reader.unit.outbox()
    let status = server.deliveryStatus
    let removed = try reader.unit.removedPhotos().count
    let compared = try reader.unit.lastReconciliation()
    // A page of a thousand rows helps nobody; the terminal lists all.
    let more: HTML? =
      entries.count > Self.mostRows
      ? "<p class=\"muted\">\(t("and {1} more", entries.count - Self.mostRows))</p>" : nil
    // What was said of all of them is said once.
    let answers = Set(entries.map(\.lastWording))
    let common = entries.count > 1 && answers.count == 1 ? answers.first ?? nil : nil
    let rows = try entries.prefix(Self.mostRows).map { entry in
      """
      <tr><td data-label="\(t("What"))">\(try name(of: entry, reader))</td>
      <td class="number" data-label="\(t("Size"))">\(entry.bytes / 1024) KiB</td>
      <td data-label="\(t("Waits since"))">\(Self.time(entry.queued))</td>
      <td class="number" data-label="\(t("Tries"))">\(entry.attempts)</td>
      <td data-label="\(t("Last answer"))">\(common == nil ? entry.lastWording.map { t($0) } ?? (entry.hasBegun ? t("begun") : "—") : t("as above"))</td>
      <td data-label="\(t("Next try"))">\(entry.nextAttempt.map(Self.time) ?? "—")</td></tr>
      """ as HTML
    }
    let isUnderWay = status.progress != nil
    let said: HTML? =
      common == status.wording && !isUnderWay
      ? nil
      : common.map {
        """
        <p class="muted">\(isUnderWay ? t("What the try before was answered") : t("Last answer to all of them")): \(t($0))</p>
        """
      }
    let table: HTML =
      entries.isEmpty
      ? "<div class=\"empty\"><p>✓ \(t("Nothing waits."))</p></div>"
      : """
      \(said)<table class="list"><thead><tr><th>\(t("What"))</th><th class="number">\(t("Size"))</th><th>\(t("Waits since"))</th>
      <th class="number">\(t("Tries"))</th><th>\(t("Last answer"))</th><th>\(t("Next try"))</th></tr></thead><tbody>\(rows)</tbody></table>\(more)
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
      <div data-live="/live/delivery" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\(deliveryFragment(reader.unit))</div>\(signInAgain)
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
    case .photo:
      """
      <a href="/photos/\(entry.id.description)">\(t("Photo")) \(Self.time(try reader.unit.photo(entry.id).deviceTime))</a>
      """
    case .track: .text("\(t("Track")) \(try reader.unit.track(entry.id).name)")
    case .note: .text(t("Note"))
    }
  }
}
