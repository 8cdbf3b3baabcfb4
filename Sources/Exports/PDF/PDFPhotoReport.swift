import Inspection
import PDFWriting

/// The document of one photo: its page, then its map and the evidence.
struct PDFPhotoReport {
  let dossier: PhotoDossier
  let flow: PDFFlow

  private var words: DocumentWords { flow.words }
  private var photo: Photo { dossier.part.photo }

  func draw() throws(PDFError) {
    flow.haru.bookmark(words.photo(1), at: flow.page)
    try flow.letterhead()
    try flow.paragraph(dossier.taskName.map(words.photoOfTask) ?? words.photoAlone, .label)
    if let hidden = dossier.hidden { try flow.paragraph(words.hiddenSince(hidden), .strong) }
    if let reason = dossier.deletedReason { try flow.paragraph(words.deleted(reason), .strong) }
    flow.space(4)
    let name = dossier.inspectorName.map { "\($0) (\(photo.inspector))" } ?? photo.inspector
    try PDFPhotoPage(
      part: dossier.part, record: try dossier.part.readRecord(),
      title: words.photo(taken: words.taken(photo)), number: 1,
      picture: PDFPicture.Making(reading: [dossier.part.jpeg]).pictures()[0], parcel: nil,
      baseMap: dossier.baseMap, takenBy: name, flow: flow
    ).draw()
    try flow.newPage()
    let evidence = PDFEvidence(
      list: nil, attachments: [], authorityFingerprint: dossier.authorityFingerprint,
      howToCheck: words.howToCheckPhotoText)
    if !photo.claimsNoPlace, let map = SketchMap(of: nil, photos: [photo], tracks: []) {
      try flow.heading(words.map)
      try SketchMapDrawing(
        of: map, on: flow, over: dossier.baseMap, keeping: evidence.height(on: flow)
      ).draw()
    }
    try evidence.draw(on: flow)
  }
}
