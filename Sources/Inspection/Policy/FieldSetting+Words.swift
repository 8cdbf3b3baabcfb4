import TimeAndText

/// The names and explanations of the settings.
extension FieldSetting {
  /// A short name. A setting that the agency can rule on is called as in its policy.
  public var title: Wording {
    switch self {
    case .usesCentroid: "Position from many samples (centroid)"
    case .trackIntervalSeconds: "Time between two points of a track"
    case .tonesOnPoint: "A tone on each point of a track"
    case .mapFollows: "The map follows your position"
    case .removeDeliveredAfterDays: "Remove delivered photos from this device after this many days"
    default: "\(word: rule?.title ?? rawValue)"
    }
  }

  /// An explanation of the setting's effect.
  public var meaning: Wording {
    switch self {
    case .usesCentroid:
      "Off: the position is the single fix at the shutter, which is quicker and less accurate."
    case .method:
      "The innermost layer ignores outliers, the mean scatters least, the median is between them."
    case .samples: "More samples are more reliable and take longer: usually one comes each second."
    case .countdownSeconds: "Time between the last sample and the picture, to hold still and aim."
    case .windowSeconds:
      "The gate opens after this many seconds without motion. Longer is more reliable, but slower."
    case .speedLimitMetresPerSecond:
      "Smaller is stricter; cheap receivers then take longer to open the gate."
    case .dopplerLimitMetresPerSecond:
      "The receiver's own speed. Consumer receivers report up to 0.3 m/s when they are not moving."
    case .maximumUncertaintyMetres95: "Worse fixes are not used as samples, and no photo is taken."
    case .maximumDilution: "Fixes from badly placed satellites are not used as samples."
    case .requiresThreeDimensions: "Fixes without a height come from too few satellites."
    case .trackIntervalSeconds:
      "By the receiver's time. Each point is saved before the next one comes."
    case .tonesOnPoint: "You hear that the recording continues while you watch where you walk."
    case .mapFollows: "Off: the map stays where you moved it."
    case .removeDeliveredAfterDays:
      "They are removed after their task is decided, and after the office has read them again and found them undamaged."
    }
  }

  /// The people who may change the setting.
  public var authority: Wording {
    switch self {
    case .removeDeliveredAfterDays: "you and your agency: the shorter time applies"
    default:
      rule == nil ? "only you" : "you, never looser than your agency or the gate's default"
    }
  }
}

extension FieldSetting.Group {
  /// The group's heading.
  public var title: Wording {
    switch self {
    case .capture: "How a position is measured"
    case .gate: "When the gate opens"
    case .tracks: "Tracks and map"
    case .delivery: "Delivery and storage"
    }
  }
}
