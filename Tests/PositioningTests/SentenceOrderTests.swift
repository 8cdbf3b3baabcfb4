import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

/// Receivers that begin an epoch with sentences without a time, as those of many phones do.
@Suite("Order of the sentences")
struct SentenceOrderTests {
  private struct Second {
    var untimed: [String]
    var timed: [String]

    /// Makes a second with a speed, a course and dilutions of its own.
    init(_ second: Int, speed: Double, course: Double, dilution: Double, hasFix: Bool = true) {
      let clock = clockText(second * 1000)
      let knots = (speed / 1852 * 3600 * 1000).rounded() / 1000
      let place = "48\(10 + second / 60).\(1000 + second % 60),N,01131.0001,E"
      timed = [
        "GNRMC,\(clock),A,\(place),\(knots),\(course),230324,,,A",
        "GNGGA,\(clock),\(place),1,08,\(dilution),545.1,M,46.9,M,,",
      ]
      untimed = [
        "GNGSA,A,3,\(second % 30 + 3),02,,,,,,,,,,,\(dilution + 1),\(dilution),\(dilution + 0.5),1",
        "GNVTG,\(course),T,,M,\(knots),N,\((speed * 3600).rounded() / 1000),K,A",
      ]
      guard !hasFix else { return }
      timed = ["GNRMC,\(clock),V,,,,,,,230324,,,N", "GNGGA,\(clock),,,,,0,,,,M,,M,,"]
      untimed = ["GNGSA,A,1,,,,,,,,,,,,,,,,1", "GNVTG,,T,,M,,N,,K,N"]
    }
  }

  private func seconds(_ count: Int, _ generator: inout SeededGenerator) -> [Second] {
    (0..<count).map { second in
      Second(
        second, speed: Double(Int.random(in: 5...25, using: &generator)) / 10,
        course: Double(Int.random(in: 0...359, using: &generator)),
        dilution: Double(Int.random(in: 6...19, using: &generator)) / 10)
    }
  }

  private func told(_ bursts: [[String]], to decoder: inout FixDecoder) -> [[Fix]] {
    bursts.map { burst in
      var told: [Fix] = []
      decoder.accept(framed(burst)) { if case .fix(let fix) = $0 { told.append(fix) } }
      return told
    }
  }

  @Test("A receiver that leads with GSA and VTG is soon understood: each fix has its own, at once")
  func leading() throws {
    try forEachSeed(0..<50) { seed, generator in
      let seconds = seconds(20, &generator)
      var decoder = FixDecoder()
      let order = Bool.random(using: &generator)
      let bursts = seconds.map { $0.untimed + (order ? $0.timed : $0.timed.reversed()) }
      let told = told(bursts, to: &decoder)
      let trailing = fixes(framed(seconds.flatMap { $0.timed + $0.untimed }))
      for index in 10..<20 {
        try #require(told[index].count == 1, "seed \(seed)")
        let fix = told[index][0]
        #expect(fix.time.millisecondsSinceMidnight == index * 1000, "seed \(seed)")
        #expect(fix == trailing[index], "seed \(seed)")
        #expect(fix.verticalDilution != nil)
      }
      #expect(decoder.cycleEnd?.text == (order ? "GNGGA/1>" : "GNRMC/1>"))
      #expect(decoder.sky.isEmpty, "no GSV, no satellites")
    }
  }

  @Test("One that ends with them is never taken for one that leads, also where sentences are lost")
  func trailing() {
    forEachSeed(0..<100) { seed, generator in
      var decoder = FixDecoder()
      for second in seconds(60, &generator) {
        var burst = second.timed.shuffled(using: &generator)
        burst += second.untimed.shuffled(using: &generator)
        if Int.random(in: 0..<8, using: &generator) == 0 {
          burst.remove(at: Int.random(in: burst.indices, using: &generator))
        }
        decoder.accept(framed(burst)) { _ in }
        #expect(decoder.cycleEnd?.text.hasSuffix(">") != true, "seed \(seed)")
      }
    }
  }

