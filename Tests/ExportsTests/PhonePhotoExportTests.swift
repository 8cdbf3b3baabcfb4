import Evidence
import Foundation
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Exports

@Suite("Photos of phones in exports")
struct PhonePhotoExportTests {
  /// Returns one photo of a phone's app. Without `date` its receiver told no time, and the phone's
  /// time of day stands in.
  private func selection(date: Bool = false) throws -> ExportSelection {
    var selection = try ExportFixture.selection()
    selection.tasks = []
    selection.tracks = []
    selection.photos[0].origin = .egnss4cap
    let time = selection.photos[0].gnssTime
    selection.photos[0].gnssTime = try #require(
      GNSSTime(
        millisecondsSinceMidnight: time.millisecondsSinceMidnight, date: date ? time.date : nil))
    return selection
  }

  @Test(
    "a time that no receiver told is given as nobody's",
    arguments: [ExportFormat.kml, .gpx, .geojson, .csv])
  func untold(format: ExportFormat) throws {
    let photo = try selection().photos[0]
    let text = try ExportFilesFixture.text(selection(), as: format)
    // The device's time is given, with its date.
    let device = photo.deviceTime.rfc3339
    #expect(text.contains(device))
    let bare = text.replacingOccurrences(of: device, with: "")
    #expect(!bare.contains(photo.gnssTime.timeOfDay), "\(format)")
    #expect(!bare.contains(device.prefix(19)))
  }

  @Test("one that a dated sentence told is given")
  func told() throws {
    let text = try ExportFilesFixture.text(selection(date: true), as: .geojson)
    #expect(text.contains("\"gnssTime\":\"\(try selection().photos[0].deviceTime.rfc3339)\""))
  }

  @Test("the PDF claims neither a time nor a difference of clocks")
  func pdf() async throws {
    let photo = try selection().photos[0]
    #expect(photo.toldGNSSTime == nil && photo.timeText == photo.deviceTime.rfc3339)
    var dossier = try ExportFixture.dossier()
    dossier.photos.removeLast()
    dossier.photos[0].photo.origin = .egnss4cap
    dossier.photos[0].photo.gnssTime = photo.gnssTime
    try await withTemporaryDirectory { folder in
      let words = try await PDFReading(dossier, in: folder).words()
      #expect(words.contains("UTC, by the device's clock"))
      #expect(!words.contains("ahead of the receiver's"))
      #expect(!words.contains(photo.gnssTime.timeOfDay))
    }
  }
}
