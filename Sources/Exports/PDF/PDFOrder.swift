import Inspection
import PDFWriting
import TimeAndText

/// The order in the agency's words, its items with what was given for them, the inspector's note, and all
/// steps of the task.
struct PDFOrder {
  let task: InspectionTask
  let dossier: Dossier
  let flow: PDFFlow

  private var words: DocumentWords { flow.words }

  /// True if there is something to draw.
  var isEmpty: Bool { texts.rows.isEmpty && items.height == 0 && history.rows.isEmpty }

  /// The height on one page, in points; 0 if there is nothing to draw.
  var height: Double {
    isEmpty
      ? 0
      : PDFFlow.headingHeight + flow.height(of: texts) + items.height + flow.height(of: history) + 4
  }

  func draw() throws(PDFError) {
    guard !isEmpty else { return }
    try flow.heading(words.order)
    flow.haru.bookmark(words.order, at: flow.page)
    try flow.table(texts)
    try items.draw()
    flow.space(4)
    try flow.table(history)
  }

  private var items: PDFItems { PDFItems(dossier: dossier, flow: flow) }

  private var texts: PDFTable {
    var table = PDFTable.labelled(labels: 96)
    if let instructions = task.instructions { table.add(words.instructions, instructions) }
    if let note = task.note { table.add(words.note, note) }
    return table
  }

  private var history: PDFTable {
    var table = PDFTable(widths: [120, 124, 110, PDFFlow.width - 354])
    guard !task.history.isEmpty else { return table }
    table.head = words.historyColumns.map { PDFTable.Cell($0, .columnHead) }
    for step in task.history {
      table.rows.append([
        PDFTable.Cell(words.moment(step.time)), PDFTable.Cell(words.step(step)),
        PDFTable.Cell(dossier.name(of: step.person.login)), PDFTable.Cell(step.reason ?? ""),
      ])
    }
    return table
  }
}
