import Exports
import Foundation
import Geodesy
import Imagery
import Inspection
import Positioning
import TestSupport
import TimeAndText

@testable import Evidence

/// A made-up task with data that is awkward on paper: Latin, Greek and Cyrillic letters, a hole in
/// the parcel, a photo without a heading, an imported photo, a track with a gap.
enum DossierFixture {
  static let time = DeviceTime(millisecondsSince1970: 1_780_302_600_000)
  static let made = DeviceTime(millisecondsSince1970: 1_781_000_000_000)
  static let fingerprint = String(repeating: "3f9a", count: 16)

  /// A small picture, drawn once, because drawing is slow in a debug build.
  static let picture: Result<[UInt8], any Error> = Result {
    try DemonstrationPicture.jpeg(
      widthPixels: 320, heightPixels: 240, seed: 7, captionLines: ["STANDPOINT"])
  }

  static func dossier(photos count: Int = 3, isDemonstration: Bool = false) throws -> Dossier {
    var task = try order()
    try decide(&task)
    var parts = try (0..<count).map { try part($0) }
    if count > 2 { parts[2].photo.note = "Снимок с края поля, Świętokrzyskie" }
    return Dossier(
      task: task, agencyTitle: "Státní zemědělský intervenční fond",
      inspectorName: "Ines Müller", photos: parts, tracks: [try track()],
      isDemonstration: isDemonstration, made: made, software: "standpoint 1.0",
      authorityFingerprint: fingerprint)
  }

  // MARK: the task

  private static func order() throws -> InspectionTask {
    InspectionTask(
      id: try id(1), agency: "north", inspector: "ines",
      name: "Χωράφι με τεύτλα <& \"Beet\"> — Žďár nad Sázavou", type: "crop",
      instructions: "One photo from the middle, one from the edge.\nPříliš žluťoučký kůň",
      created: time, due: time.advanced(bySeconds: 864_000), note: "Žluté pole, мокро",
      parcel: Parcel(
        identifier: "CZ-4711/2",
        rings: [
          try ring([
            (49.0836, 16.6382), (49.0837, 16.6391), (49.0842, 16.6390), (49.0841, 16.6381),
          ]),
          try ring([(49.0838, 16.6384), (49.0838, 16.6386), (49.0839, 16.6386)]),
        ]))
  }

  private static func decide(_ task: inout InspectionTask) throws {
    let ines = Person(agency: "north", login: "ines", role: .inspector)
    let omar = Person(agency: "north", login: "omar", role: .officer)
    let steps: [(TaskAction, Person, String?)] = [
      (.open, ines, nil), (.provide, ines, nil),
      (.returnToInspector, omar, "Λείπει η φωτογραφία από τη βόρεια πλευρά"), (.provide, ines, nil),
      (.returnToInspector, omar, "Brakuje zdjęcia z południa"),
    ]
    for (index, step) in steps.enumerated() {
      _ = try task.perform(
        step.0, by: step.1, id: try id(11 + index),
        at: time.advanced(bySeconds: Double(index + 1) * 7200.25), reason: step.2,
        contents: TaskContents(photos: 3))
    }
  }

  // MARK: photos

  static func part(_ index: Int) throws -> Dossier.PhotoPart {
    let photo = try photo(index)
    let kind = index % 3
    let findings = [
      Finding(
        subject: "photos/\(photo.id).jpg", check: .origin, severity: .note,
        wording: "the record declares an imported picture"),
      Finding(
        subject: "key 4f2a", check: .times, severity: .doubtful,
        wording: "the device's clock was set back by 12.4 s"),
    ]
    return Dossier.PhotoPart(
      photo: photo, jpeg: { try picture.get() },
      verdict: [.intact, .doubtful, nil][kind], findings: kind == 1 ? findings : [],
      checks: kind == 2
        ? []
        : [
          Dossier.Check(name: "Inside the parcel", value: "inside, 14.2 m", isGood: true),
          Dossier.Check(
            name: "Times agree", value: kind == 0 ? "+0.125 s" : "−12.4 s", isGood: kind == 0),
          Dossier.Check(name: "Surroundings", value: "no cell list of the agency", isGood: nil),
        ])
  }

