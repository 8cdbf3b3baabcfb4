import Evidence
import FieldUnit
import Foundation
import Inspection
import Store
import Sync
import TimeAndText
import Web

// The problem: each entry is one line, and its progress is seen while it travels, which is many
// times a second.
//
// The obvious idea is to send the list anew with each piece of progress. A row would then be
// replaced under the finger that opens it.
//
// The solution: the list is sent when an entry comes, goes or gets an answer. The progress comes
// with the few words above it, and the page's script writes it into the rows that are there. Only
// the page itself comes with it in its rows, for a browser without the script.

extension OutboxPages {
  static let rowsPerPage = 100
  /// The largest number of a page that an address may ask for; more pages than any device fills.
  static let mostPages = 1_000_000
  /// The number of the newest receipts that the outbox page itself shows.
  private static let newestReceipts = 3

  /// Returns the list as its stream shows it, without progress. If the outbox cannot be read, it
  /// says so.
  func liveList(of unit: InspectorUnit, page asked: Int) -> HTML {
    readable("the outbox", { try list(of: unit, page: asked) })
      ?? "<p class=\"light light-bad\">\(t("The outbox cannot be read: the log says why."))</p>"
  }

  /// Returns the entries of one page of the list, each on a line, and the newest receipts.
  /// - Parameter sending: the bytes of each entry that the office has just now; empty for a list
  ///   without progress.
  func list(
    of unit: InspectorUnit, page asked: Int, _ sending: [Identifier: Int] = [:]
  ) throws -> HTML {
    var (rows, entries, bytes, common) = try unit.outboxListings(
      limit: Self.rowsPerPage, offset: (max(1, min(asked, Self.mostPages)) - 1) * Self.rowsPerPage)
    let (number, pages) = pageNumber(asked, of: entries, each: Self.rowsPerPage)
    if rows.isEmpty, entries > 0 {
      // Deliveries have emptied the requested page meanwhile: the last page is shown.
      rows =
        try unit.outboxListings(
          limit: Self.rowsPerPage, offset: (number - 1) * Self.rowsPerPage
        ).rows
    }
    guard entries > 0 else {
      return """
        <div class="empty"><p>✓ \(t("Nothing is waiting."))</p><p class="muted">\(t("What you send stays in this list until the office has signed for it."))</p></div>
        \(try newestReceipts(unit))
        """
    }
    // An answer that is common to several entries is shown once, above the list; a single entry
    // keeps it in its row.
    if entries < 2 { common = nil }
    let status = server.deliveryStatus(of: unit.person)
    let isUnderWay = status.progress != nil
    let said: HTML? =
      common == status.wording && !isUnderWay
      ? nil
      : common.map {
        """
        <p class="muted">\(isUnderWay ? t("Previous answer") : t("Last answer to all entries")): \(t($0))</p>
        """
      }
    return """
      <p class="sum">\(entries == 1 ? t("1 entry waiting") : t("{1} entries waiting", entries)), \(Self.size(bytes))</p>
      \(said)<ul class="entries">\(rows.map { row($0, isSaidOnce: common != nil, status.nextTry, sending) })</ul>\(pager(number, of: pages, "/outbox"))
      \(try newestReceipts(unit))
      """
  }

  /// Returns one entry: a line with its kind, name, time and state, which opens to the rest. The
  /// office's reason for a refusal is on a line of its own below, always in view.
  private func row(
    _ listing: OutboxListing, isSaidOnce: Bool, _ nextTry: DeviceTime?,
    _ sending: [Identifier: Int]
  ) -> HTML {
    let entry = listing.entry
    let id = entry.id.description
    let kind = title(of: entry.kind)
    let answer = isSaidOnce ? nil : entry.lastWording.map { t($0) }
    let words = entry.hasBegun ? t("started") : t("waiting")
    let sign = answer != nil ? "▲" : entry.hasBegun ? "◐" : "○"
    let percent = sending[entry.id].map { Self.percent($0, of: entry.bytes) }
    let next = (entry.nextAttempt ?? nextTry).map(t.time) ?? .text(t("at the next contact"))
    let reason: HTML? = answer.map { "<p class=\"entry-reason\">\($0)</p>" }
    let open: HTML? = Self.address(of: entry).map {
      "<p class=\"actions\"><a class=\"button\" href=\"\($0)\">\(t("Open it"))<span class=\"unseen\"> \(kind) \(listing.name ?? "")</span></a></p>"
    }
    return """
      <li class="entry\(answer == nil ? "" : " is-refused")" data-entry="\(id)" data-size="\(entry.bytes)"><details id="entry-\(id)"><summary>\
      \(icon(of: entry.kind).html)<span class="entry-kind">\(kind)</span>\
      <span class="entry-name">\(listing.name ?? kind)</span>\
      <span class="entry-time">\(listing.taken.map(t.clock(of:)))</span>\
      <span class="entry-size">\(Self.size(entry.bytes))</span>\
      <span class="entry-state"><span aria-hidden="true">\(sign)</span> <span class="entry-word">\(words)</span></span>\
      <span class="entry-percent" data-percent\(percent == nil ? " hidden" : "" as HTML)>\(percent.map { "\($0) %" })</span>\
      <progress max="100" value="\(percent ?? 0)" aria-label="\(t("How much of it the office has"))"\(percent == nil ? " hidden" : "" as HTML)></progress></summary>
      \(HTML.facts([
        (t("What"), "\(kind) \(listing.taken.map(t.time))"),
        (t("Size"), .text(Self.size(entry.bytes))),
        (t("Waiting since"), t.time(entry.queued)),
        (t("Tries"), .text("\(entry.attempts)")),
        (t("Last answer"), .text(entry.lastWording.map { t($0) } ?? "—")),
        (t("Next try"), next),
      ]))\(open)</details>\(reason)</li>
      """
  }

  /// Returns how much of a file is sent, in whole percent, 0…100. The last byte makes it 100, and
  /// nothing before.
  static func percent(_ sent: Int, of bytes: Int) -> Int {
    guard bytes > 0 else { return 100 }
    return min(100, max(0, Int(Double(sent) / Double(bytes) * 100)))
  }

  /// Returns the page of an entry's thing; nil for a note, which has none of its own.
  private static func address(of entry: OutboxEntry) -> String? {
    switch entry.kind {
    case .task: "/tasks/\(entry.id)"
    case .photo: "/photos/\(entry.id)"
    case .track: "/tracks/\(entry.id)"
    case .set: "/sets/\(entry.id)"
    case .note: nil
    }
  }

  private func title(of kind: OutboxEntry.Kind) -> String {
    switch kind {
    case .task: t("Task")
    case .photo: t("Photo")
    case .track: t("Track")
    case .set: t("Set of pictures")
    case .note: t("Note")
    }
  }

  private func icon(of kind: OutboxEntry.Kind) -> FieldIcon {
    switch kind {
    case .task: .task
    case .photo: .photo
    case .track: .track
    case .set: .photo
    case .note: .note
    }
  }

  private func newestReceipts(_ unit: InspectorUnit) throws -> HTML? {
    let (rows, count) = try unit.receiptListings(limit: Self.newestReceipts, offset: 0)
    guard count > 0 else { return nil }
    let items = rows.map { row -> HTML in
      "<li>\(t.time(row.receipt.received)): \(held(row.receipt))</li>"
    }
    return """
      <section class="card"><h2>\(t("Receipts"))</h2><ul>\(items)</ul>
      <p class="actions"><a class="button" href="/outbox/receipts">\(t("All receipts ({1})", count))</a></p></section>
      """
  }
}
