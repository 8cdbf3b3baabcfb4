import Evidence
import Exports
import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import TimeAndText

/// A made-up day in the field, with fixed identifiers and times, from which `exports/` is made. Its
/// data is awkward: text that needs escaping, a hole in a parcel, a photo without a heading or a
/// file, a track with a gap, a track without dates. The pictures are committed.
enum ExportFixture {
  static let time = DeviceTime(millisecondsSince1970: 1_780_302_600_000)

  /// The folder of the pictures: `ID.jpg`, and `ID.small.jpg` of a thumbnail's size.
  static let pictures = Repository.root.appendingPathComponent("Tests/Fixtures/day")

  static func selection() throws -> ExportSelection {
    let parcel = Parcel(
      identifier: "CZ-4711/2",
      rings: [
        try ring([(49.0836, 16.6382), (49.0837, 16.6391), (49.0842, 16.6390), (49.0841, 16.6381)]),
        try ring([(49.0838, 16.6384), (49.0838, 16.6386), (49.0839, 16.6386)]),
      ])
    let person = Person(agency: "north", login: "ines", role: .inspector)
    var task = InspectionTask(
      id: try id(1), agency: "north", inspector: "ines", name: "Beet <& \"clover\"> ]]>",
      type: "crop", instructions: "One photo from the middle\nand one from the edge",
      created: time, due: time.advanced(bySeconds: 864_000), note: "Žluté pole, мокро",
      parcel: parcel)
    try decide(&task, by: person)
    let photos = [
      try photo(2, task: task.id, azimuth: 20.4, elevation: -5.2, origin: .camera),
      try photo(3, task: task.id, azimuth: nil, elevation: nil, origin: .imported),
    ]
    var selection = ExportSelection(
      title: "Standpoint: ines, north",
      tasks: [
        ExportSelection.TaskPart(
          task: task, photos: photos, tracks: [try track(5, task: task.id, dated: true)])
      ],
      photos: [try photo(4, task: nil, azimuth: 271.3, elevation: 0, origin: .camera)],
      tracks: [try track(6, task: nil, dated: false)])
    selection.claims = [photos[0].id: try claims()]
    return selection
  }

  /// Performs the inspector's first try and the officer's return of it.
  private static func decide(_ task: inout InspectionTask, by ines: Person) throws {
    let omar = Person(agency: "north", login: "omar", role: .officer)
    let steps: [(TaskAction, Person, String?)] = [
      (.open, ines, nil), (.provide, ines, nil),
      (.returnToInspector, omar, "Λείπει η φωτογραφία από τη βόρεια πλευρά"),
    ]
    for (index, step) in steps.enumerated() {
      _ = try task.perform(
        step.0, by: step.1, id: try id(11 + index),
        at: time.advanced(bySeconds: Double(index) * 7200), reason: step.2,
        contents: TaskContents(photos: 2))
    }
  }

  static func id(_ number: Int) throws -> Identifier {
    guard let id = Identifier("019e8284-0000-7000-8000-0000000000" + String(format: "%02d", number))
    else { throw InspectionError.noteMissing }
    return id
  }

  private static func ring(_ places: [(Double, Double)]) throws -> [Coordinate] {
    try places.map { try coordinate($0.0, $0.1) }
  }

  static func coordinate(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    guard let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) else {
      throw InspectionError.noteMissing
    }
    return place
  }

  /// Returns the claims of the first photo's record about the single fix at its shutter.
  private static func claims() throws -> PhotoClaims {
    var claims = PhotoClaims()
    claims.fix = try coordinate(49.083_824, 16.638_503)
    claims.fixUncertaintyMetres95 = 3.4
    claims.fixQuality = "differential"
    claims.fixMode = .threeDimensional
    claims.satellitesUsed = 14
    claims.horizontalDilution = 0.7
    claims.fixAgeSeconds = 0.2
    claims.gate = "still"
    return claims
  }

  private static func photo(
    _ number: Int, task: Identifier?, azimuth: Double?, elevation: Double?, origin: PhotoOrigin
  ) throws -> Photo {
    let place = try coordinate(49.083_8 + Double(number) * 1e-5, 16.638_5)
    let moment = time.advanced(bySeconds: Double(number) * 60.25)
    var standpoint: Standpoint?
    if origin == .camera {
      standpoint = Standpoint(
        method: .innermostLayer, innermostLayer: place, mean: place, median: place, samples: 20,
        effectiveSamples: 4.2, layers: 5, spreadMetres: 0.214, uncertaintyMetres95: 1.76,
        hull: [place], ellipsoidalHeightMetres: 276.1, meanSeaLevelHeightMetres: 231.5,
        firstTime: moment.gnssTime, lastTime: moment.gnssTime)
    }
    // The imported photo has no file.
    let file = pictures.appendingPathComponent("\(try id(number)).jpg")
    let bytes = origin == .camera ? Array(try Data(contentsOf: file)) : nil
    return Photo(
      id: try id(number), agency: "north", inspector: "ines", task: task, origin: origin,
      gnssTime: moment.gnssTime, deviceTime: moment,
      position: PhotoPosition(
        kept: place, ellipsoidalHeightMetres: 276.1,
        meanSeaLevelHeightMetres: origin == .camera ? 231.5 : nil, uncertaintyMetres95: 1.76,
        method: origin == .camera ? .standpoint(.innermostLayer) : .fix),
      standpoint: standpoint,
      orientation: azimuth == nil
        ? nil
        : Orientation(
          azimuthDegreesTrue: azimuth, elevationDegrees: elevation, rollDegrees: 1.5,
          source: .stated),
      camera: .assumed(widthPixels: 400, heightPixels: 300),
      fileDigest: bytes.map { Digest.hexadecimal($0) } ?? String(repeating: "0a", count: 32),
      bytes: bytes?.count ?? 300_000, widthPixels: 400, heightPixels: 300,
      note: number == 2 ? "5 < 6 & so on" : nil, isSimulated: number == 4)
  }

  private static func track(_ number: Int, task: Identifier?, dated: Bool) throws -> Track {
    let corners = [(49.0836, 16.6382), (49.0837, 16.6391), (49.0842, 16.6390), (49.0841, 16.6381)]
    let points = try corners.enumerated().map { index, corner in
      let moment = time.advanced(bySeconds: 600 + Double(index) * 50).gnssTime
      return TrackPoint(
        kind: .recorded, time: dated ? moment : moment.on(nil),
        coordinate: try coordinate(corner.0, corner.1), ellipsoidalHeightMetres: 276,
        meanSeaLevelHeightMetres: dated ? 231.5 : nil, horizontalUncertaintyMetres95: 1.7,
        gapBefore: index == 2 ? .paused : nil,
        satellitesUsed: dated ? [14, nil, 12, 13][index] : nil,
        horizontalDilution: dated ? [0.7, nil, 1.1, 0.9][index] : nil)
    }
    return Track(
      id: try id(number), agency: "north", inspector: "ines", task: task,
      name: dated ? "Round the parcel" : "Without a date", started: time,
      ended: time.advanced(bySeconds: 900), isSimulated: false, points: points)
  }
}
