import Positioning

/// One rule that an agency can set for captures and tasks. The names are stable, because signed
/// policies, the programs' interface and the command line use them.
public enum CaptureRule: String, Hashable, Sendable, CaseIterable {
  /// The length of the gate's window, seconds.
  case windowSeconds
  /// The speed above which an inspector does not count as standing still, metres a second (95 %).
  case speedLimitMetresPerSecond
  /// The limit for the receiver's own Doppler speed, above which an inspector does not count as
  /// standing still, metres a second.
  case dopplerLimitMetresPerSecond
  /// The largest horizontal uncertainty of a sample, metres (95 %).
  case maximumUncertaintyMetres95
  /// The largest horizontal dilution of precision of a sample.
  case maximumDilution
  /// True if the gate refuses a fix without a height.
  case requiresThreeDimensions
  /// True if a photo's position has to be a centroid of samples.
  case centroid
  /// The method of the centroid.
  case method
  /// The number of samples of the centroid.
  case samples
  /// The time from the last sample to the shutter, seconds.
  case countdownSeconds
  /// The longest time between a photo's fix and its frame, if a page takes the picture, seconds.
  case frameDelaySeconds
  /// The number of photos that a task has to hold before it can be sent.
  case photos
  /// True if a task has to hold a note before it can be sent.
  case note
  /// True if a task has to hold a track before it can be sent.
  case track
  /// The number of sectors of the walk round a thing that a task has to hold before it can be sent; 0
  /// for none.
  case aroundSectors
  /// The number of views of the turn on the spot that a task has to hold before it can be sent; 0 for
  /// none.
  case turnViews
  /// True if photos may be taken without a task.
  case standalone
  /// True if files taken earlier may become photos. They stay marked as imported.
  case imported
  /// True if a sent task may be taken back before its delivery has begun.
  case takeBack
  /// True if a task's photos are delivered as soon as they are taken.
  case deliverAhead
  /// True if answers to items reach the office before their task is sent.
  case answersAhead
  /// True if photos carry the mobile cells and access points that were heard.
  case surroundings
  /// The receivers that photos may rest on.
  case receivers
  /// True if the camera of a browser may take photos: a phone's, or that of the field unit's own page.
  case browser
  /// True if a command of the device may take photos.
  case command

  /// The value of a rule.
  public enum Value: Hashable, Sendable {
    /// A yes or a no.
    case flag(Bool)
    /// A number, in the unit that the rule's name contains.
    case number(Double)
    /// A method of computing the centroid.
    case method(CentroidMethod)
    /// A list of receivers.
    case receivers(AllowedReceivers)
  }

  /// The kind of values that a rule can have.
  public enum Kind: Hashable, Sendable {
    /// A yes or a no.
    case flag
    /// A number within the range, with this number of decimal places.
    case number(ClosedRange<Double>, places: Int)
    /// One of the methods of computing the centroid.
    case method
    /// A list of receivers, or all of them.
    case receivers
  }

  /// The topic of a rule, under which people find it.
  public enum Topic: String, Hashable, Sendable, CaseIterable {
    /// The opening of the gate.
    case gate
    /// The making of a position from samples.
    case sampling
    /// The contents that a task must have.
    case contents
    /// The permissions, and the data that photos carry.
    case permissions
  }

  /// The kind of values that the rule can have.
  public var kind: Kind {
    switch self {
    case .windowSeconds: .number(4...60, places: 1)
    // A person who strolls walks 0.7 m/s: no agency can declare that to be standing still.
    case .speedLimitMetresPerSecond: .number(0.05...0.5, places: 2)
    case .dopplerLimitMetresPerSecond: .number(0.1...0.6, places: 2)
    case .maximumUncertaintyMetres95: .number(0.02...200, places: 2)
    case .maximumDilution: .number(1...50, places: 1)
    case .samples: .number(1...500, places: 0)
    case .countdownSeconds: .number(0...60, places: 0)
    // Later than half a second, a picture can belong to the next fix.
    case .frameDelaySeconds: .number(0.05...FrameTiming.usualLimitSeconds, places: 2)
    case .photos: .number(0...100, places: 0)
    case .aroundSectors: .number(0...Double(FrameSetTerms.aroundSectors.upperBound), places: 0)
    case .turnViews: .number(0...Double(FrameSetTerms.turnSectors.max() ?? 0), places: 0)
    case .method: .method
    case .receivers: .receivers
    case .requiresThreeDimensions, .centroid, .note, .track, .standalone, .imported, .takeBack,
      .deliverAhead, .answersAhead, .surroundings, .browser, .command:
      .flag
    }
  }

  /// The value that applies if the agency has set none.
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
    case .frameDelaySeconds: .number(FrameTiming.usualLimitSeconds)
    case .photos: .number(Double(TaskRequirements().photos))
    case .aroundSectors, .turnViews: .number(0)
    case .note: .flag(TaskRequirements().note)
    case .track: .flag(TaskRequirements().track)
    case .standalone, .imported, .takeBack, .answersAhead, .browser, .command: .flag(true)
    case .receivers: .receivers(.any)
    case .deliverAhead, .surroundings: .flag(false)
    }
  }

  /// The topic of the rule.
  public var topic: Topic {
    switch self {
    case .windowSeconds, .speedLimitMetresPerSecond, .dopplerLimitMetresPerSecond,
      .maximumUncertaintyMetres95, .maximumDilution, .requiresThreeDimensions:
      .gate
    case .centroid, .method, .samples, .countdownSeconds, .frameDelaySeconds: .sampling
    case .photos, .note, .track, .aroundSectors, .turnViews: .contents
    case .standalone, .imported, .takeBack, .deliverAhead, .answersAhead, .surroundings, .receivers,
      .browser, .command:
      .permissions
    }
  }

  /// True if a type of task can have its own value. A photo without a task has no type.
  public var isOfTypes: Bool { self != .standalone }

  /// Returns true if the rule can have this value.
  public func allows(_ value: Value) -> Bool {
    guard kind.allows(value) else { return false }
    guard let set = setKind, case .number(let number) = value, number != 0 else { return true }
    return set.allows(sectors: Int(number))
  }

  /// The kind of set that the rule asks for; nil if it asks for none.
  var setKind: FrameSetKind? {
    switch self {
    case .aroundSectors: .around
    case .turnViews: .turn
    default: nil
    }
  }

  /// Reads a value from a text (`on` and `off`, a number, a method's name); nil if the rule cannot
  /// have it.
  public func value(from text: String) -> Value? {
    kind.value(from: text).flatMap { allows($0) ? $0 : nil }
  }

  /// Writes a value in the form that `value(from:)` reads.
  public func text(of value: Value) -> String { kind.text(of: value) }

  /// The possible values, for people: `4 to 60`, `on or off`.
  public var range: String {
    switch self {
    case .aroundSectors:
      "0, or \(FrameSetTerms.aroundSectors.lowerBound) to \(FrameSetTerms.aroundSectors.upperBound)"
    case .turnViews: "0, 4, 8 or 12"
    default: kind.range
    }
  }
}
