import Evidence
import Inspection
import Office
import Positioning

/// What an agency lays down for its field units; revision 0 before the first.
struct ConsolePolicy: Encodable, Sendable {
  var revision: Int
  var issued: String?
  var surroundings: Bool
  var deliverAhead: Bool
  /// Absent is never.
  var removeDeliveredAfterDays: Int?
  /// The rules that are laid down, without the two above.
  var rules: ConsoleRules
  /// What types of tasks have for themselves.
  var types: [String: ConsoleRules]

  /// The agency's two that stand beside the rules.
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

/// Rules as a program reads and writes them: yes or no, a number, a method's name.
struct ConsoleRules: Encodable, Sendable {
  var rules: CaptureRules

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(rules: CaptureRules) { self.rules = rules }

  /// Reads what a program sent; nil is nothing.
  ///
  /// - Parameters:
  ///   - without: rules that stand elsewhere, or that these cannot have.
  ///   - what: where it stands, for messages.
  /// - Throws: `OfficeRefusal` (input-invalid) for a rule that is not known, or cannot say this.
  init(_ value: JSONValue?, without: Set<CaptureRule>, _ what: String) throws(OfficeRefusal) {
    rules = CaptureRules()
    guard let value else { return }
    guard case .object(let members) = value else {
      throw OfficeRefusal(.inputInvalid, "\(what) is no JSON object")
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
    // By the way of the text, which rounds to what is signed.
    case (.number, .number(let number)): rule.value(from: "\(number)")
    case (.method, .string(let name)): rule.value(from: name)
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
      case (nil, _): break
      }
    }
  }
}
