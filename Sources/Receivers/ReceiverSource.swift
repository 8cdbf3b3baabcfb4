import Foundation
import TimeAndText

/// The source of a receiver's bytes, as it is written after `--gnss`.
public enum ReceiverSource: Hashable, Sendable, CustomStringConvertible {
  /// A gpsd, and the device of one of its receivers; nil if the source names none.
  case gpsd(host: String, port: Int, device: String?)
  /// NMEA 0183 over TCP.
  case tcp(host: String, port: Int)
  /// A receiver's serial port profile over Bluetooth, with its RFCOMM channel (1…30) and the
  /// controller to use; nil if the person named none.
  case bluetooth(address: BluetoothAddress, channel: Int?, adapter: String?)
  /// NMEA 0183 on a tty.
  case serial(path: String, baud: Int)
  /// A recorded log, played once. The rate is a multiple of real time, infinite for `max`.
  case file(path: String, rate: Double)

  /// Reads the text of the command line.
  /// - Throws: `ReceiverError.malformedSource`.
  public init(_ text: String) throws(ReceiverError) {
    func wrong(_ reason: Wording) -> ReceiverError { .malformedSource(text, reason: reason) }
    guard let mark = text.range(of: "://") else { throw wrong("it has no scheme") }
    let scheme = text[..<mark.lowerBound]
    let rest = text[mark.upperBound...]
    switch scheme {
    case "gpsd":
      let slash = rest.firstIndex(of: "/") ?? rest.endIndex
      let device = rest[slash...]
      let place = try Self.place(rest[..<slash], defaultPort: 2947, text)
      self = .gpsd(
        host: place.host, port: place.port,
        device: device.isEmpty || device == "/" ? nil : String(device))
    case "tcp":
      let place = try Self.place(rest, defaultPort: nil, text)
      self = .tcp(host: place.host, port: place.port)
    case "file":
      let parts = rest.split(separator: "?", maxSplits: 1)
      guard let path = parts.first, path.hasPrefix("/") else {
        throw wrong("a file is named by its whole path, file:///…")
      }
      var rate = 1.0
      if parts.count > 1 {
        guard parts[1].hasPrefix("rate=") else { throw wrong("only ?rate= is known for a file") }
        let value = parts[1].dropFirst(5)
        if value == "max" {
          rate = .infinity
        } else if let number = Double(value), number > 0, number <= 10_000 {
          rate = number
        } else {
          throw wrong("rate is a number above 0, up to 10000, or max")
        }
      }
      self = .file(path: String(path), rate: rate)
    case "bluetooth": self = try Self.bluetooth(rest, text)
    case "serial": self = try Self.serial(rest, text)
    default: throw wrong("\"\(scheme)\" is not a kind of source")
    }
  }

  /// The text that names the source, as raw windows and records carry it.
  public var description: String {
    switch self {
    case .gpsd(let host, let port, let device): "gpsd://\(host):\(port)\(device ?? "")"
    case .tcp(let host, let port): "tcp://\(host):\(port)"
    case .bluetooth(let address, let channel, let adapter):
      "bluetooth://\(address)\(channel.map { "/\($0)" } ?? "")\(adapter.map { "?adapter=\($0)" } ?? "")"
    case .serial(let path, let baud): "serial://\(path)?baud=\(baud)"
    case .file(let path, let rate):
      "file://\(path)?rate=\(rate.isFinite ? Self.short(rate) : "max")"
    }
  }

  /// The text that names the source, with a tty under the name that its links lead to: a link in `/dev`
  /// may lead to a pseudo-terminal.
  public var resolved: String {
    guard case .serial(let path, let baud) = self else { return description }
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return ReceiverSource.serial(path: real, baud: baud).description
  }

  /// True if the source names one of the receivers that a gpsd may have.
  public var namesDevice: Bool {
    if case .gpsd(_, _, .some) = self { return true }
    return false
  }

  /// True if the source plays back a recorded log.
  public var isReplay: Bool {
    if case .file = self { return true }
    return false
  }

  private static func bluetooth(
    _ rest: Substring, _ text: String
  ) throws(ReceiverError) -> ReceiverSource {
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    guard let first = names.first, let address = BluetoothAddress(first), names.count <= 2 else {
      throw .malformedSource(text, reason: "a Bluetooth address is written AA:BB:CC:DD:EE:FF")
    }
    var channel: Int?
    if names.count == 2 {
      guard let number = Int(names[1]), (1...30).contains(number) else {
        throw .malformedSource(text, reason: "an RFCOMM channel is a number from 1 to 30")
      }
      channel = number
    }
    var adapter: String?
    if parts.count > 1 {
      let name = parts[1].dropFirst("adapter=".count)
      guard parts[1].hasPrefix("adapter="), name.hasPrefix("hci"), Int(name.dropFirst(3)) != nil
      else {
        throw .malformedSource(text, reason: "only parameters such as ?adapter=hci0 are known here")
      }
      adapter = String(name)
    }
    return .bluetooth(address: address, channel: channel, adapter: adapter)
  }

  private static func serial(
    _ rest: Substring, _ text: String
  ) throws(ReceiverError) -> ReceiverSource {
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0].hasPrefix("/"), parts[0].count > 1 else {
      throw .malformedSource(
        text, reason: "a tty is named by its whole path, serial:///dev/ttyACM0")
    }
    var baud = 9600
    if parts.count > 1 {
      guard parts[1].hasPrefix("baud="), let number = Int(parts[1].dropFirst(5)),
        SerialLink.speeds[number] != nil
      else {
        let known = SerialLink.speeds.keys.sorted().map(String.init).joined(separator: ", ")
        throw .malformedSource(text, reason: "only ?baud= is known for a tty: \(known)")
      }
      baud = number
    }
    return .serial(path: String(parts[0]), baud: baud)
  }

  private static func short(_ rate: Double) -> String {
    rate == rate.rounded() ? String(Int(rate)) : String(rate)
  }

  private static func place(
    _ text: Substring, defaultPort: Int?, _ whole: String
  ) throws(ReceiverError) -> (host: String, port: Int) {
    var host = text
    var port = defaultPort
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      if rest.hasPrefix(":") { port = Int(rest.dropFirst()) }
    } else if let colon = text.lastIndex(of: ":") {
      host = text[..<colon]
      port = Int(text[text.index(after: colon)...])
    }
    guard let port, (1...65_535).contains(port) else {
      throw .malformedSource(whole, reason: "it needs a port from 1 to 65535")
    }
    return (host.isEmpty ? "localhost" : String(host), port)
  }
}
