import Inspection
import TimeAndText

/// The first page of the document of one photo: its inspector, its arrival, and the place where it
/// was taken.
struct PDFPhotoCover {
  let dossier: PhotoDossier
  let flow: PDFFlow

  private var photo: Photo { dossier.part.photo }

  func draw() throws(PDFError) {
    try flow.letterhead()
    try flow.paragraph(PDFWords.photoTitle(photo.deviceTime), .title)
    flow.space(4)
    try flow.paragraph(dossier.taskName.map(PDFWords.photoOfTask) ?? PDFWords.photoAlone, .label)
    flow.space(8)
    var words = PDFTable.labelled()
    words.add(
      PDFWords.inspector,
      dossier.inspectorName.map { "\($0) (\(photo.inspector))" } ?? photo.inspector)
    words.add(PDFWords.agency, photo.agency)
    words.add(PDFWords.identifier, photo.id.description)
    words.add(PDFWords.receipt, photo.delivered.map(PDFWords.seconds) ?? PDFWords.notKnown)
    words.add(PDFWords.note, photo.note ?? PDFWords.none)
    if let hidden = dossier.hidden {
      words.add(PDFWords.hidden, PDFWords.hiddenSince(hidden))
    }
    if let reason = dossier.deletedReason { words.add(PDFWords.deleted, reason) }
    try flow.table(words)
    guard let map = SketchMap(of: nil, photos: [photo], tracks: []) else { return }
    try flow.heading(
      PDFWords.map, keeping: SketchMapDrawing.heightAtLeast + SketchMapDrawing.wordsHeight)
    try SketchMapDrawing(of: map, on: flow, over: dossier.baseMap).draw()
  }
}
