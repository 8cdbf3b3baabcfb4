import Evidence
import Inspection
import Positioning
import Store

extension InspectorUnit {
  /// What the inspector has set on this device, under the agency's rules of now.
  public func settings() throws -> FieldSettings {
    try store.read(as: person) { try Self.settings($0) }
  }

  /// Sets some settings, all of them or none.
  /// - Parameter texts: what was typed: `on`, `30`, `mean`, `never`.
  /// - Throws: `FieldUnitError.malformedSetting` or `.looserSetting` for the first that cannot be.
  public func set(_ texts: [(setting: FieldSetting, text: String)]) throws {
    try store.write(as: person) { session in
      let settings = try Self.settings(session)
      for (setting, text) in texts {
        let value = try settings.value(text, for: setting)
        try session.set(setting.storedName, to: value.map(setting.kind.text))
      }
    }
  }

  /// Sets one setting.
  /// - Throws: as above.
  public func set(_ setting: FieldSetting, to text: String) throws { try set([(setting, text)]) }

  /// Brings defaults back.
  public func reset(_ settings: [FieldSetting]) throws {
    try store.write(as: person) { session in
      for setting in settings { try session.set(setting.storedName, to: nil) }
    }
  }

  /// Of how many samples a corner of a track is made, and how. It is made of samples whatever photos are:
  /// that the inspector takes them with a single fix does not loosen what the agency asks for.
  public func cornerSampler(for task: Identifier?) throws -> SamplerPolicy {
    try store.read(as: person) { session in
      let rules = try Self.rules(try Self.policy(session), for: task, in: session)
      var own = try Self.settings(session).ownRules
      own[.centroid] = nil
      return rules.sampler(on: configuration.sampler, own: own)
    } ?? configuration.sampler
  }

  package static func settings(_ session: FieldSession) throws -> FieldSettings {
    let policy = try Self.policy(session)?.policy
    var settings = FieldSettings(
      agency: policy?.general ?? CaptureRules(),
      agencyRemovalDays: policy?.removesDeliveredAfterDays)
    for setting in FieldSetting.allCases {
      // What an older or a newer program has kept, and this one cannot read, is not set.
      settings[own: setting] = try session.setting(setting.storedName).flatMap(
        setting.kind.value(from:))
    }
    return settings
  }
}

extension FieldSetting {
  /// The name of its row. The oldest one was named before there was a table.
  fileprivate var storedName: String {
    self == .removeDeliveredAfterDays ? "remove-delivered-after-days" : rawValue
  }
}
