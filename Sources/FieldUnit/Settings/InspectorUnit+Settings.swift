import Evidence
import Inspection
import Positioning
import Store
import TimeAndText

extension InspectorUnit {
  /// Returns the inspector's settings on this device, under the agency's present rules.
  public func settings() throws -> FieldSettings {
    try store.read(as: person) { try Self.settings($0) }
  }

  /// Sets some settings, all of them or none.
  /// - Parameter texts: the texts as they were typed: `on`, `30`, `mean`, `never`.
  /// - Throws: `FieldUnitError.malformedSetting` or `.looserSetting` for the first value that is
  ///   not allowed.
  public func set(_ texts: [(setting: FieldSetting, text: String)]) throws {
    try store.write(as: person) { session in
      let settings = try Self.settings(session)
      for (setting, text) in texts {
        let value = try settings.value(text, for: setting)
        try session.settings.set(setting.storedName, to: value.map(setting.kind.text))
      }
    }
  }

  /// Sets one setting.
  /// - Throws: `FieldUnitError.malformedSetting` or `.looserSetting`.
  public func set(_ setting: FieldSetting, to text: String) throws { try set([(setting, text)]) }

  /// Resets settings to their defaults.
  public func reset(_ settings: [FieldSetting]) throws {
    try store.write(as: person) { session in
      for setting in settings { try session.settings.set(setting.storedName, to: nil) }
    }
  }

  /// Returns the number of samples for a corner of a track, and how they are taken. A corner is
  /// always made of samples: an inspector who takes photos with a single fix does not loosen what
  /// the agency asks for.
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
      // A value of an older or newer program that this one cannot read counts as not set.
      settings[own: setting] = try session.settings.value(of: setting.storedName).flatMap(
        setting.kind.value(from:))
    }
    return settings
  }
}

extension FieldSetting {
  /// The name of the setting's row. The oldest setting was named before there were others.
  fileprivate var storedName: String {
    self == .removeDeliveredAfterDays ? "remove-delivered-after-days" : rawValue
  }
}
