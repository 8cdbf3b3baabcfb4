import Evidence
import Foundation
import Geodesy
import Inspection
import Orbits
import Positioning
import Receivers
import Sync
import Synchronization
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit

@Suite("The sky and its stored orbits", .timeLimit(.minutes(5)))
struct SkyPagesTests {
  /// A field unit whose receiver has played a log, and an office with orbits.
  private struct Site: Sendable {
    let server: FieldServer
    let browser: FieldBrowser
    let address: String
    let clock: ReplayClock
    let orbits: OfficeOrbits

    func signIn() async throws {
      _ = try await browser.get("/sign-in")
      let answer = try await browser.post(
        "/sign-in", ["login": "ines", "password": FakeOffice.password, "office": address])
      try #require(answer.location == "/start?done=signed-in")
      while try server.deliveryStatus.words == nil { await Task.yield() }
    }

    /// Returns the page after the shelf has read its folder again.
    func page() async throws -> String {
      server.orbits.read()
      return try await browser.get("/sky").body
    }
  }

  /// The orbits that the office offers, and the names of the files that were fetched.
  private final class OfficeOrbits: Sendable {
    private struct State {
      var files: [String: [UInt8]] = [:]
      var list: OrbitListMessage?
      var fetched: [String] = []
    }
    private let state = Mutex(State())

    var fetched: [String] { state.withLock { $0.fetched } }

    func offer(_ files: [String: [UInt8]], as list: OrbitListMessage? = nil) {
      state.withLock {
        $0.files = files
        $0.list = list
      }
    }

    func add(to routes: inout Routes) {
      routes.get("/api/v1/orbits") { _ in
        let list = self.state.withLock { state in
          state.list
            ?? OrbitListMessage(
              files: state.files.sorted { $0.key < $1.key }.map { name, bytes in
                OrbitListMessage.File(
                  name: name, bytes: bytes.count, digest: Digest.hexadecimal(bytes))
              })
        }
        return .json(try WireJSON.bytes(list))
      }
      routes.get("/api/v1/orbits/{name}") { request in
        let name = request.parameters["name"] ?? ""
        let bytes = self.state.withLock { state in
          state.fetched.append(name)
          return state.files[name] ?? []
        }
        return .bytes(bytes, mediaType: "application/octet-stream")
      }
    }
  }

  private static let start = DeviceTime(millisecondsSince1970: 1_780_306_200_000)  // 09:30 UTC

