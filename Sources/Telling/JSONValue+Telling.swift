import Evidence
import Foundation
import TimeAndText

// Short ways to the JSON that commands write.

extension JSONValue {
  /// Returns an object of those members that have a value.
  package static func members(_ members: [(String, JSONValue?)]) -> JSONValue {
    .object(known: members)
  }

  /// Returns a number with at most `places` decimals.
  package static func rounded(_ value: Double, _ places: Int) -> JSONValue {
    .number(Double(DecimalText.fixed(value, places: places)) ?? value)
  }

  /// Returns a text; nil for nil.
  package static func text(_ value: (some CustomStringConvertible)?) -> JSONValue? {
    value.map { .string($0.description) }
  }
}
