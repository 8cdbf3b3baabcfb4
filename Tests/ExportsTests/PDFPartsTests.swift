import Evidence
import Exports
import Foundation
import Geodesy
import Inspection
import PDFWriting
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Imagery

@Suite("PDF: evidence, volumes, tracks and base maps")
struct PDFPartsTests {
  // MARK: evidence

  @Test("the evidence's digest is printed, and its list is attached with the records")
  func attached() async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier()
      let list = EvidenceList([
        .init(path: "photos/b.jpg", digest: String(repeating: "b", count: 64)),
        .init(path: "photos/a.jpg", digest: String(repeating: "a", count: 64)),
      ])
      dossier.evidence = list
      dossier.attachments = [
        Dossier.Attachment(
          name: "../Žx/1.seal", meaning: "a step", mediaType: "application/json",
          bytes: Array("{\"step\":1}".utf8))
      ]
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.complaint() == nil)
      #expect(try await pdf.words().contains("Evidence digest: \(list.digest)"))
      let attached = try await pdf.attachments()
      #expect(Set(attached.keys) == ["SHA256SUMS", "..__x_1.seal"])
      let text = String(decoding: attached["SHA256SUMS"] ?? Data(), as: UTF8.self)
      #expect(
        text == "\(String(repeating: "a", count: 64))  photos/a.jpg\n"
          + "\(String(repeating: "b", count: 64))  photos/b.jpg\n")
      #expect(Digest.hexadecimal(Array(text.utf8)) == list.digest)
      #expect(attached["..__x_1.seal"] == Data("{\"step\":1}".utf8))
      let words = try await pdf.words()
      #expect(words.contains(Digest.hexadecimal(Array("{\"step\":1}".utf8))))
    }
  }

  // MARK: a photo

  @Test(
    "a photo's digest is read from its page's code",
    .enabled(if: Program.tool("zbarimg") != nil, "zbarimg is not installed (zbar-tools)"))
  func code() async throws {
    try await withTemporaryDirectory { folder in
      let dossier = try DossierFixture.dossier(photos: 1)
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.codes(page: 2) == [dossier.photos[0].photo.fileDigest])
    }
  }

  @Test("how the receiver did is read from a record, and what is no number counts as absent")
  func reception() throws {
    let text = """
      {"integrity":{"quality":"autonomous","mode":3,"satellitesUsed":9,"satellites":[
      {"constellation":"GPS","id":3,"carrierToNoiseDecibelHertz":"41.0"},
      {"constellation":"GPS","id":7,"carrierToNoiseDecibelHertz":"45.0"},
      {"constellation":"Galileo","id":2,"carrierToNoiseDecibelHertz":"oops"}]},
      "position":{"fix":{"horizontalDilution":"0.8","horizontalUncertaintyMetres95":"2.1"}},
      "gate":{"statistics":{"speedUpperMetresPerSecond95":"0.031","fixes":8}},
      "time":{"fixAgeSeconds":4}}
      """
    let reception = Reception(record: try JSONValue(parsing: Array(text.utf8)))
    #expect(reception.quality == "autonomous")
    #expect(reception.satellitesUsed == 9)
    #expect(reception.constellations == ["GPS": 2, "Galileo": 1])
    #expect(reception.carrierToNoiseDecibelHertz == 43)
    #expect(reception.horizontalDilution == 0.8)
    #expect(reception.fixUncertaintyMetres95 == 2.1)
    #expect(reception.speedUpperMetresPerSecond95 == 0.031)
    #expect(reception.windowFixes == 8)
    #expect(reception.fixAgeSeconds == nil)
    #expect(Reception(record: .null) == Reception(record: .object([:])))
  }

  // MARK: tracks

  @Test("a track has its numbers, its gaps and a map")
  func track() async throws {
    try await withTemporaryDirectory { folder in
      let words = try await PDFReading(DossierFixture.dossier(), in: folder).words(page: 5)
      for expected in [
        "Track T1: Dookoła działki", "2026-06-01 08:30–08:45 UTC, Ines Müller (ines)",
        "Duration 200 s", "least 1.7, median 1.7, most 1.7 m", "Gaps: 1",
        "08:41:40 UTC, 50 s: the inspector had paused the recording",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
    }
  }

  // MARK: volumes

  @Test("a large dossier comes as volumes, each whole and numbered")
  func volumes() async throws {
    try await withTemporaryDirectory { folder in
      let dossier = try DossierFixture.dossier(photos: 5)
      let fonts = try #require(PDFFonts.installed())
      let file = folder.appendingPathComponent("task.pdf")
      let paths = try PDFDocument.write(
        dossier, fonts: fonts, toFile: file.path, photosPerVolume: 2)
      let names = ["task.pdf", "task-2.pdf", "task-3.pdf"]
      #expect(paths == names.map { folder.appendingPathComponent($0).path })
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names.sorted())
      for (index, path) in paths.enumerated() {
        let pdf = PDFReading(file: URL(fileURLWithPath: path))
        #expect(try await pdf.complaint() == nil)
        let words = try await pdf.words()
        #expect(words.contains("Volume \(index + 1) of 3, Page 1 of"))
        #expect(words.contains("Photo \(2 * index + 1) of 5"))
        #expect(words.contains("Track T1") == (index == 0))
        #expect(words.contains("↩ Returned") == (index == 0))
        #expect(words.contains("What no seal proves"))
        #expect(try await pdf.pictures().count == 2 * [2, 2, 1][index])
      }
      let second = try await PDFReading(file: URL(fileURLWithPath: paths[1])).words(page: 1)
      #expect(second.contains("Volume 2 of 3: photos 3 to 4"))
    }
  }

  @Test(
    "a volume's name has its number before the ending",
    arguments: [
      ("a/b.pdf", 1, "a/b.pdf"), ("a/b.pdf", 2, "a/b-2.pdf"), ("a.b/c", 3, "a.b/c-3"),
      ("/x/.pdf", 2, "/x/.pdf-2"), ("b.tar.pdf", 12, "b.tar-12.pdf"),
    ])
  func names(path: String, number: Int, expected: String) {
    #expect(PDFDocument.path(ofVolume: number, of: path) == expected)
  }

  @Test("a cancelled export leaves nothing", arguments: [0, 1, 2])
  func cancelled(after asked: Int) throws {
    try withTemporaryDirectory { folder in
      let dossier = try DossierFixture.dossier(photos: 2)
      let fonts = try #require(PDFFonts.installed())
      let file = folder.appendingPathComponent("task.pdf")
      var count = 0
      let error = #expect(throws: PDFError.self) {
        try PDFDocument.write(
          dossier, fonts: fonts, toFile: file.path, photosPerVolume: 1,
          isCancelled: {
            count += 1
            return count > asked
          })
      }
      #expect(error == .cancelled)
      #expect(error?.code == "pdf-cancelled")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }

  @Test("all photos in one file, where somebody wants that")
  func one() throws {
    try withTemporaryDirectory { folder in
      let fonts = try #require(PDFFonts.installed())
      let file = folder.appendingPathComponent("task.pdf").path
      for count in [0, 2] {
        let dossier = try DossierFixture.dossier(photos: count)
        #expect(
          try PDFDocument.write(dossier, fonts: fonts, toFile: file, photosPerVolume: .max) == [
            file
          ])
      }
    }
  }

  // MARK: base maps

  @Test("tiles lie below the map, and are named with whom they are owed to")
  func baseMap() async throws {
    try await withTemporaryDirectory { folder in
      let green = Colour(red: 20, green: 220, blue: 40)
      let tile = try PixelBuffer(width: 256, height: 256, colour: green).encodeJPEG(quality: 90)
      var dossier = try DossierFixture.dossier(photos: 1)
      var asked: Set<[Int]> = []
      dossier.baseMap = Dossier.BaseMap(
        title: "Orthophoto", attribution: "© Survey", zooms: 10...17,
        tile: { zoom, x, y in
          asked.insert([zoom, x, y])
          return tile
        })
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.complaint() == nil)
      #expect(try await pdf.words().contains("Base map: Orthophoto, © Survey."))
      #expect(asked.allSatisfy { (10...17).contains($0[0]) })
      #expect(asked.contains { $0[0] == 17 })
      // The map draws the tile paler, and still green.
      let page = try await pdf.pixels(page: 3)
      #expect(page.middle { $0 < 130 && $1 > 200 && $2 < 140 } != nil)
    }
  }

  @Test(
    "what is no tile harms nothing, and is said",
    arguments: [
      [], Array("no picture".utf8), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0],
    ])
  func noTile(bytes: [UInt8]) async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier(photos: 1)
      dossier.baseMap = Dossier.BaseMap(
        title: "Broken", attribution: nil, zooms: 0...19, tile: { _, _, _ in bytes })
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.complaint() == nil)
      #expect(
        try await pdf.words().contains(
          "The base map “Broken” has nothing here that can be drawn."))
    }
  }

  /// Draws each kind of PNG, and then refuses the same PNG with damaged bytes in the middle.
  @Test(
    "PNG tiles of every kind are taken as they are, damaged ones are not", arguments: PNGSamples.all
  )
  func png(name: String, text: String) async throws {
    try await withTemporaryDirectory { folder in
      let bytes = Array(try #require(Data(base64Encoded: text)))
      var dossier = try DossierFixture.dossier(photos: 1)
      dossier.baseMap = Dossier.BaseMap(
        title: name, attribution: nil, zooms: 0...19, tile: { _, _, _ in bytes })
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.complaint() == nil)
      #expect(try await pdf.words().contains("Base map: \(name)."))
      let page = try await pdf.pixels(page: 3)
      #expect(page.middle { $0 > 200 && $1 < 130 && $2 < 130 } != nil || name.contains("grey"))

      var damaged = bytes
      damaged[bytes.count / 2] ^= 0x55
      dossier.baseMap?.tile = { _, _, _ in damaged }
      let second = try PDFReading(dossier, in: folder, name: "damaged.pdf")
      #expect(try await second.complaint() == nil)
      #expect(try await second.words().contains("has nothing here that can be drawn"))
    }
  }
}
