import Positioning

/// The names of the rules for people. Pages translate these words.
extension CaptureRule {
  /// The short name.
  public var title: String {
    switch self {
    case .windowSeconds: "Window of the gate"
    case .speedLimitMetresPerSecond: "Largest speed while standing still"
    case .dopplerLimitMetresPerSecond: "Largest Doppler speed while standing still"
    case .maximumUncertaintyMetres95: "Largest uncertainty of a sample (95 %)"
    case .maximumDilution: "Largest horizontal dilution of a sample (HDOP)"
    case .requiresThreeDimensions: "Fixes need a height"
    case .centroid: "The position has to be a centroid"
    case .method: "Method of the centroid"
    case .samples: "Samples for a centroid"
    case .countdownSeconds: "Countdown to the shutter"
    case .photos: "Photos that a task must hold"
    case .note: "A task must hold a note"
    case .track: "A task must hold a track"
    case .standalone: "Photos without a task are allowed"
    case .imported: "Imported pictures are allowed"
    case .takeBack: "A sent task can be taken back"
    case .deliverAhead: "Photos of a task are delivered as soon as they are taken"
    case .surroundings: "Photos record which mobile cells and Wi-Fi access points were heard"
    }
  }

  /// The sign of the unit; nil if the value has none.
  public var unit: String? {
    switch self {
    case .windowSeconds, .countdownSeconds: "s"
    case .speedLimitMetresPerSecond, .dopplerLimitMetresPerSecond: "m/s"
    case .maximumUncertaintyMetres95: "m"
    default: nil
    }
  }

  /// The advice for the administrator who sets the rule; nil if the title is enough.
  public var advice: String? {
    switch self {
    case .windowSeconds:
      "The gate opens after this many seconds without motion. Longer is more reliable, but slower."
    case .speedLimitMetresPerSecond:
      "Compared with the highest speed that the fixes allow. Smaller is stricter; cheap receivers then take longer."
    case .dopplerLimitMetresPerSecond:
      "Consumer receivers report up to 0.3 m/s when they are not moving."
    case .maximumUncertaintyMetres95:
      "With a worse fix no photo is taken. Between walls and under trees ± 40 m is usual."
    case .method:
      "The innermost layer ignores outliers, the mean scatters least, the median is between them."
    case .imported:
      "They always stay marked as imported, and never count as photos taken with the camera."
    case .takeBack: "Until its delivery has begun."
    case .deliverAhead:
      "If it is off, photos are delivered with their task when the inspector sends it. Photos that were delivered ahead can no longer be deleted on the field unit."
    case .surroundings:
      "A second proof of the place, independent of the GNSS receiver. These are the inspector's personal data: they come to this office with the photo's record, and are in every bundle that you give away. Tell your inspectors before you turn it on."
    default: nil
    }
  }
}

extension CaptureRule {
  /// Returns the value for people, with its unit.
  /// - Parameter translated: Translates English words to the reader's language.
  public func words(of value: Value, _ translated: (String) -> String) -> String {
    switch value {
    case .flag(let flag): translated(flag ? "yes" : "no")
    case .method(let method): translated(method.rawValue)
    case .number: text(of: value) + (unit.map { " \($0)" } ?? "")
    }
  }
}

extension CaptureRule.Topic {
  /// The heading.
  public var title: String {
    switch self {
    case .gate: "When the gate opens"
    case .sampling: "How a position is measured"
    case .contents: "What a task must hold before it is sent"
    case .permissions: "What is allowed, and what is recorded"
    }
  }
}
