import Positioning

// What an inspector has set for themselves is written in the same rules as what the agency lays down,
// and holds only where it is stricter.

extension CaptureRule {
  /// Whether a value lets through what the other would not. Another method is none: it is not the one
  /// that was asked for. Rules that only an agency has are never compared.
  public func isLooser(_ value: Value, than limit: Value) -> Bool {
    switch (value, limit) {
    case (.flag(let flag), .flag(let asked)):
      (self == .requiresThreeDimensions || self == .centroid) && asked && !flag
    case (.method(let method), .method(let asked)): method != asked
    case (.number(let number), .number(let asked)):
      switch self {
      case .windowSeconds, .samples, .countdownSeconds: number < asked
      case .speedLimitMetresPerSecond, .dopplerLimitMetresPerSecond, .maximumUncertaintyMetres95,
        .maximumDilution:
        number > asked
      default: false
      }
    default: false
    }
  }

  /// What an inspector's own value must not be looser than: what the agency has laid down, and for the
  /// gate's limits the default where it has laid down nothing. Nil where anything goes.
  public func limit(under agency: CaptureRules) -> Value? {
    agency[self] ?? (topic == .gate ? standard : nil)
  }
}

extension CaptureRules {
  /// The gate's limits with these, an inspector's own, where they are stricter.
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

  /// How samples are taken where whoever captures has chosen nothing for this photo; nil for the position
  /// of a single fix. Never less than what is laid down.
  /// - Parameters:
  ///   - device: where neither says anything.
  ///   - own: what the inspector has set for themselves.
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

  /// Seconds from the last sample to the shutter, where the inspector has set something for themselves:
  /// what was chosen for this photo, else what they have set, and never less than what is laid down.
  public func countdownSeconds(
    chosen: Double?, own: CaptureRules, on device: Double
  ) -> Double {
    var chosen = chosen
    if chosen == nil, case .number(let seconds) = own[.countdownSeconds] { chosen = seconds }
    return countdownSeconds(chosen: chosen, on: device)
  }
}
