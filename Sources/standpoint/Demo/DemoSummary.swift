import Evidence
import Foundation

/// The summary of a demonstration, step by step.
struct DemoSummary {
  /// A step of the demonstration, with its numbers.
  struct Step {
    var name: String
    var text: String
    var members: [(String, JSONValue?)]
  }

  private(set) var steps: [Step] = []
  let isJSON: Bool

  /// Adds a step, and shows it at once.
  mutating func add(_ name: String, _ text: String, _ members: [(String, JSONValue?)] = []) {
    steps.append(Step(name: name, text: text, members: members))
    if !isJSON { Terminal.say("\(steps.count). \(text)") }
  }

  /// Adds a step that the log cannot show.
  mutating func skip(_ name: String) {
    add(name, "\(name): not in this log", [("result", .string("not in this log"))])
  }

  /// The whole summary as JSON.
  var json: JSONValue {
    .object([
      "simulated": .bool(true),
      "steps": .array(
        steps.map { JSONValue.members([("step", .string($0.name))] + $0.members) }),
    ])
  }

  /// The whole summary as text.
  var text: String {
    steps.enumerated().map { "\($0.offset + 1). \($0.element.text)\n" }.joined()
  }
}
