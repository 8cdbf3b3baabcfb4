/// The limits of the gate, which define "standing still", and their origin.
///
/// The defaults were chosen on recordings and simulation; docs/gate.md shows their curve.
public struct GatePolicy: Hashable, Sendable {
  /// The length of the window, seconds: the gate opens if a window of this length shows no motion.
  public var windowSeconds = 8.0
  /// The length of the short window, seconds: the last seconds are also judged alone, so that
  /// setting off is noticed at once.
  public var shortWindowSeconds = 3.0
  /// The greatest upper end (95 %) of the fitted speed, metres a second.
  public var speedLimitMetresPerSecond = 0.20
  /// The greatest median Doppler speed of the short window, metres a second. Higher than the limit
  /// above, because consumer receivers report up to 0.3 m/s of noise while they lie still.
  public var dopplerLimitMetresPerSecond = 0.5
  /// The greatest age of a fix by elapsed time, seconds; an older fix is stale.
  public var maximumAgeSeconds = 2.0
  /// The longest hole between two epochs, seconds; a longer one begins a new window.
  public var maximumGapSeconds = 2.5
  /// The largest horizontal uncertainty (95 %) of a sample, metres. Near walls and under trees a
  /// photo with an honest ± 40 m is worth more than no photo; the office decides how much is enough
  /// for a task.
  public var maximumUncertaintyMetres95 = 50.0
  /// The largest horizontal dilution of precision of a sample. For an autonomous receiver it
  /// amounts to about the limit above; for a receiver with corrections, whose uncertainty is small,
  /// it is the only limit that takes effect.
  public var maximumDilution = 10.0
  /// True if the gate refuses a fix without a height.
  public var requiresThreeDimensions = true
  /// True if fixes are let in that a simulator made and that say so.
  public var allowsSimulated = false
  /// The origin of these limits: `default`, `office`, or `inspector` if the inspector made them
  /// stricter.
  public var setBy = "default"

  /// Creates the documented defaults.
  public init() {}
}
