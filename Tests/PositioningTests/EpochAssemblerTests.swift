import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("Epochs")
struct EpochAssemblerTests {
  private func epoch(_ milliseconds: Int, latitude: Int = 0) -> [String] {
    let clock = clockText(milliseconds)
    return [
      "GNRMC,\(clock),A,4807.\(1000 + latitude),N,01131.000,E,0.2,84.4,230324,,,A",
      "GNGGA,\(clock),4807.\(1000 + latitude)1,N,01131.0001,E,1,08,0.8,545.1,M,46.9,M,,",
      "GNGST,\(clock),,2.0,1.0,0,,,3.0", "GNGSA,A,3,01,02,,,,,,,,,,,1.5,0.8,1.2,1",
      "GNVTG,45.0,T,,M,1.0,N,3.6,K,A",
    ]
  }

  /// Returns the fixes that came with each epoch's bytes, the last ones with the end of the stream.
  private func told(_ epochs: [[String]]) -> [[Fix]] {
    var decoder = FixDecoder()
    var told: [[Fix]] = []
    for epoch in epochs {
      told.append([])
      decoder.accept(framed(epoch)) { event in
        if case .fix(let fix) = event { told[told.count - 1].append(fix) }
      }
    }
    told.append([])
    decoder.finish { event in
      if case .fix(let fix) = event { told[told.count - 1].append(fix) }
    }
    return told
  }

