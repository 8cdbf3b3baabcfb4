import Positioning

/// Hears what transmits round the device: the machine's modem and Wi-Fi, or what a test has instead.
public protocol RadioListening: Sendable {
  /// What is heard now. It takes a second or two at most, and what cannot be heard with is a remark.
  /// - Parameter looksAround: also asks Wi-Fi to look anew, for the next time.
  /// - Throws: `RadioFailure` when this machine has no way to ask at all.
  func hear(looksAround: Bool) async throws -> RadioSurroundings
}

/// Why the radio surroundings cannot be had.
public struct RadioFailure: Error, Hashable, Sendable, Worded {
  /// What happened, for people.
  public let wording: Wording

  /// A failure in words.
  public init(wording: Wording) {
    self.wording = wording
  }
}

/// This machine's modem by ModemManager, and its Wi-Fi by NetworkManager, over the system bus.
public struct MachineRadio: RadioListening {
  private let clock: any Timepiece
  /// Neither waits for the other; what one of them has not told by then is a remark.
  private static let patienceSeconds = 4.0

  /// - Parameter clock: what is heard is stamped by it.
  public init(clock: any Timepiece) {
    self.clock = clock
  }

  /// What is heard now.
  public func hear(looksAround: Bool) async throws -> RadioSurroundings {
    let clock = clock
    async let modem = Self.ask(late: "ModemManager does not answer: no cells") { bus in
      MobileCells.hear(on: bus, clock)
    }
    async let wiFi = Self.ask(
      late: "NetworkManager does not answer: no access points"
    ) { bus in
      WiFiAccessPoints.hear(on: bus, clock, looksAround: looksAround)
    }
    var surroundings = try await modem
    let other = try await wiFi
    surroundings.accessPoints = other.accessPoints
    surroundings.remarks += other.remarks
    return surroundings
  }

  private static func ask(
    late remark: Wording,
    _ question: @escaping @Sendable (SystemBus) -> RadioSurroundings
  ) async throws -> RadioSurroundings {
    struct Late: Error {}
    do {
      return try await BlockingWork.run(seconds: patienceSeconds, late: Late()) {
        do throws(BusFailure) {
          return question(try SystemBus())
        } catch {
          throw RadioFailure(
            wording: "the system bus cannot be reached (\(error.words)): is D-Bus running?")
        }
      }
    } catch is Late {
      return RadioSurroundings(remarks: [remark])
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

  /// Whether it has not answered in time.
  var isSilence: Bool { name == "org.freedesktop.DBus.Error.NoReply" }

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
    // A ModemManager that somebody has stopped, because it probes receivers on a tty, stays stopped.
    try call(
      service, path, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", seconds: seconds,
      startsService: false
    ).first?.dictionary ?? [:]
  }
}
