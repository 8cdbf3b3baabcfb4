import Positioning

/// One thing that an agency can lay down for captures and tasks. The names are stable: signed policies,
/// the programs' interface and the command line use them.
public enum CaptureRule: String, Hashable, Sendable, CaseIterable {
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
  /// Whether a photo's position has to be a centroid of samples.
  case centroid
  /// Which of the centroids it is.
  case method
  /// Of how many samples.
  case samples
  /// Seconds from the last sample to the shutter.
  case countdownSeconds
  /// How many photos a task has to hold before it can be sent.
  case photos
  /// Whether it has to hold a note.
  case note
  /// Whether it has to hold a track.
  case track
  /// Whether photos may be taken without a task.
  case standalone
  /// Whether files taken earlier may become photos; they stay marked as imported.
  case imported
  /// Whether a sent task may be taken back before its delivery has begun.
  case takeBack
  /// Whether a task's photos are delivered as soon as they are taken.
  case deliverAhead
  /// Whether photos tell which cells and access points were heard.
  case surroundings

  /// What a rule says.
  public enum Value: Hashable, Sendable {
    /// Yes or no.
    case flag(Bool)
    /// A number, in the unit of the rule's name.
    case number(Double)
    /// A way to the centroid.
    case method(CentroidMethod)
  }

  /// Which values a rule can have.
  public enum Kind: Hashable, Sendable {
    /// Yes or no.
    case flag
    /// A number from the range, with so many places.
    case number(ClosedRange<Double>, places: Int)
    /// One of the centroids.
    case method
  }

  /// What rules belong to, for people who look through them.
  public enum Topic: String, Hashable, Sendable, CaseIterable {
    /// When the gate opens.
    case gate
    /// How a position comes about.
    case sampling
    /// What a task must hold.
    case contents
    /// What is allowed, and what is told.
    case permissions
  }

  /// Which values it can have.
  public var kind: Kind {
    switch self {
    case .windowSeconds: .number(4...60, places: 1)
    // Somebody who strolls does 0.7 m/s: no agency can lay down that this is standing still.
    case .speedLimitMetresPerSecond: .number(0.05...0.5, places: 2)
    case .dopplerLimitMetresPerSecond: .number(0.1...0.6, places: 2)
    case .maximumUncertaintyMetres95: .number(0.02...200, places: 2)
    case .maximumDilution: .number(1...50, places: 1)
    case .samples: .number(1...500, places: 0)
    case .countdownSeconds: .number(0...60, places: 0)
    case .photos: .number(0...100, places: 0)
    case .method: .method
    case .requiresThreeDimensions, .centroid, .note, .track, .standalone, .imported, .takeBack,
      .deliverAhead, .surroundings:
      .flag
    }
  }

  /// What holds where nobody has laid down anything.
  public var standard: Value {
    let gate = GatePolicy()
    let sampler = SamplerPolicy()
    return switch self {
    case .windowSeconds: .number(gate.windowSeconds)
    case .speedLimitMetresPerSecond: .number(gate.speedLimitMetresPerSecond)
    case .dopplerLimitMetresPerSecond: .number(gate.dopplerLimitMetresPerSecond)
    case .maximumUncertaintyMetres95: .number(gate.maximumUncertaintyMetres95)
    case .maximumDilution: .number(gate.maximumDilution)
    case .requiresThreeDimensions: .flag(gate.requiresThreeDimensions)
    // A device may be set to single fixes, unless its agency forbids it.
    case .centroid: .flag(false)
    case .method: .method(sampler.method)
    case .samples: .number(Double(sampler.samples))
    case .countdownSeconds: .number(5)
    case .photos: .number(Double(TaskRequirements().photos))
    case .note: .flag(TaskRequirements().note)
    case .track: .flag(TaskRequirements().track)
    case .standalone, .imported, .takeBack: .flag(true)
    case .deliverAhead, .surroundings: .flag(false)
    }
  }

  /// What it belongs to.
  public var topic: Topic {
    switch self {
    case .windowSeconds, .speedLimitMetresPerSecond, .dopplerLimitMetresPerSecond,
      .maximumUncertaintyMetres95, .maximumDilution, .requiresThreeDimensions:
      .gate
    case .centroid, .method, .samples, .countdownSeconds: .sampling
    case .photos, .note, .track: .contents
    case .standalone, .imported, .takeBack, .deliverAhead, .surroundings: .permissions
    }
  }

  /// Whether a type of task can have its own. A photo without a task has no type.
  public var isOfTypes: Bool { self != .standalone }

  /// Whether it can say this.
  public func allows(_ value: Value) -> Bool { kind.allows(value) }

  /// The value that a text gives (`on` and `off`, a number, a method's name); nil for one that the rule
  /// cannot have.
  public func value(from text: String) -> Value? { kind.value(from: text) }

  /// A value as `value(from:)` reads it.
  public func text(of value: Value) -> String { kind.text(of: value) }

  /// What it can say, for people: `4 to 60`, `on or off`.
  public var range: String { kind.range }
}
