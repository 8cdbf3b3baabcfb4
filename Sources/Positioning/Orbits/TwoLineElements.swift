import TimeAndText

/// The mean elements of an orbit, as two lines of 69 characters give them.
///
/// Source: NORAD's format, as F. Hoots and R. Roehrich, "Spacetrack Report No. 3" (1980) uses it,
/// with the letters of "Alpha-5" for catalogue numbers from 100,000 on (space-track.org).
public struct TwoLineElements: Hashable, Sendable {
  /// The reason why two lines are no elements.
  public enum Flaw: Error, Hashable, Sendable, CustomStringConvertible {
    /// A line is too short, holds characters that are not allowed, or begins with another number.
    case shape(line: Int)
    /// The last digit is not the checksum of the other characters.
    case checksum(line: Int)
    /// The lines are of two satellites.
    case otherSatellite
    /// A field is no number, or is out of its range.
    case field(String)

    /// The fault in words.
    public var description: String {
      switch self {
      case .shape(let line): "line \(line) is not the 69 characters that it must be"
      case .checksum(let line): "the checksum of line \(line) is wrong"
      case .otherSatellite: "the two lines are of two satellites"
      case .field(let name): "its \(name) is no number, or lies where it cannot"
      }
    }
  }

  /// The number in the catalogue, 0…339,999.
  public let catalogueNumber: Int
  /// The UTC day of the epoch, days since 1970-01-01.
  public let epochDay: Int
  /// The part of that day that has passed at the epoch, 0..<1.
  public let epochDayFraction: Double
  /// The drag term B*, per radius of the Earth.
  public let dragTerm: Double
  /// Inclination, radians, 0…π.
  public let inclination: Double
  /// Right ascension of the ascending node, radians.
  public let node: Double
  /// Eccentricity, 0..<1.
  public let eccentricity: Double
  /// Argument of perigee, radians.
  public let perigee: Double
  /// Mean anomaly, radians.
  public let meanAnomaly: Double
  /// Mean motion after Kozai, radians a minute.
  public let meanMotion: Double

  /// Creates elements from another source than two lines.
  ///
  /// Nil if they are no orbit around the Earth: the fraction of the day and the eccentricity must
  /// be in 0..<1, the inclination in 0…π, the other angles within ±7 radians, the mean motion above
  /// 0 and below 0.1 radians a minute, the day within ±1,000,000, the drag term finite.
  public init?(
    catalogueNumber: Int, epochDay: Int, epochDayFraction: Double, dragTerm: Double,
    inclination: Double, node: Double, eccentricity: Double, perigee: Double, meanAnomaly: Double,
    meanMotion: Double
  ) {
    guard (0..<1).contains(epochDayFraction), (0..<1).contains(eccentricity),
      (0...Double.pi).contains(inclination), meanMotion > 0, meanMotion < 0.1,
      dragTerm.isFinite, [node, perigee, meanAnomaly].allSatisfy({ abs($0) <= 7 }),
      (-1_000_000...1_000_000).contains(epochDay)
    else { return nil }
    self.catalogueNumber = catalogueNumber
    self.epochDay = epochDay
    self.epochDayFraction = epochDayFraction
    self.dragTerm = dragTerm
    self.inclination = inclination
    self.node = node
    self.eccentricity = eccentricity
    self.perigee = perigee
    self.meanAnomaly = meanAnomaly
    self.meanMotion = meanMotion
  }

  /// Reads the two lines; characters after the 69th are ignored.
  /// - Parameter allowsWrongChecksums: true to accept lines whose last digit is wrong: the
  ///   published verification set has some.
  /// - Throws: `Flaw` if the lines are no elements.
  public init(
    _ first: some Collection<UInt8>, _ second: some Collection<UInt8>,
    allowsWrongChecksums: Bool = false
  ) throws(Flaw) {
    let first = try Self.line(1, first, allowsWrongChecksums)
    let second = try Self.line(2, second, allowsWrongChecksums)
    guard first[2..<7] == second[2..<7] else { throw .otherSatellite }
    let number = try Self.catalogueNumber(first[2..<7])
    let shortYear = try Self.whole(first[18..<20], "epoch's year", 0...99)
    let year = shortYear < 57 ? 2000 + shortYear : 1900 + shortYear
    let day = try Self.decimal(first[20..<32], "epoch's day", 1..<367)
    let degree = Double.pi / 180
    let eccentricity = try Self.fraction(second[26..<33], "eccentricity")
    guard first[23] == UInt8(ascii: ".") else { throw .field("epoch's day") }
    let inclination = try Self.decimal(second[8..<16], "inclination", 0..<180.000_1)
    let revolutions = try Self.decimal(second[52..<63], "mean motion", 0..<20)
    guard
      let elements = TwoLineElements(
        catalogueNumber: number, epochDay: Self.firstDay(of: year) + Int(day) - 1,
        epochDayFraction: try Self.fraction(first[24..<32], "epoch's day"),
        dragTerm: try Self.exponential(first[53..<61]),
        inclination: min(inclination * degree, .pi),
        node: try Self.decimal(second[17..<25], "node", 0..<360.000_1) * degree,
        eccentricity: eccentricity,
        perigee: try Self.decimal(second[34..<42], "perigee", 0..<360.000_1) * degree,
        meanAnomaly: try Self.decimal(second[43..<51], "mean anomaly", 0..<360.000_1) * degree,
        meanMotion: revolutions * 2 * .pi / 1440)
    else { throw .field("mean motion") }
    self = elements
  }

