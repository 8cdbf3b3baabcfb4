import ArgumentParser
import Evidence
import Foundation
import Receivers
import Telling
import TimeAndText

extension GNSSCommand {
  /// Lists the Bluetooth devices in reach.
  struct Scan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the Bluetooth devices in range, and say which offer a serial port.",
      discussion: "Example: standpoint gnss scan --duration 12")

    @OptionGroup var common: CommonOptions
    @Option(help: "How long to look, in seconds.") var duration = 8.0
    @Option(help: "The Bluetooth adapter, hci0.") var adapter: String?

    func validate() throws {
      guard duration > 0, duration <= 120 else {
        throw ValidationError("--duration must be more than 0 and at most 120.")
      }
    }

    func run() async throws {
      if !common.isJSON {
        Terminal.complain("looking for \(DecimalText.fixed(duration, places: 0)) s …")
      }
      let devices = try await BluetoothDesk.scan(seconds: duration, adapter: adapter)
      if common.isJSON {
        Terminal.say(.members([("devices", .array(devices.map(Self.json)))]))
      } else {
        for device in devices { Terminal.say(Self.text(device)) }
      }
      if devices.isEmpty {
        throw ExitStatus.explained(
          .refused, "no Bluetooth device in range: is the receiver switched on and visible?")
      }
    }

    private static func json(_ device: BluetoothDevice) -> JSONValue {
      .members([
        ("address", .string("\(device.address)")), ("name", .text(device.name)),
        ("class", device.deviceClass.map { .integer($0) }), ("kind", .text(device.kind)),
        ("signalDecibelMilliwatts", device.signalDecibelMilliwatts.map { .integer($0) }),
        ("serialPort", device.offersSerialPort.map { .bool($0) }),
        ("paired", .bool(device.isPaired)),
      ])
    }

    private static func text(_ device: BluetoothDevice) -> String {
      var words = [device.name ?? "without a name"]
      if let kind = device.kind { words.append(kind.description) }
      if let signal = device.signalDecibelMilliwatts { words.append("\(signal) dBm") }
      switch device.offersSerialPort {
      case true: words.append("serial port")
      case false: words.append("no serial port")
      default: words.append("services unknown")
      }
      if device.isPaired { words.append("paired") }
      return "\(device.address)  \(words.joined(separator: ", "))"
    }
  }

  /// Pairs with a receiver.
  struct Pair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Pair this machine with a Bluetooth receiver; needed only once.",
      discussion: """
        Older receivers ask for a PIN: 0000 and 1234 are usual. Without --pin you are asked for
        it.
        Example: standpoint gnss pair AA:BB:CC:DD:EE:FF --pin 1234
        """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "The device's address, as gnss scan lists it.") var address: String
    @Option(help: "Its PIN.") var pin: String?
    @Option(help: "The Bluetooth adapter, hci0.") var adapter: String?

    func validate() throws {
      if BluetoothAddress(address) == nil {
        throw ValidationError("\(address) is not a Bluetooth address such as AA:BB:CC:DD:EE:FF.")
      }
      if let pin, !(1...16).contains(pin.utf8.count) {
        throw ValidationError("--pin must have 1 to 16 characters.")
      }
    }

    func run() async throws {
      guard let device = BluetoothAddress(address) else { return }
      let pin = pin
      try await BluetoothDesk.pair(device, adapter: adapter) { question in
        Self.answer(question, pin: pin)
      } progress: {
        Terminal.complain($0.description)
      }
      if common.isJSON {
        Terminal.say(.members([("address", .string("\(device)")), ("paired", .bool(true))]))
      } else {
        Terminal.say(
          "\(device) is paired; try it: standpoint gnss test bluetooth://\(device)")
      }
    }

    private static func answer(_ question: BluetoothDesk.Question, pin: String?) -> String? {
      switch question {
      case .pin:
        if let pin { return pin }
        guard isatty(STDIN_FILENO) == 1 else {
          Terminal.complain(
            "the receiver asks for a PIN: give it with --pin (0000 and 1234 are usual)")
          return nil
        }
        Terminal.complain("PIN of the receiver (0000 and 1234 are usual):")
        return readLine().map { $0.trimmingCharacters(in: .whitespaces) }
      case .confirm(let number):
        guard isatty(STDIN_FILENO) == 1 else {
          Terminal.complain("you have to compare a number: pair in a terminal")
          return nil
        }
        Terminal.complain("Does the device show \(number)? [y/N]")
        return readLine()?.lowercased().hasPrefix("y") == true ? number : nil
      }
    }
  }
}
