import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

/// Tests of the program as scripts use it: arguments, output, exit status.
@Suite("The command line")
struct CommandTests {
  private func run(
    _ arguments: [String], data: URL? = nil, input: Data = Data()
  ) async throws -> Program.Outcome {
    var environment: [String: String] = ["HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent"]
    if let data { environment["STANDPOINT_DATA"] = data.path }
    return try await Program.run(
      Program.standpoint, arguments, environment: environment, input: input)
  }

  /// Expects a refusal: one line on standard error, and nothing on standard output.
  private func expectRefusal(
    _ outcome: Program.Outcome, status: Int32, containing words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.output == "", sourceLocation: sourceLocation)
    #expect(outcome.errors.contains(words), "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(
      outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)",
      sourceLocation: sourceLocation)
  }

  private func standing(seconds: Int = 60) throws -> Data {
    let origin = try #require(Coordinate(latitudeDegrees: 49.08, longitudeDegrees: -16.63))
    let start = try #require(DeviceTime(rfc3339: "2026-06-01T09:30:00Z"))
    let walk = WalkSimulator(
      origin: origin, start: start, legs: [.stand(seconds: seconds)], seed: 3)
    return Data(walk.epochs().flatMap(\.self))
  }

  @Test("--version and --help are answers with status 0, unknown words are status 2")
  func help() async throws {
    let version = try await run(["--version"])
    #expect(version.status == 0)
    #expect(version.output == "0.1.0\n")
    for arguments in [["--help"], ["capture", "--help"], ["gnss", "decode", "--help"]] {
      let help = try await run(arguments)
      #expect(help.status == 0)
      #expect(help.output.contains("USAGE: standpoint"))
      #expect(help.errors == "")
    }
    #expect(try await run(["frobnicate"]).status == 2)
    #expect(try await run(["capture"]).status == 2)
    #expect(try await run(["capture", "--image", "a.jpg", "--camera", "b"]).status == 2)
    #expect(try await run(["task", "list", "--state", "odd"]).status == 2)
    #expect(try await run(["export", "all", "--as", "docx", "-o", "x"]).status == 2)
  }

  /// Returns a socket whose visitors are never answered, with its port.
  private static func silentPeer() throws -> (descriptor: CInt, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && listen(descriptor, 4) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    try #require(descriptor >= 0 && isBound)
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  @Test("point near waits for a position no longer than --wait, and says what to do then")
  func pointNear() async throws {
    try await withTemporaryDirectory { folder in
      let near = [
        "point", "near", "--data", folder.path, "--agency", "north", "--inspector", "ines",
      ]
      let away = try await run(near + ["--gnss", "gpsd://127.0.0.1:1"])
      #expect(away.status == 3 && away.errors.contains("nothing is listening there"))
      // A receiver that is connected, and says nothing.
      let silent = try Self.silentPeer()
      defer { close(silent.descriptor) }
      let outcome = try await run(
        near + ["--gnss", "tcp://127.0.0.1:\(silent.port)", "--wait", "1"])
      #expect(outcome.status == 3 && outcome.errors.contains("wait longer (--wait)"))
      #expect(try await run(near + ["--wait", "0"]).status == 2)
      let given = try await run(near + ["--lat", "49", "--lon", "16"])
      #expect(given.status == 0 && given.errors.contains("no photo point within 2500 m"))
    }
  }

  @Test("gnss sky lists what a receiver hears, and says so where it hears nothing")
  func sky() async throws {
    try await withTemporaryDirectory { folder in
      let log = folder.appendingPathComponent("walk.nmea")
      try standing().write(to: log)
      let source = "file://\(log.path)?rate=max"
      let all = try await run(["gnss", "sky", "--gnss", source, "--format", "json"])
      #expect(all.status == 0, "\(all.errors)")
      let value = try #require(
        JSONSerialization.jsonObject(with: Data(all.output.utf8)) as? [String: Any])
      let satellites = try #require(value["satellites"] as? [[String: Any]])
      #expect(satellites.count == 11)
      #expect(satellites.first?["constellation"] as? String == "GPS")
      #expect(satellites.first?["id"] as? Int == 2)
      #expect(satellites.first?["azimuth"] as? Double == 98)
      #expect(satellites.first?["elevation"] as? Double == 63)
      #expect(satellites.first?["cn0"] as? Double == 44)
      #expect(satellites.first?["used"] as? Bool == true)
      #expect(value["constellations"] as? [String] == ["GPS", "Galileo"])
      #expect(value["dualFrequency"] == nil, "it names no signal")
      let some = try await run(["gnss", "sky", "--gnss", source, "--constellation", "galileo"])
      #expect(some.output.split(separator: "\n").count == 7, "\(some.output)")
      expectRefusal(
        try await run(["gnss", "sky", "--gnss", source, "--constellation", "QZSS"]), status: 1,
        containing: "no QZSS satellite")
    }
  }

  @Test(
    "gnss sky --expected tells by stored orbits what should stand there, and says why it cannot")
  func expectedSky() async throws {
    func number(_ text: String) -> String { String(repeating: " ", count: 19 - text.count) + text }
    let zero = number("0.000000000000D+00")
    let place = [("4.063000000000D+04"), ("-1.126800000000D+04"), ("0.000000000000D+00")].map {
      "    " + number($0) + zero + zero + zero + "\n"
    }
    let title = "     3.05           N: GNSS NAV DATA    S: SBAS             RINEX VERSION / TYPE\n"
    let file =
      title + String(repeating: " ", count: 60) + "END OF HEADER\n"
      + "S36 2026 06 01 09 00 00" + zero + zero + zero + "\n" + place.joined()
    try await withTemporaryDirectory { folder in
      let data = folder.appendingPathComponent("data").path
      let sky = ["gnss", "sky", "--expected", "--data", data]
      let there = ["--position", "50.0755,14.4378", "--at", "2026-06-01T09:30:00Z"]
      expectRefusal(try await run(sky + there), status: 3, containing: "no stored orbits")
      let orbits = folder.appendingPathComponent("data/orbits")
      try FileManager.default.createDirectory(at: orbits, withIntermediateDirectories: true)
      let stored = orbits.appendingPathComponent("BRDC.rnx")
      try Data(file.utf8).write(to: stored)
      let outcome = try await run(sky + there + ["--format", "json"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let value = try #require(
        JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      let satellites = try #require(value["satellites"] as? [[String: Any]])
      #expect(satellites.count == 1)
      #expect(satellites.first?["constellation"] as? String == "SBAS")
      #expect(satellites.first?["id"] as? Int == 49)
      #expect(value["newestOrbit"] as? String == "2026-06-01T09:00:00.000Z")
      let log = folder.appendingPathComponent("walk.nmea")
      try standing().write(to: log)
      let heard = try await run(sky + ["--gnss", "file://\(log.path)?rate=max"])
      #expect(heard.status == 0, "where and when as the receiver says: \(heard.errors)")
      #expect(heard.output.contains("1 satellite expected at"), "\(heard.output)")
      expectRefusal(
        try await run(sky + ["--position", "50,14", "--at", "2026-12-01T00:00:00Z"]), status: 1,
        containing: "days away")
      expectRefusal(
        try await run(sky + there + ["--orbits", log.path]), status: 2,
        containing: "not a RINEX navigation file")
      for wrong in [["gnss", "sky", "--position", "50,14"], sky + ["--position", "95,14"]] {
        #expect(try await run(wrong).status == 2)
      }
    }
  }

  @Test("what of a log is not used is counted and said, and the rest is there")
  func unsound() async throws {
    let log = try standing(seconds: 20)
    var broken = log
    broken[200] ^= 1
    let glued = log + Data("noise".utf8) + broken
    let outcome = try await run(["gnss", "decode", "-", "--format", "json"], input: glued)
    #expect(outcome.status == 0)
    #expect(outcome.output.split(separator: "\n").count >= 39)
    #expect(
      outcome.errors.contains("not used: 1 sentence with a wrong checksum"), "\(outcome.errors)")
    #expect(outcome.errors.contains("time goes back once"))
    #expect(try await run(["gnss", "decode", "-"], input: log).errors == "")
  }

  @Test("logs: unreadable is status 2, readable without a fix status 1, with one line each")
  func logs() async throws {
    try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("log.nmea")
      expectRefusal(
        try await run(["gnss", "decode", "/nonexistent.nmea"]), status: 2,
        containing: "there is no such file")
      expectRefusal(
        try await run(["gnss", "gate", folder.path]), status: 2, containing: "it is a folder")
      try Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 97) }).write(to: file)
      expectRefusal(
        try await run(["gnss", "decode", file.path]), status: 1, containing: "no NMEA 0183 sentence"
      )
      let counts = try await run(["gnss", "decode", file.path, "--count-only", "--format", "json"])
      #expect(counts.status == 1)
      #expect(counts.output.contains("\"badChecksums\":0,\"fixes\":0"))
      try Data("$GPGGA,,,,,,0,,,,,,,,*66\r\n".utf8).write(to: file)
      for command in ["decode", "gate", "centroid"] {
        expectRefusal(try await run(["gnss", command, file.path]), status: 1, containing: "no fix")
      }
    }
  }

  @Test("decode, gate and centroid give JSON Lines with the contract's names")
  func gnss() async throws {
    let log = try standing()
    let decoded = try await run(["gnss", "decode", "-", "--format", "json"], input: log)
    let lines = decoded.output.split(separator: "\n")
    #expect(lines.count == 60)
    let fix = try #require(
      try JSONSerialization.jsonObject(with: Data(lines[5].utf8)) as? [String: Any])
    #expect(fix["timeOfDay"] as? String == "09:30:05.000")
    #expect(fix["time"] as? String == "2026-06-01T09:30:05.000Z")
    #expect(fix["status"] as? Int == 8)
    #expect(abs((fix["lon"] as? Double ?? 0) + 16.63) < 1e-4)
    #expect(fix["ageSeconds"] == nil)

    let refused = try await run(["gnss", "gate", "-", "--format", "json"], input: log)
    #expect(refused.output.contains("\"verdict\":\"refused\""))
    let gate = try await run(
      ["gnss", "gate", "-", "--format", "json", "--allow-simulated"], input: log)
    #expect(gate.output.components(separatedBy: "\"verdict\":\"still\"").count > 45)
    let centroid = try await run(
      ["gnss", "centroid", "-", "--format", "json", "--ungated", "--samples", "7"], input: log)
    let standpoint = try #require(
      try JSONSerialization.jsonObject(with: Data(centroid.output.utf8)) as? [String: Any])
    #expect(standpoint["samples"] as? Int == 7)
    #expect(
      Set(standpoint.keys) == [
        "lat", "lon", "method", "samples", "effectiveSamples", "layers", "spreadMetres",
        "uncertaintyMetres95", "hull",
      ])
    let few = try await run(["gnss", "centroid", "-", "--samples", "500"], input: log)
    expectRefusal(few, status: 1, containing: "of 500 samples in a row")
  }

  @Test("receivers: a malformed source is status 2, nobody there status 3")
  func receivers() async throws {
    try await withTemporaryDirectory { folder in
      expectRefusal(
        try await run(["gnss", "watch", "--gnss", "ftp://x"]), status: 2, containing: "ftp://x")
      for source in ["gpsd://127.0.0.1:1", "tcp://127.0.0.1:1"] {
        expectRefusal(
          try await run(["gnss", "watch", "--gnss", source, "--count", "1"]), status: 3,
          containing: "nothing is listening there")
      }
      let image = folder.appendingPathComponent("picture.jpg")
      #expect(
        try await run(["demo-picture", image.path, "--width", "320", "--height", "240"]).status == 0
      )
      let outcome = try await run(
        ["capture", "--image", image.path, "--gnss", "gpsd://127.0.0.1:1"],
        data: folder.appendingPathComponent("data"))
      expectRefusal(outcome, status: 3, containing: "no receiver at gpsd://127.0.0.1:1")
    }
  }

  @Test("tasks: unknown and malformed identifiers, bad files, forbidden steps")
  func tasks() async throws {
    try await withTemporaryDirectory { folder in
      let data = folder.appendingPathComponent("data")
      let file = folder.appendingPathComponent("tasks.geojson")
      expectRefusal(
        try await run(["task", "show", "nonsense"], data: data), status: 2,
        containing: "no task's name or identifier begins with \"nonsense\"")
      expectRefusal(
        try await run(["task", "show", "0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f"], data: data),
        status: 2,
        containing: "no task 0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f")
      try Data("{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\"}]}".utf8)
        .write(to: file)
      expectRefusal(
        try await run(["task", "import", file.path], data: data), status: 2, containing: "feature 1"
      )
      let good = """
        {"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,
        "properties":{"name":"Only","due":"2020-01-01"}}]}
        """
      try Data(good.utf8).write(to: file)
      let made = try await run(["task", "import", file.path, "--format", "json"], data: data)
      let task = try #require(
        try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: Any])
      let id = try #require(task["id"] as? String)
      #expect(task["state"] as? String == "new")
      #expect(task["overdue"] as? Bool == true)
      expectRefusal(
        try await run(["task", "provide", id], data: data), status: 1,
        containing: "New cannot be sent")
      #expect(try await run(["task", "open", id], data: data).status == 0)
      expectRefusal(
        try await run(["task", "provide", id], data: data), status: 1,
        containing: "0 of the 1 photo")
      expectRefusal(
        try await run(["task", "take-back", id], data: data), status: 1,
        containing: "cannot be taken back")
      let shown = try await run(["task", "show", id, "--format", "json"], data: data)
      #expect(shown.output.contains("\"history\":[{\"action\":\"open\""))
    }
  }

  @Test("capture, list, export and verify work together, and one changed byte is found")
  func story() async throws {
    try await withTemporaryDirectory { folder in
      let data = folder.appendingPathComponent("data")
      let log = folder.appendingPathComponent("standing.nmea")
      try standing().write(to: log)
      let image = folder.appendingPathComponent("picture.jpg")
      _ = try await run(["demo-picture", image.path, "--width", "320", "--height", "240"])
      let source = "file://\(log.path)?rate=max"
      let refused = try await run(
        ["capture", "--image", image.path, "--gnss", source, "--format", "json"], data: data)
      #expect(refused.status == 1)
      #expect(refused.output.contains("\"state\":\"refused\""))
      #expect(refused.output.contains("simulated"))
      let captured = try await run(
        [
          "capture", "--image", image.path, "--gnss", source, "--allow-simulated", "--format",
          "json",
        ], data: data)
      #expect(captured.status == 0, "\(captured.errors)")
      let photo = try #require(
        try JSONSerialization.jsonObject(with: Data(captured.output.utf8)) as? [String: Any])
      #expect(photo["state"] as? String == "captured")
      #expect(photo["samples"] as? Int == 20)
      let path = try #require(photo["file"] as? String)
      let kml = folder.appendingPathComponent("day.kml")
      #expect(
        try await run(["export", "all", "--as", "kml", "-o", kml.path], data: data).status == 0)
      let first = try Data(contentsOf: kml)
      #expect(
        try await run(["export", "all", "--as", "kml", "-o", kml.path], data: data).status == 0)
      #expect(try Data(contentsOf: kml) == first)
      for target in [data.path, path] {
        let verified = try await run(["verify", target, "--format", "json"])
        #expect(verified.status == 0)
        #expect(verified.output.contains("\"verdict\":\"intact\""))
        #expect(verified.output.contains("\"check\":\"origin\""))
      }
      let stranger = String(repeating: "0a", count: 32)
      #expect(try await run(["verify", data.path, "--trust", stranger]).status == 1)
      expectRefusal(
        try await run(["verify", data.path, "--trust", "0a"]), status: 2, containing: "--trust")
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
      let altered = try await run(["verify", data.path, "--format", "json"])
      #expect(altered.status == 1)
      #expect(altered.output.contains("\"verdict\":\"altered\""))
    }
  }

  @Test("nothing to verify, nowhere to write, nothing to export: one line, the right status")
  func files() async throws {
    try await withTemporaryDirectory { folder in
      let data = folder.appendingPathComponent("data")
      expectRefusal(
        try await run(["verify", "/nonexistent"]), status: 2, containing: "no such file or folder")
      expectRefusal(
        try await run(["verify", folder.path]), status: 2, containing: "nothing sealed")
      expectRefusal(
        try await run(["export", "all", "--as", "kml", "-o", "-"], data: data), status: 1,
        containing: "nothing to export")
      let blocked = folder.appendingPathComponent("blocked")
      try Data().write(to: blocked)
      expectRefusal(
        try await run(["task", "list"], data: blocked), status: 3, containing: "cannot write")
      expectRefusal(
        try await run(["demo-picture", "/nonexistent/picture.jpg"]), status: 3,
        containing: "its folder is not there")
    }
  }

  @Test("the program works when it is copied elsewhere and run from another folder")
  func copied() async throws {
    try await withTemporaryDirectory { folder in
      let copy = folder.appendingPathComponent("copy")
      try FileManager.default.copyItem(
        at: URL(fileURLWithPath: Program.standpoint), to: copy)
      let outcome = try await Program.run(
        copy.path, ["demo-picture", "here.jpg", "--width", "320", "--height", "240"],
        folder: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        FileManager.default.fileExists(atPath: folder.appendingPathComponent("here.jpg").path))
    }
  }

  @Test("the twenty-line example against the published products runs")
  func example() async throws {
    let file = Repository.root
      .appendingPathComponent("Examples/standstill-of-log/StandstillOfLog.swift")
    let code = try String(contentsOf: file, encoding: .utf8)
    #expect(code.split(separator: "\n").filter { !$0.hasPrefix("//") }.count <= 26)
    let outcome = try await Program.run(Program.product("standstill-of-log"), ["/nonexistent"])
    #expect(outcome.status != 0)
    guard let recording = Repository.shared("data/gnss/field/open-stationary.nmea") else { return }
    let stood = try await Program.run(Program.product("standstill-of-log"), [recording.path])
    #expect(stood.status == 0)
    #expect(stood.output.hasPrefix("21:07:"))
  }
}
