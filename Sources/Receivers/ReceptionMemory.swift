import Positioning
import Synchronization
import TimeAndText

/// The times at which the receiver last heard Galileo, two frequencies of one constellation, or an
/// augmentation. They hold for one receiver alone, because another one may hear something else.
public final class ReceptionMemory: Sendable {
  /// Something that a receiver may hear or not.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// A satellite of Galileo.
    case galileo
    /// Signals of one constellation in two bands, which a receiver needs to measure the ionosphere.
    case dualFrequency
    /// A satellite of WAAS, EGNOS or a similar system.
    case augmentation
  }

  /// One moment by both clocks: the device's for people, elapsed time for ages.
  public struct Moment: Hashable, Sendable {
    /// The moment by the device's clock.
    public var deviceTime: DeviceTime
    /// The moment by elapsed time, which nobody can set.
    public var elapsed: ElapsedTime
  }

  private struct State {
    var source: ReceiverSource?
    var heard: [Kind: Moment] = [:]
    var namesSignals = false
    var looked: ElapsedTime?
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns the moment at which something was last heard from this receiver; nil if it never was,
  /// or if another receiver is remembered.
  public func lastHeard(_ kind: Kind, from source: ReceiverSource) -> Moment? {
    state.withLock { $0.source == source ? $0.heard[kind] : nil }
  }

  /// Returns true if this receiver names the signals that it tracks. Otherwise the number of its
  /// frequencies is unknown.
  public func namesSignals(from source: ReceiverSource) -> Bool {
    state.withLock { $0.source == source && $0.namesSignals }
  }

  /// Notes what a receiver hears, at most once a second, because putting the sky together takes
  /// time.
  package func note(of source: ReceiverSource, at clock: any Timepiece, _ sky: () -> [Satellite]) {
    let now = Moment(deviceTime: clock.deviceTime, elapsed: clock.elapsed)
    state.withLock { state in
      if state.source != source { state = State(source: source) }
      if let looked = state.looked, abs(now.elapsed.seconds(since: looked)) < 0.9 { return }
      state.looked = now.elapsed
      var bands: [Constellation: Set<SignalBand>] = [:]
      for satellite in sky() where satellite.carrierToNoiseDecibelHertz != nil {
        if satellite.constellation == .galileo { state.heard[.galileo] = now }
        if satellite.constellation == .sbas { state.heard[.augmentation] = now }
        if !satellite.signals.isEmpty { state.namesSignals = true }
        bands[satellite.constellation, default: []].formUnion(satellite.signals.compactMap(\.band))
      }
      if bands.values.contains(where: { $0.count > 1 }) { state.heard[.dualFrequency] = now }
    }
  }

  /// Forgets everything: another receiver was chosen, even if it has the same name.
  package func forget() {
    state.withLock { $0 = State() }
  }
}
