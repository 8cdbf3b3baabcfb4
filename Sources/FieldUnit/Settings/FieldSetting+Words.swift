import Inspection
import Positioning

/// What a setting is called, and what whoever sets it should know.
extension FieldSetting {
  /// A short name. What the agency can lay down is called as it is there.
  public var title: Wording {
    switch self {
    case .usesCentroid: "Position from many samples (centroid)"
    case .trackIntervalSeconds: "Time between two points of a track"
    case .tonesOnPoint: "A tone on each point of a track"
    case .mapFollows: "The map follows your position"
    case .removeDeliveredAfterDays: "Delivered photos leave this device after so many days"
    default: "\(word: rule?.title ?? rawValue)"
    }
  }

  /// What it does.
  public var meaning: Wording {
    switch self {
    case .usesCentroid:
      "Off: the position is the single fix at the shutter, which is quicker and less certain."
    case .method:
      "The innermost layer ignores strays, the mean scatters least, the median lies between them."
    case .samples: "More samples are surer and take longer: mostly one comes each second."
    case .countdownSeconds: "From the last sample to the picture: time to hold still and look."
    case .windowSeconds:
      "The gate opens when so many seconds show no motion. Longer is surer, and slower."
    case .speedLimitMetresPerSecond:
      "Smaller is stricter; cheap receivers then take longer to open the gate."
    case .dopplerLimitMetresPerSecond:
      "The receiver's own speed. Consumer receivers report up to 0.3 m/s while they lie still."
    case .maximumUncertaintyMetres95: "Worse fixes are no samples and give no photo."
    case .maximumDilution: "Fixes from satellites that stand unfavourably are no samples."
    case .requiresThreeDimensions: "Fixes without a height come from too few satellites."
    case .trackIntervalSeconds:
      "By the receiver's time. Each point is on the disk before the next one comes."
    case .tonesOnPoint: "So that you hear that the recording goes on while you look at the way."
    case .mapFollows: "Off: the map stays where you have moved it."
    case .removeDeliveredAfterDays:
      "They leave when their task is decided, and when the office has read them again and found them whole."
    }
  }

  /// Who may change it.
  public var authority: Wording {
    switch self {
    case .removeDeliveredAfterDays: "you, and your agency: the sooner of the two holds"
    default:
      rule == nil ? "you alone" : "you, never looser than your agency or the gate's default"
    }
  }
}

extension FieldSetting.Group {
  /// Its heading.
  public var title: Wording {
    switch self {
    case .capture: "How a position comes about"
    case .gate: "When the gate opens"
    case .tracks: "Tracks and map"
    case .delivery: "Delivery and storage"
    }
  }
}