  @Test("A lost fix of the next second takes nothing from the one before, once the order is known")
  func lost() throws {
    var generator = SeededGenerator(seed: 4)
    var seconds = seconds(20, &generator)
    seconds[15] = Second(15, speed: 0, course: 0, dilution: 1, hasFix: false)
    var decoder = FixDecoder()
    let told = told(seconds.map { $0.untimed + $0.timed }, to: &decoder)
    #expect(told[14].map(\.mode) == [.threeDimensional])
    #expect(told[15].map(\.coordinate) == [nil])
    #expect(told[16].map(\.mode) == [.threeDimensional])
  }

  @Test("Known from before it holds at once; used satellites go with their own epoch")
  func handedOn() throws {
    let end = try #require(CycleEnd(text: "GNGGA/1>"))
    #expect(end.text == "GNGGA/1>")
    for text in [">", "GNGGA/1>>", "GNGGA/>", "GNGGA>/1"] { #expect(CycleEnd(text: text) == nil) }
    var generator = SeededGenerator(seed: 5)
    let seconds = seconds(3, &generator)
    var decoder = FixDecoder(cycleEnd: end)
    let view = "GPGSV,1,1,04,02,45,100,40,03,45,100,40,04,45,100,40,05,45,100,40"
    for (index, second) in seconds.enumerated() {
      decoder.accept(framed(second.untimed + [view] + second.timed)) { _ in }
      guard index > 0 else { continue }
      #expect(decoder.sky.filter(\.isUsed).map(\.id).sorted() == [2, index + 3])
    }
  }

  @Test("A leading receiver's second is its own also where its last sentence changes")
  func changingEnd() throws {
    var generator = SeededGenerator(seed: 8)
    let seconds = seconds(30, &generator)
    func said(_ index: Int, leads: Bool) -> [String] {
      let zda = index % 2 == 0 ? ["GPZDA,\(clockText(index * 1000)),23,03,2024,,"] : []
      let timed = seconds[index].timed + zda
      return leads ? seconds[index].untimed + timed : timed + seconds[index].untimed
    }
    let leading = fixes(framed((0..<30).flatMap { said($0, leads: true) }))
    let trailing = fixes(framed((0..<30).flatMap { said($0, leads: false) }))
    try #require(leading.count == 30 && trailing.count == 30)
    #expect(leading[10...] == trailing[10...])
  }

  @Test("RMC's speed and course count for more than VTG's, which fills what RMC leaves out")
  func motion() throws {
    let vtg = "GPVTG,10.0,T,,M,2.0,N,3.704,K,A"
    let rmc = "GPRMC,000001,A,4807.1,N,01131.0,E,1.0,20.0,311223,,,A"
    for bodies in [[rmc, vtg], [rmc, vtg, vtg]] {
      let fix = try #require(fixes(framed(bodies)).first)
      #expect(abs((fix.speedMetresPerSecond ?? 0) - 0.514444) < 1e-6)
      #expect(fix.courseDegreesTrue == 20)
    }
    let bare = "GPRMC,000001,A,4807.1,N,01131.0,E,1.0,,311223,,,A"
    #expect(try fix(bare, vtg).courseDegreesTrue == 10)
  }

  @Test("A receiver that no longer says when ends the epoch before, which keeps its position")
  func timeless() {
    var generator = SeededGenerator(seed: 6)
    let seconds = seconds(2, &generator)
    for lost in ["GNGGA,,,,,,0,,,,,,,,", "GNRMC,,V,,,,,,,,,,N"] {
      let all = fixes(framed(seconds[0].timed + [lost, "GNGSA,A,1,,,,,,,,,,,,,,,,1"]))
      #expect(all.count == 1)
      #expect(all.first?.mode == .threeDimensional, "\(lost)")
      // The next second has a time again, and both fixes have a position.
      let again = fixes(framed(seconds[0].timed + [lost] + seconds[1].timed))
      #expect(again.count == 2)
      #expect(again.allSatisfy { $0.coordinate != nil })
    }
    // Sentences of other talkers, a poll by the host and a GLL without a time are no matter of this
    // epoch.
    let body = seconds[0]
    for foreign in ["IIGLL,,,,,,V,N", "IIRMC,,V,,,,,,,,,,N", "PUBX,00", "GNGLL,,,,,,V,N"] {
      for place in 1...3 {
        var sentences = body.timed + body.untimed
        sentences.insert(foreign, at: place)
        #expect(
          fixes(framed(sentences)).map(\.mode) == [.threeDimensional], "\(foreign) at \(place)")
      }
    }
    // An old receiver's GLL without a time takes part in no epoch, and ends none.
    let old = fixes(framed([seconds[0].timed[0], "GPGLL,4807.1,N,01131.0,E", seconds[0].timed[1]]))
    #expect(old.count == 1)
  }

