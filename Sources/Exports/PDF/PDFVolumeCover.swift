import Inspection

/// The first page of a further volume: its task, and the photos in it.
struct PDFVolumeCover {
  let dossier: Dossier
  let volume: (number: Int, count: Int)
  let photos: Range<Int>
  let flow: PDFFlow

  func draw() throws(PDFError) {
    flow.haru.bookmark(PDFWords.task, at: flow.page)
    try flow.letterhead()
    let name = dossier.task.name
    try flow.paragraph(name, name.count <= 120 ? .title : .longTitle)
    flow.space(4)
    try flow.paragraph(
      PDFWords.volumeHolds(volume.number, of: volume.count, photos: photos), .state)
    flow.space(8)
    var table = PDFTable.labelled()
    table.add(PDFWords.agency, dossier.task.agency)
    table.add(PDFWords.identifier, dossier.task.id.description)
    table.add(PDFWords.evidenceDigest, dossier.evidence?.digest ?? PDFWords.notKnown)
    try flow.table(table)
    flow.space(4)
    try flow.paragraph(PDFWords.volumeFirst)
  }
}
