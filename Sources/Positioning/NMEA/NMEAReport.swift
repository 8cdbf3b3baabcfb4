import Geodesy

/// What one sentence says, in the units of `Fix`. A nil means that the sentence did not say.
public struct NMEAReport: Hashable, Sendable {
  /// The sentences that are understood; others are counted and passed over.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case gga, rmc, gsa, gsv, gst, gns, zda, vtg, gll

    /// Whether sentences of this kind carry the time of the epoch that they describe.
    var isTimed: Bool {
      switch self {
      case .gga, .rmc, .gst, .gns, .zda, .gll: true
      case .gsa, .gsv, .vtg: false
      }
    }

    /// The formatter, as the sentence writes it.
    public var name: String { String(describing: self).uppercased() }
  }

  /// Which sentence this was.
  public let kind: Kind
  /// The talker's two letters as one number (first letter times 256 plus the second).
  public let talker: UInt16
  var millisecondsSinceMidnight: Int?
  var date: CivilDate?
  var coordinate: Coordinate?
  /// False when the sentence says that what it carries is not valid.
  var isValid: Bool?
  var quality: FixQuality?
  var mode: FixMode?
  var meanSeaLevelHeightMetres: Double?
  var geoidSeparationMetres: Double?
  var speedMetresPerSecond: Double?
  var courseDegreesTrue: Double?
  var satellitesUsed: Int?
  var horizontalDilution: Double?
  var verticalDilution: Double?
  var positionDilution: Double?
  var correctionAgeSeconds: Double?
  var correctionStation: Int?
  var semiMajorSigmaMetres: Double?
  var semiMinorSigmaMetres: Double?
  var heightSigmaMetres: Double?
  /// Satellites of a GSV, or those that a GSA names as used.
  var satellites: [Satellite] = []
  /// GSV: number of this sentence and how many there are.
  var part = 1
  var parts = 1

  init(kind: Kind, talker: UInt16) {
    self.kind = kind
    self.talker = talker
  }
}

extension NMEAReport {
  private static let knot = 1852.0 / 3600

  /// Reads a sentence; nil for kinds that are not understood.
  init?(_ sentence: NMEASentence) {
    let address = sentence.address
    guard address.count == 5, address[0] != UInt8(ascii: "P"),
      let kind = Self.kind(address[2], address[3], address[4])
    else { return nil }
    self.init(kind: kind, talker: UInt16(address[0]) << 8 | UInt16(address[1]))
    switch kind {
    case .gga: readGGA(sentence)
    case .rmc: readRMC(sentence)
    case .gsa: readGSA(sentence)
    case .gsv: readGSV(sentence)
    case .gst: readGST(sentence)
    case .gns: readGNS(sentence)
    case .zda: readZDA(sentence)
    case .vtg: readVTG(sentence)
    case .gll: readGLL(sentence)
    }
  }

