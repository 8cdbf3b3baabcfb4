/// Figures as Prometheus reads them: text exposition format 0.0.4.
public struct MetricsText: Sendable {
  /// What a figure is: one that only grows, or one that goes up and down.
  public enum Kind: String, Sendable {
    /// It only grows while the program runs.
    case counter
    /// It goes up and down.
    case gauge
    /// It is counted by size.
    case histogram
  }

  /// The media type of the text.
  public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  private var text = ""

  /// No figures yet.
  public init() {}

  /// The whole text.
  public var bytes: [UInt8] { Array(text.utf8) }

  /// Begins a figure; its values follow.
  public mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(Self.escaped(help, quote: false))\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// One value of the figure that was begun.
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

  /// A figure of one value.
  public mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    begin(name, kind, help)
    self.value(name, [], value)
  }

  /// Whole numbers without an exponent or a point, as far as a Double holds them exactly.
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
