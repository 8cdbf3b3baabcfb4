import Foundation
import Inspection
import Positioning
import TimeAndText

/// The inspector's settings on this device, together with the agency's rules.
public struct FieldSettings: Hashable, Sendable {
  /// The agency's rules for all tasks.
  public let agency: CaptureRules
  /// The days after which the agency has delivered photos leave the device; nil means never.
  public let agencyRemovalDays: Int?
  private var values: [FieldSetting: FieldSetting.Value] = [:]

  /// Creates settings in which the inspector has set nothing.
  public init(agency: CaptureRules = CaptureRules(), agencyRemovalDays: Int? = nil) {
    self.agency = agency
    self.agencyRemovalDays = agencyRemovalDays
  }

  /// The inspector's own value; nil if the default holds. A value that the setting cannot have is
  /// ignored.
  public subscript(own setting: FieldSetting) -> FieldSetting.Value? {
    get { values[setting] }
    set {
      guard newValue.map(setting.kind.allows) ?? true else { return }
      values[setting] = newValue
    }
  }

  /// Returns the value that the agency asks for; nil if it has no rule.
  public func agencyValue(_ setting: FieldSetting) -> FieldSetting.Value? {
    if setting == .removeDeliveredAfterDays { return agencyRemovalDays.map { .number(Double($0)) } }
    return setting.rule.flatMap { agency[$0] }
  }

  /// Returns the value in force: the inspector's own, or the agency's if that is stricter; nil
  /// means `never`. The rules for a task's type may ask for more.
  public func inForce(_ setting: FieldSetting) -> FieldSetting.Value? {
    let (own, asked) = (self[own: setting], agencyValue(setting))
    if setting == .removeDeliveredAfterDays {
      return removalRule.days.map { .number(Double($0)) }
    }
    guard let own else {
      // An agency that does not insist on a centroid is no reason to take none.
      return setting == .usesCentroid ? setting.standard : asked ?? setting.standard
    }
    guard let rule = setting.rule, let limit = rule.limit(under: agency),
      rule.isLooser(own, than: limit)
    else { return own }
    return limit
  }

  /// Returns true if the agency's rule holds instead of the inspector's own value.
  public func isOverridden(_ setting: FieldSetting) -> Bool {
    guard let own = self[own: setting] else { return false }
    return inForce(setting) != own
  }

  /// Returns the value that a text means for a setting; nil means `never`.
  /// - Throws: `FieldUnitError.malformedSetting` for an impossible value, `.looserSetting` for a
  ///   value that the agency's rule, or the gate's default, does not allow.
  public func value(_ text: String, for setting: FieldSetting) throws -> FieldSetting.Value? {
    // Half of Europe writes a comma for the decimal point.
    let text = text.replacing(",", with: ".")
    if setting.canBeNever, text.isEmpty || text == "never" { return nil }
    guard let value = setting.kind.value(from: text) else {
      throw FieldUnitError.malformedSetting(
        name: setting.title, reason: Self.possible(setting))
    }
    if let rule = setting.rule, let limit = rule.limit(under: agency),
      rule.isLooser(value, than: limit)
    {
      throw FieldUnitError.looserSetting(
        name: setting.title, limit: Self.words(limit, of: setting),
        isAgencys: agencyValue(setting) != nil)
    }
    return value
  }

  /// Returns the text of a form's field: the inspector's own value, or else the value in force.
  public func shownText(_ setting: FieldSetting) -> String {
    if let own = self[own: setting] { return setting.kind.text(of: own) }
    if setting.canBeNever { return "" }
    return inForce(setting).map(setting.kind.text) ?? ""
  }

  /// Returns true if a field was left as it was shown, however its number is written.
  public func isUnchanged(_ text: String, for setting: FieldSetting) -> Bool {
    let (text, shown) = (text.replacing(",", with: "."), shownText(setting))
    if text == shown { return true }
    guard let value = setting.kind.value(from: text) else { return false }
    return value == setting.kind.value(from: shown)
  }

  /// Returns a value in words, with its unit.
  public static func words(_ value: FieldSetting.Value?, of setting: FieldSetting) -> Wording {
    switch value {
    case nil: "\(word: "never")"
    case .flag(let flag): "\(word: flag ? "yes" : "no")"
    case .method(let method): "\(word: method.rawValue)"
    case .receivers(let receivers): "\(receivers.text)"
    case .number:
      setting.unit.map { "\(decimal: setting.text(of: value)) \($0)" }
        ?? "\(decimal: setting.text(of: value))"
    }
  }

  private static func possible(_ setting: FieldSetting) -> Wording {
    switch setting.kind {
    case .flag: return "it is on or off"
    case .method, .receivers: return "it is one of \(setting.range)"
    case .number(let range, let places):
      let (least, most) = (range.lowerBound, range.upperBound)
      return setting.canBeNever
        ? "it is a number from \(decimal: least, places: places) to"
          + " \(decimal: most, places: places), or never"
        : "it is a number from \(decimal: least, places: places) to"
          + " \(decimal: most, places: places)"
    }
  }

  // MARK: what they mean

  /// The inspector's own settings for captures, in the form of the agency's rules.
  public var ownRules: CaptureRules {
    var rules = CaptureRules()
    for (setting, value) in values { if let rule = setting.rule { rules[rule] = value } }
    return rules
  }

  /// The rule by which delivered photos leave this device.
  public var removalRule: RemovalRule {
    var days: Int?
    if case .number(let number) = self[own: .removeDeliveredAfterDays] { days = Int(number) }
    return RemovalRule(ownDays: days, agencyDays: agencyRemovalDays)
  }

  /// Seconds between two points of a track, by the epochs' time.
  public var trackIntervalSeconds: Double {
    if case .number(let seconds) = inForce(.trackIntervalSeconds) { return seconds }
    return 1
  }

  /// True if a tone sounds on each point of a track.
  public var tonesOnPoint: Bool { inForce(.tonesOnPoint) == .flag(true) }

  /// True if the map moves along with the device's position.
  public var mapFollows: Bool { inForce(.mapFollows) == .flag(true) }
}
