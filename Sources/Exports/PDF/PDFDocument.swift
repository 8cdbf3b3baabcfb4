import Evidence
import Foundation
import Inspection
import PDFWriting

/// A PDF 1.7 with embedded fonts, which an officer prints, files or sends to a court. Its bytes
/// depend only on the dossier and the fonts, never on the clock.
public enum PDFDocument {
  /// The number of photos in a volume: some 150 MB on the disk, and pages that a reader still turns
  /// quickly.
  public static let photosPerVolume = 500

  /// Returns the path of a volume: the first volume has the given path, and the others have `-2`,
  /// `-3` and so on before the ending.
  public static func path(ofVolume number: Int, of path: String) -> String {
    guard number > 1 else { return path }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let name = path.dropFirst(folder.count)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      return "\(path)-\(number)"
    }
    return "\(folder)\(name[..<dot])-\(number)\(name[dot...])"
  }

  /// Writes the dossier of one task. Either all of its volumes are there whole, or none is; the
  /// first appears last. Photos are read, scaled down and released a few at a time, and their
  /// pictures wait on the disk, next to the file: memory does not grow with the pictures.
  /// - Parameters:
  ///   - photosPerVolume: the number of photos in a volume; less than 1 counts as 1.
  ///   - progress: called after each photo with the number of photos done and the number of all
  ///     photos.
  ///   - isCancelled: asked before each handful of photos, and before the volumes get their names.
  /// - Returns: the volumes' paths.
  /// - Throws: `PDFError`. A photo that cannot be read is no error: its page says so.
  @discardableResult
  public static func write(
    _ dossier: Dossier, fonts: PDFFonts, toFile path: String,
    photosPerVolume: Int = PDFDocument.photosPerVolume,
    progress: (Int, Int) -> Void = { _, _ in }, isCancelled: () -> Bool = { false }
  ) throws(PDFError) -> [String] {
    let count = dossier.photos.count
    let size = min(max(1, photosPerVolume), max(1, count))
    let volumes = max(1, (count + size - 1) / size)
    var written: [(part: String, path: String)] = []
    defer { for file in written { unlink(file.part) } }
    for number in 1...volumes {
      let volume = PDFVolume(
        dossier: dossier, number: number, count: volumes,
        photos: (number - 1) * size..<min(number * size, count))
      let target = Self.path(ofVolume: number, of: path)
      var frame = dossier.frame
      if volumes > 1 { frame.volume = (number, volumes) }
      let part = try write(frame, dossier.language, fonts: fonts, beside: target) {
        (flow) throws(PDFError) in
        try volume.draw(on: flow, progress: progress, isCancelled: isCancelled)
      }
      written.append((part, target))
    }
    if isCancelled() { throw .cancelled }
    try putAll(written)
    return written.map(\.path)
  }

  /// Gives all volumes their names; if one of them cannot get its name, none keeps it.
  private static func putAll(_ volumes: [(part: String, path: String)]) throws(PDFError) {
    var done: [String] = []
    do throws(PDFError) {
      for volume in volumes.reversed() {
        try HaruDocument.put(volume.part, at: volume.path)
        done.append(volume.path)
      }
    } catch {
      for path in done { unlink(path) }
      guard case .notWritten(let path, let reason) = error, volumes.count > 1 else { throw error }
      throw .notWritten(
        path: path,
        reason: "\(reason); of the document's \(volumes.count) volumes none is left,"
          + " so that nobody takes some of them for all")
    }
  }

  /// Writes the document of one photo; the file is there whole or not at all.
  /// - Throws: `PDFError`. A photo that cannot be read is no error: its page says so.
  public static func write(
    _ dossier: PhotoDossier, fonts: PDFFonts, toFile path: String
  ) throws(PDFError) {
    try write(dossier.frame, dossier.language, fonts: fonts, toFile: path) {
      (flow) throws(PDFError) in
      try PDFPhotoReport(dossier: dossier, flow: flow).draw()
    }
  }

  /// Writes the document of one set of pictures; the file is there whole or not at all.
  /// - Throws: `PDFError`. A picture that cannot be read is no error: its place says so.
  public static func write(
    _ dossier: SetDossier, fonts: PDFFonts, toFile path: String
  ) throws(PDFError) {
    try write(dossier.frame, dossier.language, fonts: fonts, toFile: path) {
      (flow) throws(PDFError) in
      try PDFSetReport(dossier: dossier, flow: flow).draw()
    }
  }

  /// Writes a document with its pages; the file is there whole or not at all.
  static func write(
    _ frame: PDFFlow.Frame, _ language: DocumentLanguage, fonts: PDFFonts, toFile path: String,
    _ pages: (PDFFlow) throws(PDFError) -> Void
  ) throws(PDFError) {
    let part = try write(frame, language, fonts: fonts, beside: path, pages)
    defer { unlink(part) }
    try HaruDocument.put(part, at: path)
  }

  /// Writes a document with its pages.
  /// - Returns: the temporary path, in the target's folder, at which the document now is.
  private static func write(
    _ frame: PDFFlow.Frame, _ language: DocumentLanguage, fonts: PDFFonts, beside path: String,
    _ pages: (PDFFlow) throws(PDFError) -> Void
  ) throws(PDFError) -> String {
    let haru = try HaruDocument(fonts: fonts, for: path)
    haru.describe(
      title: frame.name, author: frame.agencyTitle, subject: "\(frame.kind) \(frame.identifier)",
      creator: frame.software, language: language.tag, made: frame.made)
    let flow = try PDFFlow(haru: haru, frame: frame, words: DocumentWords(t: language))
    try pages(flow)
    try flow.finish()
    return try haru.write(beside: path)
  }
}

extension Dossier {
  fileprivate var frame: PDFFlow.Frame {
    PDFFlow.Frame(
      kind: DocumentWords(t: language).kind, name: task.name, identifier: task.id.description,
      agencyTitle: agencyTitle, isDemonstration: isDemonstration, made: made, software: software)
  }
}

extension PhotoDossier {
  fileprivate var frame: PDFFlow.Frame {
    PDFFlow.Frame(
      kind: DocumentWords(t: language).photoKind,
      name: DocumentWords(t: language).photo(taken: DocumentWords(t: language).taken(part.photo)),
      identifier: part.photo.id.description, agencyTitle: agencyTitle,
      isDemonstration: isDemonstration, made: made, software: software)
  }
}

extension SetDossier {
  fileprivate var frame: PDFFlow.Frame {
    let words = DocumentWords(t: language)
    return PDFFlow.Frame(
      kind: words.onSets.kind, name: words.onSets.title(part.set),
      identifier: part.set.id.description,
      agencyTitle: agencyTitle, isDemonstration: isDemonstration, made: made, software: software)
  }
}
