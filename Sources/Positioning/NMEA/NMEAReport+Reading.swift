import Geodesy
import TimeAndText

// Each sentence has a function; fields are numbered as in NMEA 0183 4.11 and the makers' manuals.
extension NMEAReport {
  private static let knot = 1852.0 / 3600
  private static let foot = 0.3048

  mutating func readGGA(_ sentence: NMEASentence) {
    millisecondsSinceMidnight = sentence.timeOfDay(1)
    coordinate = sentence.coordinate(2)
    quality = sentence.integer(6).flatMap(FixQuality.init(rawValue:))
    isValid = quality.map { $0 != .invalid }
    // A position without a quality is not used: the receiver does not say how good it is.
    if sentence.field(6).isEmpty { coordinate = nil }
    satellitesUsed = sentence.integer(7, in: 0...255)
    horizontalDilution = sentence.positive(8)
    meanSeaLevelHeightMetres = Self.height(sentence.decimal(9))
    geoidSeparationMetres = Self.height(sentence.decimal(11))
    correctionAgeSeconds = sentence.decimal(13)
    correctionStation = sentence.integer(14, in: 0...9999)
  }

  mutating func readRMC(_ sentence: NMEASentence) {
    millisecondsSinceMidnight = sentence.timeOfDay(1)
    isValid = sentence.letter(2).map { $0 == UInt8(ascii: "A") }
    if isValid != nil { coordinate = sentence.coordinate(3) }
    speedMetresPerSecond = Self.speed(knots: sentence.decimal(7))
    courseDegreesTrue = Self.course(sentence.decimal(8))
    date = sentence.date(9)
    quality = Self.quality(sentence.letter(12))
  }

  mutating func readGLL(_ sentence: NMEASentence) {
    coordinate = sentence.coordinate(1)
    millisecondsSinceMidnight = sentence.timeOfDay(5)
    isValid = sentence.letter(6).map { $0 == UInt8(ascii: "A") }
    quality = Self.quality(sentence.letter(7))
  }

  mutating func readGNS(_ sentence: NMEASentence) {
    millisecondsSinceMidnight = sentence.timeOfDay(1)
    coordinate = sentence.coordinate(2)
    // There is one letter for each constellation; the best one is the solution's.
    var isSimulated = false
    for letter in sentence.field(6) {
      guard let said = Self.quality(letter) else { continue }
      isValid = isValid == true || said != .invalid
      if said == .simulated { isSimulated = true }
      guard said != .invalid else {
        quality = quality ?? .invalid
        continue
      }
      guard let known = quality, known != .invalid else {
        quality = said
        continue
      }
      if said.assumedRangeSigmaMetres < known.assumedRangeSigmaMetres { quality = said }
    }
    if isSimulated { quality = .simulated }
    satellitesUsed = sentence.integer(7, in: 0...255)
    horizontalDilution = sentence.positive(8)
    meanSeaLevelHeightMetres = Self.height(sentence.decimal(9))
    geoidSeparationMetres = Self.height(sentence.decimal(10))
    correctionAgeSeconds = sentence.decimal(11)
    correctionStation = sentence.integer(12, in: 0...9999)
  }

  mutating func readGST(_ sentence: NMEASentence) {
    millisecondsSinceMidnight = sentence.timeOfDay(1)
    semiMajorErrorMetres = sentence.positive(3) ?? sentence.positive(6)
    semiMinorErrorMetres = sentence.positive(4) ?? sentence.positive(7)
    heightErrorMetres = sentence.positive(8)
    errorSource = .statistics
  }

  mutating func readGBS(_ sentence: NMEASentence) {
    millisecondsSinceMidnight = sentence.timeOfDay(1)
    semiMajorErrorMetres = sentence.positive(2)
    semiMinorErrorMetres = sentence.positive(3)
    heightErrorMetres = sentence.positive(4)
    errorSource = .expected
  }

  mutating func readZDA(_ sentence: NMEASentence) {
    millisecondsSinceMidnight = sentence.timeOfDay(1)
    if let day = sentence.integer(2), let month = sentence.integer(3),
      let year = sentence.integer(4)
    {
      date = CivilDate(year: year, month: month, day: day)
    }
  }

  mutating func readVTG(_ sentence: NMEASentence) {
    courseDegreesTrue = Self.course(sentence.decimal(1))
    if let kilometresPerHour = sentence.decimal(7), kilometresPerHour >= 0 {
      speedMetresPerSecond = kilometresPerHour / 3.6
    } else {
      speedMetresPerSecond = Self.speed(knots: sentence.decimal(5))
    }
  }

  mutating func readGSA(_ sentence: NMEASentence) {
    mode = sentence.integer(2).flatMap(FixMode.init(rawValue:))
    positionDilution = sentence.positive(15)
    horizontalDilution = sentence.positive(16)
    verticalDilution = sentence.positive(17)
  }

  /// Reads HDT, and THS unless its letter says that it is not valid.
  mutating func readTrueHeading(_ sentence: NMEASentence) {
    if kind == .ths, sentence.letter(2) == UInt8(ascii: "V") { return }
    headingDegreesTrue = Self.course(sentence.decimal(1))
  }

