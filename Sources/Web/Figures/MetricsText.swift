/// Figures as Prometheus reads them: text exposition format 0.0.4.
public struct MetricsText: Sendable {
  /// The kind of a figure, which says how its values change.
  public enum Kind: String, Sendable {
    /// A count that only grows while the program runs.
    case counter
    /// A value that goes up and down.
    case gauge
    /// A count of values by their size, in buckets.
    case histogram
  }

  /// The media type of the text.
  public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  private var text = ""

  /// Creates a text without figures.
  public init() {}

  /// The whole text, in UTF-8.
  public var bytes: [UInt8] { Array(text.utf8) }

  /// Begins a figure; its values must follow.
  public mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(Self.escaped(help, quote: false))\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// Adds one value of the figure that was begun.
  public mutating func value(
    _ name: String, _ labels: [(name: String, value: String)], _ value: Double
  ) {
    text += name
    if !labels.isEmpty {
      text += "{"
      text += labels.map { "\($0.name)=\"\(Self.escaped($0.value, quote: true))\"" }
        .joined(separator: ",")
      text += "}"
    }
    text += " \(Self.number(value))\n"
  }

  /// Adds a figure with a single value.
  public mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    begin(name, kind, help)
    self.value(name, [], value)
  }

  /// Returns a number as text. A whole number has neither an exponent nor a point, as far as a
  /// Double holds it exactly.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return value == value.rounded() && abs(value) < 9e15 ? "\(Int(value))" : "\(value)"
  }

  private static func escaped(_ text: String, quote: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quote: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