  private static func photo(_ index: Int) throws -> Photo {
    let kind = index % 3
    let place = try coordinate(
      49.083_85 + Double(index % 4) * 7e-5, 16.638_412_34 + Double(index / 4) * 9e-5)
    let moment = time.advanced(bySeconds: 3600 + Double(index) * 60.25)
    var standpoint: Standpoint?
    if kind == 0 {
      standpoint = Standpoint(
        method: .innermostLayer, innermostLayer: place, mean: place, median: place, samples: 20,
        effectiveSamples: 4.2, layers: 5, spreadMetres: 0.214, uncertaintyMetres95: 1.76,
        hull: [place], ellipsoidalHeightMetres: 276.1, meanSeaLevelHeightMetres: 231.5,
        firstTime: moment.gnssTime, lastTime: moment.gnssTime)
    }
    var orientation = Orientation(
      azimuthDegreesTrue: Double((index * 70 + 20) % 360) + 0.4, elevationDegrees: -5.2,
      rollDegrees: 1.5, source: .deviceSensors)
    orientation.azimuthAccuracyDegrees = 6.5
    orientation.headingDegreesMagnetic = 16.1
    orientation.declinationDegrees = 4.3
    return Photo(
      id: try id(20 + index), agency: "north", inspector: "ines", task: try id(1),
      origin: kind == 1 ? .imported : .camera,
      gnssTime: kind == 2 ? moment.gnssTime.on(nil) : moment.gnssTime,
      deviceTime: moment.advanced(bySeconds: 0.125),
      position: PhotoPosition(
        kept: place, ellipsoidalHeightMetres: kind == 2 ? nil : 276.1,
        meanSeaLevelHeightMetres: kind == 0 ? 231.5 : nil,
        uncertaintyMetres95: kind == 2 ? nil : 1.76,
        method: kind == 0 ? .standpoint(.innermostLayer) : .fix),
      standpoint: standpoint, orientation: kind == 2 ? nil : orientation,
      camera: .assumed(widthPixels: 4000, heightPixels: 3000),
      fileDigest: String(repeating: "0a", count: 32), bytes: 3_214_112, widthPixels: 4000,
      heightPixels: 3000, note: kind == 0 ? "5 < 6 & so on" : nil, isSimulated: kind == 1)
  }

  // MARK: tracks

  private static func track() throws -> Track {
    let corners = [
      (49.0836, 16.6382), (49.0837, 16.6391), (49.0842, 16.6390), (49.0841, 16.6381),
      (49.083_65, 16.638_15),
    ]
    let points = try corners.enumerated().map { index, corner in
      TrackPoint(
        kind: .recorded, time: time.advanced(bySeconds: 600 + Double(index) * 50).gnssTime,
        coordinate: try coordinate(corner.0 + 2e-5, corner.1 + 2e-5),
        ellipsoidalHeightMetres: 276, meanSeaLevelHeightMetres: 231.5,
        horizontalUncertaintyMetres95: 1.7, gapBefore: index == 2 ? .paused : nil)
    }
    return Track(
      id: try id(5), agency: "north", inspector: "ines", task: try id(1),
      name: "Dookoła działki", started: time, ended: time.advanced(bySeconds: 900),
      isSimulated: false, points: points)
  }

  // MARK: parts

  static func coordinate(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try ExportFixture.coordinate(latitude, longitude)
  }

  private static func ring(_ places: [(Double, Double)]) throws -> [Coordinate] {
    try places.map { try coordinate($0.0, $0.1) }
  }

  private static func id(_ number: Int) throws -> Identifier {
    guard let id = Identifier("019e8284-0000-7000-8000-000000000" + String(format: "%03d", number))
    else { throw InspectionError.noteMissing }
    return id
  }
}
