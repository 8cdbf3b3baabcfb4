import Evidence
import FieldUnit
import Foundation
import Guide
import Inspection
import Store
import Sync
import TimeAndText
import Web

/// The pages of the outbox: the entries that wait to be delivered, the last answers, and the
/// receipts.
struct OutboxPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.outbox

  func add(to routes: inout Routes) {
    routes.get("/outbox") { request in try await reading(request) { try outbox($0) } }
    routes.get("/live/delivery") { request in
      try await reading(request) { reader in
        let unit = reader.unit
        return .events(live(of: unit) { deliveryFragment(unit) })
      }
    }
    for asset in [OutboxScript.asset, OutboxStyle.asset] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
    routes.get("/live/outbox") { request in
      try await reading(request) { reader in
        let unit = reader.unit
        let asked = Int(request.query["page"] ?? "") ?? 1
        let part = PacedPart()
        return .events(
          live(of: unit) {
            await part.html(at: server.clock.elapsed) { liveList(of: unit, page: asked) }
          })
      }
    }
    routes.post("/reconcile") { request in
      try await reading(request) { reader in
        _ = try await reader.unit.delivery.reconcile(
          over: try server.link(to: reader.signIn.office))
        await server.deliverForPage()
        return .redirect("/outbox?done=compared")
      }
    }
    routes.get("/outbox/receipts") { request in
      try await reading(request) { try receipts($0) }
    }
    routes.post("/deliver") { request in
      try await reading(request) { _ in
        let isFromTasks = try await request.form()["to"] == "tasks"
        await server.deliverForPage()
        return .redirect(isFromTasks ? "/tasks" : "/outbox")
      }
    }
  }

  private static let receiptsPerPage = 50
  /// The number of seconds without an answer after which the page says so.
  private static let stillSeconds = 5

  /// Returns the progress of the delivery that runs just now, or the words about the last contact.
  func deliveryFragment(_ unit: InspectorUnit) -> HTML {
    let status = server.deliveryStatus(of: unit.person)
    guard let progress = status.progress else { return "<p>\(contact(status))</p>" }
    // The page's script shows these in their rows, which only change when an entry does.
    let sending = progress.sending.sorted { $0.key < $1.key }.map { id, bytes -> HTML in
      "<span hidden data-sending=\"\(id.description)\" data-bytes=\"\(bytes)\"></span>"
    }
    let still = status.progressed.map { Int(server.clock.elapsed.seconds(since: $0)) } ?? 0
    let isStill: HTML? =
      still < Self.stillSeconds
      ? nil
      : """
      <p class="light light-warn">\(t("No answer for {1} s: the network or the office is slow or cannot be reached. The delivery continues by itself; what has not arrived stays queued.", still))</p>
      """
    return """
      <p><strong>\(t("Delivering"))</strong>: \(progress.words.map { t($0) } ?? t("{1} of {2} files", progress.filesDone, progress.files))</p>\(isStill)
      <progress max="100" value="\("\(Int(progress.share * 100))")" aria-label="\(t("Delivering"))">\(Int(progress.share * 100)) %</progress>\(sending)
      """
  }

  private func outbox(_ reader: Reader) throws -> WebResponse {
    let unit = reader.unit
    let status = server.deliveryStatus(of: unit.person)
    let asked = Int(reader.request.query["page"] ?? "") ?? 1
    let signInAgain: HTML? =
      !status.asksForSignIn
      ? nil
      : "<p class=\"actions\"><a class=\"button\" href=\"/sign-out\">\(t("Sign in again"))</a></p>"
    let lost = t("This page is not up to date: the program does not answer.")
    return page(
      t("Outbox"), reader, current: "/outbox", scripts: [OutboxScript.asset.href],
      styles: [OutboxStyle.asset.href],
      """
      <div class="heading outbox-head"><h1>\(t("Outbox"))</h1>
      <form method="post" action="/deliver">\(reader.request.formField)
      <button class="button primary">\(t("Deliver now"))</button></form></div>
      <div class="outbox-now" data-live="/live/delivery" data-live-lost="\(lost)">\(deliveryFragment(unit))</div>\(signInAgain)
      <div data-live="\("/live/outbox?page=\(max(1, min(asked, Self.mostPages)))")" data-live-lost="\(lost)">\(try list(of: unit, page: asked, status.progress?.sending ?? [:]))</div>
      \(try comparison(reader))
      """)
  }

  private func comparison(_ reader: Reader) throws -> HTML {
    let removed = try reader.unit.delivery.removedPhotos().count
    let compared = try reader.unit.delivery.lastReconciliation()
    return """
      <section class="card"><h2>\(t("What the office holds"))</h2>\(HTML.facts([
        (t("Last compared"), compared.map(t.time) ?? .text(t("not yet"))),
        (t("Photos removed from this device"), .text("\(removed)")),
      ]))
      <form method="post" action="/reconcile">\(reader.request.formField)
      <p class="actions"><button class="button">\(t("Compare now"))</button>
      <span class="muted">\(t("automatically once a day; the field unit sends again what the office no longer has"))</span></p></form></section>
      """
  }

  // MARK: receipts

  func held(_ receipt: Receipt) -> String {
    t("records: {1}, files: {2}", receipt.records.count, receipt.files.count)
  }

  /// Returns the page of receipts: each is kept here as it came, so that the inspector can show it
  /// even if no other copy exists.
  private func receipts(_ reader: Reader) throws -> WebResponse {
    let count = try reader.unit.receiptListings(limit: 0, offset: 0).count
    let (number, pages) = pageNumber(reader.request, of: count, each: Self.receiptsPerPage)
    let rows = try reader.unit.receiptListings(
      limit: Self.receiptsPerPage, offset: (number - 1) * Self.receiptsPerPage
    ).rows.map { row -> HTML in
      """
      <tr><td data-label="\(t("Received"))">\(t.time(row.receipt.received))</td>
      <td data-label="\(t("Office"))">\(row.office ?? t("not known"))</td>
      <td data-label="\(t("Contains"))">\(held(row.receipt))</td>
      <td data-label="\(t("Receipt"))"><code class="digest">\(row.receipt.id.description)</code></td>
      <td data-label="SHA-256"><code class="digest">\(Digest.hexadecimal(Array(row.receipt.jws.utf8)))</code></td></tr>
      """
    }
    let list: HTML =
      rows.isEmpty
      ? "<div class=\"empty\"><p>\(t("No receipts yet."))</p><p class=\"muted\">\(t("The office signs one for each delivery."))</p></div>"
      : """
      <table class="list"><thead><tr><th>\(t("Received"))</th><th>\(t("Office"))</th><th>\(t("Contains"))</th>
      <th>\(t("Receipt"))</th><th>SHA-256</th></tr></thead><tbody>\(rows)</tbody></table>\(pager(number, of: pages, "/outbox/receipts"))
      """
    return page(
      t("Receipts"), reader, current: "/outbox",
      """
      <div class="heading"><h1>\(t("Receipts"))</h1><span class="muted">\(count)</span></div>
      <p class="muted">\(t("The office's signed receipts. Each lists the digests of what the office holds."))</p>\(list)
      <p class="actions"><a class="button" href="/outbox">\(t("Open outbox"))</a></p>
      """)
  }
}
