import Evidence
import FieldUnit
import Foundation
import Inspection
import Store
import Sync
import TimeAndText
import Web

/// The pages of the outbox: the entries that wait to be delivered, the last answers, and the
/// receipts.
struct OutboxPages: FieldPage {
  let server: FieldServer

  func add(to routes: inout Routes) {
    routes.get("/outbox") { request in try await reading(request) { try outbox($0) } }
    routes.get("/live/delivery") { request in
      try await reading(request) { reader in
        let unit = reader.unit
        return .events(live(of: unit) { deliveryFragment(unit) })
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

  private static let rowsPerPage = 100
  private static let receiptsPerPage = 50
  /// The number of the newest receipts that the outbox page itself shows.
  private static let newestReceipts = 3
  /// The number of seconds without an answer after which the page says so.
  private static let stillSeconds = 5

  /// Returns the progress of the delivery that runs just now, or the words about the last contact.
  func deliveryFragment(_ unit: InspectorUnit) -> HTML {
    let status = server.deliveryStatus(of: unit.person)
    guard let progress = status.progress else { return "<p>\(contact(status))</p>" }
    let sending = progress.sending.sorted { $0.key < $1.key }.map { id, bytes -> HTML in
      guard let photo = readable("a photo", { try unit.photo(id) }), photo.bytes > 0 else {
        return ""
      }
      return
        "<li>\(t("Photo")) \(Self.time(photo.deviceTime)): \(min(100, bytes * 100 / photo.bytes)) %</li>"
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
      <progress max="100" value="\("\(Int(progress.share * 100))")">\(Int(progress.share * 100)) %</progress>
      <ul class="muted">\(sending)</ul>
      """
  }

  private func outbox(_ reader: Reader) throws -> WebResponse {
    let asked = Int(reader.request.query["page"] ?? "") ?? 1
    var (rows, entries, bytes, common) = try reader.unit.outboxListings(
      limit: Self.rowsPerPage, offset: (max(1, min(asked, 1_000_000)) - 1) * Self.rowsPerPage)
    let (number, pages) = pageNumber(reader.request, of: entries, each: Self.rowsPerPage)
    if rows.isEmpty, entries > 0 {
      // Deliveries have emptied the requested page meanwhile: the last page is shown.
      rows =
        try reader.unit.outboxListings(
          limit: Self.rowsPerPage, offset: (number - 1) * Self.rowsPerPage
        ).rows
    }
    // An answer that is common to several entries is shown once, above the table; a single entry
    // keeps it in its row.
    if entries < 2 { common = nil }
    let status = server.deliveryStatus(of: reader.unit.person)
    let isUnderWay = status.progress != nil
    let said: HTML? =
      common == status.wording && !isUnderWay
      ? nil
      : common.map {
        """
        <p class="muted">\(isUnderWay ? t("Previous answer") : t("Last answer to all entries")): \(t($0))</p>
        """
      }
    let table: HTML =
      entries == 0
      ? "<div class=\"empty\"><p>✓ \(t("Nothing is waiting."))</p><p class=\"muted\">\(t("What you send stays in this list until the office has signed for it."))</p></div>"
      : """
      <p class="sum">\(entries == 1 ? t("1 entry waiting") : t("{1} entries waiting", entries)), \(Self.size(bytes))</p>
      \(said)<table class="list"><thead><tr><th>\(t("What"))</th><th class="number">\(t("Size"))</th><th>\(t("Waiting since"))</th>
      <th class="number">\(t("Tries"))</th><th>\(t("Last answer"))</th><th>\(t("Next try"))</th></tr></thead>\
      <tbody>\(rows.map { row($0, isSaidOnce: common != nil, status) })</tbody></table>\(pager(number, of: pages, "/outbox"))
      """
    let signInAgain: HTML? =
      !status.asksForSignIn
      ? nil
      : "<p class=\"actions\"><a class=\"button\" href=\"/sign-out\">\(t("Sign in again"))</a></p>"
    return page(
      t("Outbox"), reader, current: "/outbox", styles: [PhotoStyle.asset.href],
      """
      <h1>\(t("Outbox"))</h1>
      <div data-live="/live/delivery" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\(deliveryFragment(reader.unit))</div>\(signInAgain)
      <form class="actions" method="post" action="/deliver">\(reader.request.formField)
      <button class="button primary">\(t("Deliver now"))</button></form>\(table)
      \(try newestReceipts(reader))
      \(try comparison(reader))
      """)
  }

  private func row(
    _ listing: OutboxListing, isSaidOnce: Bool, _ status: FieldServer.DeliveryStatus
  ) -> HTML {
    let entry = listing.entry
    let answer =
      isSaidOnce
      ? t("as above") : entry.lastWording.map { t($0) } ?? (entry.hasBegun ? t("started") : "—")
    let next = (entry.nextAttempt ?? status.nextTry).map(Self.time)
    return """
      <tr><td data-label="\(t("What"))">\(name(of: listing))</td>
      <td class="number" data-label="\(t("Size"))">\(Self.size(entry.bytes))</td>
      <td data-label="\(t("Waiting since"))">\(Self.time(entry.queued))</td>
      <td class="number" data-label="\(t("Tries"))">\(entry.attempts)</td>
      <td data-label="\(t("Last answer"))">\(answer)</td>
      <td data-label="\(t("Next try"))">\(next ?? t("at the next contact"))</td></tr>
      """
  }

  private func name(of listing: OutboxListing) -> HTML {
    let id = listing.entry.id.description
    switch listing.entry.kind {
    case .task:
      return "<a href=\"/tasks/\(id)\">\(t("Task")) \(listing.name ?? "")</a>"
    case .photo:
      return """
        <a href="/photos/\(id)">\(t("Photo")) \(listing.taken.map(Self.time) ?? "")</a>
        """
    case .track: return "<a href=\"/tracks/\(id)\">\(t("Track")) \(listing.name ?? "")</a>"
    case .note: return .text([t("Note"), listing.name].compactMap(\.self).joined(separator: ": "))
    }
  }

  private func comparison(_ reader: Reader) throws -> HTML {
    let removed = try reader.unit.delivery.removedPhotos().count
    let compared = try reader.unit.delivery.lastReconciliation()
    return """
      <section class="card"><h2>\(t("What the office holds"))</h2>\(HTML.facts([
        (t("Last compared"), .text(compared.map(Self.time) ?? t("not yet"))),
        (t("Photos removed from this device"), .text("\(removed)")),
      ]))
      <form method="post" action="/reconcile">\(reader.request.formField)
      <p class="actions"><button class="button">\(t("Compare now"))</button>
      <span class="muted">\(t("automatically once a day; the field unit sends again what the office no longer has"))</span></p></form></section>
      """
  }

  // MARK: receipts

  private func newestReceipts(_ reader: Reader) throws -> HTML? {
    let (rows, count) = try reader.unit.receiptListings(limit: Self.newestReceipts, offset: 0)
    guard count > 0 else { return nil }
    let items = rows.map { row -> HTML in
      "<li>\(Self.time(row.receipt.received)): \(held(row.receipt))</li>"
    }
    return """
      <section class="card"><h2>\(t("Receipts"))</h2><ul>\(items)</ul>
      <p class="actions"><a class="button" href="/outbox/receipts">\(t("All {1} receipts", count))</a></p></section>
      """
  }

  private func held(_ receipt: Receipt) -> String {
    "\(receipt.records.count) \(t("records")), \(receipt.files.count) \(t("files"))"
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
      <tr><td data-label="\(t("Received"))">\(Self.time(row.receipt.received))</td>
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