  private static func framed(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0), ^)
    return "$\(body)*\((sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true))\r\n"
  }

  /// Returns sentences with positions and no satellites, or with times alone.
  private static func positions(seconds: Int = 5, hasPlace: Bool = true) -> [UInt8] {
    let lines = (0..<seconds).map { second in
      let place = hasPlace ? "4904.8000000,N,01637.8000000,E" : ",,,"
      return framed(
        "GNRMC,09300\(second).00,\(hasPlace ? "A" : "V"),\(place),0.0,,010626,,,\(hasPlace ? "A" : "N")"
      )
        + framed(
          "GNGGA,09300\(second).00,\(place),\(hasPlace ? 1 : 0),12,0.9,250.0,M,45.0,M,,")
    }
    return Array(lines.joined().utf8)
  }

  private static func walk() throws -> [UInt8] {
    let origin = try #require(Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.63))
    return WalkSimulator(
      origin: origin, start: start, legs: [.stand(seconds: 12)], seed: 3
    ).epochs().flatMap(\.self)
  }

  private static func summed(_ line: String) -> String {
    let sum = line.utf8.reduce(0) { sum, byte in
      (0x30...0x39).contains(byte) ? sum + Int(byte - 0x30) : byte == 0x2D ? sum + 1 : sum
    }
    return line + "\(sum % 10)"
  }

  /// Returns elements of 30 GPS satellites all over the sky.
  private static func elements(day: String = "26150.00000000") -> [UInt8] {
    let text = (1...30).map { number -> String in
      let first = summed("1 200\(number + 10)U 20001A   \(day)  .00000000  00000-0  00000-0 0  999")
      let second = summed(
        String(
          format: "2 200%02d  55.0000 %8.4f 0010000  30.0000 %8.4f  2.00560000    1", number + 10,
          Double(number % 6) * 60, (Double(number) * 47).truncatingRemainder(dividingBy: 360)))
      return String(format: "GPS BIIF-%d  (PRN %02d)\n", number, number) + "\(first)\n\(second)\n"
    }
    return Array(text.joined().utf8)
  }

  private func withSky(
    log: [UInt8]?, hasLanded: Bool = true,
    _ body: @escaping @Sendable (Site, URL) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let clock = ReplayClock(start: Self.start, rate: .infinity)
      let configuration = FieldUnitConfiguration(
        dataDirectory: folder.appendingPathComponent("data"), person: FieldScene.person,
        software: "standpoint test")
      var follower: ReceiverFollower?
      if let log {
        let path = folder.appendingPathComponent("log.nmea").path
        try Data(log).write(to: URL(fileURLWithPath: path))
        follower = ReceiverFollower(
          receiver: try ReceiverSource.file(path: path, rate: .infinity).receiver(
            clock: clock, timeline: LogTimeline(log)), clock: clock, gate: configuration.gate,
          sampler: SamplerPolicy())
      }
      let office = try FakeOffice(clock: clock)
      let orbits = OfficeOrbits()
      var routes = office.routes()
      orbits.add(to: &routes)
      let made = (configuration, follower)
      try await withWebServer(routes) { officePort in
        let (configuration, follower) = made
        let address = "http://127.0.0.1:\(officePort)"
        let server = try FieldServer(
          configuration: configuration, clock: clock, follower: follower,
          defaultOffice: address, camera: nil)
        try await withWebServer(
          server.routes(), secret: try server.formSecret(), problemPage: server.problemPage
        ) { port in
          let site = Site(
            server: server, browser: FieldBrowser(port: port), address: address, clock: clock,
            orbits: orbits)
          try await site.signIn()
          try await follower?.run()
          try await body(site, folder.appendingPathComponent("data/orbits"))
        }
        try await (server.link(to: address) as? HTTPOfficeLink)?.close()
      }
    }
  }

  private func store(_ bytes: [UInt8], _ name: String, in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: folder.appendingPathComponent(name))
  }

  // MARK: the page

  @Test("without a receiver and without orbits the page says so, and how to get either")
  func nothing() async throws {
    try await withSky(log: nil) { site, _ in
      let page = try await site.page()
      for words in [
        "No receiver: start the field unit with --gnss SOURCE.", "No orbits are stored",
        "No satellite to show.", "action=\"/sky/orbits\"",
      ] {
        #expect(page.contains(words), "\(words)")
      }
      #expect(!page.contains("transform=\"translate("), "nothing is drawn into the sky")
      #expect(try await site.browser.get("/").body.contains("href=\"/sky\""))
    }
  }

  @Test("what the receiver hears is drawn, told in a table, and gone when it is not fresh any more")
  func measured() async throws {
    try await withSky(log: try Self.walk()) { site, _ in
      let page = try await site.page()
      for words in [
        "<svg class=\"sky-plot\" role=\"img\" aria-label=\"The sky, north up: 11 satellites heard, 11 of them used",
        " y=\"3\">G02</text>", " y=\"3\">E27</text>", "C/N0, dB-Hz",
        "6 heard, 6 used", "<td>used</td><td class=\"number\">44</td>", "63°", "98°",
      ] {
        #expect(page.contains(words), "\(words)")
      }
      #expect(!page.contains("expected, not heard</td>"))
      let now = site.clock.elapsed
      site.clock.advance(to: now.advanced(bySeconds: 30), limit: nil)
      let later = try await site.page()
      #expect(later.contains(#/No data for 3[01] s; older data is hidden/#))
      #expect(!later.contains(">G02</text>") && later.contains("No satellite to show."))
    }
  }

  @Test("a receiver that sends positions alone is told apart, and what should stand there is shown")
  func positionsAlone() async throws {
    try await withSky(log: Self.positions()) { site, folder in
      #expect(try await site.page().contains("This receiver sends only positions"))
      try store(Self.elements(), "gnss.tle", in: folder)
      let page = try await site.page()
      let place = try #require(
        Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.63))
      let time = Self.start.advanced(bySeconds: 4)
      let file = try OrbitFile(Self.elements(), near: time)
      let expected = SatelliteOrbit.expected(file.orbits, at: time, from: place)
      try #require((4...20).contains(expected.count))
      for satellite in expected {
        #expect(page.contains(" y=\"3\">\(satellite.designation)</text>"))
      }
      #expect(
        page.components(separatedBy: "<td>expected, not heard</td>").count == expected.count + 1)
      #expect(page.contains("class=\"halo\""))
      #expect(page.contains("Orbits of 30 satellites, 2 days to 2 days from now"))
      #expect(page.contains("<code>gnss.tle</code>: two-line elements, 30 satellites"))
      // After the receiver falls silent the sky is that of its last place.
      site.clock.advance(to: site.clock.elapsed.advanced(bySeconds: 600), limit: nil)
      let later = try await site.page()
      #expect(later.contains("those expected where you were 10 min ago"))
      #expect(later.contains("<td>expected, not heard</td>"))
    }
  }

  @Test("what is heard is not expected beside it, however the receiver counts")
  func both() async throws {
    try await withSky(log: try Self.walk()) { site, folder in
      try store(Self.elements(), "gnss.tle", in: folder)
      let page = try await site.page()
      #expect(page.contains("<td>expected, not heard</td>"))
      for name in ["G02", "G05", "G07", "G13", "G15", "G30"] {
        #expect(page.components(separatedBy: " y=\"3\">\(name)</text>").count == 2)
      }
    }
  }

  @Test("without a position nothing is expected, and the page says why")
  func unknownPlace() async throws {
    try await withSky(log: Self.positions(hasPlace: false)) { site, folder in
      try store(Self.elements(), "gnss.tle", in: folder)
      let page = try await site.page()
      #expect(page.contains("Your position is not known yet."))
      #expect(!page.contains("<td>expected, not heard</td>"))
    }
  }

  @Test("old orbits, and files that are none, are said and not used")
  func oldOrbits() async throws {
    try await withSky(log: Self.positions()) { site, folder in
      try store(Self.elements(day: "26100.00000000"), "old.tle", in: folder)
      try store(Array(hostileText.utf8), "notes.txt", in: folder)
      let page = try await site.page()
      #expect(page.contains("The nearest stored orbits are 52 days away."))
      #expect(page.contains("too old to use"))
      #expect(page.contains("<code>notes.txt</code>: it is not a RINEX navigation file"))
      #expect(!page.contains("<td>expected, not heard</td>"))
      // Orbits between a week and a month old are used, and the page names their error.
      try store(Self.elements(day: "26135.00000000"), "old.tle", in: folder)
      let aging = try await site.page()
      #expect(aging.contains("After a week they are off by about a degree"))
      #expect(aging.contains("<td>expected, not heard</td>"))
    }
  }

  // MARK: files and fetches

  @Test(
    "a file that is brought is looked through first; a wrong one leaves the right one where it is")
  func upload() async throws {
    try await withSky(log: Self.positions()) { site, folder in
      _ = try await site.page()
      let kept = try await site.browser.upload(
        "/sky/orbits", file: Self.elements(), name: "../../etc/gnss.txt")
      #expect(kept.status == 200 && kept.body.contains("Saved: two-line elements, 30 satellites."))
      let path = folder.appendingPathComponent("uploaded.tle").path
      let before = FileManager.default.contents(atPath: path)
      #expect(before.map { Array($0) } == Self.elements())
      let wrong: [([UInt8], String)] = [
        (Array("hello".utf8), "this file of orbits cannot be used"),
        ([0x1F, 0x8B, 8, 0], "it is packed: unpack it with gunzip"), ([], "no file was chosen"),
        (Self.elements(day: "26100.00000000"), "the newest orbit in this file is from 2026-04-10"),
        (
          Array(
            String(decoding: Self.elements(), as: UTF8.self).replacing("GPS", with: "ISS").utf8),
          "none has the name of a navigation satellite"
        ),
      ]
      for (bytes, words) in wrong {
        let answer = try await site.browser.upload("/sky/orbits", file: bytes, name: "x.tle")
        #expect(answer.status == 422 && answer.body.contains(words), "\(words)")
        #expect(FileManager.default.contents(atPath: path) == before, "\(words)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["uploaded.tle"])
      #expect(try await site.browser.post("/sky/orbits").status == 415, "a form without a file")
    }
  }

  @Test("orbits are fetched from an address once a day, and again only when they are others")
  func fetching() async throws {
    let asked = Mutex<[String?]>([])
    let answer = Mutex<(status: Int, bytes: [UInt8])>((200, Self.elements()))
    var routes = Routes()
    routes.get("/gnss.tle") { request in
      asked.withLock { $0.append(request.header("If-None-Match")) }
      let (status, bytes) = answer.withLock { $0 }
      if status == 200, request.header("If-None-Match") == "\"one\"" { return .empty(304) }
      return WebResponse.bytes(bytes, mediaType: "text/plain").with(status: status)
        .setting(header: "ETag", to: "\"one\"")
    }
    let served = routes
    try await withTemporaryDirectory { folder in
      try await withWebServer(served) { port in
        let clock = ReplayClock(start: Self.start, rate: .infinity)
        var configuration = FieldUnitConfiguration(
          dataDirectory: folder, person: FieldScene.person, software: "test")
        configuration.orbitsAddress = try OrbitShelf.checkedAddress(
          "http://127.0.0.1:\(port)/gnss.tle")
        let shelf = OrbitShelf(configuration: configuration, clock: clock)
        #expect(await shelf.fetchIfDue() == 86_400)
        #expect(shelf.stored.orbits.count == 30)
        #expect(shelf.stored.fetch?.fetched == Self.start)
        // A restart of the program within a day does not fetch.
        let again = OrbitShelf(configuration: configuration, clock: clock)
        #expect(await again.fetchIfDue() == 86_400)
        #expect(asked.withLock { $0 } == [nil])
        #expect(again.stored.orbits.count == 30)
        func pass(_ seconds: Double) {
          clock.advance(to: clock.elapsed.advanced(bySeconds: seconds), limit: nil)
        }
        pass(86_400)
        #expect(await again.fetchIfDue() == 86_400)
        #expect(asked.withLock { $0 } == [nil, "\"one\""])
        // A failed fetch leaves the stored orbits, and the next one comes later.
        let path = folder.appendingPathComponent("orbits/fetched.tle").path
        for (status, bytes, words, seconds) in [
          (503, [], "it answers 503", 1800),
          // The same bytes would be refused again, so that a day passes before the next fetch.
          (200, Array("hello".utf8), "cannot be used", 86_400),
        ] as [(Int, [UInt8], String, Double)] {
          answer.withLock { $0 = (status, bytes) }
          try? FileManager.default.removeItem(atPath: folder.path + "/field/orbits-fetched")
          #expect(await again.fetchIfDue() == seconds)
          #expect(again.stored.fetch?.problem?.description.contains(words) == true)
          #expect(FileManager.default.contents(atPath: path).map { Array($0) } == Self.elements())
        }
      }
    }
    for wrong in [
      "http://orbits.example/x", "ftp://localhost/x", "nonsense", "https://a:b@c/x", "",
    ] {
      #expect(throws: FieldUnitError.self) { try OrbitShelf.checkedAddress(wrong) }
    }
  }

  @Test(
    "the office brings its orbits after a delivery, each once, and what is wrong with them harms nothing"
  )
  func office() async throws {
    try await withSky(log: nil) { site, folder in
      let unit = try #require(try site.server.unit())
      let link = try #require(try site.server.link(to: site.address) as? any OrbitLink)
      let shelf = site.server.orbits
      func bring() async throws { try await shelf.bring(from: unit, over: link) }
      await shelf.beginAlone(site.clock)
      func names() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
      }
      site.orbits.offer(["gnss.tle": Self.elements(), "hello.txt": Array("hello".utf8)])
      try await bring()
      #expect(names() == ["office-gnss.tle"])
      #expect(shelf.stored.orbits.count == 30)
      try await bring()
      #expect(site.orbits.fetched == ["gnss.tle", "hello.txt"], "nothing is fetched twice")
      // The list has a name that leads elsewhere, an impossible size or digest, and other bytes
      // than named.
      let digest = String(repeating: "a", count: 64)
      site.orbits.offer(
        ["gnss.tle": Self.elements(), "b.tle": Self.elements(day: "26151.00000000")],
        as: OrbitListMessage(files: [
          .init(name: "../keys", bytes: 1, digest: digest),
          .init(name: "b.tle", bytes: 1, digest: digest),
          .init(name: "c.tle", bytes: -1, digest: digest),
          .init(name: "d.tle", bytes: 1, digest: "x"),
          .init(
            name: "gnss.tle", bytes: 1, digest: Digest.hexadecimal(Self.elements())),
        ]))
      try await bring()
      #expect(names() == ["office-gnss.tle"])
      #expect(site.orbits.fetched == ["gnss.tle", "hello.txt", "b.tle"])
      // An uploaded file stays; a file that the office lists no more goes.
      try store(Self.elements(), "uploaded.tle", in: folder)
      site.orbits.offer([:])
      try await bring()
      #expect(names() == ["office-gnss.tle", "uploaded.tle"], "one list is no reason")
      site.clock.advance(to: site.clock.elapsed.advanced(bySeconds: 86_400), limit: nil)
      try await bring()
      #expect(names() == ["uploaded.tle"])
    }
  }

  @Test("what is refused for the clock comes again, what is in the way of others waits")
  func officeLater() async throws {
    try await withSky(log: nil) { site, folder in
      let unit = try #require(try site.server.unit())
      let link = try #require(try site.server.link(to: site.address) as? any OrbitLink)
      let shelf = site.server.orbits
      await shelf.beginAlone(site.clock)
      // Unreadable bytes are not fetched again; old orbits are, because the clock may have been
      // wrong.
      site.orbits.offer([
        "a.txt": Array("hello".utf8), "b.tle": Self.elements(day: "26050.00000000"),
      ])
      for _ in 0..<2 { try await shelf.bring(from: unit, over: link) }
      #expect(site.orbits.fetched == ["a.txt", "b.tle"])
      site.clock.advance(to: site.clock.elapsed.advanced(bySeconds: 86_401), limit: nil)
      try await shelf.bring(from: unit, over: link)
      #expect(site.orbits.fetched == ["a.txt", "b.tle", "b.tle"])

      site.orbits.offer(["gnss.tle": Self.elements()])
      let configuration = site.server.configuration
      let full = OrbitShelf(configuration: configuration, clock: site.clock, hasRoom: { false })
      #expect(try await full.bring(from: unit, over: link))
      let isDone = try await shelf.bring(from: unit, over: link) { false }
      #expect(!isDone && site.orbits.fetched.count == 3, "it goes on later")
      // The receiver's time counts, although the device's clock is years behind.
      let behind = ReplayClock(
        start: try #require(DeviceTime(rfc3339: "2020-01-01T00:00:00Z")), rate: .infinity)
      let right = OrbitShelf(configuration: configuration, clock: behind, time: { Self.start })
      #expect(try await right.bring(from: unit, over: link))
      #expect(FileManager.default.fileExists(atPath: folder.path + "/office-gnss.tle"))
    }
  }

  @Test("a delivery has the office's orbits come by themselves")
  func afterDelivery() async throws {
    try await withSky(log: nil) { site, _ in
      site.orbits.offer(["gnss.tle": Self.elements()])
      while site.server.orbits.stored.orbits.isEmpty {
        // The shelf asks once an hour, and the sign-in may have asked when the office had no
        // orbits.
        if !site.server.orbits.isBringing {
          site.clock.advance(to: site.clock.elapsed.advanced(bySeconds: 3600), limit: nil)
        }
        _ = try await site.browser.post("/deliver")
      }
      #expect(site.server.orbits.stored.files.map(\.name) == ["office-gnss.tle"])
    }
  }

  @Test("each code of a file that is not taken stands in docs/problems.md")
  func codes() throws {
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/problems.md"), encoding: .utf8)
    let errors: [OrbitFileError] = [
      .packed, .notOrbits, .empty(.elements), .noNavigationSatellites(passedOver: 1),
    ]
    let refusals: [OrbitRefusal] =
      errors.map { .unreadable($0) } + [
        .old(newest: Self.start), .tooLarge(megabytes: 1), .nothing,
      ]
    for refusal in refusals { #expect(page.contains("| `\(refusal.code)` | 422 |")) }
    #expect(page.components(separatedBy: "| `orbits-").count == refusals.count + 1)
  }

  @Test("who is not signed in sees neither the sky nor its stream, and brings nothing")
  func strangers() async throws {
    try await withSky(log: nil) { site, folder in
      _ = try await site.browser.get("/sign-out")
      _ = try await site.browser.post("/sign-out")
      for path in ["/sky", "/live/sky"] {
        #expect(try await site.browser.get(path).location == "/sign-in", "\(path)")
      }
      _ = try await site.browser.get("/sign-in")
      let answer = try await site.browser.upload(
        "/sky/orbits", file: Self.elements(), name: "gnss.tle")
      #expect(answer.location == "/sign-in")
      #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
  }
}
