import Positioning
import TimeAndText

// The rules of a policy and an inspector's own settings read and write their values in the same way.
extension CaptureRule.Kind {
  /// Returns true if this kind can have the value.
  public func allows(_ value: CaptureRule.Value) -> Bool {
    switch (self, value) {
    case (.flag, .flag), (.method, .method), (.receivers, .receivers): true
    case (.number(let range, let places), .number(let number)):
      range.contains(number) && (places > 0 || number == number.rounded())
    default: false
    }
  }

  /// Reads a value from a text (`on` and `off`, a number, a method's name); nil if this kind cannot
  /// have it.
  public func value(from text: String) -> CaptureRule.Value? {
    let value: CaptureRule.Value? =
      switch self {
      case .flag: text == "on" ? .flag(true) : text == "off" ? .flag(false) : nil
      case .number(let range, let places):
        // The office signs the number that was read, so it may have no digits beyond those that are
        // written.
        Double(text).flatMap { range.contains($0) ? $0 : nil }
          .flatMap { number in
            places == 0 && number != number.rounded()
              ? nil : Double(DecimalText.fixed(number, places: places))
          }.map { .number($0) }
      case .method: CentroidMethod(rawValue: text).map { .method($0) }
      case .receivers: AllowedReceivers(text: text).map { .receivers($0) }
      }
    return value.flatMap { allows($0) ? $0 : nil }
  }

  /// Writes a value in the form that `value(from:)` reads.
  public func text(of value: CaptureRule.Value) -> String {
    switch (value, self) {
    case (.flag(let flag), _): flag ? "on" : "off"
    case (.number(let number), .number(_, let places)): DecimalText.fixed(number, places: places)
    case (.number(let number), _): "\(number)"
    case (.method(let method), _): method.rawValue
    case (.receivers(let receivers), _): receivers.text
    }
  }

  /// The possible values, for people: `4 to 60`, `on or off`.
  public var range: String {
    switch self {
    case .flag: "on or off"
    case .number(let range, let places):
      "\(DecimalText.fixed(range.lowerBound, places: places)) to"
        + " \(DecimalText.fixed(range.upperBound, places: places))"
    case .method: CentroidMethod.allCases.map(\.rawValue).joined(separator: ", ")
    case .receivers:
      "any, or a list of \(AllowedReceivers.Kind.allCases.map(\.rawValue).joined(separator: ", ")) and addresses"
    }
  }
}
