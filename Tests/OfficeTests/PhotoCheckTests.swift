import Evidence
import Exports
import FieldUnit
import Foundation
import Geodesy
import Imagery
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Web

@testable import Judgement
@testable import Office
@testable import OfficeExporting
@testable import OfficePages

/// The office's checks of each photo that arrives: stored with their numbers, and shown.
@Suite("The office's checks of photos", .timeLimit(.minutes(5)))
struct PhotoCheckTests {
  private func check(_ name: PhotoCheck.Name, of photo: ReceivedPhoto) throws -> PhotoCheck {
    try #require(photo.checks.first { $0.name == name }, "\(name) is not among \(photo.checks)")
  }

  @Test("each check is stored with its numbers, and shown on the page and in the PDF's words")
  func stored() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await _ = scene.order()
      let (unit, task) = try await scene.working()
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      let photo = try #require(
        try await scene.office.review.view(of: task.id, in: "north").photos.first)
      let expected: [PhotoCheck.Name] = [
        .seal, .issuer, .file, .chain, .standpoint, .times, .parcel, .aim, .order, .reused,
        .similar, .origin, .receiver, .surroundings,
      ]
      #expect(photo.checks.map(\.name) == expected)
      for name in [
        PhotoCheck.Name.seal, .issuer, .file, .chain, .standpoint, .parcel, .order,
      ] {
        let one = try check(name, of: photo)
        #expect(one.outcome == .agrees, "\(one)")
      }
      #expect(try check(.standpoint, of: photo)[.recomputedDifferenceMetres] ?? 1 < 0.001)
      #expect(try check(.standpoint, of: photo)[.samples] == 4)
      #expect(try check(.parcel, of: photo)[.distanceMetres] == 0)
      #expect(try check(.aim, of: photo).outcome == .unclear, "nobody knows how it was tilted")
      #expect(try check(.aim, of: photo)[.azimuthDegreesTrue] == 20)
      #expect(try check(.aim, of: photo)[.reachMetres] ?? 0 > 1000)
      #expect(try check(.origin, of: photo).outcome == .unclear, "a replay says that it is one")
      #expect(try check(.times, of: photo).outcome == .notCheckable)
      #expect(try check(.similar, of: photo).outcome == .notCheckable, "one colour shows nothing")
      for check in photo.checks {
        let line = CheckWords(t: .english).line(check)
        #expect(!line.name.isEmpty && !line.value.isEmpty, "\(check)")
        #expect(!line.value.contains("?") && !line.value.contains("{"), "\(line)")
      }
    }
  }

  @Test("an order that is changed has where its photos were taken judged anew")
  func changedOrder() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await _ = scene.order()
      let (unit, task) = try await scene.working()
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      try await scene.office.review.decide(
        .returnToInspector, on: task.id, by: scene.person("otto"), reason: "the outline was wrong",
        seen: 2)
      let elsewhere = try #require(
        Parcel(
          identifier: "P-2",
          rings: [
            [(49.2, 16.62), (49.2, 16.64), (49.21, 16.64)].compactMap {
              Coordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1)
            }
          ]))
      try await scene.office.orders.changeOrder(of: task.id, in: "north", by: "otto") {
        $0.parcel = elsewhere
      }
      let photo = try #require(
        try await scene.office.review.view(of: task.id, in: "north").photos.first)
      #expect(try check(.parcel, of: photo).outcome == .contradicts)
      #expect(try check(.parcel, of: photo)[.distanceMetres] ?? 0 > 13_000)
      #expect(try check(.order, of: photo)[.latestRevision] == 2)
      #expect(try check(.seal, of: photo).outcome == .agrees, "what does not depend on it stays")
    }
  }

  @Test("a photo that looks like an earlier one is a hint with its distance, and names it")
  func similar() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let field = try DemonstrationPicture.jpeg(
        widthPixels: 320, heightPixels: 240, seed: 4, captionLines: [])
      let smaller = try PixelBuffer(decoding: field, maximumSide: 200).encodeJPEG(quality: 60)
      let first = try await scene.capture(unit, nil, 1, picture: field)
      let second = try await scene.capture(unit, nil, 2, picture: smaller)
      let third = try await scene.capture(unit, nil, 3, picture: field)
      try unit.sendPhotos([first.id, second.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      try unit.sendPhotos([third.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      let photos = try await scene.office.database.read(in: "north") {
        try $0.photos.list(.standalone)
      }
      let byID = Dictionary(uniqueKeysWithValues: photos.map { ($0.photo.id, $0) })
      let one = try check(.similar, of: try #require(byID[first.id]))
      #expect(one.outcome == .agrees && one[.others] == 0)
      let two = try check(.similar, of: try #require(byID[second.id]))
      #expect(two.outcome == .unclear && two.photos == [first.id])
      #expect(two[.distanceBits].map { $0 <= 14 } == true)
      let three = try check(.similar, of: try #require(byID[third.id]))
      #expect(three.photos.first == first.id && three[.others] == 2)
      #expect(three[.distanceBits] == 0)
      #expect(try check(.reused, of: try #require(byID[third.id])).photos == [first.id])
      #expect(byID.values.allSatisfy { $0.verdict == .intact }, "a likeness is never an alarm")
      let elsewhere = try await scene.office.database.read(in: "south") { session in
        var blocks = 0
        try session.checks.forEachLikenessBlock { _, _ in blocks += 1 }
        return blocks
      }
      #expect(elsewhere == 0, "another agency's pictures are not compared")
    }
  }

  @Test("likenesses are kept in blocks, in their order, however many come at once")
  func blocks() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      var random = SystemRandomNumberGenerator()
      let all = (0..<3000).map { number in
        (
          photo: Identifier(at: scene.clock.deviceTime, using: &random),
          bytes: [UInt8(number % 256)] + [UInt8](repeating: UInt8(number / 256), count: 23)
        )
      }
      for part in [all[0..<1], all[1..<1024], all[1024..<1030], all[1030..<3000]] {
        try await scene.office.database.write(in: "north") {
          try $0.checks.keep(likenesses: Array(part))
        }
      }
      var photos: [UInt8] = []
      var likenesses: [UInt8] = []
      var sizes: [Int] = []
      try await scene.office.database.read(in: "north") { session in
        try session.checks.forEachLikenessBlock {
          photos += $0
          likenesses += $1
          sizes.append($1.count / 24)
        }
      }
      #expect(sizes == [1024, 1024, 952])
      #expect(photos == all.flatMap { Array($0.photo.description.utf8) })
      #expect(likenesses == all.flatMap(\.bytes))
    }
  }

  @Test("what was deleted before it was sent is told with time and reason")
  func deleted() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await _ = scene.order()
      let (unit, task) = try await scene.working(photos: 2)
      let victim = try #require(try unit.photos(.task(task.id)).first)
      try unit.deletePhoto(victim.id, reason: "blurred")
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      let photo = try await scene.office.database.read(in: "north") {
        try $0.photos.photo(victim.id)
      }
      let told = try check(.deleted, of: photo)
      #expect(told.outcome == .unclear)
      #expect(
        told.reason?.text.contains("blurred") == true
          && told.reason?.text.contains("2026-06-01") == true)
      #expect(photo.deleted != nil)
      #expect(try check(.file, of: photo).outcome == .notCheckable)
      #expect(try check(.standpoint, of: photo).outcome == .notCheckable)
      #expect(try check(.seal, of: photo).outcome == .agrees)
    }
  }

  // MARK: checks one by one

  /// Delivers a photo, and returns it with its sealed record, which the tests change.
  private func delivered(
    _ folder: URL
  ) async throws -> (scene: OfficeScene, photo: Photo, task: InspectionTask, seal: SealFile) {
    let scene = try await OfficeScene(folder)
    try await _ = scene.order()
    let (unit, task) = try await scene.working()
    try unit.provideTask(task.id)
    _ = try await unit.delivery.deliver(over: scene.link)
    let view = try await scene.office.review.view(of: task.id, in: "north")
    let photo = try #require(view.photos.first).photo
    let seal = try await scene.office.database.read(in: "north") {
      try $0.seals.seal(of: photo.id, .capture)
    }
    return (scene, photo, view.task, try #require(seal))
  }

  private func place(_ east: Double, _ north: Double, of origin: Coordinate) -> Coordinate {
    LocalPlane(origin: origin).coordinate(of: PlanePoint(eastMetres: east, northMetres: north))
  }

  @Test("a photo 1 km east, west, north or south of its parcel contradicts, with the distance")
  func outside() async throws {
    try await withTemporaryDirectory { folder in
      let (_, photo, task, _) = try await delivered(folder)
      let parcel = try #require(task.parcel)
      for (coordinate, azimuth) in [
        (49.08, 16.64, 1000.0, 0.0, 270.0), (49.08, 16.62, -1000, 0, 90),
        (49.09, 16.63, 0, 1000, 180), (49.07, 16.63, 0, -1000, 0),
      ].compactMap({ entry in
        Coordinate(latitudeDegrees: entry.0, longitudeDegrees: entry.1).map {
          (place(entry.2, entry.3, of: $0), entry.4)
        }
      }) {
        var moved = photo
        moved.position = PhotoPosition(
          kept: coordinate, ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
          uncertaintyMetres95: 2, method: .fix)
        func aim(_ degrees: Double, accuracy: Double? = 2) -> PhotoCheck? {
          var orientation = Orientation(
            azimuthDegreesTrue: degrees, elevationDegrees: 0, rollDegrees: 0, source: .stated)
          orientation.azimuthAccuracyDegrees = accuracy
          moved.orientation = orientation
          return PlaceChecks(photo: moved, revision: 1, task: task).checks()
            .first { $0.name == .aim }
        }
        let checks = PlaceChecks(photo: moved, revision: 1, task: task).checks()
        let distance = try #require(checks.first { $0.name == .parcel })
        #expect(distance.outcome == .contradicts)
        #expect(abs((distance[.distanceMetres] ?? 0) - 1000) < 1)
        #expect(parcel.distanceMetres(to: coordinate) == distance[.distanceMetres])
        // The headings point at the parcel, away from it, and past its edge by less and by more
        // than the error.
        #expect(aim(azimuth)?.outcome == .agrees)
        #expect(aim(azimuth)?[.missDegrees] == 0)
        #expect(aim(azimuth + 180)?.outcome == .contradicts)
        let away = try #require(aim(azimuth + 180)?[.missDegrees])
        let edge = azimuth + 180 - away
        let half = try #require(aim(azimuth)?[.halfViewDegrees])
        #expect(aim(edge + half + 2)?.outcome == .unclear)
        #expect(aim(edge + half + 12)?.outcome == .contradicts)
        #expect(aim(edge + half + 12, accuracy: nil)?.outcome == .unclear)
      }
    }
  }

  @Test("a lens at the sky, at one's feet or out over the edge decides nothing")
  func tilted() async throws {
    try await withTemporaryDirectory { folder in
      let (_, photo, task, _) = try await delivered(folder)
      func aim(_ azimuth: Double, _ elevation: Double, at place: Coordinate) -> PhotoCheck.Outcome?
      {
        var moved = photo
        moved.position = PhotoPosition(
          kept: place, ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
          uncertaintyMetres95: 3, method: .fix)
        moved.orientation = Orientation(
          azimuthDegreesTrue: azimuth, elevationDegrees: elevation, rollDegrees: 0,
          source: .stated)
        moved.orientation?.azimuthAccuracyDegrees = 3
        return PlaceChecks(photo: moved, revision: 1, task: task).checks()
          .first { $0.name == .aim }?.outcome
      }
      let east = try #require(Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.64))
      let outside = place(100, 0, of: east)
      #expect(aim(270, 0, at: outside) == .agrees)
      #expect(aim(270, 50, at: outside) == .unclear)
      #expect(aim(270, -55, at: outside) == .unclear)
      #expect(aim(270, -85, at: outside) == .unclear)
      // The place is inside, 2 m from the eastern edge.
      let inside = place(-2, 0, of: east)
      #expect(aim(270, 0, at: inside) == .agrees)
      #expect(aim(90, 0, at: inside) == .unclear)
    }
  }

  @Test("signals that are all alike, too few satellites and old corrections are told")
  func receiver() async throws {
    try await withTemporaryDirectory { folder in
      let (_, _, _, seal) = try await delivered(folder)
      func check(_ integrity: String) throws -> PhotoCheck {
        ReceiverCheck.check(
          seal.saying("integrity", try JSONValue(parsing: Array(integrity.utf8))))
      }
      func satellites(_ strengths: [Double]) -> String {
        strengths.map { "{\"carrierToNoiseDecibelHertz\":\"\($0)\"}" }.joined(separator: ",")
      }
      let sky = satellites([44, 38.5, 31, 47, 41, 35.5, 29])
      let good = try check("{\"satellitesUsed\":7,\"satellites\":[\(sky)]}")
      #expect(good.outcome == .agrees && good[.satellitesUsed] == 7)
      #expect(abs((good[.meanCarrierToNoiseDecibelHertz] ?? 0) - 38) < 0.01)
      let alike = satellites([45, 45, 45.5, 45, 44.5, 45, 45])
      #expect(try check("{\"satellitesUsed\":7,\"satellites\":[\(alike)]}").outcome == .contradicts)
      let loud = satellites([60, 58, 62, 61, 57, 60, 59])
      #expect(try check("{\"satellitesUsed\":7,\"satellites\":[\(loud)]}").outcome == .contradicts)
      #expect(try check("{\"satellitesUsed\":3}").outcome == .unclear)
      #expect(
        try check("{\"satellitesUsed\":12,\"correctionAgeSeconds\":\"90.0\"}").outcome == .unclear)
      #expect(try check("{}").outcome == .notCheckable)
    }
  }

  @Test(
    "radio surroundings agree, contradict or cannot be checked, by earlier captures and the list")
  func surroundings() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, photo, _, seal) = try await delivered(folder)
      let here = photo.position.coordinate
      let surroundings = try JSONValue(
        parsing: Array(
          """
          {"accessPoints":[{"address":"00:1b:cc:dd:ee:01","ageSeconds":"1.000"},
          {"address":"00:1b:cc:dd:ee:02","ageSeconds":"1.000"}],
          "cells":[{"technology":"lte","serving":true,"countryCode":"230","networkCode":"01",
          "areaCode":7,"cell":1234,"ageSeconds":"2.000"},{"technology":"lte","physicalCell":9}]}
          """.utf8))
      let heard = seal.saying("surroundings", surroundings)
      #expect(
        heard.transmitters == [
          "lte-230-1-7-1234", "wifi-00:1b:cc:dd:ee:01", "wifi-00:1b:cc:dd:ee:02",
        ])
      func check(_ prepare: (any AgencyTransaction) throws -> Void) async throws -> PhotoCheck {
        try await scene.office.database.write(in: "north") { session in
          try prepare(session)
          return SurroundingsCheck.check(
            heard, at: here, known: try session.places(of: heard.transmitters))
        }
      }
      #expect(try await check { _ in }.outcome == .notCheckable)
      let own = seal.seal.link.key
      let wifi = ["wifi-00:1b:cc:dd:ee:01", "wifi-00:1b:cc:dd:ee:02"]
      // Only this device was here before, and it is no second witness.
      let alone = try await check {
        try $0.checks.keep(
          transmitters: [wifi[0]], ofPhoto: photo.id, key: own, at: place(100, 0, of: here))
      }
      #expect(alone.outcome == .unclear && alone[.near] == 1 && alone[.otherDevices] == 0)
      // An access point that only this device has heard elsewhere may travel with it.
      struct NotKept: Error { var check: PhotoCheck }
      let hotspot = await #expect(throws: NotKept.self) {
        try await scene.office.database.write(in: "north") { session in
          try session.checks.keep(
            transmitters: [wifi[1]], ofPhoto: photo.id, key: own, at: place(20_000, 0, of: here))
          throw NotKept(
            check: SurroundingsCheck.check(
              heard, at: here, known: try session.places(of: heard.transmitters)))
        }
      }
      #expect(hotspot?.check.outcome == .unclear && hotspot?.check[.far] == 0)
      let list = try CellFile.cells(
        fromCSV: Array(
          """
          radio,mcc,net,area,cell,unit,lon,lat,range,samples
          LTE,230,1,7,1234,0,\(here.longitudeDegrees + 0.01),\(here.latitudeDegrees),2000,3
          CDMA,310,1,7,1,0,16.6,49.0,2000,3

          """.utf8))
      #expect(list.cells.count == 1 && list.left == 1)
      let listed = try await check { try $0.checks.replaceCellSites(with: list.cells) }
      #expect(listed.outcome == .agrees && listed[.known] == 2)
      #expect(abs((listed[.distanceMetres] ?? 0) - 100) < 1)
      // The list says that the cell stands 400 km away, and the second access point was heard 90 km
      // away.
      let moved = try await check { session in
        var cell = list.cells[0]
        cell.coordinate = place(400_000, 0, of: here)
        try session.checks.replaceCellSites(with: [cell])
        try session.checks.keep(
          transmitters: [wifi[1]], ofPhoto: photo.id, key: "another",
          at: place(0, 90_000, of: here))
      }
      #expect(moved.outcome == .contradicts && moved[.far] == 2 && moved[.near] == 1)
    }
  }

  @Test("a list of cells with one wrong line changes nothing, and the line is named")
  func cellList() throws {
    for (line, words) in [
      ("LTE,230,1,7", "line 2: it has 4 columns"),
      ("WIMAX,230,1,7,5,0,16,49,100", "line 2: radio is “WIMAX”"),
      ("LTE,23,1,7,5,0,16,49,100", "line 2: mcc, net"),
      ("LTE,230,1,7,5,0,16,99,100", "line 2: lon and lat"),
      ("LTE,230,1,7,5,0,16,49,nan", "line 2: range"),
    ] {
      let error = #expect(throws: CellFileError.self) {
        try CellFile.cells(fromCSV: Array("GSM,230,1,7,5,0,16,49,100\n\(line)\n".utf8))
      }
      #expect(error?.description.hasPrefix(words) == true, "\(String(describing: error))")
    }
  }
}

extension SealFile {
  /// Returns the same seal with another member in its record; the signature no longer holds.
  fileprivate func saying(_ name: String, _ value: JSONValue) -> SealFile {
    guard case .object(var members) = record else { return self }
    members[name] = value
    return SealFile(record: .object(members), seal: seal)
  }
}
