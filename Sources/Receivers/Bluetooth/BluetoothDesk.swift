import Foundation
import MachineBus
import TimeAndText

/// Finds Bluetooth devices and pairs with them, through BlueZ over the system bus.
public enum BluetoothDesk {
  /// A question that a device asks before it lets itself be paired.
  public enum Question: Sendable {
    /// The device asks for its PIN: older receivers have `0000` or `1234`.
    case pin
    /// The device asks if both sides show this number.
    case confirm(number: String)
  }

  /// Lists the devices in reach.
  ///
  /// - Parameters:
  ///   - seconds: The time to search, seconds.
  ///   - adapter: The controller, such as `hci0`; nil for the first one.
  /// - Throws: `BluetoothFailure`.
  public static func scan(
    seconds: Double, adapter: String? = nil
  ) async throws -> [BluetoothDevice] {
    let found = try await onThread(seconds: seconds + 60) {
      try translating(nil) { () throws(BusFailure) in
        let session = try Session(adapter: adapter)
        try session.look()
        session.bus.serve(seconds: seconds)
        // BlueZ forgets the devices that it heard when the search stops, so the list is read first.
        let found = try session.devices()
        _ = try? session.ofAdapter("StopDiscovery")
        return found.filter { $0.signalDecibelMilliwatts != nil || $0.isPaired }.sorted {
          ($0.signalDecibelMilliwatts ?? -999, $0.address.description)
            > ($1.signalDecibelMilliwatts ?? -999, $1.address.description)
        }
      }
    }
    return await asked(found, adapter: adapter)
  }

  /// Asks devices if they offer a serial port. BlueZ asks for services only when it pairs, so
  /// before that the nearest devices are asked here: at most 5 of them, each for 8 s at most.
  private static func asked(
    _ devices: [BluetoothDevice], adapter: String?
  ) async -> [BluetoothDevice] {
    var devices = devices
    for index in devices.indices.filter({ devices[$0].offersSerialPort == nil }).prefix(5) {
      let address = devices[index].address
      let late = BluetoothFailure(kind: .refused, wording: "no answer")
      let answer = try? await BlockingWork.run(seconds: 8, late: late) {
        try BlueZRadio().serialPortChannel(of: address, adapter: adapter) != nil
      }
      devices[index].offersSerialPort = answer
    }
    return devices
  }

  /// Pairs with a device and trusts it, so that BlueZ never asks about it again.
  ///
  /// - Parameters:
  ///   - answer: Answers a question of the device; nil cancels the pairing. It is called on a
  ///     thread of its own, and may wait for a person.
  ///   - progress: Receives each step, in words.
  /// - Throws: `BluetoothFailure`.
  public static func pair(
    _ address: BluetoothAddress, adapter: String? = nil,
    answer: @escaping @Sendable (Question) -> String?,
    progress: @escaping @Sendable (Wording) -> Void
  ) async throws {
    try await onThread(seconds: 180) {
      try translating(address) { () throws(BusFailure) in
        let session = try Session(adapter: adapter)
        var device = try session.path(of: address)
        if device == nil {
          progress("looking for \(address)")
          try session.look()
          for _ in 0..<12 where device == nil {
            session.bus.serve(seconds: 1)
            device = try session.path(of: address)
          }
          _ = try? session.ofAdapter("StopDiscovery")
        }
        guard let device else {
          throw BusFailure(name: "org.bluez.Error.DoesNotExist", words: "not found")
        }
        try session.pair(device, answer: answer, progress: progress)
      }
    }
  }

  /// Runs `body`, and turns errors of the bus into errors for the inspector.
  private static func translating<Result>(
    _ device: BluetoothAddress?, _ body: () throws(BusFailure) -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw BluetoothFailure(error, device: device)
    }
  }

  private static func onThread<Result: Sendable>(
    seconds: Double, _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await BlockingWork.run(
      seconds: seconds,
      late: BluetoothFailure(kind: .unavailable, wording: "BlueZ does not answer"), work)
  }
}

/// A conversation with BlueZ about one controller.
private final class Session {
  let bus: SystemBus
  private let adapter: String
  private static let agent = "/org/standpoint/agent"
  private static let serialPort = "00001101-0000-1000-8000-00805f9b34fb"

  init(adapter name: String?) throws(BusFailure) {
    bus = try SystemBus()
    let objects = try Self.objects(bus)
    let adapters = objects.filter { $0.value["org.bluez.Adapter1"] != nil }.map(\.key).sorted()
    guard let adapter = name.map({ "/org/bluez/\($0)" }) ?? adapters.first,
      adapters.contains(adapter)
    else {
      throw BusFailure(
        name: adapters.isEmpty ? "no-adapter" : "adapter",
        words: adapters.isEmpty
          ? "this machine has no Bluetooth adapter"
          : "there is no adapter \(name ?? ""); there is \(adapters.map(Self.lastPart).joined(separator: ", "))"
      )
    }
    self.adapter = adapter
    let isOn = objects[adapter]?["org.bluez.Adapter1"]?["Powered"]?.flag
    guard isOn != false else {
      throw BusFailure(name: "org.bluez.Error.NotReady", words: "switched off")
    }
  }

