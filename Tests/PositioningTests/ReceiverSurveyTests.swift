import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("Whether a receiver will do")
struct ReceiverSurveyTests {
  private func outcome(
    _ bytes: [UInt8], seconds: Double = 10, size: Int = 100
  ) -> ReceiverSurvey.Outcome {
    var survey = ReceiverSurvey(seconds: seconds)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + size)
      survey.accept(Array(bytes[start..<end]))
      start = end
    }
    return survey.finish()
  }

  private func epoch(_ second: Int, without kinds: [String] = [], hasFix: Bool = true) -> [String] {
    let clock = clockText(second * 1000)
    let place = hasFix ? "4807.1,N,01131.0,E" : ",,,"
    return [
      "GNRMC,\(clock),\(hasFix ? "A" : "V"),\(place),0.1,20.0,010626,,,\(hasFix ? "D" : "N")",
      "GNGGA,\(clock),\(place),\(hasFix ? 2 : 0),11,0.9,500.0,M,46.0,M,3.5,0120",
      "GNGSA,A,\(hasFix ? 3 : 1),01,02,,,,,,,,,,,1.5,0.9,1.2,1",
      "GNGST,\(clock),,1.0,1.0,0,1.0,1.0,2.0", "GPGSV,1,1,01,03,45,100,40,1",
    ].filter { sentence in !kinds.contains { sentence.dropFirst(2).hasPrefix($0) } }
  }

  private func log(
    _ count: Int = 10, step: Int = 1, without kinds: [String] = [], hasFix: Bool = true
  ) -> [UInt8] {
    framed((0..<count).flatMap { epoch($0 * step, without: kinds, hasFix: hasFix) })
  }

  @Test("One that sends everything each second will do, without a word of complaint")
  func good() throws {
    let outcome = outcome(log())
    #expect(outcome.willDo)
    #expect(outcome.findings.isEmpty, "\(outcome.findings)")
    #expect(outcome.sentences.map(\.address) == ["GNGGA", "GNGSA", "GNGST", "GNRMC", "GPGSV"])
    #expect(outcome.sentences.allSatisfy { $0.count == 10 })
    #expect(outcome.epochsPerSecond == 1)
    #expect(outcome.fix?.correctionAgeSeconds == 3.5)
    #expect(outcome.fix?.correctionStation == "0120")
    #expect(outcome.capability.constellations == [.gps])
  }

  @Test("What is missing is named, and weighed")
  func missing() {
    for (bytes, code, weight) in [
      ([], "nothing", .unusable),
      (Array("#BESTPOSA,COM1,0,55.0,FINESTEERING\r\n".utf8), "no-sentences", .unusable),
      ((0...255).map { $0 } + (0...255).map { $0 }, "no-sentences", .unusable),
      (
        framed(["GPGSV,1,1,01,03,45,100,40,1", "GPTXT,01,01,02,ready"]), "no-position-sentences",
        .unusable
      ),
      (log(hasFix: false), "no-fix", .unusable),
      (framed(["GPGGA,,,,,,0,,,,,,,,", "GPRMC,,V,,,,,,,,,,N"]), "no-time", .unusable),
      (log(step: 5), "slow", .unusable), (log(step: 2), "slow", .poor),
      (log(without: ["GST"]), "no-statistics", .note), (log(without: ["RMC"]), "no-date", .note),
      (log(without: ["GSV"]), "no-sky", .note),
      (log(5) + framed((5..<10).flatMap { epoch($0, hasFix: false) }), "gaps", .poor),
      (
        framed((0..<10).map { "GPGLL,4807.1,N,01131.0,E,\(clockText($0 * 1000)),A,S" }),
        "simulated",
        .unusable
      ),
      (
        Array(#"{"class":"VERSION","release":"9.0","proto_major":9}"#.utf8) + [10], "gpsd",
        .unusable
      ),
    ] as [([UInt8], String, ReceiverSurvey.Finding.Weight)] {
      for size in [7, 5000] {
        let outcome = outcome(bytes, size: size)
        let finding = outcome.findings.first { $0.code == code }
        #expect(finding?.weight == weight, "\(code): \(outcome.findings)")
        #expect(outcome.willDo == !outcome.findings.contains { $0.weight == .unusable })
        if weight == .unusable { #expect(outcome.findings.first?.weight == .unusable) }
      }
    }
  }

  @Test("A bad line and a flood are told apart from a receiver that is none")
  func lines() {
    forEachSeed(0..<20) { seed, generator in
      var bytes = log()
      for _ in 0..<60 {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
          in: 0x20...0x7E, using: &generator)
      }
      let damaged = outcome(bytes).findings.first { $0.code == "damaged" }
      #expect(damaged?.weight == .unusable, "seed \(seed)")
    }
    var one = log()
    one[30] ^= 1
    #expect(outcome(one).findings.map(\.text) == ["1 of 50 sentences is damaged"])
    #expect(outcome(one).willDo)
    let flood = outcome(log() + [UInt8](repeating: 0x41, count: 3_000_000), size: 100_000)
    #expect(flood.findings.contains { $0.code == "flood" })
    var half = ReceiverSurvey(seconds: 10)
    for _ in 0..<3000 { half.accept(Array("$GPGGA,1234".utf8)) }
    #expect(half.finish().findings.map(\.code) == ["no-sentences"], "half lines for hours")
  }

  @Test("A gpsd with several receivers has to be asked for one of them")
  func several() {
    let devices =
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"},"#
      + #"{"class":"DEVICE","path":"/dev/b"}]}"#
    let bytes = Array(devices.utf8) + [10] + log()
    let outcome = outcome(bytes)
    #expect(!outcome.willDo)
    #expect(outcome.findings.first?.text.contains("/dev/a, /dev/b") == true)
    var one = ReceiverSurvey(seconds: 10, isOneOfSeveral: true)
    one.accept(bytes)
    #expect(one.finish().willDo)
  }
}
