import ArgumentParser
import Evidence
import Foundation
import Inspection
import Office
import Telling
import TimeAndText

extension OfficeCommand.AgencyGroup {
  /// Shows or changes an agency's capture policy.
  struct Policy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show or change an agency's rules for its field units.",
      discussion: """
        The rules are signed, and come to the field units with their tasks. Radio
        surroundings are the mobile cells and Wi-Fi access points heard when a photo
        is taken: personal data, so tell your inspectors before you turn them on.

        Set a rule with --set RULE=VALUE and remove it with --unset RULE, for all tasks or, with
        --type, for those of one type. Rules that are not set have their defaults.
        The rules: \(CaptureRule.allCases.map { "\($0.rawValue) (\($0.range))" }.joined(separator: ", ")).

        Examples:
          standpoint office agency policy north --surroundings on
          standpoint office agency policy north --set samples=30 --set imported=off
          standpoint office agency policy north --type crop --set photos=3
        """)

    /// A switch on the command line.
    enum Switch: String, ExpressibleByArgument, CaseIterable {
      case on
      case off
    }

    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The agency's name.") var name: String
    @Option(help: "Record in photos which cells and access points were heard: on or off.")
    var surroundings: Switch?
    @Option(help: "Deliver a task's photos as soon as they are taken: on or off.")
    var deliverAhead: Switch?
    @Option(help: "Days until delivered photos are removed from the device: 0 to 3650, or never.")
    var removeDelivered: String?

    @Option(help: "Show or change the rules of this type of tasks.") var type: String?
    @Option(name: .customLong("set"), help: "RULE=VALUE: set a rule. May be repeated.")
    var settings: [String] = []
    @Option(
      name: .customLong("unset"), help: "RULE: reset a rule to its default. May be repeated.")
    var withdrawals: [String] = []

    func validate() throws {
      _ = try changes()
      if let type, type.isEmpty || type.utf8.count > CapturePolicy.typeByteLimit {
        throw ValidationError("A type's name must have 1 to \(CapturePolicy.typeByteLimit) bytes.")
      }
    }

    /// Returns the rules with their new values; a nil value leaves a rule to its default.
    private func changes() throws -> [(CaptureRule, CaptureRule.Value?)] {
      func rule(_ name: some StringProtocol) throws -> CaptureRule {
        guard let rule = CaptureRule(rawValue: String(name)), type == nil || rule.isOfTypes else {
          throw ValidationError(
            "There is no rule \(name)\(type == nil ? "" : " for a type"); "
              + "\(CaptureRule.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return rule
      }
      return try settings.map { text in
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw ValidationError("--set \(text) is not RULE=VALUE.") }
        let rule = try rule(parts[0])
        guard let value = rule.value(from: String(parts[1])) else {
          throw ValidationError("\(rule.rawValue) is \(rule.range), not \(parts[1]).")
        }
        return (rule, value)
      } + withdrawals.map { (try rule($0), nil) }
    }

    func run() async throws {
      let office = try await data.office()
      try await office.people.requireAgency(name)
      var policy = try await office.policies.policy(of: name)
      let days = try removeDelivered.map(RemovalDays.init)
      let changes = try changes()
      if surroundings != nil || deliverAhead != nil || days != nil || !changes.isEmpty {
        var hasRoom = true
        policy = try await office.policies.setPolicy(of: name, by: OfficeCommand.terminal) {
          if let surroundings { $0.readsSurroundings = surroundings == .on }
          if let deliverAhead { $0.deliversAhead = deliverAhead == .on }
          if let days { $0.removesDeliveredAfterDays = days.days }
          var rules = type.map($0.ownRules) ?? $0.general
          for (rule, value) in changes { rules[rule] = value }
          if let type {
            hasRoom = $0.set(rules, forType: type)
          } else {
            $0.general = rules
          }
        }
        guard hasRoom else {
          throw ValidationError(
            "\(CapturePolicy.typeLimit) types have their own rules already: remove some.")
        }
      }
      if common.isJSON {
        Terminal.say(
          .members([
            ("agency", .string(name)), ("revision", .integer(policy?.policy.revision ?? 0)),
            ("issued", (policy?.policy.issued.rfc3339).map { .string($0) }),
            ("surroundings", .bool(policy?.policy.readsSurroundings ?? false)),
            ("deliverAhead", .bool(policy?.policy.deliversAhead ?? false)),
            (
              "removeDeliveredAfterDays",
              (policy?.policy.removesDeliveredAfterDays).map { .integer($0) }
            ), ("rules", (policy?.policy.general ?? CaptureRules()).json),
            ("types", .object((policy?.policy.types ?? [:]).mapValues(\.json))),
          ]))
      } else if let policy = policy?.policy {
        Terminal.say("revision \(policy.revision), \(policy.issued.rfc3339): \(policy.summary)")
      } else {
        Terminal.say("\(name) has no rules yet: defaults apply, radio surroundings off")
      }
    }
  }
}

/// A number of days on a command line; `days` is nil for `never`.
struct RemovalDays {
  let days: Int?

  init(_ text: String) throws {
    if text == "never" {
      days = nil
      return
    }
    guard let number = Int(text), CapturePolicy.removalDays.contains(number) else {
      throw ValidationError("\(text) is neither a number of days from 0 to 3650 nor never.")
    }
    days = number
  }
}
