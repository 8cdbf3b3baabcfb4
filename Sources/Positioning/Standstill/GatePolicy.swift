/// What "standing still" means: the limits of the gate, and who set them.
///
/// The defaults were chosen on recordings and simulation; docs/gate.md shows their curve.
public struct GatePolicy: Hashable, Sendable {
  /// The gate opens when a window of this many seconds shows no motion.
  public var windowSeconds = 8.0
  /// The last seconds that are also judged alone, so that setting off is noticed at once.
  public var shortWindowSeconds = 3.0
  /// The upper end (95 %) of the fitted speed must not exceed this, metres a second.
  public var speedLimitMetresPerSecond = 0.20
  /// The median Doppler speed of the short window must not exceed this, metres a second. Higher than
  /// the limit above, because consumer receivers report up to 0.3 m/s of noise while they lie still.
  public var dopplerLimitMetresPerSecond = 0.5
  /// A fix older than this by elapsed time is stale, seconds.
  public var maximumAgeSeconds = 2.0
  /// A longer hole between two epochs begins a new window, seconds.
  public var maximumGapSeconds = 2.5
  /// The largest horizontal uncertainty (95 %) of a sample, metres. Beside walls and under trees a
  /// photo with an honest ± 40 m is worth more than none; what is enough for a task its office says.
  public var maximumUncertaintyMetres95 = 50.0
  /// The largest horizontal dilution of precision of a sample: for an autonomous receiver about the
  /// same as the limit above, for one with corrections, whose uncertainty is small, the only one.
  public var maximumDilution = 10.0
  /// Whether a fix without height is refused.
  public var requiresThreeDimensions = true
  /// Whether fixes that a simulator made, and that say so, are let in.
  public var allowsSimulated = false
  /// Who set these limits: `default`, `office`, or `inspector` where they were made stricter.
  public var setBy = "default"

  /// The documented defaults.
  public init() {}
}
