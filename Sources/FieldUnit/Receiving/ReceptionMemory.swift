import Positioning
import Receivers
import Synchronization

/// When the receiver was last heard to hear Galileo, two frequencies of one constellation, or an
/// augmentation. It holds for one receiver alone: another one may hear something else.
public final class ReceptionMemory: Sendable {
  /// Something that a receiver may hear or not.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// A satellite of Galileo.
    case galileo
    /// One constellation's signals in two bands: what a receiver needs to measure the ionosphere.
    case dualFrequency
    /// A satellite of WAAS, EGNOS or one of their siblings.
    case augmentation
  }

  /// A moment by both clocks: one for people, one for ages.
  public struct Moment: Hashable, Sendable {
    /// What the device's clock showed.
    public var deviceTime: DeviceTime
    /// The same moment by the clock that nobody can set.
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

  /// When something was last heard from this receiver; nil for never, or for another receiver's.
  public func lastHeard(_ kind: Kind, from source: ReceiverSource) -> Moment? {
    state.withLock { $0.source == source ? $0.heard[kind] : nil }
  }

  /// Whether this receiver names the signals that it tracks. Where it does not, nobody can tell how
  /// many frequencies it hears.
  public func namesSignals(from source: ReceiverSource) -> Bool {
    state.withLock { $0.source == source && $0.namesSignals }
  }

  /// Looks at the sky as a receiver has told it, once a second: putting it together is not free.
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

  /// Another receiver was chosen, be it under the same name: nothing of the one before holds.
  package func forget() {
    state.withLock { $0 = State() }
  }
}
