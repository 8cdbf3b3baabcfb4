import Evidence
import Inspection
import Positioning
import Store

/// Under which rules one capture is made: the agency's for the task's type, the inspector's own where they
/// are stricter, and the device's where neither says anything.
public struct CaptureTerms: Hashable, Sendable {
  /// The agency's policy, which the photo's record names; nil where it has laid down none.
  public var policy: SignedPolicy?
  /// What it says for this photo.
  public var rules: CaptureRules
  /// The gate's limits.
  public var gate: GatePolicy
  /// How samples are taken; nil for the position of a single fix.
  public var sampler: SamplerPolicy?
  /// Seconds from the last sample to the shutter.
  public var countdownSeconds: Double

  /// Terms of nobody's policy.
  package init(gate: GatePolicy, sampler: SamplerPolicy?, countdownSeconds: Double) {
    rules = CaptureRules()
    self.gate = gate
    self.sampler = sampler
    self.countdownSeconds = countdownSeconds
  }

  /// What follows from the agency's rules, the device's settings and what was chosen for this photo.
  /// - Parameter own: what the inspector has set for themselves.
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

extension InspectorUnit {
  /// Under which rules a photo would be taken now.
  ///
  /// - Parameter task: the task that it is for; nil for none.
  /// - Throws: `StoreError.unknown` when there is no such task; `InspectionError.policyForbids` for a
  ///   photo without a task, or an imported one, where the agency does not allow it.
  public func terms(for request: CaptureRequest) throws -> CaptureTerms {
    try store.read(as: person) { session in
      let policy = try Self.policy(session)
      let rules = try Self.rules(policy, for: request.task, in: session)
      let isImported = if case .imported = request.camera { true } else { false }
      if let rule = rules.forbidding(withoutTask: request.task == nil, imported: isImported).first {
        throw InspectionError.policyForbids(rule)
      }
      return CaptureTerms(
        policy, rules, on: configuration, own: try Self.settings(session).ownRules,
        sampling: request.sampling,
        countdownSeconds: request.countdownSeconds)
    }
  }

  /// The agency's rules for a task's type, or for what belongs to no task.
  public func rules(for task: Identifier?) throws -> CaptureRules {
    try store.read(as: person) { try Self.rules(try Self.policy($0), for: task, in: $0) }
  }

  package static func rules(
    _ policy: SignedPolicy?, for task: Identifier?, in session: FieldSession
  ) throws -> CaptureRules {
    let type = try task.flatMap { try session.task($0).type }
    return policy?.policy.rules(forType: type) ?? CaptureRules()
  }
}
