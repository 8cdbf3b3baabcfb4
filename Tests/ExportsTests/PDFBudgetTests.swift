import Foundation
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Exports
@testable import PDFWriting

@Suite("PDF: what is made at the same time, and what is left of volumes")
struct PDFBudgetTests {
  @Test("pictures are made together as long as their pixels have room together")
  func groups() {
    let (small, large) = (12_000_000, 200_000_000)
    #expect(PDFPicture.groups(of: []) == [])
    #expect(PDFPicture.groups(of: [small, small, small, small]) == [0..<4])
    #expect(PDFPicture.groups(of: [large, large]) == [0..<1, 1..<2])
    #expect(PDFPicture.groups(of: [small, large, small, 0]) == [0..<1, 1..<2, 2..<4])
    forEachSeed { seed, random in
      let pixels = (0..<12).map { _ in Int.random(in: 0...PDFPicture.pixelsAtOnce, using: &random) }
      let groups = PDFPicture.groups(of: pixels)
      #expect(groups.flatMap(Array.init) == Array(0..<12), "seed \(seed)")
      #expect(
        groups.allSatisfy { pixels[$0].reduce(0, +) <= PDFPicture.pixelsAtOnce }, "seed \(seed)")
    }
  }

  @Test("where one volume does not get its name, none is left, and that is said")
  func volumes() throws {
    try withTemporaryDirectory { folder in
      let fonts = try #require(PDFFonts.installed(), "fonts-dejavu-core is not installed")
      let path = folder.appendingPathComponent("task.pdf").path
      let error = #expect(throws: PDFError.self) {
        try PDFDocument.write(
          DossierFixture.dossier(photos: 2), fonts: fonts, toFile: path, photosPerVolume: 1
        ) { done, _ in
          // The first volume waits for its name, which a folder takes.
          if done == 2 { mkdir(path, 0o700) }
        }
      }
      #expect(error.map { "\($0)".contains("2 volumes none is left") } == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["task.pdf"])
    }
  }
}