  /// Reads HDG: the sensor's heading, its deviation, and the declination (which NMEA calls
  /// variation).
  mutating func readMagneticHeading(_ sentence: NMEASentence) {
    guard let sensor = Self.course(sentence.decimal(1)) else { return }
    let magnetic = Geodesic.compassDegrees(sensor + (sentence.signed(2, "E", "W") ?? 0))
    headingDegreesMagnetic = magnetic
    if let declination = sentence.signed(4, "E", "W"), abs(declination) <= 180 {
      headingDegreesTrue = Geodesic.compassDegrees(magnetic + declination)
    }
  }

  /// Reads `$PGRME,horizontal,M,vertical,M,spherical,M`. Source: Garmin, Device Interface
  /// Specification.
  mutating func readGarminError(_ sentence: NMEASentence) {
    guard sentence.letter(2) == UInt8(ascii: "M") else { return }
    semiMajorErrorMetres = sentence.positive(1)
    semiMinorErrorMetres = semiMajorErrorMetres
    heightErrorMetres = sentence.positive(3)
    errorSource = .halfOfPositions
  }

  /// Reads `$PGRMZ,height,f,dimensions`: whole feet above mean sea level.
  mutating func readGarminHeight(_ sentence: NMEASentence) {
    guard sentence.letter(2) == UInt8(ascii: "f") else { return }
    meanSeaLevelHeightMetres = Self.height(sentence.decimal(1).map { $0 * Self.foot })
  }

  /// Reads PUBX,00. Source: u-blox, receiver descriptions.
  mutating func readUbloxPosition(_ sentence: NMEASentence) {
    millisecondsSinceMidnight = sentence.timeOfDay(2)
    let status = sentence.field(8)
    guard status.count == 2 else { return }
    let first = status[0]
    let second = status[1]
    isValid = true
    switch (first, second) {
    case (UInt8(ascii: "D"), UInt8(ascii: "R")): quality = .estimated
    case (UInt8(ascii: "T"), UInt8(ascii: "T")): quality = .invalid
    case (UInt8(ascii: "N"), UInt8(ascii: "F")): quality = .invalid
    case (UInt8(ascii: "G"), _): quality = .autonomous
    case (UInt8(ascii: "D"), _): quality = .differential
    // RK is satellites and dead reckoning together.
    case (UInt8(ascii: "R"), UInt8(ascii: "K")): quality = .autonomous
    default: isValid = nil
    }
    if quality == .invalid { isValid = false }
    guard isValid == true else { return }
    mode = second == UInt8(ascii: "2") ? .twoDimensional : .threeDimensional
    coordinate = sentence.coordinate(3)
    ellipsoidalHeightMetres = Self.height(sentence.decimal(7))
    semiMajorErrorMetres = sentence.positive(9).map { $0 / 2.0.squareRoot() }
    semiMinorErrorMetres = semiMajorErrorMetres
    heightErrorMetres = sentence.positive(10)
    errorSource = .expected
    if let kilometresPerHour = sentence.decimal(11), kilometresPerHour >= 0 {
      speedMetresPerSecond = kilometresPerHour / 3.6
    }
    courseDegreesTrue = Self.course(sentence.decimal(12))
    climbMetresPerSecond = sentence.decimal(13).map { -$0 }
    correctionAgeSeconds = sentence.decimal(14)
    horizontalDilution = sentence.positive(15)
    verticalDilution = sentence.positive(16)
    satellitesUsed = sentence.integer(18, in: 0...255)
  }

  // MARK: values

  /// Converts knots to metres a second; nil outside 0..<100,000 knots, which no vehicle exceeds.
  private static func speed(knots: Double?) -> Double? {
    guard let knots, knots >= 0, knots < 100_000 else { return nil }
    return knots * knot
  }

  private static func course(_ degrees: Double?) -> Double? {
    guard let degrees, degrees >= 0, degrees <= 360 else { return nil }
    return degrees == 360 ? 0 : degrees
  }

  /// Returns the height; nil outside -12,000…100,000 m, from the deepest place to space.
  private static func height(_ metres: Double?) -> Double? {
    guard let metres, (-12_000...100_000).contains(metres) else { return nil }
    return metres
  }

  /// Returns the quality for the mode letter of NMEA 0183 2.3 and later; nil for other letters.
  private static func quality(_ letter: UInt8?) -> FixQuality? {
    switch letter {
    case UInt8(ascii: "A"): .autonomous
    case UInt8(ascii: "D"): .differential
    case UInt8(ascii: "P"): .precise
    case UInt8(ascii: "R"): .rtkFixed
    case UInt8(ascii: "F"): .rtkFloat
    case UInt8(ascii: "E"): .estimated
    case UInt8(ascii: "M"): .manual
    case UInt8(ascii: "S"): .simulated
    case UInt8(ascii: "N"): .invalid
    default: nil
    }
  }
}
