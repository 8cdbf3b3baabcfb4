import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("gpsd's JSON")
struct GpsdDecoderTests {
  private func lines(_ lines: String...) -> [UInt8] {
    lines.flatMap { Array($0.utf8) + [0x0D, 0x0A] }
  }

  private func tpv(_ rest: String, second: Int = 1, mode: Int = 3) -> String {
    #"{"class":"TPV","device":"/dev/x","mode":\#(mode),"time":"2024-05-06T07:08:\#(second < 10 ? "0" : "")\#(second).250Z","#
      + #""lat":-45.5,"lon":170.25\#(rest)}"#
  }

  @Test("VERSION, DEVICES and ERROR are told")
  func greetings() {
    let all = events(
      lines(
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"},"#
          + #"{"class":"DEVICE","path":"/dev/b"}]}"#,
        #"{"class":"ERROR","message":"Unrecognized request '?X'"}"#))
    #expect(all.count == 3)
    guard all.count == 3, case .gpsdVersion("3.22", 3) = all[0],
      case .gpsdDevices(["/dev/a", "/dev/b"]) = all[1], case .gpsdRefusal(let words) = all[2]
    else {
      Issue.record("\(all)")
      return
    }
    #expect(words.contains("Unrecognized"))
  }

  @Test("TPV and SKY give a fix where no sentence is heard")
  func position() throws {
    let bytes = lines(
      #"{"class":"SKY","hdop":0.9,"vdop":1.2,"pdop":1.5,"satellites":["#
        + #"{"PRN":5,"gnssid":0,"svid":5,"el":45,"az":100,"ss":40,"used":true},"#
        + #"{"PRN":301,"gnssid":2,"svid":1,"el":10,"az":200,"ss":20,"used":false}]}"#,
      tpv(
        #","status":2,"altHAE":20.5,"altMSL":10.25,"speed":1.5,"track":90,"climb":-0.5,"#
          + #""eph":4.5,"epv":9"#))
    let all = fixes(bytes)
    let fix = try #require(all.first)
    #expect(all.count == 1)
    #expect(try fix.coordinate == place(-45.5, 170.25))
    #expect(fix.time.rfc3339 == "2024-05-06T07:08:01.250Z")
    #expect(fix.mode == .threeDimensional)
    #expect(fix.quality == .differential)
    #expect(fix.ellipsoidalHeightMetres == 20.5)
    #expect(fix.meanSeaLevelHeightMetres == 10.25)
    #expect(fix.speedMetresPerSecond == 1.5)
    #expect(fix.courseDegreesTrue == 90)
    #expect(fix.climbMetresPerSecond == -0.5)
    #expect(fix.horizontalUncertaintyMetres95 == 4.5)
    #expect(fix.verticalUncertaintyMetres95 == 9)
    #expect(fix.uncertaintySource == .gpsd)
    #expect(fix.horizontalDilution == 0.9)
    var decoder = FixDecoder()
    decoder.accept(bytes) { _ in }
    #expect(decoder.sky.map(\.constellation) == [.gps, .galileo])
    #expect(decoder.sky.map(\.isUsed) == [true, false])
  }

  @Test("ATT gives its epoch a heading, and SKY's signals are translated from u-blox's numbers")
  func attitude() {
    let bytes = lines(
      #"{"class":"ATT","device":"/dev/a","time":"2024-05-06T07:08:01.250Z","heading":271.5}"#,
      #"{"class":"SKY","satellites":[{"PRN":5,"gnssid":0,"svid":5,"sigid":3,"ss":40,"used":true},"#
        + #"{"PRN":6,"gnssid":0,"svid":6,"sigid":0,"ss":40,"used":true}]}"#,
      tpv(""), tpv("", second: 2))
    #expect(fixes(bytes).map(\.headingDegreesTrue) == [271.5, nil])
    var decoder = FixDecoder()
    decoder.accept(bytes) { _ in }
    #expect(decoder.sky.map { $0.signals.map(\.name) } == [["L2C-L"], []])
    #expect(decoder.capability.constellations == [.gps])
    var odd = FixDecoder()
    odd.accept(
      lines(#"{"class":"SKY","satellites":[{"PRN":111111111,"ss":40},{"PRN":7},{"PRN":-3}]}"#)
    ) { _ in }
    #expect(odd.sky.map(\.id) == [7], "numbers that no satellite has")
    for heading in ["NaN", "400", "-1", "1e999"] {
      #expect(
        fixes(lines(#"{"class":"ATT","heading":\#(heading)}"#, tpv(""))).map(\.headingDegreesTrue)
          == [nil], "\(heading)")
    }
  }

  @Test("A heading and dilutions hold for all tellings of their instant, and for no other")
  func carriedOn() {
    let sky = #"{"class":"SKY","hdop":0.9,"vdop":1.2,"pdop":1.5,"satellites":[]}"#
    let attitude = #"{"class":"ATT","heading":123.5}"#
    let start = lines(sky, attitude, tpv("", second: 0), tpv(#","speed":1"#, second: 0))
    let all = fixes(
      start + (1...14).flatMap { lines(tpv("", second: $0)) })
    #expect(all.first?.headingDegreesTrue == 123.5)
    #expect(all.first?.speedMetresPerSecond == 1)
    #expect(all.dropFirst().allSatisfy { $0.headingDegreesTrue == nil })
    #expect(all.first?.horizontalDilution == 0.9)
    #expect(all.dropFirst().allSatisfy { $0.horizontalDilution == nil })
    #expect(all.count >= 14)
  }

  @Test("gpsd that switches a receiver to its binary protocol is taken at its word after a while")
  func switched() {
    let own = framed("GPGGA,070759,4530.0,S,17015.0,E,1,08,1,5,M,,M,,")
    let told = (0..<40).map { index in
      tpv("", second: 1).replacing("07:08:01", with: "07:0\(index / 10):0\(index % 10)")
    }
    let all = fixes(own + told.flatMap { Array($0.utf8) + [0x0A] })
    #expect(all.count > 15, "\(all.count)")
  }

  @Test("An instant told several times is one fix, the fullest and last telling")
  func severalTellings() {
    let all = fixes(
      lines(
        tpv("", mode: 2), tpv(#","altMSL":7"#), tpv("", mode: 2), tpv(#","altMSL":8"#),
        tpv("", second: 2, mode: 2)))
    #expect(all.map(\.meanSeaLevelHeightMetres) == [8, nil])
    #expect(all.map(\.mode) == [.threeDimensional, .twoDimensional])
  }

  @Test("The receiver's own sentences take precedence over gpsd's reading of them")
  func precedence() {
    let gga = "GPGGA,070801.25,3015.0,N,00145.0,E,1,08,1.0,5.0,M,,M,,"
    let bytes =
      lines(tpv("")) + framed(gga) + lines(tpv(#","altMSL":7"#), tpv("", second: 2))
      + framed("GPGGA,070802.25,3015.0,N,00145.0,E,1,08,1.0,5.0,M,,M,,") + lines(tpv("", second: 3))
    let all = fixes(bytes)
    #expect(all.map(\.coordinate?.latitudeDegrees) == [30.25, 30.25])
    #expect(counts(bytes).gpsdMessages == 4)
    #expect(counts(bytes).sentences == 2)
  }

  @Test(
    "Numbers that are none are not said",
    arguments: ["NaN", "1e999", "-1e999", "null", "\"x\"", "nan", "inf", "-1"])
  func noNumbers(number: String) {
    for fix in fixes(lines(tpv(#","altMSL":\#(number),"speed":\#(number),"eph":\#(number)"#))) {
      #expect(fix.meanSeaLevelHeightMetres.map { $0.isFinite } ?? true)
      #expect(fix.speedMetresPerSecond.map { $0 >= 0 && $0.isFinite } ?? true)
      #expect(fix.horizontalUncertaintyMetres95.map { $0 > 0 && $0.isFinite } ?? true)
    }
  }

  @Test(
    "A place that is none is no position",
    arguments: [
      #""lat":NaN,"lon":1"#, #""lat":91,"lon":1"#, #""lat":1,"lon":181"#, #""lat":1e999,"lon":1"#,
      #""alt":4"#,
    ])
  func noPlace(place: String) {
    let all = fixes(
      lines(#"{"class":"TPV","mode":3,"time":"2024-05-06T07:08:01.000Z",\#(place)}"#))
    #expect(all.allSatisfy { $0.coordinate == nil && $0.mode == .none })
  }

  @Test("A TPV without a time, or without a fix, is no position")
  func noTime() {
    #expect(fixes(lines(#"{"class":"TPV","mode":1}"#)).isEmpty)
    #expect(fixes(lines(#"{"class":"TPV","mode":3,"lat":1,"lon":1}"#)).isEmpty)
    let none = fixes(lines(tpv("", mode: 1)))
    #expect(none.allSatisfy { $0.coordinate == nil })
  }

  @Test(
    "Garbage in braces stops nothing",
    arguments: [
      "{", "{}", "{\"class\"", #"{"class":"TPV""#, #"{"class":"TPV","mode":3"#, "{{{{{{",
      #"{"class":"SKY","satellites":[{"PRN":"#, #"{"class":"DEVICES","devices":[]}"#,
      #"{"class":"NOPE"}"#, #"{"class":"TPV","time":"yesterday","mode":3,"lat":1,"lon":1}"#,
      "{\u{0}\"class\":\"VERSION\"}",
      #"{"class":"VERSION","release":"\#(String(repeating: "9", count: 4000))","proto_major":3}"#,
    ])
  func garbage(line: String) {
    #expect(fixes(lines(line)).isEmpty)
    #expect(counts(lines(line)).gpsdMessages == (line.hasPrefix(#"{"class":"#) ? 1 : 0))
  }

  @Test(
    "Lines from which libgps 3.22 never returns are passed over",
    arguments: [
      #"{"class":"DEVICE","devices":[{"class":"DEVICE","path":"/dev/a"}]}"#,
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"}"#,
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"},,]}"#,
      #"{"class":"TPV","x":[{"class":"TPV","mode":3}]}"#,
      #"{"class":"TPV","lat":"x"y,"class":"TPV"}"#,
      #"{"klass":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"}]}"#,
    ])
  func endlessForLibgps(line: String) {
    #expect(events(lines(line)).isEmpty)
  }

  @Test("A line with a NUL in it is passed over as a whole")
  func embeddedNUL() {
    var line = lines(tpv(""))
    line.insert(0, at: line.count - 4)
    #expect(fixes(line).isEmpty)
  }

  @Test("More satellites than libgps has room for stop nothing")
  func manySatellites() {
    let satellite = #"{"PRN":5,"gnssid":0,"svid":5,"el":45,"az":100,"ss":40,"used":true}"#
    let all = Array(repeating: satellite, count: 400).joined(separator: ",")
    var decoder = FixDecoder()
    decoder.accept(lines(#"{"class":"SKY","satellites":[\#(all)]}"#)) { _ in }
    #expect(decoder.sky.count <= 400)
  }

  @Test("Damaged messages of gpsd stop nothing")
  func damaged() {
    let message = lines(
      #"{"class":"SKY","hdop":0.9,"satellites":[{"PRN":5,"el":45,"az":100,"ss":40,"used":true}]}"#,
      tpv(#","altMSL":10.25,"speed":1.5,"track":90,"eph":4.5"#),
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"}]}"#)
    forEachSeed(0..<10_000) { seed, generator in
      var bytes = message
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] =
          UInt8.random(in: 0...255, using: &generator)
      }
      for fix in fixes(bytes) {
        #expect((fix.coordinate == nil) == (fix.mode == .none), "seed \(seed)")
        #expect(fix.speedMetresPerSecond?.isFinite ?? true, "seed \(seed)")
      }
    }
  }
}
