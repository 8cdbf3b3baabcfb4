import Evidence
import Foundation
import TimeAndText

/// The summary of a demonstration, step by step.
package struct DemoSummary {
  /// A step of the demonstration, with its numbers.
  struct Step {
    var name: String
    var text: String
    var members: [(String, JSONValue?)]
  }

  private(set) var steps: [Step] = []
  private let say: (String) -> Void

  /// Creates a summary without a step.
  /// - Parameter say: shows a line, as soon as there is one.
  package init(say: @escaping (String) -> Void) { self.say = say }

  /// Adds a step, and shows it at once.
  mutating func add(_ name: String, _ text: String, _ members: [(String, JSONValue?)] = []) {
    steps.append(Step(name: name, text: text, members: members))
    say("\(steps.count). \(text)")
  }

  /// Adds a step that the log cannot show.
  mutating func skip(_ name: String) {
    add(name, "\(name): not in this log", [("result", .string("not in this log"))])
  }

  /// The whole summary as JSON.
  package var json: JSONValue {
    .object([
      "simulated": .bool(true),
      "steps": .array(
        steps.map { JSONValue.object(known: [("step", .string($0.name))] + $0.members) }),
    ])
  }

  /// The whole summary as text.
  package var text: String {
    steps.enumerated().map { "\($0.offset + 1). \($0.element.text)\n" }.joined()
  }
}

extension JSONValue {
  /// Returns a number with at most `places` decimals.
  static func rounded(_ value: Double, _ places: Int) -> JSONValue {
    .number(Double(DecimalText.fixed(value, places: places)) ?? value)
  }
}
