import Evidence
import Exports
import Inspection
import PDFWriting
import TimeAndText
import Web

/// The words around a set's PDF, as its side has them.
package struct SetPaper: Sendable {
  let agencyTitle: String
  let isDemonstration: Bool
  let made: DeviceTime
  let software: String

  /// Creates the words.
  /// - Parameters:
  ///   - agencyTitle: the agency's name for people.
  ///   - isDemonstration: true if everything is a demonstration.
  ///   - made: the time at which the document is made.
  ///   - software: the name and version of the program that makes it.
  package init(agencyTitle: String, isDemonstration: Bool, made: DeviceTime, software: String) {
    (self.agencyTitle, self.isDemonstration) = (agencyTitle, isDemonstration)
    (self.made, self.software) = (made, software)
  }

  /// Writes the PDF of a set; the file is there whole or not at all.
  package func write(
    _ part: Dossier.SetPart, ofTask task: String?, in language: DocumentLanguage,
    toFile path: String
  ) throws(PDFError) {
    var dossier = SetDossier(
      part: part, agencyTitle: agencyTitle, taskName: task, isDemonstration: isDemonstration,
      made: made, software: software)
    dossier.language = language
    try PDFDocument.write(dossier, fonts: try PDFFonts.required(), toFile: path)
  }
}

extension SetFlow {
  /// Returns a set as PDF: its facts, its ring, and eight views.
  func paper(_ text: String) async throws -> WebResponse {
    let (set, record) = try await site.frameSet(text)
    let paper = try await site.paper()
    let inspector = try await site.name(ofInspector: set.inspector)
    let task = try await site.taskName(of: set)
    let frames = await views(of: set)
    return try await .made(
      ending: "pdf", mediaType: "application/pdf", fileName: "set-\(set.id).pdf"
    ) { [site, t] path, _ in
      let part = Dossier.SetPart(
        set, inspectorName: inspector == set.inspector ? nil : inspector, record: record
      ) { number in
        guard let frame = frames[number] else {
          throw site.impossible("picture \(number) was not read")
        }
        return try frame.get()
      }
      do {
        try paper.write(part, ofTask: task, in: DocumentLanguage(t), toFile: path)
      } catch {
        throw site.impossible("\(error)")
      }
    }
  }

  /// Reads the frames that a document shows, by their numbers: it asks for them while it is drawn, and
  /// cannot wait.
  private func views(of set: FrameSet) async -> [Int: Result<[UInt8], any Error>] {
    var frames: [Int: Result<[UInt8], any Error>] = [:]
    for index in set.views().compactMap(\.frame) {
      do {
        frames[index + 1] = .success(try await sealedFrame(index + 1, of: set))
      } catch {
        frames[index + 1] = .failure(error)
      }
    }
    return frames
  }

  /// Returns the bytes of a frame, which were compared with the digest that was sealed.
  private func sealedFrame(_ number: Int, of set: FrameSet) async throws -> [UInt8] {
    switch try await site.content(ofFrame: number, of: set) {
    case .bytes(let bytes): bytes
    case .file: try await site.frame(number, of: set)
    }
  }
}
