import Foundation
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

@Suite("Raw windows")
struct RawWindowTests {
  private static func window(_ random: inout SeededGenerator) throws -> RawWindow {
    let start = Int64.random(in: 0...(1 << 40), using: &random)
    var arrival = start
    let chunks = (0..<Int.random(in: 0...20, using: &random)).map { _ in
      defer { arrival += Int64.random(in: 0...5000, using: &random) }
      return RawChunk(
        arrival: ElapsedTime(milliseconds: arrival),
        bytes: (0..<Int.random(in: 0...90, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        })
    }
    func time(_ random: inout SeededGenerator) throws -> GNSSTime {
      let date = try #require(CivilDate(year: 2026, month: 5, day: 12))
      return try #require(
        GNSSTime(
          millisecondsSinceMidnight: Int.random(in: 0..<86_400_000, using: &random),
          date: Bool.random(using: &random) ? date : nil))
    }
    var gate = GatePolicy()
    gate.windowSeconds = Double(Int.random(in: 1...60_000, using: &random)) / 1000
    gate.allowsSimulated = Bool.random(using: &random)
    gate.setBy = ["default", "office", "inspector"].randomElement(using: &random) ?? ""
    var sampler = SamplerPolicy(
      samples: Int.random(in: 1...500, using: &random),
      method: CentroidMethod.allCases.randomElement(using: &random) ?? .mean)
    sampler?.maximumAgeSeconds = 120.5
    return RawWindow(
      source: "gpsd://localhost:2947/dev/ttyACM0",
      receiver: Bool.random(using: &random) ? "ü 9" : nil,
      from: try time(&random), firstSample: try time(&random), shutter: try time(&random),
      cycleEnd: Bool.random(using: &random) ? CycleEnd(text: "GNGSA/2") : nil, gate: gate,
      sampler: Bool.random(using: &random) ? sampler : nil, chunks: chunks)
  }

  /// Returns the file of any lines.
  private static func file(_ lines: [String], end: String = "\n") throws -> [UInt8] {
    try Gzip.compress(Array((lines.joined(separator: "\n") + end).utf8))
  }

  @Test("a window is read again as it was written, its times counted from its first read")
  func roundTrip() throws {
    try forEachSeed(0..<200) { seed, random in
      let window = try Self.window(&random)
      let bytes = try window.fileBytes()
      let again = try RawWindow(fileBytes: bytes)
      let start = window.chunks.first?.arrival.milliseconds ?? 0
      var expected = window
      expected.chunks = window.chunks.map {
        RawChunk(
          arrival: ElapsedTime(milliseconds: $0.arrival.milliseconds - start), bytes: $0.bytes)
      }
      #expect(again == expected, "seed \(seed)")
      #expect(try again.fileBytes() == bytes, "seed \(seed)")
    }
  }

