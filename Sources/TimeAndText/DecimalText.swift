/// Decimal text of numbers with a fixed count of places, equal on every machine and in every
/// locale. Records carry measured numbers as such text, so that no parser changes them.
public enum DecimalText {
  /// Returns `value` rounded half away from zero to `places` decimals, 0…9, a number beyond them being the
  /// nearest of them; never `-0`. The text
  /// is `nan` if the value is not finite or its size reaches 9·10¹⁷ divided by 10^places.
  public static func fixed(_ value: Double, places: Int) -> String {
    let places = min(max(places, 0), 9)
    var scale: Int64 = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = (value * Double(scale)).rounded(.toNearestOrAwayFromZero)
    guard scaled.magnitude < 9e17 else { return "nan" }
    let whole = Int64(scaled)
    let magnitude = whole.magnitude
    let head = magnitude / UInt64(scale)
    let sign = whole < 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(head)" }
    return "\(sign)\(head).\(padded(Int(magnitude % UInt64(scale)), places))"
  }

  /// Reads a number as people type it: with a point or a comma, and with spaces around it.
  /// - Returns: the number; nil if the text is none. Hexadecimal and `inf`, which Swift reads, are none.
  public static func typed(_ text: String) -> Double? {
    var digits = Substring(text)
    while digits.first?.isWhitespace == true { digits.removeFirst() }
    while digits.last?.isWhitespace == true { digits.removeLast() }
    guard digits.allSatisfy({ "0123456789+-.,eE".contains($0) }) else { return nil }
    return Double(String(digits.map { $0 == "," ? "." : $0 })).flatMap { $0.isFinite ? $0 : nil }
  }
}
