import Evidence
import Exports
import Foundation
import Inspection
import PDFWriting
import Positioning
import TimeAndText

/// The fixture's task as the dossier from which `exports/day.pdf` is made.
extension ExportFixture {
  private struct NoFile: Error, CustomStringConvertible {
    var description: String { "the file is not at hand" }
  }

  static func dossier() throws -> Dossier {
    let part = try selection().tasks[0]
    var dossier = Dossier(
      task: part.task, agencyTitle: "Zemědělská agentura Sever", inspectorName: "Ines Müller",
      photos: try part.photos.map { try photoPart($0) }, tracks: part.tracks,
      isDemonstration: true, made: time.advanced(bySeconds: 86_400), software: "standpoint",
      authorityFingerprint: String(repeating: "3f9a", count: 16),
      evidence: EvidenceList(
        part.photos.map { .init(path: "photos/\($0.id).jpg", digest: $0.fileDigest) }))
    dossier.attachments = part.tracks.map {
      Dossier.Attachment(
        name: "\($0.id).track", meaning: "the points of the track \($0.name)",
        mediaType: "application/json", bytes: Record.trackFile($0))
    }
    return dossier
  }

  /// Returns an intact photo with its checks if a camera took it; the file of an imported photo is
  /// missing.
  private static func photoPart(_ photo: Photo) throws -> Dossier.PhotoPart {
    let file = pictures.appendingPathComponent("\(photo.id).jpg")
    let missing = Finding(
      subject: "photos/\(photo.id).jpg", check: .file, severity: .incomplete,
      wording: "the file is not in the evidence")
    let isThere = photo.origin == .camera
    return Dossier.PhotoPart(
      photo: photo,
      jpeg: {
        guard isThere else { throw NoFile() }
        return Array(try Data(contentsOf: file))
      },
      verdict: isThere ? .intact : .incomplete, findings: isThere ? [] : [missing],
      checks: isThere
        ? [
          Dossier.Check(name: "Inside the parcel", value: "inside, 13.9 m", isGood: true),
          Dossier.Check(name: "Times agree", value: "+0.125 s", isGood: true),
          Dossier.Check(name: "Surroundings", value: "no cell list of the agency", isGood: nil),
        ] : [])
  }
}