  private static func lastPart(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func objects(_ bus: SystemBus) throws(BusFailure) -> [String: BusValue] {
    try bus.call(
      "org.bluez", "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"
    ).first?.dictionary ?? [:]
  }

  func ofAdapter(_ member: String, _ arguments: [BusValue] = []) throws(BusFailure) -> [BusValue] {
    try bus.call("org.bluez", adapter, "org.bluez.Adapter1", member, arguments)
  }

  /// Starts the search for devices. It is limited to classic Bluetooth, because receivers with a
  /// serial port use that.
  func look() throws(BusFailure) {
    _ = try ofAdapter("SetDiscoveryFilter", [.dictionary(["Transport": .text("bredr")])])
    _ = try ofAdapter("StartDiscovery")
  }

  func devices() throws(BusFailure) -> [BluetoothDevice] {
    try Self.objects(bus).compactMap { path, object in
      guard path.hasPrefix(adapter + "/"), let device = object["org.bluez.Device1"],
        let address = device["Address"]?.text.flatMap({ BluetoothAddress($0) })
      else { return nil }
      let services = device["UUIDs"]?.list?.compactMap { $0.text?.lowercased() } ?? []
      let isPaired = device["Paired"]?.flag == true
      // Before pairing, BlueZ knows only the services that the device announces. A service that is
      // missing there may still exist.
      let isOffered = services.contains(Self.serialPort)
      return BluetoothDevice(
        address: address, name: device["Name"]?.text,
        deviceClass: device["Class"]?.number.map { Int($0) },
        signalDecibelMilliwatts: device["RSSI"]?.number.map { Int($0) },
        offersSerialPort: isOffered || (isPaired && !services.isEmpty) ? isOffered : nil,
        isPaired: isPaired)
    }
  }

  func path(of address: BluetoothAddress) throws(BusFailure) -> String? {
    try Self.objects(bus).first { path, object in
      path.hasPrefix(adapter + "/")
        && object["org.bluez.Device1"]?["Address"]?.text?.uppercased() == address.description
    }?.key
  }

  func pair(
    _ device: String, answer: @escaping (BluetoothDesk.Question) -> String?,
    progress: @escaping (Wording) -> Void
  ) throws(BusFailure) {
    bus.answer = { member, arguments in
      Self.answer(member, arguments, answer, progress)
    }
    defer { bus.answer = nil }
    _ = try bus.call(
      "org.bluez", "/org/bluez", "org.bluez.AgentManager1", "RegisterAgent",
      [.path(Self.agent), .text("KeyboardDisplay")])
    defer {
      _ = try? bus.call(
        "org.bluez", "/org/bluez", "org.bluez.AgentManager1", "UnregisterAgent",
        [.path(Self.agent)])
    }
    progress("pairing")
    do {
      _ = try bus.call("org.bluez", device, "org.bluez.Device1", "Pair", seconds: 120)
      progress("paired")
    } catch {
      guard error.name == "org.bluez.Error.AlreadyExists" else { throw error }
      progress("already paired")
    }
    // A trusted device may connect again by itself, and no person is asked.
    try bus.set("org.bluez", device, "org.bluez.Device1", "Trusted", .flag(true))
    progress("trusted: you will not be asked again")
  }

  private static func sixDigits(_ number: Int64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  /// Answers a request of BlueZ to its agent; nil for an unknown request. Source: org.bluez.Agent(5).
  private static func answer(
    _ member: String, _ arguments: [BusValue],
    _ answer: (BluetoothDesk.Question) -> String?, _ progress: (Wording) -> Void
  ) -> SystemBus.Answer? {
    let no = SystemBus.Answer.refusal(name: "org.bluez.Error.Canceled", words: "broken off")
    switch member {
    case "RequestPinCode":
      guard let pin = answer(.pin), (1...16).contains(pin.utf8.count) else { return no }
      progress("the PIN was sent")
      return .values([.text(pin)])
    case "RequestPasskey":
      guard let pin = answer(.pin), let number = UInt32(pin), number < 1_000_000 else { return no }
      return .values([.unsigned(number)])
    case "RequestConfirmation":
      let digits = sixDigits(arguments.last?.number ?? 0)
      return answer(.confirm(number: digits)) == nil ? no : .values([])
    case "DisplayPinCode", "DisplayPasskey":
      if arguments.count > 1 {
        let said = arguments[1].text ?? sixDigits(arguments[1].number ?? 0)
        progress("type this on the device: \(said)")
      }
      return .values([])
    case "RequestAuthorization", "AuthorizeService", "Release", "Cancel": return .values([])
    default: return nil
    }
  }
}
