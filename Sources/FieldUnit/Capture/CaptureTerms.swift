import Evidence
import Inspection
import Positioning
import Receivers
import Store

/// The rules under which one capture is made: the agency's for the task's type, the inspector's own
/// where they are stricter, and the device's if neither says anything.
public struct CaptureTerms: Hashable, Sendable {
  /// The agency's policy, which the photo's record names; nil if the agency has none.
  public var policy: SignedPolicy?
  /// The agency's rules for this photo.
  public var rules: CaptureRules
  /// The gate's limits.
  public var gate: GatePolicy
  /// The rules for taking samples; nil for the position of a single fix.
  public var sampler: SamplerPolicy?
  /// Seconds from the last sample to the shutter.
  public var countdownSeconds: Double

  /// Creates terms without any policy.
  package init(gate: GatePolicy, sampler: SamplerPolicy?, countdownSeconds: Double) {
    rules = CaptureRules()
    self.gate = gate
    self.sampler = sampler
    self.countdownSeconds = countdownSeconds
  }

  /// Creates the terms that follow from the agency's rules, the device's settings and the choices
  /// for this photo.
  /// - Parameter own: the rules that the inspector has set.
  package init(
    _ policy: SignedPolicy?, _ rules: CaptureRules, on configuration: FieldUnitConfiguration,
    own: CaptureRules = CaptureRules(),
    sampling: CaptureRequest.Sampling = .asLaidDown, countdownSeconds chosen: Double? = nil
  ) {
    self.policy = policy
    self.rules = rules
    gate = own.tightening(rules.gate(on: configuration.gate))
    switch sampling {
    case .asLaidDown: sampler = rules.sampler(on: configuration.sampler, own: own)
    case .chosen(let own): sampler = rules.stricter(own)
    }
    countdownSeconds = rules.countdownSeconds(
      chosen: chosen, own: own, on: configuration.countdownSeconds)
  }
}

extension CaptureRules {
  /// Requires that the agency takes photos with this receiver.
  /// - Throws: `InspectionError.policyForbids`.
  package func require(_ source: ReceiverSource) throws {
    if let rule = forbidding(source: "\(source)", resolved: source.resolved, devices: nil) {
      throw InspectionError.policyForbids(rule)
    }
  }
}
