import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Positioning
import Receivers
import Telling
import TimeAndText

extension GNSSCommand {
  /// Shows the mobile cells and Wi-Fi access points in reach.
  struct Surroundings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the mobile cells and Wi-Fi access points that this machine hears.",
      discussion: """
        Asks ModemManager and NetworkManager. This command only shows them: photos record them if
        the agency has turned that on. You can work without a modem.

        Example: standpoint gnss surroundings --duration 4
        """)

    @OptionGroup var common: CommonOptions
    @Option(help: "How long to scan for Wi-Fi before the results are shown, in seconds.")
    var duration = 3.0

    func validate() throws {
      guard (0...60).contains(duration) else {
        throw ValidationError("--duration must be 0 to 60.")
      }
    }

    func run() async throws {
      let clock = MachineClock()
      let radio = MachineRadio(clock: clock)
      var heard = try await radio.hear(looksAround: duration > 0)
      if duration > 0,
        !heard.remarks.contains(where: { $0.description.hasSuffix("no access points") })
      {
        if !common.isJSON { Terminal.complain("scanning for Wi-Fi …") }
        try await clock.sleep(until: clock.elapsed.advanced(bySeconds: duration))
        heard = try await radio.hear(looksAround: false)
      }
      let now = clock.elapsed
      if common.isJSON {
        let value = Record.surroundings(heard, at: now)
        Terminal.say(
          .members([
            ("cells", value["cells"] ?? .array([])),
            ("accessPoints", value["accessPoints"] ?? .array([])),
            ("remarks", .array(heard.remarks.map { .string($0.description) })),
          ]))
        return
      }
      for remark in heard.remarks { Terminal.complain(remark.description) }
      let fresh = heard.fresh(at: now)
      for cell in fresh.cells { Terminal.say(Self.text(cell)) }
      for one in fresh.accessPoints { Terminal.say(Self.text(one, at: now)) }
      Terminal.say(fresh.summary)
    }

    private static func text(_ cell: RadioSurroundings.Cell) -> String {
      var words = [cell.technology.rawValue, cell.isServing ? "serving" : "neighbour"]
      if let country = cell.countryCode, let network = cell.networkCode {
        words.append("\(country) \(network)")
      }
      if let area = cell.areaCode { words.append("area \(area)") }
      if let number = cell.cell { words.append("cell \(number)") }
      if let physical = cell.physicalCell { words.append("physical \(physical)") }
      if let channel = cell.channel { words.append("channel \(channel)") }
      if let power = cell.signalDecibelMilliwatts {
        words.append("\(DecimalText.fixed(power, places: 1)) dBm")
      }
      return words.joined(separator: "  ")
    }

    private static func text(
      _ one: RadioSurroundings.AccessPoint, at now: ElapsedTime
    ) -> String {
      var words = [one.address]
      if let channel = one.channel { words.append("channel \(channel)") }
      if let percent = one.signalPercent { words.append("\(percent) %") }
      words.append("\(DecimalText.fixed(max(0, now.seconds(since: one.heard)), places: 0)) s ago")
      return words.joined(separator: "  ")
    }
  }
}
