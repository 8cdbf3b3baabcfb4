import Positioning
import TimeAndText

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
    case .requiresThreeDimensions: "Require a height"
    case .centroid: "Require a centroid"
    case .method: "Method of the centroid"
    case .samples: "Samples for a centroid"
    case .countdownSeconds: "Countdown to the shutter"
    case .frameDelaySeconds: "Longest time from the position to the picture"
    case .photos: "Photos required"
    case .note: "Require a note"
    case .track: "Require a track"
    case .aroundSectors: "Require a walk round a thing, with so many pictures"
    case .turnViews: "Require a turn on the spot, with so many views"
    case .standalone: "Allow photos without a task"
    case .imported: "Allow imported pictures"
    case .takeBack: "Let inspectors take back a sent task"
    case .deliverAhead: "Deliver photos of a task as soon as they are taken"
    case .answersAhead: "Tell the office each answer as soon as it is given"
    case .surroundings: "Record nearby mobile cells and Wi-Fi access points"
    case .receivers: "Receivers that photos may rest on"
    case .browser: "Allow pictures from a browser's camera"
    case .command: "Allow pictures from a camera command of the device"
    }
  }

  /// The sign of the unit; nil if the value has none.
  public var unit: String? {
    switch self {
    case .windowSeconds, .countdownSeconds, .frameDelaySeconds: "s"
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
      "The highest speed that the fixes allow must stay below this. Smaller is stricter, but cheap receivers take longer."
    case .dopplerLimitMetresPerSecond:
      "Consumer receivers report up to 0.3 m/s when they are not moving."
    case .maximumUncertaintyMetres95:
      "With a worse fix, you cannot take a photo. ± 40 m is usual between walls and under trees."
    case .method:
      "The innermost layer ignores outliers, the mean scatters least, the median is between them."
    case .frameDelaySeconds:
      "A phone's picture that comes later is refused. Shorter is stricter, but needs a fast network and camera."
    case .aroundSectors: "72 is usual, 4 to 120 are possible; 0 requires none."
    case .turnViews: "4, 8 or 12; 0 requires none."
    case .imported:
      "They stay marked as imported and never count as photos taken with the camera."
    case .receivers:
      "Name kinds (gpsd, bluetooth, serial, tcp) or addresses such as bluetooth://00:11:22:33:44:55, with spaces between them. A program on a TCP port can invent a receiver in forty lines: leave tcp out if your inspectors do not need it."
    case .browser: "Phones and the camera of the field unit's own page."
    case .takeBack: "They can do so until its delivery begins."
    case .deliverAhead:
      "If this is off, photos go to the office when the inspector sends their task. Inspectors can no longer delete a photo that was delivered early."
    case .answersAhead:
      "Officers then see how far a task is. If this is off, answers come when the inspector sends the task. That a task was opened is always told."
    case .surroundings:
      "A second proof of the place, independent of the GNSS receiver. These are the inspector's personal data: they reach this office with the photo's record and are in every bundle that you hand out. Tell your inspectors before you turn this on."
    default: nil
    }
  }
}

extension CaptureRule {
  /// Returns the value for people, with its unit.
  /// - Parameters:
  ///   - form: the way in which the reader's language writes decimals.
  ///   - translated: translates English words to the reader's language.
  public func words(
    of value: Value, in form: WrittenForm = .international, _ translated: (String) -> String
  ) -> String {
    switch value {
    case .flag(let flag): translated(flag ? "yes" : "no")
    case .method(let method): translated(method.rawValue)
    case .receivers(let receivers): receivers == .any ? translated("any") : receivers.text
    // 8.0 s is said as 8 s.
    case .number:
      form.decimal(text(of: value).replacing(#/\.0+$/#, with: ""))
        + (unit.map { " \($0)" } ?? "")
    }
  }
}

extension CaptureRule.Topic {
  /// The heading.
  public var title: String {
    switch self {
    case .gate: "When the gate opens"
    case .sampling: "How a position is measured"
    case .contents: "Required before a task can be sent"
    case .permissions: "What is allowed, and what is recorded"
    }
  }
}