  /// Returns which of the two lines this may be, 1 or 2; nil for neither.
  public static func lineNumber(_ line: some Collection<UInt8>) -> Int? {
    let start = Array(line.prefix(2))
    guard line.count >= 69, start.count == 2, start[1] == UInt8(ascii: " ") else { return nil }
    return start[0] == UInt8(ascii: "1") ? 1 : start[0] == UInt8(ascii: "2") ? 2 : nil
  }

  // MARK: fields

  private static func line(
    _ number: Int, _ text: some Collection<UInt8>, _ allowsWrongChecksum: Bool
  ) throws(Flaw) -> [UInt8] {
    let line = Array(text.prefix(69))
    guard lineNumber(line) == number, line.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw .shape(line: number)
    }
    // Digits count as themselves, a minus as one, all other characters as nothing.
    let sum = line[..<68].reduce(0) { sum, byte in
      (0x30...0x39).contains(byte)
        ? sum + Int(byte - 0x30) : byte == UInt8(ascii: "-") ? sum + 1 : sum
    }
    guard allowsWrongChecksum || UInt8(0x30 + sum % 10) == line[68] else {
      throw .checksum(line: number)
    }
    return line
  }

  /// Reads a catalogue number. Beyond 99,999 the first digit is a letter, with I and O left out.
  private static func catalogueNumber(_ field: ArraySlice<UInt8>) throws(Flaw) -> Int {
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
    guard let first = field.first, let place = letters.firstIndex(of: first) else {
      return try whole(field, "catalogue number", 0...99_999)
    }
    let digits = field.dropFirst()
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .field("catalogue number")
    }
    return (place + 10) * 10_000 + (try whole(digits, "catalogue number", 0...9999))
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field.drop { $0 == 0x20 }, as: UTF8.self)
  }

  private static func whole(
    _ field: ArraySlice<UInt8>, _ name: String, _ range: ClosedRange<Int>
  ) throws(Flaw) -> Int {
    let digits = field.drop { $0 == 0x20 }
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text(field)),
      range.contains(value)
    else { throw .field(name) }
    return value
  }

  /// Reads the digits after a point that is not written; blanks before them are zeros.
  private static func fraction(
    _ field: ArraySlice<UInt8>, _ name: String
  ) throws(Flaw) -> Double {
    let digits = field.drop { $0 == 0x20 }
    let zeros = String(repeating: "0", count: field.count - digits.count)
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let value = Double("0." + zeros + text(field))
    else { throw .field(name) }
    return value
  }

  private static func decimal(
    _ field: ArraySlice<UInt8>, _ name: String, _ range: Range<Double>
  ) throws(Flaw) -> Double {
    guard field.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x20 }),
      let value = Double(text(field)), range.contains(value)
    else { throw .field(name) }
    return value
  }

  /// Reads a number with an exponent: ` 28098-4` is 0.28098·10⁻⁴.
  private static func exponential(_ field: ArraySlice<UInt8>) throws(Flaw) -> Double {
    let bytes = Array(field)
    let sign: Double
    switch bytes[0] {
    case UInt8(ascii: "-"): sign = -1
    case UInt8(ascii: "+"), 0x20: sign = 1
    default: throw .field("drag term")
    }
    let mantissa = try whole(bytes[1..<6], "drag term", 0...99_999)
    let power = try whole(bytes[7..<8], "drag term", 0...9)
    switch bytes[6] {
    case UInt8(ascii: "-"), UInt8(ascii: "+"), 0x20: break
    default: throw .field("drag term")
    }
    guard let value = Double("\(mantissa)e\(bytes[6] == 0x2D ? -power - 5 : power - 5)") else {
      throw .field("drag term")
    }
    return sign * value
  }

  /// Returns the days from 1970-01-01 to the first of January; valid for the years of two digits,
  /// 1957…2056.
  private static func firstDay(of year: Int) -> Int {
    365 * (year - 1970) + (year - 1901) / 4 - 17
  }
}
