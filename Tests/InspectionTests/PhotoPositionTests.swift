import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("A photo's position")
struct PhotoPositionTests {
  private static func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
  }

  private static func fix() throws -> Fix {
    var fix = Fix(
      time: try #require(GNSSTime(millisecondsSinceMidnight: 36_000_000, date: nil)))
    fix.coordinate = try place(1, 2)
    fix.ellipsoidalHeightMetres = 3
    fix.meanSeaLevelHeightMetres = 4
    fix.horizontalUncertaintyMetres95 = 5
    return fix
  }

  private static func standpoint(_ method: CentroidMethod) throws -> Standpoint {
    let time = try #require(GNSSTime(millisecondsSinceMidnight: 36_000_000, date: nil))
    return Standpoint(
      method: method, innermostLayer: try place(10, 20), mean: try place(11, 21),
      median: try place(12, 22), samples: 20, effectiveSamples: 7, layers: 3, spreadMetres: 0.5,
      uncertaintyMetres95: 1.5, hull: [], ellipsoidalHeightMetres: 30,
      meanSeaLevelHeightMetres: nil, firstTime: time, lastTime: time)
  }

  @Test("with samples it is the standpoint by the chosen method, and nothing of the fix")
  func fromStandpoint() throws {
    for (method, latitude) in [(CentroidMethod.innermostLayer, 10.0), (.mean, 11), (.median, 12)] {
      let position = try #require(
        PhotoPosition(standpoint: try Self.standpoint(method), fix: try Self.fix()))
      #expect(position.coordinate.latitudeDegrees == latitude)
      #expect(position.ellipsoidalHeightMetres == 30)
      #expect(position.meanSeaLevelHeightMetres == nil)
      #expect(position.uncertaintyMetres95 == 1.5)
      #expect(position.method == .standpoint(method))
      #expect(position.method.name == method.rawValue)
    }
  }

  @Test("without samples it is the fix at the shutter")
  func fromFix() throws {
    let position = try #require(PhotoPosition(standpoint: nil, fix: try Self.fix()))
    #expect(position.coordinate.latitudeDegrees == 1)
    #expect(position.ellipsoidalHeightMetres == 3)
    #expect(position.meanSeaLevelHeightMetres == 4)
    #expect(position.uncertaintyMetres95 == 5)
    #expect(position.method == .fix)
    #expect(position.method.name == "fix")
  }

  @Test("with neither there is none")
  func none() throws {
    var fix = try Self.fix()
    fix.coordinate = nil
    #expect(PhotoPosition(standpoint: nil, fix: fix) == nil)
    #expect(PhotoPosition(standpoint: try Self.standpoint(.mean), fix: fix) != nil)
  }

  @Test("where samples are asked for, a fix and too few or other samples are no position")
  func asked() throws {
    let fix = try Self.fix()
    let standpoint = try Self.standpoint(.mean)
    let asked = try #require(SamplerPolicy(samples: standpoint.samples, method: .mean))
    let more = try #require(
      SamplerPolicy(samples: standpoint.samples + 1, method: .mean))
    let other = try #require(SamplerPolicy(samples: standpoint.samples, method: .median))
    #expect(PhotoPosition(asked: asked, standpoint: nil, fix: fix) == nil)
    #expect(PhotoPosition(asked: more, standpoint: standpoint, fix: fix) == nil)
    #expect(PhotoPosition(asked: other, standpoint: standpoint, fix: fix) == nil)
    let position = try #require(PhotoPosition(asked: asked, standpoint: standpoint, fix: fix))
    #expect(position.method == .standpoint(.mean))
    // Without a request for samples the photo takes no standpoint, even if there is one.
    #expect(PhotoPosition(asked: nil, standpoint: standpoint, fix: fix)?.method == .fix)
  }

  @Test("one place makes positions, one judges them again, and one reads them back")
  func onlyPlace() throws {
    let sources = Repository.root.appendingPathComponent("Sources").resolvingSymlinksInPath()
    var makers: Set<String> = []
    var keepers: Set<String> = []
    let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    for module in modules {
      let folder = sources.appendingPathComponent(module).resolvingSymlinksInPath()
      for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init()
      {
        guard path.hasSuffix(".swift"), !path.hasSuffix("PhotoPosition.swift"),
          // The made-up photos of a measurement are kept nowhere.
          !path.hasSuffix("DossierMeasure.swift"), !path.hasSuffix("SetMeasure.swift")
        else { continue }
        let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
        if text.contains(/PhotoPosition\(\s*(standpoint|asked|told):/) {
          makers.insert("\(module)/\(path)")
        }
        if text.contains(/PhotoPosition\(\s*kept:/) {
          keepers.insert(module)
        }
      }
    }
    // The seed's photos are marked as made up, and a position from a phone's app is no proof.
    #expect(
      makers == [
        "FieldUnit/Capture/InspectorUnit+Capture.swift", "Verification/CaptureChecks.swift",
        "Enrolment/Seed/OfficeSeed.swift", "Predecessor/Apps/PhoneFields.swift",
        "SetCapture/SetRun.swift",
      ])
    // Evidence reads a record back, and Store reads a row back.
    #expect(keepers == ["Store", "Evidence"])
  }

  @Test("a photo and a track that were sent are not deleted any more")
  func deletable() throws {
    let time = DeviceTime(millisecondsSince1970: 0)
    var photo = Photo(
      id: Identifier(at: time), agency: "a", inspector: "b", task: nil, origin: .camera,
      gnssTime: time.gnssTime, deviceTime: time,
      position: try #require(PhotoPosition(standpoint: nil, fix: try Self.fix())),
      standpoint: nil, orientation: nil, camera: .assumed(widthPixels: 4, heightPixels: 3),
      fileDigest: "", bytes: 1, widthPixels: 4, heightPixels: 3, isSimulated: false)
    #expect(throws: Never.self) { try photo.requireDeletable() }
    photo.sent = time
    #expect(throws: InspectionError.alreadySent(what: "photo")) { try photo.requireDeletable() }
    var track = Track(
      id: Identifier(at: time), agency: "a", inspector: "b", task: nil, name: "t", started: time,
      isSimulated: false)
    #expect(throws: Never.self) { try track.requireDeletable() }
    track.sent = time
    #expect(throws: InspectionError.alreadySent(what: "track")) { try track.requireDeletable() }
  }
}
