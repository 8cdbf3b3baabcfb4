import Testing
import TimeAndText

@testable import Positioning

@Suite("Skies one after the other")
struct SkyHistoryTests {
  private func time(_ milliseconds: Int) -> GNSSTime {
    DeviceTime(millisecondsSince1970: 1_780_306_200_000 + Int64(milliseconds)).gnssTime
  }

  @Test("a report a second at most is kept, and the last of many")
  func thinned() {
    var history = SkyHistory()
    for tenth in 0..<100 { history.add([], at: time(tenth * 100)) }
    #expect(history.reports.count == 10 && history.spanSeconds == 9)
    for second in 10..<300 { history.add([], at: time(second * 1000)) }
    #expect(history.reports.count == SkyHistory.mostReports)
    #expect(history.reports.last?.time == time(299_000))
    #expect(SkyHistory().spanSeconds == 0)
  }

  @Test("a pipeline counts how often satellites are told, not how often they are asked for")
  func told() {
    var pipeline = PositioningPipeline()
    func say(_ text: String) {
      let sum = text.utf8.reduce(0) { $0 ^ $1 }
      let digits = String(sum, radix: 16, uppercase: true)
      let line = "$\(text)*\(digits.count == 1 ? "0" : "")\(digits)\r\n"
      pipeline.accept(Array(line.utf8), at: ElapsedTime(milliseconds: 0)) { _ in }
    }
    say("GPGSV,2,1,05,01,40,083,46,02,17,308,41,12,07,344,39,14,22,228,45")
    #expect(pipeline.skyCount == 0, "half a series")
    say("GPGSV,2,2,05,15,30,100,40")
    #expect(pipeline.skyCount == 1 && pipeline.sky.count == 5)
    _ = pipeline.sky
    #expect(pipeline.skyCount == 1)
    say("GAGSV,1,1,01,07,30,100,40")
    #expect(pipeline.skyCount == 2)
  }

  @Test("the devices that gpsd names are found, and nothing in other lines is")
  func devices() {
    func named(_ lines: String...) -> Set<String> {
      // Cut anywhere, as reads are.
      let bytes = Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
      let middle = bytes.count / 2
      return GpsdDevices.named(in: [
        RawChunk(arrival: ElapsedTime(milliseconds: 0), bytes: Array(bytes[..<middle])),
        RawChunk(arrival: ElapsedTime(milliseconds: 1), bytes: Array(bytes[middle...])),
      ])
    }
    let position = "{\"class\":\"TPV\",\"device\":\"/dev/ttyACM0\",\"mode\":3}"
    #expect(named(position) == ["/dev/ttyACM0"])
    #expect(
      named(position, "{\"class\":\"SKY\",\"device\":\"tcp://10.0.0.1:9\"}") == [
        "/dev/ttyACM0", "tcp://10.0.0.1:9",
      ])
    #expect(named("{\"class\":\"VERSION\",\"device\":\"/dev/pts/1\"}").isEmpty)
    #expect(named("{\"class\":\"TPV\",\"device\":\"").isEmpty)
    #expect(named("{\"class\":\"TPV\",\"mode\":1}", "$GPGGA,,,,,").isEmpty)
    let long = String(repeating: "a", count: 300)
    #expect(named("{\"class\":\"TPV\",\"device\":\"\(long)\"}").isEmpty)
  }

  @Test("a time of day is taken on the day that is nearest to the device's time")
  func nearestDay() throws {
    let evening = try #require(DeviceTime(rfc3339: "2026-06-01T23:59:00.000Z"))
    let night = try #require(DeviceTime(rfc3339: "2026-06-02T00:01:00.000Z"))
    #expect(night.gnssTime.on(nil).instant(near: evening) == night)
    #expect(evening.gnssTime.on(nil).instant(near: night) == evening)
    #expect(evening.gnssTime.instant(near: night) == evening, "a date is believed")
    let noon = try #require(DeviceTime(rfc3339: "2026-06-01T12:00:00.000Z"))
    let wrong = try #require(DeviceTime(rfc3339: "2026-06-01T13:10:00.000Z"))
    #expect(noon.gnssTime.on(nil).instant(near: wrong) == noon)
  }
}