  @Test("Any order of the sentences in an epoch gives one fix with the same content")
  func anyOrder() throws {
    let expected = try #require(fixes(framed(epoch(1000))).first)
    forEachSeed(0..<100) { seed, generator in
      var order = Array(epoch(1000)[..<3].shuffled(using: &generator))
      for other in epoch(1000)[3...] {
        order.insert(other, at: Int.random(in: 1...order.count, using: &generator))
      }
      // RMC and VTG both say the speed, so only one of them may speak.
      let speeches = order.filter { !$0.contains("VTG") }
      let alone = epoch(1000).filter { !$0.contains("VTG") }
      #expect(fixes(framed(speeches)) == fixes(framed(alone)), "seed \(seed)")
      let all = fixes(framed(order))
      #expect(all.count == 1, "seed \(seed)")
      #expect(all.first?.coordinate == expected.coordinate, "seed \(seed)")
      #expect(
        all.first?.horizontalUncertaintyMetres95 == expected.horizontalUncertaintyMetres95)
    }
  }

  @Test("From the third epoch on each is told within itself, in any fixed order")
  func learned() {
    forEachSeed(0..<40) { seed, generator in
      let order = [0] + Array(1..<5).shuffled(using: &generator)
      let told = told(
        (0..<6).map { second in
          let epoch = epoch(1000 * second, latitude: second)
          return order.map { epoch[$0] }
        })
      #expect(told.map(\.count) == [0, 1, 2, 1, 1, 1, 0], "seed \(seed)")
      #expect(
        told.flatMap { $0 }.map(\.time.millisecondsSinceMidnight)
          == [0, 1000, 2000, 3000, 4000, 5000], "seed \(seed)")
    }
  }

  @Test("A receiver that sends GGA alone is told within the epoch too")
  func single() {
    let told = told((0..<5).map { [epoch(1000 * $0)[1]] })
    #expect(told.map(\.count) == [0, 1, 2, 1, 1, 0])
  }

  @Test("What had been learned is known at once, and has a text")
  func handedOn() throws {
    var decoder = FixDecoder()
    for second in 0..<3 { decoder.accept(framed(epoch(1000 * second))) { _ in } }
    let end = try #require(decoder.cycleEnd)
    #expect(end.text == "GNVTG/1")
    #expect(CycleEnd(text: end.text) == end)
    var next = FixDecoder(cycleEnd: end)
    var heard = 0
    next.accept(framed(epoch(3000))) { _ in heard += 1 }
    #expect(heard == 1)
    for text in ["", "GNVTG", "GNVTG/", "GNVTG/0", "GNVTG/100", "GNVTG/+1", "GNXXX/1", "GNVTG/1 "] {
      #expect(CycleEnd(text: text) == nil, "\(text)")
    }
    for text in ["GNGSA/99", "PGRME/1", "PGRMZ/1", "PUBX/1", "GNGBS/1", "GNTHS/2"] {
      #expect(CycleEnd(text: text)?.text == text)
    }
  }

  @Test("A change of rhythm loses no fix and invents none")
  func change() {
    forEachSeed(0..<200) { seed, generator in
      var order = Array(0..<5).shuffled(using: &generator)
      var epochs: [[String]] = []
      for second in 0..<30 {
        if Int.random(in: 0..<4, using: &generator) == 0 { order.shuffle(using: &generator) }
        if Int.random(in: 0..<4, using: &generator) == 0 {
          order = Array(0..<5).filter { $0 < 2 || Bool.random(using: &generator) }
            .shuffled(using: &generator)
        }
        let epoch = epoch(1000 * second, latitude: second)
        epochs.append(order.map { epoch[$0] })
      }
      let all = fixes(epochs.flatMap(framed))
      #expect(
        all.map(\.time.millisecondsSinceMidnight) == (0..<30).map { $0 * 1000 }, "seed \(seed)")
      #expect(all.allSatisfy { $0.coordinate != nil }, "seed \(seed)")
    }
  }

  @Test("A lost last sentence delays, and does not lose")
  func lostSentence() {
    var epochs = (0..<8).map { epoch(1000 * $0) }
    epochs[4].removeLast()
    let told = told(epochs)
    #expect(told.map(\.count) == [0, 1, 2, 1, 0, 1, 1, 2, 0], "after two epochs it is known again")
  }

  @Test("The date comes from RMC or ZDA, holds over midnight, and is never invented")
  func dates() {
    func gga(_ milliseconds: Int) -> String { epoch(milliseconds)[1] }
    let day = 86_400_000
    #expect(fixes(framed([gga(0), gga(1000)])).allSatisfy { $0.time.date == nil })
    for said in ["GPRMC,235958,A,4807.1,N,01131.0,E,0,0,311223,,,A", "GPZDA,235958,31,12,2023,,"] {
      let all = fixes(
        framed([gga(day - 3000), said, gga(day - 2000), gga(day - 1000), gga(0), gga(1000)]))
      #expect(
        all.map(\.time.date?.iso8601)
          == [nil, "2023-12-31", "2023-12-31", "2024-01-01", "2024-01-01"], "\(said)")
    }
  }

  @Test("Time that goes backwards takes the date with it, and gives no negative midnight")
  func backwards() {
    let all = fixes(
      framed([
        "GPRMC,120000,A,4807.1,N,01131.0,E,0,0,311223,,,A", epoch(43_100_000)[1],
        epoch(43_101_000)[1],
      ]))
    #expect(all.map(\.time.date?.iso8601) == ["2023-12-31", nil, nil])
    #expect(all.map(\.time.millisecondsSinceMidnight) == [43_200_000, 43_100_000, 43_101_000])
  }

  @Test("A person's date for a log without one runs on over midnight")
  func assumed() {
    var decoder = FixDecoder(assumedDate: CivilDate(year: 2024, month: 2, day: 28))
    var dates: [String?] = []
    let times = [86_398_000, 86_399_000, 0, 1000, 86_399_000, 0]
    decoder.accept(framed(times.map { epoch($0)[1] })) { event in
      if case .fix(let fix) = event { dates.append(fix.time.date?.iso8601) }
    }
    decoder.finish { event in
      if case .fix(let fix) = event { dates.append(fix.time.date?.iso8601) }
    }
    #expect(
      dates == [
        "2024-02-28", "2024-02-28", "2024-02-29", "2024-02-29", "2024-02-29", "2024-03-01",
      ])
  }

  @Test("Mode comes from the epoch's own GSA or height, and from no earlier one")
  func mode() {
    let all = fixes(
      framed([
        epoch(0)[1], epoch(0)[3], "GNRMC,000001,A,4807.1,N,01131.0,E,0,0,311223,,,A",
        epoch(2000)[1], "GNGSA,A,2,01,02,,,,,,,,,,,1.5,0.8,1.2,1", epoch(3000)[1],
      ]))
    #expect(
      all.map(\.mode) == [.threeDimensional, .twoDimensional, .twoDimensional, .threeDimensional])
  }

  @Test("A break ends the epoch, and teaches no rhythm")
  func broken() {
    var decoder = FixDecoder()
    var heard = 0
    for second in 0..<2 {
      decoder.accept(framed(Array(epoch(1000 * second)[..<2]))) { _ in heard += 1 }
      decoder.finish { _ in heard += 1 }
    }
    decoder.finish { _ in heard += 1 }
    #expect(heard == 2)
    #expect(decoder.cycleEnd == nil)
  }

  @Test("A log is cut at its epochs, with the date of its first even when said after midnight")
  func timeline() {
    let day = 86_400_000
    let log =
      Array("# a comment\n".utf8)
      + framed([
        epoch(day - 2000)[1], epoch(day - 1000)[1], epoch(500)[1], "GPZDA,000000.5,01,01,2024,,",
        epoch(2500)[1],
      ])
    let timeline = LogTimeline(log)
    #expect(timeline.pieces.map(\.seconds) == [0, 1, 2.5, 4.5])
    #expect(timeline.pieces.flatMap(\.bytes) == Array(log.dropFirst(12)))
    #expect(timeline.firstTime?.rfc3339 == "2023-12-31T23:59:58.000Z")
    #expect(timeline.fixCount == 4)
    let later = LogTimeline(
      framed([
        epoch(day - 1000)[1], "GPRMC,000000,A,4807.1,N,01131.0,E,0,0,010124,,,A",
      ]))
    #expect(later.firstTime?.rfc3339 == "2023-12-31T23:59:59.000Z")
    #expect(LogTimeline([]).pieces.isEmpty)
    let commented = LogTimeline(
      Array("# tested with $GNRMC,230000,A,4807.1,N,01131.0,E,0,0,010124,,,A*00\r\n".utf8) + log)
    #expect(commented.firstTime == timeline.firstTime)
    #expect(commented.pieces.count == timeline.pieces.count)
    #expect(LogTimeline(Array("nothing".utf8)).firstTime == nil)
  }

  @Test("A ZDA with a time of its own is no epoch without a position")
  func timeAlone() {
    let all = fixes(
      framed(
        (0..<12).flatMap { second in
          ["GPZDA,\(clockText(second * 1000)),05,04,2031,,", epoch(second * 1000 + 200)[1]]
        }))
    #expect(all.count == 12)
    #expect(all.allSatisfy { $0.coordinate != nil })
    #expect(all.last?.time.date?.iso8601 == "2031-04-05")
  }
}
