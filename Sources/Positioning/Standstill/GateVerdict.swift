import TimeAndText

/// The gate's verdict on one fix, with the numbers by which it judged.
public struct GateVerdict: Hashable, Sendable {
  /// The four verdicts; only `still` allows samples and photos.
  public enum State: String, Hashable, Sendable {
    /// The inspector stands still, as far as the receiver can tell.
    case still
    /// The receiver is not moving, but that is not yet proven: the window is not full, or the
    /// speed's upper end too high.
    case settling
    /// The receiver moves.
    case moving
    /// The fix cannot be used at all.
    case refused
  }

  /// The verdict.
  public var state: State
  /// The reason why the state is not `still`; nil if it is `still`. If several things prevent
  /// `still`, the first one is the reason.
  public var reason: GateReason?
  /// The numbers; nil if the fix is refused, or until there are enough fixes to fit a speed.
  public var statistics: GateStatistics?

  /// The reason as a list, as records and JSON carry it; empty if there is none.
  public var reasons: [GateReason] { reason.map { [$0] } ?? [] }
}

/// The reason why the gate is not open, with a stable code and words for the inspector.
public enum GateReason: Hashable, Sendable {
  /// The receiver has no position.
  case noFix
  /// No fix has come for `ageSeconds` seconds.
  case stale(ageSeconds: Double)
  /// The fix has only latitude and longitude.
  case twoDimensional
  /// The position was not measured by satellites: it was typed in, or estimated by dead reckoning.
  case notMeasured(FixQuality)
  /// The horizontal uncertainty is above its limit, metres.
  case uncertain(metres95: Double, limitMetres: Double)
  /// The horizontal dilution of precision is above its limit.
  case dilution(Double, limit: Double)
  /// The fix is a simulator's, and simulated fixes are not allowed.
  case simulated
  /// The fitted or the Doppler speed is above its limit, metres a second.
  case moving(metresPerSecond: Double, limitMetresPerSecond: Double)
  /// The upper end (95 %) of the fitted speed is still above the limit, metres a second.
  case notYetCertain(upperMetresPerSecond95: Double, limitMetresPerSecond: Double)
  /// The window spans only `seconds` of its `ofSeconds` seconds. `metresPerSecond` is the speed of
  /// the fixes in it if it is above the limit, otherwise nil: too few fixes to be sure, but enough
  /// to tell a walking inspector why the gate stays closed.
  case windowFilling(seconds: Double, ofSeconds: Double, metresPerSecond: Double?)

  /// A stable word for programs.
  public var code: String {
    switch self {
    case .noFix: "no-fix"
    case .stale: "stale"
    case .twoDimensional: "two-dimensional"
    case .notMeasured: "not-measured"
    case .uncertain: "uncertain"
    case .dilution: "dilution"
    case .simulated: "simulated"
    case .moving: "moving"
    case .notYetCertain: "not-yet-certain"
    case .windowFilling: "window-filling"
    }
  }

  /// Words for the inspector, in English.
  public var text: String { wording.description }

  /// Words for the inspector.
  public var wording: Wording {
    switch self {
    case .noFix: "the receiver has no position"
    case .stale(let age): "no fix for \(decimal: age, places: 1) s"
    case .twoDimensional: "position without height (2-D)"
    case .notMeasured(let quality):
      "position not measured by satellites: the receiver says \(word: quality.name)"
    case .uncertain(let metres, let limit):
      "position uncertain: ±\(decimal: metres, places: 1) m, limit ±\(decimal: limit, places: 1) m"
    case .dilution(let value, let limit):
      "satellites badly spread: HDOP \(decimal: value, places: 1), limit \(decimal: limit, places: 1)"
    case .simulated: "a simulated position, which is not allowed here"
    case .moving(let speed, let limit):
      "moving at \(decimal: speed, places: 2) m/s, limit \(decimal: limit, places: 2) m/s: stand still"
    case .notYetCertain(let upper, let limit):
      "not yet sure: up to \(decimal: upper, places: 2) m/s, limit \(decimal: limit, places: 2) m/s"
    case .windowFilling(let seconds, let wanted, nil):
      "stand still: \(decimal: seconds, places: 0) of \(decimal: wanted, places: 0) s"
    case .windowFilling(let seconds, let wanted, let speed?):
      "stand still: \(decimal: seconds, places: 0) of \(decimal: wanted, places: 0) s, and you move at about"
        + " \(decimal: speed, places: 1) m/s"
    }
  }
}

/// The numbers on which a verdict rests.
public struct GateStatistics: Hashable, Sendable {
  /// Speed of the straight line fitted through the window, metres a second.
  public var speedMetresPerSecond: Double
  /// Upper end of that speed at 95 %, metres a second.
  public var speedUpperMetresPerSecond95: Double
  /// Median Doppler speed of the short window, metres a second; nil if the receiver sends none.
  public var dopplerMetresPerSecond: Double?
  /// Seconds from the window's first to its last fix.
  public var windowSeconds: Double
  /// Number of fixes in the window.
  public var fixes: Int
  /// Time of the window's first fix.
  public var firstTime: GNSSTime
}
