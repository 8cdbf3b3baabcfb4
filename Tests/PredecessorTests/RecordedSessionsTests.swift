import Evidence
import Foundation
import Inspection
import OfficeScenes
import Receivers
import Store
import Sync
import TestSupport
import Testing

@testable import Office
@testable import OfficePages
@testable import Predecessor
@testable import Web

/// The requests of the three apps in a session, as the clients of these tests write them, for
/// `scripts/replay-phones.sh`.
@Suite("The recorded sessions of phones", .timeLimit(.minutes(5)))
struct RecordedSessionsTests {
  private static let folder = "Examples/phones"
  /// The placeholders in the recordings: for the numbers that each office draws, and for the person
  /// who replays them.
  private static let (user, task, photo) = ("1111111111111", "2222222222222", "3333333333333")
  private static let (login, password) = ("recordedlogin", "recordedpassword")
  private static let isReady = ["bash", "curl", "sha256sum", "od"].allSatisfy {
    Program.tool($0) != nil
  }

  private static let sentences = #"""
    $GPRMC,092001.00,A,4904.80741,N,01637.80000,E,0.1,0.0,010626,,,A*5E\r\n\#
    $GPGGA,092001.00,4904.80741,N,01637.80000,E,1,14,0.8,231.2,M,43.9,M,,*6F\r\n
    """#

  /// All fields that an Android app may know of a photo.
  private static let androidFields = #"""
    ,"deviceManufacture":"Maker","deviceModel":"Model 7","deviceVersion":"14","bearing":0,\#
    "magnetic_azimuth":121.0,"pitch":2.5,"roll":358.0,"orientation":6,"satsInfo":[\#
    {"prn":"12_L1","snr":33.0,"elevation":41.0,"azimuth":112.0,"band":"L1"},\#
    {"prn":"30_L5","snr":29.5,"elevation":63.0,"azimuth":251.0,"band":"L5"},\#
    {"prn":"4_E1","snr":36.0,"elevation":22.0,"azimuth":300.0,"band":"E1"}],\#
    "extraSatCount":14,"NMEAMessage":"\#(sentences)","networkInfo":{"mcc":"230","mnc":"1",\#
    "networkOperator":"23001","radio":"lte","wifi":{"ssid":"barn","bsid":"00:11:22:33:44:55",\#
    "frequency":2437,"channel":6,"signal":3},"cells":[{"type":"lte","mcc":"230","mnc":"1",\#
    "tac":"1201","ci":"28120321"}]},"efkLatGpsL1":49.0801301,"efkLngGpsL1":16.6300102,\#
    "efkAltGpsL1":233.0,"efkTimeGpsL1":"2026-06-01T11:20:00.000+02:00",\#
    "efkLatGpsL5":49.0801202,"efkLngGpsL5":16.6299998,"efkAltGpsL5":230.9,\#
    "efkLatGpsIf":49.0801281,"efkLngGpsIf":16.6300087,"efkAltGpsIf":231.7,\#
    "efkLatGalE1":49.0801198,"efkLngGalE1":16.6300051,"efkAltGalE1":232.1,\#
    "efkLatGalE5":49.0801230,"efkLngGalE5":16.6300012,"efkAltGalE5":231.4,\#
    "efkLatGalIf":49.0801246,"efkLngGalIf":16.6300009,"efkAtlGalIf":231.3
    """#

  /// The fields of its successor, which writes a null for unknown values.
  private static let nullFields = #"""
    ,"deviceManufacture":"Maker","deviceModel":"Model 9","deviceVersion":"15",\#
    "centroidLat":null,"centroidLng":null,"bearing":null,"satsInfo":[],\#
    "NMEAMessage":"\#(sentences)","networkInfo":null,"efkLatGpsL1":null,"inavMessages":""
    """#

  private static let points: [PhoneApp.Kind: String] = [
    .iOS: #"""
    [{"lat":49.0801,"lng":16.63,"created":"2026-06-01 09:10:00"},\#
    {"lat":49.0803,"lng":16.6301,"created":"2026-06-01 09:10:05"},\#
    {"lat":49.0804,"lng":16.6304,"created":"2026-06-01 09:10:10"}]
    """#,
    .android: #"""
    [{"lat":49.080100000000005,"lng":16.6302,"altitude":231.0,"accuracy":2.5,\#
    "created":"2026-06-01 09:12:00"},\#
    {"lat":49.0802,"lng":16.6305,"altitude":231.5,"accuracy":2.6,"created":"2026-06-01 09:12:01"},\#
    {"lat":49.0804,"lng":16.6305,"altitude":232.0,"accuracy":3.1,"created":"2026-06-01 09:12:02"}]
    """#,
    .all: #"""
    [{"lat":49.0802,"lng":16.631,"altitude":null,"accuracy":2.5,"created":"2026-06-01 09:15:00"},\#
    {"lat":49.0805,"lng":16.6312,"altitude":null,"accuracy":null,"created":"2026-06-01 09:15:01"}]
    """#,
  ]

  private func picture(_ number: Int) throws -> [UInt8] {
    Array(
      try Data(
        contentsOf: Repository.root.appendingPathComponent(
          "\(Self.folder)/pictures/\(number).jpg")))
  }

  /// Returns the bodies that an app sends in its session, by the file's name.
  private func bodies(of app: PhoneApp) throws -> [String: String] {
    let (user, task) = (("user_id", Self.user), ("task_id", Self.task))
    func photo(
      _ number: Int, _ created: String, _ note: String, isOfTask: Bool, _ more: String = ""
    ) throws -> String {
      let json = app.photo(
        try picture(number), user: Self.user, created: created, note: note, more: more)
      return app.body([user] + (isOfTask ? [task] : []) + [("photo", json)])
    }
    // Every app encodes the values of a path.
    func path(_ fields: [(String, String)]) -> String {
      ([user] + fields + [("points", Self.points[app.kind] ?? "")])
        .map { "\($0.0)=\(OfficeBrowser.encoded($0.1))" }.joined(separator: "&")
    }
    let note = "hotovo & přesně 100 %"
    let provided = ("status", "data provided")
    var bodies = [
      "01-login": app.body([("login", Self.login), ("pswd", Self.password)]),
      "02-tasks": app.body([user]),
    ]
    if app.kind != .iOS { bodies["03-update"] = app.body([task, user, ("status", "open")]) }
    switch app.kind {
    case .iOS:
      bodies["03-photo"] = try photo(1, "2026-06-01 09:02:03", "řepa & \"len\"", isOfTask: true)
      bodies["04-photo"] = try photo(
        2, "2026-06-01 09:02:04", "edge of the field", isOfTask: false)
      bodies["05-status"] = app.body([task, provided, ("note", note)])
      bodies["06-path"] = path([
        ("name", "Untitled"), ("start", "2026-06-01 09:10:00"), ("end", "2026-06-01 09:10:10"),
        ("area", "123.0"),
      ])
    case .android:
      bodies["04-photo"] = try photo(
        3, "2026-06-01T11:20:00.123+02:00", "řepa & \"len\"", isOfTask: true, Self.androidFields)
      bodies["05-status"] = app.body([task, user, provided, ("note", note)])
      bodies["06-path"] = path([
        ("name", "Edge"), ("start", "2026-06-01 09:12:00"), ("end", "2026-06-01 09:12:02"),
        ("area", "123.45"), ("deviceManufacture", "Maker"), ("deviceModel", "Model 7"),
        ("devicePlatform", "Android"), ("deviceVersion", "14"),
      ])
      bodies["07-shapes"] = app.body([
        ("max_lat", "49.1"), ("min_lat", "49.0"), ("max_lng", "16.7"), ("min_lng", "16.6"),
      ])
    case .all:
      bodies["04-photo"] = try photo(
        4, "2026-06-01T11:20:00.456+02:00", "with nulls", isOfTask: true, Self.nullFields)
      bodies["05-status"] = app.body([task, user, provided, ("note", "")])
      bodies["06-get-photo"] = app.body([("photo_id", Self.photo)])
      bodies["07-path"] = path([
        ("name", "Nulls"), ("start", "2026-06-01 09:15:00"), ("end", "2026-06-01 09:15:01"),
        ("area", "0"),
      ])
    }
    return bodies
  }

  private func name(_ kind: PhoneApp.Kind) -> String {
    switch kind {
    case .iOS: "ios"
    case .android: "android"
    case .all: "egnss4all"
    }
  }

  @Test("each is what the app sends, byte by byte", arguments: PhoneApp.Kind.allCases)
  func recorded(_ kind: PhoneApp.Kind) async throws {
    try await withPhones { _, site in
      let folder = "\(Self.folder)/\(name(kind))"
      let bodies = try bodies(of: PhoneApp(kind: kind, site: site))
      for (file, body) in bodies {
        #expect(try Golden.difference(body, from: "\(folder)/\(file).body") == nil)
      }
      // The list names each body, and nothing else.
      let list = try String(
        contentsOf: Repository.root.appendingPathComponent("\(folder)/session.tsv"),
        encoding: .utf8)
      let named = list.split(separator: "\n").filter { $0.hasPrefix("call\t") }
        .map { String($0.split(separator: "\t")[2]) }
      #expect(Set(named) == Set(bodies.keys.map { $0 + ".body" }))
    }
  }

  @Test(
    "the script replays all three, more than once, and the office has what they sent",
    .enabled(if: isReady, "no bash, curl, sha256sum or od"))
  func replay() async throws {
    let script = Repository.root.appendingPathComponent("scripts/replay-phones.sh").path
    let bash = try #require(Program.tool("bash"))
    try await withPhones { phones, site in
      for round in 1...2 {
        for number in 1...3 { _ = try await phones.scene.order("Field \(round).\(number)") }
        let outcome = try await Program.run(
          bash, [script, "\(site.origin)/\(PhoneScene.secret)", "ines", "-"],
          input: Data("\(OfficeScene.password)\n".utf8))
        #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
        #expect(outcome.output.hasSuffix("replayed as recorded: ios android egnss4all\n"))
      }
      try await phones.office.examiner.examineArrivals()
      try await phones.office.database.read(in: "north") { session in
        let tasks = try session.tasks.page(
          TaskFilter(), TaskSorting(), at: phones.scene.clock.deviceTime, limit: 10, offset: 0)
        #expect(tasks.count == 6 && tasks.allSatisfy { $0.state == .dataProvided })
        var photos = try session.photos.list(.all)
        #expect(photos.count == 8)
        for photo in photos {
          let phone = try #require(try session.phones.phonePhoto(photo.photo.id))
          #expect(phone.digestHolds == true)
        }
        photos.removeAll { $0.photo.task != nil }
        #expect(photos.count == 2)
        // A path that was sent twice is there once.
        #expect(try session.tracks.identifiers(.all).count == 3)
      }
    }
  }

  @Test(
    "the script ends at the first surprise and says what it was",
    .enabled(if: isReady, "no bash, curl, sha256sum or od"))
  func surprises() async throws {
    let script = Repository.root.appendingPathComponent("scripts/replay-phones.sh").path
    let bash = try #require(Program.tool("bash"))
    try await withPhones { phones, site in
      let address = "\(site.origin)/\(PhoneScene.secret)"
      for (arguments, status, words) in [
        ([address, "ines", OfficeScene.password, "ios"], Int32(1), "no task that is new"),
        ([address, "ines", "another password", "android"], 1, "comm_login.php: it is not ok"),
        (["\(address)x", "ines", OfficeScene.password], 1, "comm_login.php: it is not ok"),
        ([address, "ines"], 2, "usage: "), ([address, "ines", "x", "../ios"], 2, "usage: "),
      ] {
        let outcome = try await Program.run(bash, [script] + arguments)
        #expect(outcome.status == status, "\(arguments)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
      }
      #expect(
        try await phones.office.database.read(in: "north") { try $0.photos.list(.all) }.isEmpty)
    }
  }
}
