import Positioning

/// Hears what transmits round the device: the machine's modem and Wi-Fi, or what a test has instead.
public protocol RadioListening: Sendable {
  /// What is heard now. It takes a second or two at most, and what cannot be heard with is a remark.
  /// - Parameter looksAround: also asks Wi-Fi to look anew, for the next time.
  /// - Throws: `RadioFailure` when this machine has no way to ask at all.
  func hear(looksAround: Bool) async throws -> RadioSurroundings
}

/// Why the radio surroundings cannot be had.
public struct RadioFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened, for people.
  public let description: String
}

/// This machine's modem by ModemManager, and its Wi-Fi by NetworkManager, over the system bus.
public struct MachineRadio: RadioListening {
  private let clock: any Timepiece
  /// Longer than the bus may take for all that is asked.
  private static let patienceSeconds = 5.0

  /// - Parameter clock: what is heard is stamped by it.
  public init(clock: any Timepiece) {
    self.clock = clock
  }

  /// What is heard now.
  public func hear(looksAround: Bool) async throws -> RadioSurroundings {
    let clock = clock
    return try await BlockingWork.run(
      seconds: Self.patienceSeconds,
      late: RadioFailure(description: "the system bus does not answer")
    ) {
      let bus: SystemBus
      do throws(BusFailure) {
        bus = try SystemBus()
      } catch {
        throw RadioFailure(
          description: "the system bus cannot be reached (\(error.words)): is D-Bus running?")
      }
      var surroundings = RadioSurroundings()
      MobileCells.hear(&surroundings, on: bus, clock)
      WiFiAccessPoints.hear(&surroundings, on: bus, clock, looksAround: looksAround)
      return surroundings
    }
  }
}

extension BusFailure {
  /// Whether nobody of that name is on the bus.
  var isAbsence: Bool {
    [
      "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    ].contains(name) || name.hasPrefix("org.freedesktop.DBus.Error.Spawn")
  }

  /// Whether the machine's policy says no.
  var isForbidden: Bool {
    name.hasSuffix(".AccessDenied") || name.hasSuffix(".Unauthorized")
      || name.hasSuffix(".PermissionDenied")
  }
}

extension SystemBus {
  /// Each object of a service with its interfaces and their properties.
  func objects(
    of service: String, at path: String, seconds: Double
  ) throws(BusFailure) -> [String: BusValue] {
    try call(
      service, path, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", seconds: seconds
    ).first?.dictionary ?? [:]
  }
}
