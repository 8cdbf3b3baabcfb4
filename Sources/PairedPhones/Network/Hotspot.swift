// https://networkmanager.dev/docs/api/latest/spec.html: the objects, their properties, and the numbers.

import Foundation
import Inspection
import MachineBus
import TimeAndText

/// The Wi-Fi that this device makes for phones, through NetworkManager over the system bus.
///
/// The settings are NetworkManager's only while the hotspot is up: it keeps no file of them, and nothing comes up
/// by itself when the device starts.
package enum Hotspot {
  /// The Wi-Fi that a hotspot would take, or has.
  package struct Outlook: Hashable, Sendable {
    /// The name of the Wi-Fi, such as `wlan0`.
    package var radio: String
    /// True if the hotspot is up.
    package var isUp: Bool
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
  /// - Throws: `HotspotFailure`; nothing is left of a hotspot that did not come up.
  package static func start(
    _ access: HotspotAccess, radio: String? = nil
  ) async throws -> Outlook {
    try await asking(seconds: patienceSeconds + 10) { bus throws(HotspotFailure) in
      try start(access, radio: radio, on: bus)
    }
  }

  /// Takes the hotspot down. NetworkManager goes back to the networks that it knows.
  /// - Returns: false if it was not up.
  /// - Throws: `HotspotFailure`.
  @discardableResult
  package static func stop(_ access: HotspotAccess) async throws -> Bool {
    try await asking(seconds: 15) { bus throws(HotspotFailure) in
      guard let active = active(access, in: try objects(on: bus)) else { return false }
      try deactivate(active, on: bus)
      return true
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

  /// Numbers of NetworkManager's interface.
  private enum Number {
    static let wiFiDevice: Int64 = 2
    static let canMakeNetworks: Int64 = 0x40
    static let unavailable: Int64 = 20
    static let failed: Int64 = 120
    static let activated: Int64 = 2
    static let deactivating: Int64 = 3
    static let reasonsOfAddresses: Set<Int64> = [18, 19]
  }

  private static func asking<Value: Sendable>(
    seconds: Double,
    _ question: @escaping @Sendable (SystemBus) throws(HotspotFailure) -> Value
  ) async throws -> Value {
    try await BlockingWork.run(seconds: seconds, late: HotspotFailure.noAnswer) {
      try question(try said { () throws(BusFailure) in try SystemBus() })
    }
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
      try bus.objects(of: service, at: "/org/freedesktop", seconds: 4)
    }
  }

  /// Returns the path of the running connection that is this hotspot; nil if it is not up.
  static func active(_ access: HotspotAccess, in objects: [String: BusValue]) -> String? {
    objects.first {
      let active = $0.value[activeName]
      return active?["Uuid"]?.text == access.id
        && (active?["State"]?.number ?? 0) < Number.deactivating
    }?.key
  }

  /// Returns what a hotspot would take, with the path of its device.
  static func outlook(
    _ objects: [String: BusValue], _ access: HotspotAccess?, radio name: String?
  ) throws(HotspotFailure) -> (outlook: Outlook, device: String) {
    let radios = objects.compactMap { path, object -> Radio? in
      guard let device = object[deviceName], object[wirelessName] != nil else { return nil }
      return Radio(path: path, device: device, wireless: object[wirelessName])
    }.filter { $0.name == name ?? $0.name }
    guard !radios.isEmpty else { throw .noRadio(name: name) }
    if objects[root]?[service]?["WirelessEnabled"]?.flag == false { throw .switchedOff }
    let makers = radios.filter(\.canMakeNetworks)
    guard !makers.isEmpty else { throw .joinsOnly(name: radios.map(\.name).min() ?? "") }
    let own = access.flatMap { active($0, in: objects) }
    if let own, let radio = makers.first(where: { $0.connection == own }) {
      return (Outlook(radio: radio.name, isUp: true), radio.path)
    }
    let usable = makers.filter { $0.state > Number.unavailable }
    // A Wi-Fi that is in no network loses none.
    let chosen = usable.min {
      ($0.connection == nil ? 0 : 1, $0.name) < ($1.connection == nil ? 0 : 1, $1.name)
    }
    guard let chosen else { throw .switchedOff }
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
      "ipv4": ["method": .text("shared")],
      "ipv6": ["method": .text("ignore")],
    ]
  }

  private static func start(
    _ access: HotspotAccess, radio: String?, on bus: SystemBus
  ) throws(HotspotFailure) -> Outlook {
    let (outlook, device) = try outlook(objects(on: bus), access, radio: radio)
    if !outlook.isUp {
      _ = try said { () throws(BusFailure) in
        try bus.call(
          service, root, service, "AddAndActivateConnection2",
          [
            .groups(settings(access)), .path(device), .path("/"),
            .dictionary(["persist": .text("volatile")]),
          ])
      }
    }
    let end = ContinuousClock.now + .seconds(patienceSeconds)
    var reason: Int64?
    while ContinuousClock.now < end {
      let now = try objects(on: bus)
      let state = now[device]?[deviceName]?["StateReason"]?.list?.compactMap(\.number)
      if let state, state.count == 2, state[0] == Number.failed { reason = state[1] }
      guard let active = active(access, in: now) else { throw gaveUp(reason) }
      if now[active]?[activeName]?["State"]?.number == Number.activated { return outlook }
      bus.serve(seconds: 0.1)
    }
    if let active = active(access, in: try objects(on: bus)) { try deactivate(active, on: bus) }
    throw gaveUp(reason)
  }

  private static func deactivate(
    _ active: String, on bus: SystemBus
  ) throws(HotspotFailure) {
    _ = try said { () throws(BusFailure) in
      try bus.call(service, root, service, "DeactivateConnection", [.path(active)], seconds: 8)
    }
  }

  private static func gaveUp(_ reason: Int64?) -> HotspotFailure {
    guard let reason else { return .gaveUp(reason: nil) }
    return Number.reasonsOfAddresses.contains(reason) ? .noAddresses : .gaveUp(reason: Int(reason))
  }
}