  @Test("A GNS for each constellation: only the one with the position says what made it")
  func constellations() throws {
    let combined = "GNGNS,000001,4807.1,N,01131.0,E,AAN,12,0.9,500.0,46.9,2.5,0017"
    let others = ["GPGNS,000001,,,,,,7,,,,1.5,0001", "GLGNS,000001,,,,,N,5,,,,,"]
    for bodies in [[combined] + others, others + [combined], [others[0], combined, others[1]]] {
      let all = fixes(framed(bodies))
      let fix = try #require(all.first)
      #expect(all.count == 1)
      #expect(fix.coordinate != nil, "\(bodies)")
      #expect(fix.quality == .autonomous)
      #expect(fix.satellitesUsed == 12)
      #expect(fix.correctionAgeSeconds == 2.5)
      #expect(fix.correctionStation == "0017")
    }
    #expect(fixes(framed([others[1]])).map(\.coordinate) == [nil])
    let beside = fixes(framed(["GPRMC,000001,A,4807.1,N,01131.0,E,0,0,311223,,,A", others[1]]))
    #expect(beside.map(\.coordinate) == [nil], "alone it says that there is no solution")
  }

  @Test("A date holds over midnight and short holes, not over long ones or a broken stream")
  func dates() {
    let day = 86_400_000
    func dates(_ times: [Int], breaks: Bool = false) -> [String?] {
      var decoder = FixDecoder()
      var dates: [String?] = []
      func take(_ event: DecodedEvent) {
        if case .fix(let fix) = event { dates.append(fix.time.date?.iso8601) }
      }
      for (index, time) in times.enumerated() {
        let zda = index == 0 ? ["GPZDA,\(clockText(time)),31,12,2023,,"] : []
        decoder.accept(
          framed(["GPGGA,\(clockText(time)),4807.1,N,01131.0,E,1,08,0.8,5,M,4,M,,"] + zda), take)
        if breaks { decoder.finish(take) }
      }
      decoder.finish(take)
      return dates
    }
    #expect(dates([0, 60_000, 120_000]) == ["2023-12-31", "2023-12-31", "2023-12-31"])
    #expect(dates([0, 60_001, 60_002]) == ["2023-12-31", nil, nil])
    #expect(dates([0, 11 * 3_600_000]) == ["2023-12-31", nil])
    #expect(dates([day - 30_000, 30_000]) == ["2023-12-31", "2024-01-01"])
    #expect(dates([day - 30_000, 30_001]) == ["2023-12-31", nil])
    #expect(dates([day - 1000, 1000, 500]) == ["2023-12-31", "2024-01-01", nil])
    #expect(
      dates([0, 1000], breaks: true) == ["2023-12-31", nil], "who knows how long it was broken")
  }

  @Test("PQ is QZSS's talker with some makers; a talker that is no text says nothing")
  func talkers() {
    var decoder = FixDecoder()
    decoder.accept(framed(["PQGSV,1,1,01,03,45,100,40", "PQGGA,,,,,,0,,,,,,,,"])) { _ in }
    #expect(decoder.sky.map(\.constellation) == [.qzss])
    var strange = Array("$".utf8)
    let body = [0xC3, 0xA9] + Array("GGA,000001,4807.1,N,01131.0,E,1,08,0.8,5,M,4,M,,".utf8)
    let sum = body.reduce(UInt8(0), ^)
    strange += body + Array("*".utf8)
    strange += Array((sum < 16 ? "0" : "").utf8) + Array(String(sum, radix: 16).utf8) + [10]
    #expect(fixes(strange).isEmpty)
    // More sentences of a kind than any receiver sends are no rhythm.
    let many = (0..<4).flatMap { second in
      Array(
        repeating: "GPGGA,\(clockText(second * 1000)),4807.1,N,01131.0,E,1,08,0.8,5,M,4,M,,",
        count: 120)
    }
    var crowded = FixDecoder()
    crowded.accept(framed(many)) { _ in }
    #expect(crowded.cycleEnd == nil)
  }
}
