import Foundation
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("Receivers from the command line")
struct ReceiverCommandTests {
  private static let python = "/usr/bin/python3"
  private static let hasMock = FileManager.default.fileExists(
    atPath: "/usr/lib/python3/dist-packages/dbusmock")

  /// Runs `standpoint` beside a BlueZ without a radio.
  private func beside(_ bluez: String, _ arguments: [String]) async throws -> Program.Outcome {
    let script = Repository.root.appendingPathComponent("Tests/Bluetooth/with_bluez.py").path
    return try await Program.run(Self.python, [script, bluez, Program.standpoint] + arguments)
  }

  /// Runs `standpoint` beside a ModemManager and a NetworkManager without a radio.
  private func besideRadio(_ radio: String, _ arguments: [String]) async throws -> Program.Outcome {
    let script = Repository.root.appendingPathComponent("Tests/Surroundings/with_radio.py").path
    return try await Program.run(Self.python, [script, radio, Program.standpoint] + arguments)
  }

  @Test(
    "gnss surroundings tells cells and access points; no modem is an ordinary state",
    .enabled(if: hasMock, "python3-dbusmock is not installed"))
  func surroundings() async throws {
    let command = ["gnss", "surroundings", "--duration", "0.1", "--format", "json"]
    func heard(_ radio: String) async throws -> (
      cells: [[String: Any]], points: [[String: Any]], remarks: [String]
    ) {
      let outcome = try await besideRadio(radio, command)
      #expect(outcome.status == 0, "\(radio): \(outcome.errors)")
      let value = try #require(
        JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      return (
        try #require(value["cells"] as? [[String: Any]]),
        try #require(value["accessPoints"] as? [[String: Any]]),
        try #require(value["remarks"] as? [String])
      )
    }
    let plain = try await heard("plain")
    #expect(plain.cells.count == 5, "a CDMA cell is none that it could name")
    #expect(plain.cells[0]["serving"] as? Bool == true, "the serving one first")
    #expect(plain.cells[0]["countryCode"] as? String == "262")
    #expect(plain.cells[0]["cell"] as? Int == 0xD30156)
    #expect(plain.cells[0]["signalDecibelMilliwatts"] as? String == "-97.0")
    // Two access points are missing: one opts out of locating, one was heard an hour ago.
    #expect(plain.points.compactMap { $0["channel"] as? Int } == [6, 36])
    let age = try #require((plain.points[0]["ageSeconds"] as? String).flatMap(Double.init))
    #expect((4...15).contains(age))
    let old = try await heard("old")
    #expect(old.cells.count == 1)
    #expect(old.cells[0]["areaCode"] as? Int == 0x6FFE)
    #expect(old.cells[0]["signalDecibelMilliwatts"] as? String == "-93.0")
    for (radio, remarks) in [
      ("nothing", ["no modem: no cells", "no Wi-Fi: no access points"]),
      (
        "absent",
        [
          "ModemManager is not running: no cells",
          "NetworkManager is not running: no access points",
        ]
      ),
    ] {
      let none = try await heard(radio)
      #expect(none.cells.isEmpty && none.points.isEmpty)
      #expect(none.remarks == remarks)
    }
    let off = try await heard("off")
    #expect(off.points.isEmpty && off.cells.count == 5)
    #expect(off.remarks == ["Wi-Fi is switched off: no access points"])
    #expect(
      try await heard("forbidden").remarks == ["the modem's cells cannot be read: not for you"])
    let hostile = try await heard("hostile")
    #expect(hostile.cells.count == 16, "bounded")
    #expect(hostile.points.count == 2)
  }

  private static let receiver = "00:11:22:33:44:55"

  @Test(
    "gnss scan lists what is in reach, and says why it cannot",
    .enabled(if: hasMock, "python3-dbusmock is not installed"))
  func scan() async throws {
    let scan = ["gnss", "scan", "--duration", "0.3"]
    let found = try await beside("plain", scan + ["--format", "json"])
    #expect(found.status == 0, "\(found.errors)")
    let value = try #require(
      JSONSerialization.jsonObject(with: Data(found.output.utf8)) as? [String: Any])
    let devices = try #require(value["devices"] as? [[String: Any]])
    #expect(devices.count == 3)
    #expect(devices[0]["address"] as? String == Self.receiver, "the strongest first")
    #expect(devices[0]["name"] as? String == "GNSS 7")
    #expect(devices[0]["signalDecibelMilliwatts"] as? Int == -51)
    #expect(devices[0]["serialPort"] as? Bool == true)
    #expect(devices[2]["serialPort"] as? Bool == false)
    #expect(devices[2]["kind"] as? String == "phone")
    #expect(devices[1]["serialPort"] == nil, "nobody knows its services")
    for (bluez, words) in [
      ("off", "switched off"), ("none", "no Bluetooth adapter"), ("absent", "BlueZ is not running"),
    ] {
      let refused = try await beside(bluez, scan)
      #expect(refused.status == 3)
      #expect(refused.errors.contains(words), "\(refused.errors)")
    }
    let other = try await beside("plain", scan + ["--adapter", "hci7"])
    #expect(other.errors.contains("there is no adapter hci7; there is hci0"), "\(other.errors)")
  }

  @Test(
    "gnss pair pairs, with the PIN that is asked for, and says each refusal in words",
    .enabled(if: hasMock, "python3-dbusmock is not installed"))
  func pair() async throws {
    let pair = ["gnss", "pair", Self.receiver]
    for (bluez, arguments) in [("plain", pair), ("pin=1234", pair + ["--pin", "1234"])] {
      let outcome = try await beside(bluez, arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("gnss test bluetooth://\(Self.receiver)"))
      #expect(outcome.errors.contains("trusted"))
    }
    for (bluez, arguments, words) in [
      ("pin=1234", pair + ["--pin", "0000"], "the PIN is wrong"),
      ("pin=1234", pair, "give it with --pin (0000 and 1234 are usual)"),
      ("error=AuthenticationRejected", pair, "refuses to be paired"),
      ("error=AuthenticationTimeout", pair, "did not answer in time"),
      ("error=ConnectionAttemptFailed", pair, "does not answer: is it switched on"),
    ] {
      let outcome = try await beside(bluez, arguments)
      #expect(outcome.status == 1, "\(bluez): \(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
    let off = try await beside("off", pair)
    #expect(off.status == 3)
    #expect(try await Program.run(Program.standpoint, ["gnss", "pair", "GNSS 7"]).status == 2)
  }

  @Test("gnss test says what comes and whether it will do; gnss use remembers a receiver")
  func chosen() async throws {
    try await withTemporaryDirectory { folder in
      func run(_ arguments: [String]) async throws -> Program.Outcome {
        try await Program.run(
          Program.standpoint, arguments + ["--data", folder.path],
          environment: ["XDG_CONFIG_HOME": folder.path])
      }
      let log = folder.appendingPathComponent("log.nmea")
      try Data(
        (0..<12).flatMap { second -> [UInt8] in
          let body =
            "GPGGA,1200\(second < 10 ? "0" : "")\(second),4807.1,N,01131.0,E,1,8,0.9,5,M,4,M,,"
          let sum = String(body.utf8.reduce(UInt8(0), ^), radix: 16, uppercase: true)
          return Array("$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n".utf8)
        }
      ).write(to: log)
      let source = "file://\(log.path)?rate=max"
      let good = try await run(["gnss", "test", source, "--format", "json"])
      #expect(good.status == 0, "\(good.errors)")
      let value = try #require(
        JSONSerialization.jsonObject(with: Data(good.output.utf8)) as? [String: Any])
      #expect(value["willDo"] as? Bool == true)
      #expect(value["fixesPerSecond"] as? Double == 1)
      #expect((value["sentences"] as? [String: Int])?["GPGGA"] ?? 0 >= 10)
      let codes = (value["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
      #expect(codes.contains("no-date"))
      let shown = try await run(["gnss", "use"])
      #expect(shown.output.contains("none chosen"))
      #expect(try await run(["gnss", "use", source]).output == source + "\n")
      let watched = try await run(["gnss", "watch"])
      #expect(watched.status == 0)
      #expect(watched.output.split(separator: "\n").count == 12)
      let tested = try await run(["gnss", "test"])
      #expect(tested.output.contains("✓ it is good enough"), "\(tested.output)")
      #expect(try await run(["gnss", "use", "--forget"]).output.contains("none chosen"))
      try Data("nothing to use".utf8).write(to: log)
      let bad = try await run(["gnss", "test", source])
      #expect(bad.status == 1)
      #expect(bad.output.contains("no NMEA sentence"))
      let away = try await run(["gnss", "test", "tcp://127.0.0.1:1"])
      #expect(away.status == 3)
      #expect(away.errors.contains("nothing is listening there"), "\(away.errors)")
      #expect(try await run(["gnss", "use", "ftp://x"]).status == 2)
    }
  }
}
