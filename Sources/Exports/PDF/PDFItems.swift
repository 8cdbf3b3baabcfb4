import Inspection
import PDFWriting
import Sync
import TimeAndText

/// The items of an order with what was given for them: answers, the numbers of photos, and what the
/// office said.
struct PDFItems {
  let dossier: Dossier
  let flow: PDFFlow

  private var words: ItemWords { ItemWords(t: flow.words.t) }

  /// The height on one page, in points; 0 if the order has no items.
  var height: Double { table.rows.isEmpty ? 0 : 4 + flow.height(of: table) }

  func draw() throws(PDFError) {
    guard !table.rows.isEmpty else { return }
    flow.space(4)
    try flow.table(table)
  }

  private var table: PDFTable {
    var table = PDFTable(widths: [24, 206, PDFFlow.width - 346, 116])
    guard let items = dossier.items else { return table }
    table.head = words.columns.map { PDFTable.Cell($0, .columnHead) }
    let numbers = Dictionary(
      dossier.photos.enumerated().map { ($1.photo.id, $0 + 1) }, uniquingKeysWith: { one, _ in one }
    )
    for row in items.rows(of: dossier.task) where row.item.content != .words {
      let answer = row.answer
      table.rows.append([
        PDFTable.Cell("\(row.number)", .small),
        PDFTable.Cell(row.item.isRequired ? row.item.wording : words.optional(row.item.wording)),
        PDFTable.Cell(given(row, numbers)),
        PDFTable.Cell(answer.map { flow.words.moment($0.sealed.time) } ?? "", .small),
      ])
    }
    return table
  }

  /// Returns the things that were given for an item, in words.
  private func given(_ row: ExportedItem, _ numbers: [Identifier: Int]) -> String {
    let name = row.item.name
    var lines: [String] = []
    switch row.state {
    case .notAsked: return words.notAsked
    case .notPossible:
      if case .notPossible(let reason) = row.items.given.answers[name] {
        lines.append(words.notPossible(reason))
      }
    case .open: lines.append(words.open)
    case .done: break
    }
    if row.state != .notPossible, let told = row.answer?.sealed.words { lines.append(told) }
    let photos = (row.items.given.photos[name] ?? []) + (row.answer?.sealed.photos ?? [])
    let shown = Set(photos.compactMap { numbers[$0] }).sorted()
    if !shown.isEmpty { lines.append(words.photos(numbered: shown)) }
    if let sets = row.items.given.sets[name]?.count { lines.append(words.sets(sets)) }
    if let tracks = row.items.given.tracks[name]?.count { lines.append(words.tracks(tracks)) }
    if let reason = row.items.returned[name] { lines.append(words.returned(reason)) }
    return lines.joined(separator: "\n")
  }
}
