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
    try write(
      dossier.frame, beginningWith: PDFWords.task, howToCheck: PDFWords.howToCheckText,
      dossier.authorityFingerprint, fonts: fonts, toFile: path
    ) { (flow) throws(PDFError) in
      try PDFTaskPages(dossier: dossier, flow: flow).draw()
      let count = dossier.photos.count
      for (index, part) in dossier.photos.enumerated() {
        try PDFPhotoPages(part: part, number: index + 1, count: count, flow: flow).draw()
        progress(index + 1, count)
      }
    }
  }

  /// Writes what is held of one photo without a task; the file is there whole or not at all.
  /// - Throws: `PDFError`. A photo that cannot be read is no error: its page says so.
  public static func write(
    _ dossier: PhotoDossier, fonts: PDFFonts, toFile path: String
  ) throws(PDFError) {
    try write(
      dossier.frame, beginningWith: PDFWords.photoKind, howToCheck: PDFWords.howToCheckPhotoText,
      dossier.authorityFingerprint, fonts: fonts, toFile: path
    ) { (flow) throws(PDFError) in
      try PDFPhotoCover(dossier: dossier, flow: flow).draw()
      try PDFPhotoPages(part: dossier.part, number: 1, count: 1, flow: flow).draw()
    }
  }

  private static func write(
    _ frame: PDFFlow.Frame, beginningWith bookmark: String, howToCheck: String,
    _ authorityFingerprint: String?, fonts: PDFFonts, toFile path: String,
    _ pages: (PDFFlow) throws(PDFError) -> Void
  ) throws(PDFError) {
    let haru = try HaruDocument(fonts: fonts)
    haru.describe(
      title: frame.name, author: frame.agencyTitle, subject: "\(frame.kind) \(frame.identifier)",
      creator: frame.software, language: PDFWords.language, made: frame.made)
    let flow = try PDFFlow(haru: haru, frame: frame)
    haru.bookmark(bookmark, at: flow.page)
    try pages(flow)
    try PDFClosingPage(
      software: frame.software, made: frame.made, authorityFingerprint: authorityFingerprint,
      howToCheck: howToCheck, flow: flow
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
