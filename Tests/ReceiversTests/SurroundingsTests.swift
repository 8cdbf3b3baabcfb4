import Foundation
import MachineBus
import Positioning
import Testing
import TimeAndText

@testable import Receivers

@Suite("What the modem and Wi-Fi tell")
struct SurroundingsTests {
  private let now = ElapsedTime(milliseconds: 500_000)

  private func cell(_ entries: [String: BusValue]) -> RadioSurroundings.Cell? {
    MobileCells.cell(.dictionary(entries), at: now)
  }

  @Test("codes are hexadecimal in its answers and numbers in ours; the country has three digits")
  func codes() throws {
    let lte = try #require(
      cell([
        "cell-type": .number(5), "serving": .flag(true), "operator-id": .text("310260"),
        "tac": .text("6FFE"), "ci": .text("D30156"), "physical-ci": .text("1A0"),
        "earfcn": .number(6300), "rsrp": .real(-97.5),
      ]))
    #expect((lte.countryCode, lte.networkCode) == ("310", "260"))
    #expect((lte.areaCode, lte.cell, lte.physicalCell) == (0x6FFE, 0xD30156, 0x1A0))
    #expect(lte.channel == 6300 && lte.signalDecibelMilliwatts == -97.5 && lte.isServing)
    let gsm = try #require(
      cell([
        "cell-type": .number(2), "operator-id": .text("26201"), "lac": .text("1"),
        "ci": .text("2"), "rx-level": .number(63),
      ]))
    #expect(gsm.networkCode == "01" && gsm.signalDecibelMilliwatts == -47.5)
    let nr = ["cell-type": BusValue.number(6), "physical-ci": .text("0")]
    #expect(cell(nr.merging(["ci": .text("FFFFFFFFE")]) { $1 })?.cell == 0xF_FFFF_FFFE)
    #expect(cell(nr)?.physicalCell == 0, "a cell like any other")
    for unknown in ["FFFF", "FFFFFFF", "FFFFFFFF", "FFFFFFFFF", "0", "+1", ""] {
      #expect(cell(nr.merging(["ci": .text(unknown)]) { $1 })?.cell == nil, "\(unknown)")
    }
    for unknown in ["0", "FFFE", "FFFF", "FFFFFE", "FFFFFF"] {
      #expect(cell(nr.merging(["tac": .text(unknown)]) { $1 })?.areaCode == nil, "\(unknown)")
    }
  }

  @Test("what no cell says is nothing, and no trap")
  func hostile() {
    for kind in [nil, 0, 1, 7, -1, Int64.max] {
      let entries = kind.map { ["cell-type": BusValue.number($0)] } ?? [:]
      #expect(cell(entries.merging(["ci": .text("2")]) { $1 }) == nil)
    }
    #expect(cell(["cell-type": .number(5), "serving": .flag(true)]) == nil, "it says nothing")
    let odd = cell([
      "cell-type": .number(5), "operator-id": .text("26２01"), "ci": .text("-1"),
      "tac": .text("FFFFFFFFFF"), "physical-ci": .text(""), "earfcn": .number(.min),
      "rsrp": .real(.nan), "serving": .text("yes"),
    ])
    #expect(odd == nil)
    let power = cell(["cell-type": .number(5), "ci": .text("1"), "rsrp": .real(-32768)])
    #expect(power != nil && power?.signalDecibelMilliwatts == nil)
    for location in ["", ",,,", "262,01", "262,01,0,XYZ,1", "2622222222,01,0,1,1"] {
      let found = MobileCells.servingCell(
        .dictionary(["1": .text(location)]),
        .dictionary([
          "org.freedesktop.ModemManager1.Modem":
            .dictionary(["AccessTechnologies": .number(1 << 14)])
        ]), at: now)
      #expect(found?.cell == nil || found?.countryCode == nil, "\(location)")
    }
  }

  @Test("an access point is as old as it was seen; one that was never seen, or opts out, is none")
  func accessPoints() throws {
    func point(_ changes: [String: BusValue]) -> RadioSurroundings.AccessPoint? {
      let usual: [String: BusValue] = [
        "HwAddress": .text("02:00:5E:10:00:01"), "Frequency": .number(2437),
        "Strength": .number(80), "LastSeen": .number(990),
        "Ssid": .list("café".utf8.map { .number(Int64($0)) }),
      ]
      return WiFiAccessPoints.accessPoint(
        .dictionary(usual.merging(changes) { $1 }), at: now, secondsSinceStart: 1000)
    }
    let one = try #require(point([:]))
    #expect(one.address == "02:00:5e:10:00:01" && one.channel == 6 && one.signalPercent == 80)
    #expect(now.seconds(since: one.heard) == 10)
    // A time in the future comes from a clock that differs by a second, and means now.
    #expect(point(["LastSeen": .number(1001)])?.heard == now)
    for unknown in [BusValue.number(-1), .number(1_000_000), .text("now")] {
      #expect(point(["LastSeen": unknown]) == nil)
    }
    #expect(point(["Ssid": .list("home_nomap".utf8.map { .number(Int64($0)) })]) == nil)
    for address in ["", "02:00:5E:10:00", "02-00-5E-10-00-01", "zz:00:5E:10:00:01"] {
      #expect(point(["HwAddress": .text(address)]) == nil)
    }
    let odd = try #require(
      point(["Strength": .number(255), "Frequency": .number(.max), "Ssid": .number(3)]))
    #expect(odd.channel == nil && odd.signalPercent == nil)
  }
}