  @Test("a time of day without its date stays without it, and a leap second is kept")
  func times() throws {
    let plain = try #require(RawWindow.time(.string("23:59:59.250")))
    #expect(plain.date == nil)
    #expect(plain.timeOfDay == "23:59:59.250")
    let dated = try #require(RawWindow.time(.string("2026-05-12T10:00:00.000Z")))
    #expect(dated.rfc3339 == "2026-05-12T10:00:00.000Z")
    for text in ["", "24:00:00", "10:00", "2026-05-12", "2026-05-12T10:00:00"] {
      #expect(RawWindow.time(.string(text)) == nil, "\(text)")
    }
    #expect(RawWindow.time(.integer(5)) == nil)
    let leap = try #require(
      GNSSTime(millisecondsSinceMidnight: 86_400_500, date: plain.date))
    let read = try #require(RawWindow.time(.string(leap.timeOfDay)))
    #expect(abs(read.seconds(since: leap)) < 0.001)
  }

  @Test("a first line that lacks a member, or has one of another type, is refused")
  func firstLine() throws {
    var random = SeededGenerator(seed: 4)
    var window = try Self.window(&random)
    window.sampler = SamplerPolicy()
    window.cycleEnd = CycleEnd(text: "GNGSA/2")
    window.chunks = []
    let lines = try Gzip.decompress(try window.fileBytes(), limit: 1 << 20)
    let header = try JSONValue(parsing: Array(lines.dropLast()))
    func read(_ header: JSONValue) throws -> RawWindow {
      try RawWindow(
        fileBytes: try Self.file([String(decoding: header.canonicalBytes, as: UTF8.self)]))
    }
    #expect(try read(header) == window)
    #expect(try read(header.setting(["later"], to: .bool(true))) == window)
    for name in ["schema", "source", "from", "firstSample", "shutter", "gate"] {
      #expect(throws: EvidenceError.self, "\(name)") { try read(header.setting([name], to: nil)) }
      #expect(throws: EvidenceError.self, "\(name)") {
        try read(header.setting([name], to: .integer(1)))
      }
    }
    for name in ["cycleEnd", "sampler"] {
      #expect(throws: EvidenceError.self, "\(name)") {
        try read(header.setting([name], to: .string("nonsense")))
      }
    }
    guard case .object(let limits)? = header["gate"] else {
      Issue.record("the first line has no gate")
      return
    }
    for name in limits.keys {
      for value: JSONValue? in [nil, .string("0.000"), .string("-1"), .string("nan"), .null] {
        // `setBy` may be any text.
        if name == "setBy", value?.text != nil { continue }
        #expect(throws: EvidenceError.self, "\(name) \(String(describing: value))") {
          try read(header.setting(["gate", name], to: value))
        }
      }
    }
    for (name, value) in [
      ("samples", JSONValue.integer(0)), ("samples", .integer(501)), ("samples", .string("5")),
      ("method", .string("mode")), ("maximumAgeSeconds", .string("0")),
    ] {
      #expect(throws: EvidenceError.self, "\(name)") {
        try read(header.setting(["sampler", name], to: value))
      }
    }
  }

  @Test("a line that is not milliseconds and base64 is refused")
  func lines() throws {
    var random = SeededGenerator(seed: 5)
    var window = try Self.window(&random)
    window.chunks = []
    let header = String(
      decoding: try Gzip.decompress(try window.fileBytes(), limit: 1 << 20).dropLast(),
      as: UTF8.self)
    #expect(throws: Never.self) {
      try RawWindow(fileBytes: try Self.file([header, "0 ", "15 AAECAw=="]))
    }
    for line in [
      "", " ", "0", "x AAAA", "-1 AAAA", "1.5 AAAA", "99999999999999999999 AAAA", "0  AAAA",
      "0 AAA", "+5 AAAA", "05 AAAA", "0 AAB=", "0 A!AA", "0 AAAA ", "0 AAAA=", "0\tAAAA", "{}",
      "0 $GNGGA",
    ] {
      #expect(throws: EvidenceError.self, "\(line)") {
        try RawWindow(fileBytes: try Self.file([header, line]))
      }
    }
    // Each line costs memory of its own: a small file must not claim millions.
    let many = [header] + Array(repeating: "0 ", count: RawWindow.maximumChunks)
    #expect(try RawWindow(fileBytes: try Self.file(many)).chunks.count == RawWindow.maximumChunks)
    #expect(throws: EvidenceError.self) { try RawWindow(fileBytes: try Self.file(many + ["0 "])) }
    #expect(throws: EvidenceError.malformedRawWindow("its last line is incomplete")) {
      try RawWindow(fileBytes: try Self.file([header, "0 AAAA"], end: ""))
    }
    #expect(throws: EvidenceError.self) { try RawWindow(fileBytes: try Self.file([""])) }
    #expect(throws: EvidenceError.self) { try RawWindow(fileBytes: try Self.file([], end: "")) }
  }

  @Test("hostile files are refused or read, and what is read can be recomputed without a trap")
  func hostile() throws {
    let day = try FieldDay.ordinary.get()
    let raw = try #require(day.captures[0].raw)
    let plain = try Gzip.decompress(raw, limit: 1 << 24)
    forEachSeed(0..<120) { seed, random in
      var bytes = plain
      for _ in 0...Int.random(in: 0...20, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        }
      }
      guard let window = try? RawWindow(fileBytes: try Gzip.compress(bytes)) else { return }
      _ = Recomputation(window)
      #expect(throws: Never.self, "seed \(seed)") { try window.fileBytes() }
    }
    // These windows are well-formed, and their receiver says nonsense.
    let window = try RawWindow(fileBytes: raw)
    forEachSeed(0..<150) { _, random in
      var changed = window
      for _ in 0...6 {
        let chunk = Int.random(in: 0..<changed.chunks.count, using: &random)
        let byte = Int.random(in: 0..<changed.chunks[chunk].bytes.count, using: &random)
        changed.chunks[chunk].bytes[byte] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { changed.chunks.shuffle(using: &random) }
      _ = Recomputation(changed)
    }
  }
}
