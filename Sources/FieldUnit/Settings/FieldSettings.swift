import Foundation
import Inspection
import Positioning

/// What an inspector has set on this device, and what their agency's rules make of it.
public struct FieldSettings: Hashable, Sendable {
  /// What the agency has laid down for all tasks.
  public let agency: CaptureRules
  /// After how many days the agency has delivered photos leave the device; nil is never.
  public let agencyRemovalDays: Int?
  private var values: [FieldSetting: FieldSetting.Value] = [:]

  /// Nothing is set yet.
  public init(agency: CaptureRules = CaptureRules(), agencyRemovalDays: Int? = nil) {
    self.agency = agency
    self.agencyRemovalDays = agencyRemovalDays
  }

  /// What the inspector has set; nil where the default holds. A value that the setting cannot have is not
  /// taken.
  public subscript(own setting: FieldSetting) -> FieldSetting.Value? {
    get { values[setting] }
    set {
      guard newValue.map(setting.kind.allows) ?? true else { return }
      values[setting] = newValue
    }
  }

  /// What the agency asks for; nil where it has laid down nothing.
  public func agencyValue(_ setting: FieldSetting) -> FieldSetting.Value? {
    if setting == .removeDeliveredAfterDays { return agencyRemovalDays.map { .number(Double($0)) } }
    return setting.rule.flatMap { agency[$0] }
  }

  /// What holds: the inspector's own, and the agency's where that is stricter; nil is `never`. A task's
  /// type may ask for more.
  public func inForce(_ setting: FieldSetting) -> FieldSetting.Value? {
    let (own, asked) = (self[own: setting], agencyValue(setting))
    if setting == .removeDeliveredAfterDays {
      return removalRule.days.map { .number(Double($0)) }
    }
    guard let own else {
      // That the agency does not insist on a centroid is no reason to take none.
      return setting == .usesCentroid ? setting.standard : asked ?? setting.standard
    }
    guard let rule = setting.rule, let limit = rule.limit(under: agency),
      rule.isLooser(own, than: limit)
    else { return own }
    return limit
  }

  /// Whether the agency's rule holds in the place of what the inspector has set.
  public func isOverridden(_ setting: FieldSetting) -> Bool {
    guard let own = self[own: setting] else { return false }
    return inForce(setting) != own
  }

  /// What a text means for a setting; nil is `never`.
  /// - Throws: `FieldUnitError.malformedSetting` for what it cannot be, `.looserSetting` for what the
  ///   agency's rule, or the gate's default, does not allow.
  public func value(_ text: String, for setting: FieldSetting) throws -> FieldSetting.Value? {
    // A comma is what half of Europe writes.
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

  /// What a field shows: what the inspector has set, else what holds.
  public func shownText(_ setting: FieldSetting) -> String {
    if let own = self[own: setting] { return setting.kind.text(of: own) }
    if setting.canBeNever { return "" }
    return inForce(setting).map(setting.kind.text) ?? ""
  }

  /// Whether a field was left as it was shown, however a number is written.
  public func isUnchanged(_ text: String, for setting: FieldSetting) -> Bool {
    let (text, shown) = (text.replacing(",", with: "."), shownText(setting))
    if text == shown { return true }
    guard let value = setting.kind.value(from: text) else { return false }
    return value == setting.kind.value(from: shown)
  }

  /// A value in words, with its unit.
  public static func words(_ value: FieldSetting.Value?, of setting: FieldSetting) -> Wording {
    switch value {
    case nil: "\(word: "never")"
    case .flag(let flag): "\(word: flag ? "yes" : "no")"
    case .method(let method): "\(word: method.rawValue)"
    case .number: "\(setting.text(of: value) + (setting.unit.map { " \($0)" } ?? ""))"
    }
  }

  private static func possible(_ setting: FieldSetting) -> Wording {
    switch setting.kind {
    case .flag: return "it is on or off"
    case .method: return "it is one of \(setting.range)"
    case .number(let range, let places):
      let (least, most) = (
        DecimalText.fixed(range.lowerBound, places: places),
        DecimalText.fixed(range.upperBound, places: places)
      )
      return setting.canBeNever
        ? "it is a number from \(least) to \(most), or never"
        : "it is a number from \(least) to \(most)"
    }
  }

  // MARK: what they mean

  /// What the inspector has set for captures, in the rules of the agency.
  public var ownRules: CaptureRules {
    var rules = CaptureRules()
    for (setting, value) in values { if let rule = setting.rule { rules[rule] = value } }
    return rules
  }

  /// When delivered photos leave this device.
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

  /// Whether each point of a track is heard.
  public var tonesOnPoint: Bool { inForce(.tonesOnPoint) == .flag(true) }

  /// Whether the map moves along with the own position.
  public var mapFollows: Bool { inForce(.mapFollows) == .flag(true) }
}
