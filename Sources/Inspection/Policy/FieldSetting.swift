/// A setting that an inspector can change on this device. Command, page, JSON and
/// `docs/settings.md` all follow this table; the names are stable.
public enum FieldSetting: String, Hashable, Sendable, CaseIterable {
  /// On if a photo's position is a centroid of samples; off if it is the single fix at the shutter.
  case usesCentroid
  /// The method by which the centroid is found.
  case method
  /// The number of samples.
  case samples
  /// Seconds from the last sample to the shutter.
  case countdownSeconds
  /// The length of the gate's window, seconds.
  case windowSeconds
  /// The speed above which the inspector does not stand still, metres a second (95 %).
  case speedLimitMetresPerSecond
  /// The limit of the receiver's own Doppler speed, metres a second.
  case dopplerLimitMetresPerSecond
  /// The largest horizontal uncertainty of a sample, metres (95 %).
  case maximumUncertaintyMetres95
  /// The largest horizontal dilution of precision of a sample.
  case maximumDilution
  /// On if the gate refuses a fix without a height.
  case requiresThreeDimensions
  /// Seconds between two points of a track, by the epochs' time.
  case trackIntervalSeconds
  /// On if a tone sounds on each point of a track.
  case tonesOnPoint
  /// On if the map moves along with the device's position.
  case mapFollows
  /// The days after which delivered photos leave the device.
  case removeDeliveredAfterDays

  /// A setting's value; without one the default holds.
  public typealias Value = CaptureRule.Value

  /// The groups of settings, for people who look through them.
  public enum Group: String, Hashable, Sendable, CaseIterable {
    /// Settings for a photo's position.
    case capture
    /// Settings for the opening of the gate.
    case gate
    /// Settings for tracks and the map.
    case tracks
    /// Settings for what stays on the device.
    case delivery
  }

  /// The agency's rule for the setting; nil if there is none among the rules of captures.
  public var rule: CaptureRule? {
    switch self {
    case .usesCentroid: .centroid
    case .trackIntervalSeconds, .tonesOnPoint, .mapFollows, .removeDeliveredAfterDays: nil
    default: CaptureRule(rawValue: rawValue)
    }
  }

  /// The values that the setting can have, in addition to `never` if `canBeNever`.
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

  /// The default value; nil means `never`.
  public var standard: Value? {
    switch self {
    // An agency does not ask for a centroid by default, but the device takes one anyway.
    case .usesCentroid: .flag(true)
    case .trackIntervalSeconds: .number(1)
    case .tonesOnPoint, .mapFollows: .flag(true)
    case .removeDeliveredAfterDays: nil
    default: rule?.standard
    }
  }

  /// True if the setting can be `never`, which then is its default.
  public var canBeNever: Bool { standard == nil }

  /// The group of the setting.
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

  /// The sign of the unit; nil if the setting has no unit.
  public var unit: String? {
    switch self {
    case .trackIntervalSeconds: "s"
    case .removeDeliveredAfterDays: "d"
    default: rule?.unit
    }
  }

  /// Returns a value as it is typed and stored: `on`, `30`, `mean`, `never`.
  public func text(of value: Value?) -> String { value.map(kind.text) ?? "never" }

  /// The possible values in English: `1 to 500`, `0 to 3650, or never`.
  public var range: String { kind.range + (canBeNever ? ", or never" : "") }
}
