import Evidence
import Inspection
import Office
import Positioning
import TimeAndText

/// The policy of an agency for its field units; revision 0 before the first one.
struct ConsolePolicy: Encodable, Sendable {
  var revision: Int
  var issued: String?
  var surroundings: Bool
  var deliverAhead: Bool
  /// The days after which delivered photos leave the field unit; absent means never.
  var removeDeliveredAfterDays: Int?
  /// The rules that the policy sets for all tasks, without the two in `apart`.
  var rules: ConsoleRules
  /// The rules that types of tasks have of their own, by the name of the type.
  var types: [String: ConsoleRules]

  /// The two rules of the agency that have members of their own outside `rules`.
  static let apart: Set<CaptureRule> = [.surroundings, .deliverAhead]

  init(_ policy: CapturePolicy?) {
    revision = policy?.revision ?? 0
    issued = policy?.issued.rfc3339
    surroundings = policy?.readsSurroundings ?? false
    deliverAhead = policy?.deliversAhead ?? false
    removeDeliveredAfterDays = policy?.removesDeliveredAfterDays
    var general = policy?.general ?? CaptureRules()
    for rule in Self.apart { general[rule] = nil }
    rules = ConsoleRules(rules: general)
    types = (policy?.types ?? [:]).mapValues { ConsoleRules(rules: $0) }
  }

  var tag: EntityTag { EntityTag("\(revision)") }
}

/// Rules as a program reads and writes them: a Boolean, a number, or the name of a method.
struct ConsoleRules: Encodable, Sendable {
  var rules: CaptureRules

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(rules: CaptureRules) { self.rules = rules }

  /// Reads the rules that a program sent; a missing value sets no rule.
  ///
  /// - Parameters:
  ///   - without: the rules that are sent elsewhere, or that cannot be set here.
  ///   - what: the name of the member, for messages.
  /// - Throws: `OfficeRefusal` (input-invalid) for an unknown rule, or a value that the rule cannot
  ///   have.
  init(_ value: JSONValue?, without: Set<CaptureRule>, _ what: String) throws(OfficeRefusal) {
    rules = CaptureRules()
    guard let value else { return }
    guard case .object(let members) = value else {
      throw OfficeRefusal(.inputInvalid, "\(what) is not a JSON object")
    }
    for (name, member) in members.sorted(by: { $0.key < $1.key }) {
      guard let rule = CaptureRule(rawValue: name), !without.contains(rule) else {
        let known = CaptureRule.allCases.filter { !without.contains($0) }.map(\.rawValue)
        throw OfficeRefusal(
          .inputInvalid,
          "\(what) has no rule \"\(name.prefix(100))\": there are \(known.joined(separator: ", "))")
      }
      guard member != .null else { continue }
      guard let said = Self.value(member, of: rule) else {
        throw OfficeRefusal(.inputInvalid, "\"\(name)\" of \(what) is not \(rule.range)")
      }
      rules[rule] = said
    }
  }

  private static func value(_ member: JSONValue, of rule: CaptureRule) -> CaptureRule.Value? {
    switch (rule.kind, member) {
    case (.flag, .bool(let flag)): .flag(flag)
    // The number is read from its text, which rounds it to the places that are signed.
    case (.number, .number(let number)): rule.value(from: "\(number)")
    case (.method, .string(let name)), (.receivers, .string(let name)): rule.value(from: name)
    default: nil
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for rule in rules.rules {
      let name = Name(stringValue: rule.rawValue)
      switch (rules[rule], rule.kind) {
      case (.flag(let flag), _): try container.encode(flag, forKey: name)
      case (.number(let number), .number(_, places: 0)):
        try container.encode(Int(number), forKey: name)
      case (.number(let number), _): try container.encode(number, forKey: name)
      case (.method(let method), _): try container.encode(method.rawValue, forKey: name)
      case (.receivers(let receivers), _): try container.encode(receivers.text, forKey: name)
      case (nil, _): break
      }
    }
  }
}
