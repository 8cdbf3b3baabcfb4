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
    case .surroundings: "Photos tell which mobile cells and Wi-Fi access points were heard"
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
      "The gate opens when so many seconds show no motion. Longer is surer, and slower."
    case .speedLimitMetresPerSecond:
      "Against the upper end of what the fixes allow. Smaller is stricter; cheap receivers then take longer."
    case .dopplerLimitMetresPerSecond:
      "Consumer receivers report up to 0.3 m/s while they lie still."
    case .maximumUncertaintyMetres95:
      "Worse fixes give no photo. Between walls and under trees ± 40 m is usual."
    case .method:
      "The innermost layer ignores strays, the mean scatters least, the median lies between them."
    case .imported:
      "They stay marked as imported for ever, and never pass for captured ones."
    case .takeBack: "Until its delivery has begun."
    case .deliverAhead:
      "Otherwise with their task, when the inspector sends it. What was delivered ahead cannot be deleted on the field unit any more."
    case .surroundings:
      "A second witness of the place, which knows nothing of the GNSS receiver. These are personal data of the inspector: they come to this office with the photo's record, and go with it to whomever you give a bundle. Tell your inspectors before you turn it on."
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
    case .sampling: "How a position comes about"
    case .contents: "What a task must hold before it is sent"
    case .permissions: "What is allowed, and what is told"
    }
  }
}