  private static func kind(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Kind? {
    switch (first, second, third) {
    case (UInt8(ascii: "G"), UInt8(ascii: "G"), UInt8(ascii: "A")): .gga
    case (UInt8(ascii: "R"), UInt8(ascii: "M"), UInt8(ascii: "C")): .rmc
    case (UInt8(ascii: "G"), UInt8(ascii: "S"), UInt8(ascii: "A")): .gsa
    case (UInt8(ascii: "G"), UInt8(ascii: "S"), UInt8(ascii: "V")): .gsv
    case (UInt8(ascii: "G"), UInt8(ascii: "S"), UInt8(ascii: "T")): .gst
    case (UInt8(ascii: "G"), UInt8(ascii: "N"), UInt8(ascii: "S")): .gns
    case (UInt8(ascii: "Z"), UInt8(ascii: "D"), UInt8(ascii: "A")): .zda
    case (UInt8(ascii: "V"), UInt8(ascii: "T"), UInt8(ascii: "G")): .vtg
    case (UInt8(ascii: "G"), UInt8(ascii: "L"), UInt8(ascii: "L")): .gll
    default: nil
    }
  }

  private mutating func readGGA(_ sentence: NMEASentence) {
    millisecondsSinceMidnight = sentence.timeOfDay(1)
    coordinate = sentence.coordinate(2)
    quality = sentence.integer(6).flatMap(FixQuality.init(rawValue:))
    isValid = quality.map { $0 != .invalid }
    // A position of which the receiver does not say what it is worth is none.
    if sentence.field(6).isEmpty { coordinate = nil }
    satellitesUsed = sentence.integer(7)
    horizontalDilution = sentence.positive(8)
    meanSeaLevelHeightMetres = sentence.decimal(9)
    geoidSeparationMetres = sentence.decimal(11)
    correctionAgeSeconds = sentence.decimal(13)
    correctionStation = sentence.integer(14)
  }

  private mutating func readRMC(_ sentence: NMEASentence) {
    millisecondsSinceMidnight = sentence.timeOfDay(1)
    isValid = sentence.letter(2).map { $0 == UInt8(ascii: "A") }
    if isValid != nil { coordinate = sentence.coordinate(3) }
    speedMetresPerSecond = Self.speed(knots: sentence.decimal(7))
    courseDegreesTrue = Self.course(sentence.decimal(8))
    date = sentence.date(9)
    quality = Self.quality(sentence.letter(12))
  }

  private mutating func readGLL(_ sentence: NMEASentence) {
    coordinate = sentence.coordinate(1)
    millisecondsSinceMidnight = sentence.timeOfDay(5)
    isValid = sentence.letter(6).map { $0 == UInt8(ascii: "A") }
    quality = Self.quality(sentence.letter(7))
  }

  private mutating func readGNS(_ sentence: NMEASentence) {
    millisecondsSinceMidnight = sentence.timeOfDay(1)
    coordinate = sentence.coordinate(2)
    // One letter for each constellation; the best one is the solution's.
    let letters = sentence.field(6).compactMap { Self.quality($0) }
    quality = letters.max { $0.assumedRangeSigmaMetres > $1.assumedRangeSigmaMetres }
    if letters.contains(.simulated) { quality = .simulated }
    isValid = letters.isEmpty ? nil : letters.contains { $0 != .invalid }
    if isValid == true, quality == .invalid {
      quality = letters.first { $0 != .invalid }
    }
    satellitesUsed = sentence.integer(7)
    horizontalDilution = sentence.positive(8)
    meanSeaLevelHeightMetres = sentence.decimal(9)
    geoidSeparationMetres = sentence.decimal(10)
    correctionAgeSeconds = sentence.decimal(11)
    correctionStation = sentence.integer(12)
  }

  private mutating func readGST(_ sentence: NMEASentence) {
    millisecondsSinceMidnight = sentence.timeOfDay(1)
    semiMajorSigmaMetres = sentence.positive(3) ?? sentence.positive(6)
    semiMinorSigmaMetres = sentence.positive(4) ?? sentence.positive(7)
    heightSigmaMetres = sentence.positive(8)
  }

  private mutating func readZDA(_ sentence: NMEASentence) {
    millisecondsSinceMidnight = sentence.timeOfDay(1)
    if let day = sentence.integer(2), let month = sentence.integer(3),
      let year = sentence.integer(4)
    {
      date = CivilDate(year: year, month: month, day: day)
    }
  }

  private mutating func readVTG(_ sentence: NMEASentence) {
    courseDegreesTrue = Self.course(sentence.decimal(1))
    if let kilometresPerHour = sentence.decimal(7), kilometresPerHour >= 0 {
      speedMetresPerSecond = kilometresPerHour / 3.6
    } else {
      speedMetresPerSecond = Self.speed(knots: sentence.decimal(5))
    }
  }

  private mutating func readGSA(_ sentence: NMEASentence) {
    mode = sentence.integer(2).flatMap(FixMode.init(rawValue:))
    positionDilution = sentence.positive(15)
    horizontalDilution = sentence.positive(16)
    verticalDilution = sentence.positive(17)
    let system = sentence.integer(18)
    for number in 3...14 {
      guard let id = sentence.integer(number), id > 0 else { continue }
      satellites.append(
        Satellite(
          constellation: Self.constellation(talker: talker, system: system, id: id), id: id,
          isUsed: true))
    }
  }

  private mutating func readGSV(_ sentence: NMEASentence) {
    parts = sentence.integer(1) ?? 1
    part = sentence.integer(2) ?? 1
    var number = 4
    while number + 3 <= sentence.fieldCount, satellites.count < 4 {
      if let id = sentence.integer(number), id > 0 {
        satellites.append(
          Satellite(
            constellation: Self.constellation(talker: talker, system: nil, id: id), id: id,
            elevationDegrees: sentence.decimal(number + 1).flatMap { abs($0) <= 90 ? $0 : nil },
            azimuthDegrees: Self.course(sentence.decimal(number + 2)),
            carrierToNoiseDecibelHertz: sentence.positive(number + 3), isUsed: false))
      }
      number += 4
    }
  }

  private static func speed(knots: Double?) -> Double? {
    guard let knots, knots >= 0 else { return nil }
    return knots * knot
  }

  private static func course(_ degrees: Double?) -> Double? {
    guard let degrees, degrees >= 0, degrees <= 360 else { return nil }
    return degrees == 360 ? 0 : degrees
  }

  /// The mode letter of NMEA 0183 2.3 and later.
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

  /// The constellation by talker, by the system id of 4.11 under the common talker GN, otherwise by
  /// the range that the number lies in. Source: NMEA 0183 4.11, GSA and GSV.
  static func constellation(talker: UInt16, system: Int?, id: Int) -> String {
    switch talker {
    case 0x474C: return "GLONASS"  // GL
    case 0x4741: return "Galileo"  // GA
    case 0x4742, 0x4244: return "BeiDou"  // GB, BD
    case 0x4751, 0x515A: return "QZSS"  // GQ, QZ
    case 0x4749: return "NavIC"  // GI
    default: break
    }
    if talker == 0x474E, let system {  // GN
      switch system {
      case 2: return "GLONASS"
      case 3: return "Galileo"
      case 4: return "BeiDou"
      case 5: return "QZSS"
      case 6: return "NavIC"
      default: break
      }
    }
    switch id {
    case 33...64, 120...158: return "SBAS"
    case 65...96: return "GLONASS"
    case 193...202: return "QZSS"
    case 201...264, 401...437: return "BeiDou"
    case 301...336: return "Galileo"
    default: return "GPS"
    }
  }
}
