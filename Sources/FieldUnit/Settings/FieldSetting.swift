import Inspection

/// One thing that an inspector can set on this device for themselves. Command, page, JSON and
/// `docs/settings.md` all follow this table; the names are stable.
public enum FieldSetting: String, Hashable, Sendable, CaseIterable {
  /// Whether a photo's position is a centroid of samples, or the single fix at the shutter.
  case usesCentroid
  /// Which of the centroids it is.
  case method
  /// Of how many samples.
  case samples
  /// Seconds from the last sample to the shutter.
  case countdownSeconds
  /// How long a window of the gate is, seconds.
  case windowSeconds
  /// The speed above which nobody stands still, metres a second (95 %).
  case speedLimitMetresPerSecond
  /// The same for the receiver's own Doppler speed, metres a second.
  case dopplerLimitMetresPerSecond
  /// The largest horizontal uncertainty of a sample, metres (95 %).
  case maximumUncertaintyMetres95
  /// The largest horizontal dilution of precision of a sample.
  case maximumDilution
  /// Whether a fix without height is refused.
  case requiresThreeDimensions
  /// Seconds between two points of a track, by the epochs' time.
  case trackIntervalSeconds
  /// Whether each point of a track is heard.
  case tonesOnPoint
  /// Whether the map moves along with the own position.
  case mapFollows
  /// After how many days delivered photos leave the device.
  case removeDeliveredAfterDays

  /// What a setting says; where there is none its default holds.
  public typealias Value = CaptureRule.Value

  /// What settings belong to, for people who look through them.
  public enum Group: String, Hashable, Sendable, CaseIterable {
    /// How a photo's position comes about.
    case capture
    /// When the gate opens.
    case gate
    /// Tracks and the map.
    case tracks
    /// What stays on the device.
    case delivery
  }

  /// The agency's rule that stands over it; nil where there is none among the rules of captures.
  public var rule: CaptureRule? {
    switch self {
    case .usesCentroid: .centroid
    case .trackIntervalSeconds, .tonesOnPoint, .mapFollows, .removeDeliveredAfterDays: nil
    default: CaptureRule(rawValue: rawValue)
    }
  }

  /// Which values it can have, beside `never` where `canBeNever` says so.
  public var kind: CaptureRule.Kind {
    switch self {
    case .trackIntervalSeconds: .number(1...3600, places: 0)
    case .removeDeliveredAfterDays:
      .number(
        Double(CapturePolicy.removalDays.lowerBound)...Double(CapturePolicy.removalDays.upperBound),
        places: 0)
    case .tonesOnPoint, .mapFollows: .flag
    default: rule?.kind ?? .flag
    }
  }

  /// What holds where nobody has said anything; nil is `never`.
  public var standard: Value? {
    switch self {
    // An agency does not ask for it by default, and the device does it all the same.
    case .usesCentroid: .flag(true)
    case .trackIntervalSeconds: .number(1)
    case .tonesOnPoint, .mapFollows: .flag(true)
    case .removeDeliveredAfterDays: nil
    default: rule?.standard
    }
  }

  /// Whether it can say `never`, which then is its default.
  public var canBeNever: Bool { standard == nil }

  /// What it belongs to.
  public var group: Group {
    switch self {
    case .usesCentroid, .method, .samples, .countdownSeconds: .capture
    case .windowSeconds, .speedLimitMetresPerSecond, .dopplerLimitMetresPerSecond,
      .maximumUncertaintyMetres95, .maximumDilution, .requiresThreeDimensions:
      .gate
    case .trackIntervalSeconds, .tonesOnPoint, .mapFollows: .tracks
    case .removeDeliveredAfterDays: .delivery
    }
  }

  /// Its unit's sign; nil where it has none.
  public var unit: String? {
    switch self {
    case .trackIntervalSeconds: "s"
    case .removeDeliveredAfterDays: "d"
    default: rule?.unit
    }
  }

  /// A value as it is typed and kept: `on`, `30`, `mean`, `never`.
  public func text(of value: Value?) -> String { value.map(kind.text) ?? "never" }

  /// What it can say, in English: `1 to 500`, `0 to 3650, or never`.
  public var range: String { kind.range + (canBeNever ? ", or never" : "") }
}
