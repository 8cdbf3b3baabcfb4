import Positioning

// Measured numbers are written as decimal text, so that no parser changes them: degrees with 9
// places, metres and seconds and ratios with 3, angles with 1.

extension JSONValue {
  static func degrees(_ value: Double) -> JSONValue {
    .string(DecimalText.fixed(value, places: 9))
  }

  static func metres(_ value: Double) -> JSONValue { .string(DecimalText.fixed(value, places: 3)) }

  static func seconds(_ value: Double) -> JSONValue { .string(DecimalText.fixed(value, places: 3)) }

  static func ratio(_ value: Double) -> JSONValue { .string(DecimalText.fixed(value, places: 3)) }

  static func angle(_ value: Double) -> JSONValue { .string(DecimalText.fixed(value, places: 1)) }
}
