import Inspection

/// PDF 1.4 with embedded fonts: what an officer prints, files or sends to a court. Bytes depend on
/// the dossier and the fonts alone, never on the clock.
public enum PDFDocument {
  /// Writes the dossier of one task; the file is there whole or not at all. Photos are read, scaled
  /// down and let go one by one.
  /// - Parameter progress: called with how many photos are done, and of how many.
  /// - Throws: `PDFError`. A photo that cannot be read is no error: its page says so.
  public static func write(
    _ dossier: Dossier, fonts: PDFFonts, toFile path: String,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(PDFError) {
    let haru = try HaruDocument(fonts: fonts)
    haru.describe(
      title: dossier.task.name, author: dossier.agencyTitle,
      subject: "\(PDFWords.kind) \(dossier.task.id)", creator: dossier.software,
      language: PDFWords.language, made: dossier.made)
    let flow = try PDFFlow(haru: haru, frame: dossier.frame)
    haru.bookmark(PDFWords.task, at: flow.page)
    try PDFTaskPages(dossier: dossier, flow: flow).draw()
    let count = dossier.photos.count
    for (index, part) in dossier.photos.enumerated() {
      try PDFPhotoPages(part: part, number: index + 1, count: count, flow: flow).draw()
      progress(index + 1, count)
    }
    try PDFClosingPage(
      software: dossier.software, made: dossier.made,
      authorityFingerprint: dossier.authorityFingerprint, howToCheck: PDFWords.howToCheckText,
      flow: flow
    ).draw()
    try flow.finish()
    try haru.save(toFile: path)
  }

  /// Writes what is held of one photo without a task; the file is there whole or not at all.
  /// - Throws: `PDFError`. A photo that cannot be read is no error: its page says so.
  public static func write(
    _ dossier: PhotoDossier, fonts: PDFFonts, toFile path: String
  ) throws(PDFError) {
    let haru = try HaruDocument(fonts: fonts)
    haru.describe(
      title: dossier.frame.name, author: dossier.agencyTitle,
      subject: "\(PDFWords.photoKind) \(dossier.frame.identifier)", creator: dossier.software,
      language: PDFWords.language, made: dossier.made)
    let flow = try PDFFlow(haru: haru, frame: dossier.frame)
    haru.bookmark(PDFWords.photoKind, at: flow.page)
    try PDFPhotoCover(dossier: dossier, flow: flow).draw()
    try PDFPhotoPages(part: dossier.part, number: 1, count: 1, flow: flow).draw()
    try PDFClosingPage(
      software: dossier.software, made: dossier.made,
      authorityFingerprint: dossier.authorityFingerprint, howToCheck: PDFWords.howToCheckPhotoText,
      flow: flow
    ).draw()
    try flow.finish()
    try haru.save(toFile: path)
  }
}

extension Dossier {
  fileprivate var frame: PDFFlow.Frame {
    PDFFlow.Frame(
      kind: PDFWords.kind, name: task.name, identifier: task.id.description,
      agencyTitle: agencyTitle, isDemonstration: isDemonstration, made: made, software: software)
  }
}

extension PhotoDossier {
  fileprivate var frame: PDFFlow.Frame {
    PDFFlow.Frame(
      kind: PDFWords.photoKind, name: PDFWords.photoTitle(part.photo.deviceTime),
      identifier: part.photo.id.description, agencyTitle: agencyTitle,
      isDemonstration: isDemonstration, made: made, software: software)
  }
}
