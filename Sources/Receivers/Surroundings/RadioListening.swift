import MachineBus
import Positioning
import TimeAndText

/// The listening for the radio surroundings: the machine's modem and Wi-Fi, or a stand-in in tests.
public protocol RadioListening: Sendable {
  /// Returns the transmitters that are heard now. The call takes a second or two at most, and a
  /// radio that cannot be used becomes a remark.
  /// - Parameter looksAround: True to ask Wi-Fi also for a new scan, whose results the next call
  ///   returns.
  /// - Throws: `RadioFailure` if this machine has no way to ask at all.
  func hear(looksAround: Bool) async throws -> RadioSurroundings
}

/// The reason why the radio surroundings cannot be heard.
public struct RadioFailure: Error, Hashable, Sendable, Worded {
  /// The message for people.
  public let wording: Wording

  /// Creates a failure.
  public init(wording: Wording) {
    self.wording = wording
  }
}

/// This machine's modem by ModemManager, and its Wi-Fi by NetworkManager, over the system bus.
public struct MachineRadio: RadioListening {
  private let clock: any Timepiece
  /// The time for modem and Wi-Fi, which are asked at once, seconds. A service that has not
  /// answered by then becomes a remark.
  private static let patienceSeconds = 4.0

  /// Creates the listening.
  /// - Parameter clock: The clock whose time each transmitter gets.
  public init(clock: any Timepiece) {
    self.clock = clock
  }

  /// Returns the transmitters that are heard now.
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
