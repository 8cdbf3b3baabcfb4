import Positioning

/// What is laid down, for an agency or for a type of its tasks. A rule that is not there leaves it to the
/// agency's own, and in the end to the documented default.
public struct CaptureRules: Hashable, Sendable {
  private var values: [CaptureRule: CaptureRule.Value] = [:]

  /// Nothing is laid down.
  public init() {}

  /// What a rule says; nil where it is not laid down. A value that the rule cannot have is not taken.
  public subscript(_ rule: CaptureRule) -> CaptureRule.Value? {
    get { values[rule] }
    set {
      guard newValue.map(rule.allows) ?? true else { return }
      values[rule] = newValue
    }
  }

  /// Whether nothing is laid down.
  public var isEmpty: Bool { values.isEmpty }

  /// The rules that are laid down, in the order of the table.
  public var rules: [CaptureRule] { CaptureRule.allCases.filter { values[$0] != nil } }

  /// These rules, and of the others what `general` says.
  public func over(_ general: CaptureRules) -> CaptureRules {
    var result = general
    result.values.merge(values) { _, own in own }
    return result
  }

  /// What holds: what is laid down, or the default.
  public func flag(_ rule: CaptureRule) -> Bool {
    if case .flag(let flag) = values[rule] ?? rule.standard { return flag }
    return false
  }

  /// What holds: what is laid down, or the default.
  public func number(_ rule: CaptureRule) -> Double {
    if case .number(let number) = values[rule] ?? rule.standard { return number }
    return 0
  }

  /// In one line, for people; what is not laid down is not said.
  public var summary: String {
    rules.map { rule in "\(rule.rawValue) \(values[rule].map(rule.text) ?? "")" }
      .joined(separator: ", ")
  }
}

// MARK: what they mean for a capture

extension CaptureRules {
  /// What a task must hold, and whether it may come back.
  public var requirements: TaskRequirements {
    var needed = TaskRequirements(
      photos: Int(number(.photos)), note: flag(.note), track: flag(.track))
    needed.allowsTakeBack = flag(.takeBack)
    return needed
  }

  /// Which rules forbid a photo of this kind; an empty list is none.
  public func forbidding(withoutTask: Bool, imported: Bool) -> [CaptureRule] {
    [withoutTask ? .standalone : nil, imported ? .imported : nil].compactMap(\.self)
      .filter { !flag($0) }
  }

  /// Seconds from the last sample to the shutter: what was chosen, and never less than what is laid down;
  /// where nothing was chosen what is laid down, or the device's own.
  public func countdownSeconds(chosen: Double?, on device: Double) -> Double {
    guard case .number(let least) = values[.countdownSeconds] else { return chosen ?? device }
    return max(chosen ?? least, least)
  }

  /// The gate's limits: those laid down, and for the others the device's own. An inspector's own limits
  /// hold where they are stricter.
  public func gate(on device: GatePolicy) -> GatePolicy {
    var gate = device
    let isOwn = device.setBy == "inspector"
    var isLaidDown = false
    func lay(_ rule: CaptureRule, _ path: WritableKeyPath<GatePolicy, Double>, larger: Bool = false)
    {
      guard case .number(let limit) = values[rule] else { return }
      isLaidDown = true
      let own = gate[keyPath: path]
      gate[keyPath: path] = isOwn ? (larger ? max(own, limit) : min(own, limit)) : limit
    }
    lay(.windowSeconds, \.windowSeconds, larger: true)
    lay(.speedLimitMetresPerSecond, \.speedLimitMetresPerSecond)
    lay(.dopplerLimitMetresPerSecond, \.dopplerLimitMetresPerSecond)
    lay(.maximumUncertaintyMetres95, \.maximumUncertaintyMetres95)
    lay(.maximumDilution, \.maximumDilution)
    if case .flag(let flag) = values[.requiresThreeDimensions] {
      isLaidDown = true
      gate.requiresThreeDimensions = flag || (isOwn && gate.requiresThreeDimensions)
    }
    if isLaidDown, !isOwn { gate.setBy = "office" }
    return gate
  }

  /// How samples are taken where whoever captures has chosen: never less than what is laid down.
  public func stricter(_ chosen: SamplerPolicy?) -> SamplerPolicy? {
    guard var sampler = chosen ?? (flag(.centroid) ? SamplerPolicy() : nil) else { return nil }
    if case .number(let samples) = values[.samples] {
      sampler.samples = max(sampler.samples, Int(samples))
    }
    if case .method(let method) = values[.method] { sampler.method = method }
    return sampler
  }

  /// Which limits of a capture are looser than what is laid down, by the rules' names. An empty list is
  /// what it should be.
  ///
  /// - Parameter sampler: nil for a photo with the position of a single fix.
  public func broken(by gate: GatePolicy, _ sampler: SamplerPolicy?) -> [CaptureRule] {
    // What was written down has so many places.
    let tolerance = 0.0005
    return rules.filter { rule in
      func above(_ limit: Double) -> Bool { limit > number(rule) + tolerance }
      return switch rule {
      case .windowSeconds: gate.windowSeconds < number(rule) - tolerance
      case .speedLimitMetresPerSecond: above(gate.speedLimitMetresPerSecond)
      case .dopplerLimitMetresPerSecond: above(gate.dopplerLimitMetresPerSecond)
      case .maximumUncertaintyMetres95: above(gate.maximumUncertaintyMetres95)
      case .maximumDilution: above(gate.maximumDilution)
      case .requiresThreeDimensions: flag(rule) && !gate.requiresThreeDimensions
      case .centroid: flag(rule) && sampler == nil
      case .samples: sampler.map { Double($0.samples) < number(rule) } ?? false
      case .method: sampler.map { values[rule] != .method($0.method) } ?? false
      default: false
      }
    }
  }
}
