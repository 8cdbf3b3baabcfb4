import Positioning

/// The rules that were set for an agency, or for one type of its tasks. A rule that a type does not
/// set falls back to the agency's rule, and then to the documented default.
public struct CaptureRules: Hashable, Sendable {
  private var values: [CaptureRule: CaptureRule.Value] = [:]

  /// Creates rules of which none is set.
  public init() {}

  /// The value of a rule; nil if it is not set. A value that the rule cannot have is ignored.
  public subscript(_ rule: CaptureRule) -> CaptureRule.Value? {
    get { values[rule] }
    set {
      guard newValue.map(rule.allows) ?? true else { return }
      values[rule] = newValue
    }
  }

  /// True if no rule is set.
  public var isEmpty: Bool { values.isEmpty }

  /// The rules that are set, in the order of `CaptureRule.allCases`.
  public var rules: [CaptureRule] { CaptureRule.allCases.filter { values[$0] != nil } }

  /// Returns these rules, completed with the values of `general` for the rules that are not set here.
  public func over(_ general: CaptureRules) -> CaptureRules {
    var result = general
    result.values.merge(values) { _, own in own }
    return result
  }

  /// Returns the flag that applies: the value that was set, or else the default; false if the rule
  /// has no flag.
  public func flag(_ rule: CaptureRule) -> Bool {
    if case .flag(let flag) = values[rule] ?? rule.standard { return flag }
    return false
  }

  /// Returns the number that applies: the value that was set, or else the default; 0 if the rule
  /// has no number.
  public func number(_ rule: CaptureRule) -> Double {
    if case .number(let number) = values[rule] ?? rule.standard { return number }
    return 0
  }

  /// The rules that are set, in one line for people.
  public var summary: String {
    rules.map { rule in "\(rule.rawValue) \(values[rule].map(rule.text) ?? "")" }
      .joined(separator: ", ")
  }
}

// MARK: the effect on a capture

extension CaptureRules {
  /// The contents that a task must have before it is sent, and the permission to take it back.
  public var requirements: TaskRequirements {
    var needed = TaskRequirements(
      photos: Int(number(.photos)), note: flag(.note), track: flag(.track))
    needed.arePhotosByDefault = values[.photos] == nil
    needed.allowsTakeBack = flag(.takeBack)
    needed.sets = [CaptureRule.aroundSectors, .turnViews].compactMap { rule in
      let sectors = Int(number(rule))
      guard sectors > 0, let kind = rule.setKind else { return nil }
      return NeededSet(kind: kind, sectors: sectors)
    }
    return needed
  }

  /// Returns the contents that a task must have by these rules and by its own order.
  public func requirements(of task: InspectionTask) -> TaskRequirements {
    requirements.asking(for: task.sets)
  }

  /// Returns the rules that forbid a photo of this kind; empty if the photo is allowed.
  /// - Parameter way: the way in which its picture comes to the device; nil if that is not known.
  public func forbidding(withoutTask: Bool, way: CameraWay?) -> [CaptureRule] {
    [withoutTask ? .standalone : nil, way?.rule].compactMap(\.self).filter { !flag($0) }
  }

  /// The receivers that photos may rest on.
  public var receivers: AllowedReceivers {
    if case .receivers(let receivers) = values[.receivers] { return receivers }
    return .any
  }

  /// Returns the rule that forbids a photo with this receiver; nil if the photo is allowed.
  /// - Parameters:
  ///   - source: the receiver, as after `--gnss`.
  ///   - resolved: the same with a tty under the name that its links lead to; nil if that is not known.
  ///   - devices: the devices from which a gpsd says that it read, empty if it says nothing; nil if that
  ///     is not known yet.
  public func forbidding(
    source: String, resolved: String? = nil, devices: Set<String>?
  ) -> CaptureRule? {
    receivers.allows(source, resolved: resolved, devices: devices) ? nil : .receivers
  }

  /// Returns the seconds from the last sample to the shutter. A chosen time is raised to the rule's
  /// time if that is longer. Without a choice, the rule's time applies, or else the device's.
  public func countdownSeconds(chosen: Double?, on device: Double) -> Double {
    guard case .number(let least) = values[.countdownSeconds] else { return chosen ?? device }
    return max(chosen ?? least, least)
  }

  /// Returns the gate's limits: the device's own, replaced by those that these rules set. An
  /// inspector's own limits stay if they are stricter.
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

  /// Returns the rule for samples that the inspector has chosen, made at least as strict as these
  /// rules; nil for the position of a single fix.
  public func stricter(_ chosen: SamplerPolicy?) -> SamplerPolicy? {
    guard var sampler = chosen ?? (flag(.centroid) ? SamplerPolicy() : nil) else { return nil }
    if case .number(let samples) = values[.samples] {
      sampler.samples = max(sampler.samples, Int(samples))
    }
    if case .method(let method) = values[.method] { sampler.method = method }
    return sampler
  }

  /// Returns the rules whose limits in a capture are looser than any agency can set them; empty if all are
  /// within what a rule allows, whatever the agency says.
  ///
  /// - Parameter sampler: The rule for samples; nil for a photo with the position of a single fix.
  public static func beyondEachAgency(
    _ gate: GatePolicy, _ sampler: SamplerPolicy?
  ) -> [CaptureRule] {
    var loosest = CaptureRules()
    for rule in [
      CaptureRule.windowSeconds, .speedLimitMetresPerSecond, .dopplerLimitMetresPerSecond,
      .maximumUncertaintyMetres95, .maximumDilution, .samples,
    ] {
      guard case .number(let range, _) = rule.kind else { continue }
      let isLeast = rule == .windowSeconds || rule == .samples
      loosest[rule] = .number(isLeast ? range.lowerBound : range.upperBound)
    }
    return loosest.broken(by: gate, sampler)
  }

  /// Returns the rules that a capture's limits break because they are looser; empty if all rules
  /// are kept.
  ///
  /// - Parameter sampler: The rule for samples; nil for a photo with the position of a single fix.
  /// - Parameter frameDelaySeconds: The time from the fix to the frame, seconds; nil if no page took the
  ///   picture.
  public func broken(
    by gate: GatePolicy, _ sampler: SamplerPolicy?, frameDelaySeconds: Double? = nil
  ) -> [CaptureRule] {
    // Limits are written with few decimal places, so a smaller difference is only rounding.
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
      case .frameDelaySeconds: frameDelaySeconds.map(above) ?? false
      case .samples: sampler.map { Double($0.samples) < number(rule) } ?? false
      case .method: sampler.map { values[rule] != .method($0.method) } ?? false
      default: false
      }
    }
  }
}
