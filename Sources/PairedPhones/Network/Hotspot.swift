// https://networkmanager.dev/docs/api/latest/spec.html: the objects, their properties, and the numbers.

import Foundation
import Inspection
import MachineBus
import TimeAndText

/// The Wi-Fi that this device makes for phones, through NetworkManager over the system bus.
///
/// The settings are NetworkManager's only while the hotspot is up: none of its files outlives the device's next
/// start, and nothing comes up by itself.
package enum Hotspot {
  /// The Wi-Fi that a hotspot would take, or has.
  package struct Outlook: Hashable, Sendable {
    /// The name of the Wi-Fi, such as `wlan0`.
    package var radio: String
    /// True if the hotspot is up: phones can join.
    package var isUp: Bool
    /// True if the hotspot is coming up.
    package var isRising = false
    /// The name of the connection that ends when the hotspot comes up; nil if the Wi-Fi is in no network.
    package var ends: String?
  }

  /// Returns what a hotspot would take. Nothing is changed.
  /// - Parameters:
  ///   - access: the name and password; nil if this device never had a hotspot.
  ///   - radio: the Wi-Fi to take; nil takes one that is in no network, if there is one.
  /// - Throws: `HotspotFailure`.
  package static func look(
    _ access: HotspotAccess?, radio: String? = nil
  ) async throws -> Outlook {
    try await asking(seconds: 5) { bus throws(HotspotFailure) in
      try outlook(objects(on: bus), access, radio: radio).outlook
    }
  }

  /// Brings the hotspot up, and returns when phones can join. Does nothing if it is up.
  /// - Parameter expected: what the person was told; nothing else is done.
  /// - Throws: `HotspotFailure`; nothing is left of a hotspot that did not come up.
  package static func start(
    _ access: HotspotAccess, expecting expected: Outlook
  ) async throws -> Outlook {
    // More than all of its own waits together: they say more than this one.
    try await asking(seconds: patienceSeconds + 2 * endingSeconds + 4 * answerSeconds) {
      bus throws(HotspotFailure) in
      try start(access, expected, on: bus)
    } discard: { _ in
      // Nobody waits any more: a hotspot that came up behind their back does not stay.
      do {
        _ = try end(access, on: SystemBus())
      } catch {}
    }
  }

  /// Takes the hotspot down, and returns when it is gone. NetworkManager goes back to the networks that it
  /// joins by itself.
  /// - Returns: false if it was not up.
  /// - Throws: `HotspotFailure`.
  @discardableResult
  package static func stop(_ access: HotspotAccess) async throws -> Bool {
    try await asking(seconds: 2 * endingSeconds + 2 * answerSeconds) {
      bus throws(HotspotFailure) in try end(access, on: bus)
    }
  }

  // MARK: the conversation

  private static let service = "org.freedesktop.NetworkManager"
  private static let root = "/org/freedesktop/NetworkManager"
  private static let deviceName = service + ".Device"
  private static let wirelessName = service + ".Device.Wireless"
  private static let activeName = service + ".Connection.Active"
  /// The time in which a hotspot has to come up, seconds.
  private static let patienceSeconds = 30.0
  /// The time in which it has to end, seconds.
  private static let endingSeconds = 8.0
  /// The time in which NetworkManager answers a question, seconds.
  private static let answerSeconds = 4.0

  /// Numbers of NetworkManager's interface.
  private enum Number {
    static let wiFiDevice: Int64 = 2
    static let canMakeNetworks: Int64 = 0x40
    static let unmanaged: Int64 = 10
    static let unavailable: Int64 = 20
    static let failed: Int64 = 120
    static let activated: Int64 = 2
    static let deactivating: Int64 = 3
    static let reasonsOfAddresses: Set<Int64> = [5, 18, 19]
  }

  private static func asking<Value: Sendable>(
    seconds: Double,
    _ question: @escaping @Sendable (SystemBus) throws(HotspotFailure) -> Value,
    discard: @escaping @Sendable (Value) -> Void = { _ in }
  ) async throws -> Value {
    try await BlockingWork.run(
      seconds: seconds, late: HotspotFailure.noAnswer,
      { try question(try said { () throws(BusFailure) in try SystemBus() }) }, discard: discard)
  }

  private static func said<Value>(
    _ body: () throws(BusFailure) -> Value
  ) throws(HotspotFailure) -> Value {
    do {
      return try body()
    } catch {
      throw HotspotFailure(error)
    }
  }

  private static func objects(
    on bus: SystemBus
  ) throws(HotspotFailure) -> [String: BusValue] {
    try said { () throws(BusFailure) in
      try bus.objects(of: service, at: "/org/freedesktop", seconds: answerSeconds)
    }
  }

  /// Returns the path and the state of the running connection that is this hotspot; nil if there is none.
  static func active(
    _ access: HotspotAccess, in objects: [String: BusValue]
  ) -> (path: String, state: Int64)? {
    let found = objects.first { $0.value[activeName]?["Uuid"]?.text == access.id }
    return found.map { ($0.key, $0.value[activeName]?["State"]?.number ?? 0) }
  }

  /// Returns what a hotspot would take, with the path of its device.
  static func outlook(
    _ objects: [String: BusValue], _ access: HotspotAccess?, radio name: String?
  ) throws(HotspotFailure) -> (outlook: Outlook, device: String) {
    let radios = objects.compactMap { path, object -> Radio? in
      guard let device = object[deviceName], object[wirelessName] != nil else { return nil }
      return Radio(path: path, device: device, wireless: object[wirelessName])
    }
    if let own = access.flatMap({ active($0, in: objects) }), own.state < Number.deactivating,
      let radio = radios.first(where: { $0.connection == own.path })
    {
      if let name, name != radio.name { throw .upElsewhere(name: radio.name) }
      let isUp = own.state == Number.activated
      return (Outlook(radio: radio.name, isUp: isUp, isRising: !isUp), radio.path)
    }
    let named = radios.filter { $0.name == name ?? $0.name }
    guard !named.isEmpty else { throw .noRadio(name: name) }
    for property in ["WirelessEnabled", "WirelessHardwareEnabled"]
    where objects[root]?[service]?[property]?.flag == false { throw .switchedOff }
    let makers = named.filter(\.canMakeNetworks).sorted { $0.name < $1.name }
    guard let first = makers.first else { throw .joinsOnly(name: named.map(\.name).min() ?? "") }
    let usable = makers.filter { $0.state > Number.unavailable }
    // A Wi-Fi that is in no network loses none.
    guard let chosen = usable.first(where: { $0.connection == nil }) ?? usable.first else {
      throw first.state <= Number.unmanaged
        ? .unmanaged(name: first.name) : .notReady(name: first.name)
    }
    let ends = chosen.connection.map { objects[$0]?[activeName]?["Id"]?.text ?? "?" }
    return (Outlook(radio: chosen.name, isUp: false, ends: ends), chosen.path)
  }

  private struct Radio {
    var path: String
    var name: String
    var state: Int64
    var canMakeNetworks: Bool
    /// The path of the connection that uses it; nil if none does.
    var connection: String?

    init(path: String, device: BusValue, wireless: BusValue?) {
      self.path = path
      name = device["Interface"]?.text ?? ""
      state = device["State"]?.number ?? 0
      canMakeNetworks =
        (wireless?["WirelessCapabilities"]?.number ?? 0) & Number.canMakeNetworks != 0
      connection = device["ActiveConnection"]?.text.flatMap { $0 == "/" ? nil : $0 }
    }
  }

  /// Returns the settings of the network, as NetworkManager takes them.
  static func settings(_ access: HotspotAccess) -> [String: [String: BusValue]] {
    [
      "connection": [
        "id": .text(access.name), "uuid": .text(access.id), "type": .text("802-11-wireless"),
        "autoconnect": .flag(false),
      ],
      "802-11-wireless": [
        "ssid": .bytes(Array(access.name.utf8)), "mode": .text("ap"), "band": .text("bg"),
        // Phones have to reach the field unit, and no other phone.
        "ap-isolation": .signed(1),
      ],
      // WPA2 with AES alone: every phone has it, and nothing older is let in.
      "802-11-wireless-security": [
        "key-mgmt": .text("wpa-psk"), "psk": .text(access.password), "proto": .list([.text("rsn")]),
        "pairwise": .list([.text("ccmp")]), "group": .list([.text("ccmp")]),
      ],
      // Without addresses it is no hotspot: NetworkManager must not call it up.
      "ipv4": ["method": .text("shared"), "may-fail": .flag(false)],
      "ipv6": ["method": .text("ignore")],
    ]
  }

  private static func start(
    _ access: HotspotAccess, _ expected: Outlook, on bus: SystemBus
  ) throws(HotspotFailure) -> Outlook {
    let (outlook, device) = try outlook(objects(on: bus), access, radio: expected.radio)
    if outlook.isUp { return outlook }
    if !outlook.isRising {
      guard outlook == expected else { throw .changed }
      // The settings of one that is just ending are still there, and there cannot be the same twice.
      try waitForEnd(of: access, on: bus)
    }
    var reason: Int64?
    bus.heard = { path, values in
      let numbers = values.map(\.number)
      if path == device, numbers.first == Number.failed, numbers.count == 3 { reason = numbers[2] }
    }
    bus.listen(to: "StateChanged", of: deviceName)
    defer { bus.heard = nil }
    do throws(HotspotFailure) {
      if !outlook.isRising { try begin(access, device, on: bus) }
      guard try waitForStart(of: access, on: bus) else { throw gaveUp(reason) }
    } catch {
      // Nothing may come up later, when nobody waits for it.
      do throws(HotspotFailure) { _ = try end(access, on: bus) } catch {}
      throw error
    }
    return Outlook(radio: outlook.radio, isUp: true)
  }

  private static func begin(
    _ access: HotspotAccess, _ device: String, on bus: SystemBus
  ) throws(HotspotFailure) {
    _ = try said { () throws(BusFailure) in
      try bus.call(
        service, root, service, "AddAndActivateConnection2",
        [
          .groups(settings(access)), .path(device), .path("/"),
          .dictionary(["persist": .text("volatile")]),
        ], seconds: 2 * answerSeconds)
    }
  }

  /// Waits until phones can join.
  /// - Returns: false if NetworkManager has given up, or needs too long.
  private static func waitForStart(
    of access: HotspotAccess, on bus: SystemBus
  ) throws(HotspotFailure) -> Bool {
    let end = ContinuousClock.now + .seconds(patienceSeconds)
    while ContinuousClock.now < end {
      guard let active = active(access, in: try objects(on: bus)),
        active.state < Number.deactivating
      else { return false }
      if active.state == Number.activated { return true }
      bus.serve(seconds: 0.1)
    }
    return false
  }

  /// Ends the hotspot, and waits until it is gone.
  /// - Returns: false if it was not up.
  private static func end(
    _ access: HotspotAccess, on bus: SystemBus
  ) throws(HotspotFailure) -> Bool {
    guard let active = active(access, in: try objects(on: bus)) else { return false }
    if active.state < Number.deactivating {
      _ = try said { () throws(BusFailure) in
        try bus.call(
          service, root, service, "DeactivateConnection", [.path(active.path)],
          seconds: endingSeconds)
      }
    }
    try waitForEnd(of: access, on: bus)
    return true
  }

  private static func waitForEnd(
    of access: HotspotAccess, on bus: SystemBus
  ) throws(HotspotFailure) {
    let end = ContinuousClock.now + .seconds(endingSeconds)
    while active(access, in: try objects(on: bus)) != nil {
      guard ContinuousClock.now < end else { throw .noAnswer }
      bus.serve(seconds: 0.1)
    }
  }

  private static func gaveUp(_ reason: Int64?) -> HotspotFailure {
    guard let reason else { return .gaveUp(reason: nil) }
    return Number.reasonsOfAddresses.contains(reason) ? .noAddresses : .gaveUp(reason: Int(reason))
  }
}
