import Glibc
import MachineBus
import Positioning
import TimeAndText

/// The Wi-Fi access points that NetworkManager reports, each with the moment at which it was last
/// heard.
enum WiFiAccessPoints {
  private static let service = "org.freedesktop.NetworkManager"
  private static let wireless = "org.freedesktop.NetworkManager.Device.Wireless"
  private static let accessPoint = "org.freedesktop.NetworkManager.AccessPoint"
  /// The most access points that are kept: the strongest are enough to tell a place, and a record
  /// should stay short.
  private static let accessPointLimit = 30

  static func hear(
    on bus: SystemBus, _ clock: any Timepiece, looksAround: Bool
  ) -> RadioSurroundings {
    var surroundings = RadioSurroundings()
    let objects: [String: BusValue]
    do throws(BusFailure) {
      objects = try bus.objects(of: service, at: "/org/freedesktop", seconds: 1)
    } catch {
      surroundings.remarks.append(
        error.isAbsence
          ? "NetworkManager is not running: no access points"
          : "NetworkManager refuses: \(error.words): no access points")
      return surroundings
    }
    let radios = objects.filter { $0.value[wireless] != nil }.map(\.key).sorted()
    let isOff =
      objects["/org/freedesktop/NetworkManager"]?[service]?["WirelessEnabled"]?.flag == false
    if radios.isEmpty {
      surroundings.remarks.append("no Wi-Fi: no access points")
    } else if isOff {
      surroundings.remarks.append("Wi-Fi is switched off: no access points")
    }
    guard !isOff else { return surroundings }
    let (now, sinceStart) = (clock.elapsed, secondsSinceStart())
    var found: [String: RadioSurroundings.AccessPoint] = [:]
    for object in objects.values {
      guard let properties = object[accessPoint],
        let one = self.accessPoint(properties, at: now, secondsSinceStart: sinceStart)
      else { continue }
      // An old entry does not count, however strong it was. Two radios may hear one access point.
      guard now.seconds(since: one.heard) <= RadioSurroundings.maximumAgeSeconds else { continue }
      if let other = found[one.address], other.heard > one.heard { continue }
      found[one.address] = one
    }
    surroundings.accessPoints = Array(
      found.values.sorted {
        ($1.signalPercent ?? 0, $0.address) < ($0.signalPercent ?? 0, $1.address)
      }.prefix(accessPointLimit))
    guard looksAround else { return surroundings }
    for path in radios {
      // NetworkManager refuses if it has just scanned, or if the user may not ask. The known access
      // points are returned anyway.
      _ = try? bus.call(service, path, wireless, "RequestScan", [.dictionary([:])], seconds: 1)
    }
    return surroundings
  }

  /// Reads an access point from its properties. Nil if it has no address, was never seen, or its
  /// owner forbids its use for finding places (`_nomap` at the end of its name).
  static func accessPoint(
    _ properties: BusValue, at now: ElapsedTime, secondsSinceStart: Double
  ) -> RadioSurroundings.AccessPoint? {
    let name = (properties["Ssid"]?.list ?? []).compactMap {
      $0.number.map { UInt8(truncatingIfNeeded: $0) }
    }
    guard !name.suffix(6).elementsEqual("_nomap".utf8) else { return nil }
    let address = (properties["HwAddress"]?.text ?? "").lowercased()
    // Addresses of Wi-Fi are written like those of Bluetooth: six pairs of digits with colons.
    guard BluetoothAddress(address) != nil else { return nil }
    // The time is in whole seconds: a moment slightly in the future means now, and one further in
    // the future comes from another clock.
    guard let lastSeen = properties["LastSeen"]?.number, lastSeen >= 0,
      Double(lastSeen) <= secondsSinceStart + 2
    else { return nil }
    let age = max(0, secondsSinceStart - Double(lastSeen))
    return RadioSurroundings.AccessPoint(
      address: address,
      channel: properties["Frequency"]?.number.flatMap {
        RadioSurroundings.AccessPoint.channel(ofMegahertz: Int(clamping: $0))
      },
      signalPercent: properties["Strength"]?.number.flatMap {
        (0...100).contains($0) ? Int($0) : nil
      }, heard: now.advanced(bySeconds: -age))
  }

  /// Returns the seconds on CLOCK_BOOTTIME, on which NetworkManager's `LastSeen` counts.
  private static func secondsSinceStart() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
