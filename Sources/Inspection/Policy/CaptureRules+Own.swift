import Positioning

// An inspector's own settings use the same rules as the agency's policy, but apply only if they are
// stricter.

extension CaptureRule {
  /// Returns true if `value` allows something that `limit` forbids. Another method counts as
  /// looser, because it is not the method that was asked for. Rules that only an agency can set are
  /// never looser.
  public func isLooser(_ value: Value, than limit: Value) -> Bool {
    switch (value, limit) {
    case (.flag(let flag), .flag(let asked)):
      (self == .requiresThreeDimensions || self == .centroid) && asked && !flag
    case (.method(let method), .method(let asked)): method != asked
    case (.number(let number), .number(let asked)):
      switch self {
      case .windowSeconds, .samples, .countdownSeconds: number < asked
      case .speedLimitMetresPerSecond, .dopplerLimitMetresPerSecond, .maximumUncertaintyMetres95,
        .maximumDilution, .frameDelaySeconds:
        number > asked
      default: false
      }
    default: false
    }
  }

  /// Returns the loosest value that an inspector may set: the agency's value, or for the gate's
  /// limits the default if the agency has set none. Nil if any value is allowed.
  public func limit(under agency: CaptureRules) -> Value? {
    agency[self] ?? (topic == .gate ? standard : nil)
  }
}

extension CaptureRules {
  /// Returns the gate's limits, each replaced by the inspector's own one in these rules if that is
  /// stricter.
  public func tightening(_ gate: GatePolicy) -> GatePolicy {
    var tightened = gate
    func tighten(_ rule: CaptureRule, _ path: WritableKeyPath<GatePolicy, Double>) {
      guard let own = self[rule], case .number(let limit) = own,
        own != .number(gate[keyPath: path]),
        !rule.isLooser(own, than: .number(gate[keyPath: path]))
      else { return }
      tightened[keyPath: path] = limit
    }
    tighten(.windowSeconds, \.windowSeconds)
    tighten(.speedLimitMetresPerSecond, \.speedLimitMetresPerSecond)
    tighten(.dopplerLimitMetresPerSecond, \.dopplerLimitMetresPerSecond)
    tighten(.maximumUncertaintyMetres95, \.maximumUncertaintyMetres95)
    tighten(.maximumDilution, \.maximumDilution)
    if self[.requiresThreeDimensions] == .flag(true) { tightened.requiresThreeDimensions = true }
    if tightened != gate { tightened.setBy = "inspector" }
    return tightened
  }

  /// Returns the rule for samples if the inspector has chosen nothing for this photo; nil for the
  /// position of a single fix. The result is never looser than these rules, which are the agency's.
  /// - Parameters:
  ///   - device: The device's rule, for settings that neither agency nor inspector has made.
  ///   - own: The inspector's own settings.
  public func sampler(
    on device: SamplerPolicy, own: CaptureRules = CaptureRules()
  ) -> SamplerPolicy? {
    guard own[.centroid] != .flag(false) || flag(.centroid) else { return nil }
    var sampler = device
    if case .number(let samples) = own[.samples] ?? self[.samples] {
      sampler.samples = Int(samples)
    }
    if case .method(let method) = own[.method] ?? self[.method] { sampler.method = method }
    return stricter(sampler)
  }

  /// Returns the seconds from the last sample to the shutter: those chosen for this photo, or else
  /// the inspector's own setting, or else the agency's, or else the device's. They are never fewer
  /// than the agency's.
  public func countdownSeconds(
    chosen: Double?, own: CaptureRules, on device: Double
  ) -> Double {
    var chosen = chosen
    if chosen == nil, case .number(let seconds) = own[.countdownSeconds] { chosen = seconds }
    return countdownSeconds(chosen: chosen, on: device)
  }
}
