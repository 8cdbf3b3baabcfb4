import CHaru
import Foundation
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Exports
@testable import PDFWriting

@Suite("PDF: a disk that takes nothing")
struct PDFFullDiskTests {
  /// Returns a document whose spill file takes no bytes.
  private func document() throws -> HaruDocument {
    let fonts = try #require(PDFFonts.installed(), "fonts-dejavu-core is not installed")
    let spill = HaruSpill(file: open("/dev/null", O_RDONLY | O_CLOEXEC), of: "full.pdf")
    return try HaruDocument(fonts: fonts, for: "full.pdf", spill: spill)
  }

  @Test("an object of libharu's keeps the stream that it had, which is freed once")
  func stream() throws {
    let document = try document()
    let handle = document.document
    let object = try #require(HPDF_DictStream_New(handle.pointee.mmgr, handle.pointee.xref))
    #expect(throws: PDFError.self) { try document.replaceStream(of: object, with: [1, 2, 3]) }
    #expect(HPDF_Stream_Validate(object.pointee.stream) == HPDF_BOOL(HPDF_TRUE))
  }

  @Test("attachments, tiles and pictures are refused, and the document is freed as ever")
  func refused() throws {
    let document = try document()
    let attachment = Dossier.Attachment(
      name: "a", meaning: "a", mediaType: "text/plain", bytes: [1, 2, 3])
    #expect(throws: PDFError.self) {
      try document.attach([attachment], made: DeviceTime(millisecondsSince1970: 0))
    }
    for (index, (kind, sample)) in PNGSamples.all.enumerated() {
      let png = [UInt8](try #require(Data(base64Encoded: sample)))
      #expect(throws: PDFError.self, "\(kind)") { _ = try document.tile([index, 0, 0]) { png } }
    }
    withExtendedLifetime(document) {}
  }
}
