import Geodesy
import TimeAndText

/// The content of one sentence, in the units of `Fix`. A nil means that the sentence did not say
/// the value.
struct NMEAReport: Sendable {
  /// The kinds of sentences that are understood; others are counted and skipped.
  enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case gga, rmc, gsa, gsv, gst, gns, zda, vtg, gll, gbs, hdt, hdg, ths
    /// Garmin's PGRME and PGRMZ: estimated error, height.
    case rme, rmz
    /// u-blox's PUBX,00: position.
    case bx

    /// True if sentences of this kind carry the time of the epoch that they describe.
    var isTimed: Bool {
      switch self {
      case .gga, .rmc, .gst, .gns, .zda, .gll, .gbs, .bx: true
      case .gsa, .gsv, .vtg, .hdt, .hdg, .ths, .rme, .rmz: false
      }
    }

    /// True if sentences of this kind give the receiver's position, or say that it has none.
    var isAboutPosition: Bool {
      switch self {
      case .gga, .rmc, .gns, .gll, .bx: true
      default: false
      }
    }

    /// The letters of the address after the first two, such as `GGA`.
    var name: String { String(describing: self).uppercased() }
  }

  /// The source of an expected error; better sources come later.
  enum ErrorSource: Int, Sendable {
    /// Garmin's estimate: the radius that holds half of the positions, as is generally believed.
    case halfOfPositions
    /// GBS, PUBX: one standard deviation for each axis.
    case expected
    /// GST: one standard deviation along the axes of the error ellipse.
    case statistics
  }

  let kind: Kind
  /// The first two letters of the address as one number (first letter times 256 plus the second).
  let talker: UInt16
  var millisecondsSinceMidnight: Int?
  var date: CivilDate?
  var coordinate: Coordinate?
  /// False if the sentence says that its content is not valid; nil if it says neither.
  var isValid: Bool?
  var quality: FixQuality?
  var mode: FixMode?
  var meanSeaLevelHeightMetres: Double?
  var ellipsoidalHeightMetres: Double?
  var geoidSeparationMetres: Double?
  var speedMetresPerSecond: Double?
  var courseDegreesTrue: Double?
  var climbMetresPerSecond: Double?
  var headingDegreesTrue: Double?
  var headingDegreesMagnetic: Double?
  var satellitesUsed: Int?
  var horizontalDilution: Double?
  var verticalDilution: Double?
  var positionDilution: Double?
  var correctionAgeSeconds: Double?
  var correctionStation: Int?
  var errorSource: ErrorSource?
  var semiMajorErrorMetres: Double?
  var semiMinorErrorMetres: Double?
  var heightErrorMetres: Double?
  /// Reads a sentence of a kind that is understood. The satellites of GSA and GSV are read by
  /// `SkyBook`, straight into their place.
  init(_ sentence: NMEASentence, _ address: Address) {
    kind = address.kind
    talker = address.talker
    switch kind {
    case .gga: readGGA(sentence)
    case .rmc: readRMC(sentence)
    case .gsa: readGSA(sentence)
    case .gsv: break
    case .gst: readGST(sentence)
    case .gns: readGNS(sentence)
    case .zda: readZDA(sentence)
    case .vtg: readVTG(sentence)
    case .gll: readGLL(sentence)
    case .gbs: readGBS(sentence)
    case .hdt, .ths: readTrueHeading(sentence)
    case .hdg: readMagneticHeading(sentence)
    case .rme: readGarminError(sentence)
    case .rmz: readGarminHeight(sentence)
    case .bx: readUbloxPosition(sentence)
    }
  }
}

extension NMEAReport {
  /// The address of a sentence: its talker and its kind.
  struct Address {
    let kind: Kind
    let talker: UInt16

    /// Reads the address of a sentence; nil for kinds that are not understood.
    init?(_ sentence: NMEASentence) {
      let bytes = sentence.address
      guard bytes.count == 5 || bytes.count == 4 else { return nil }
      talker = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
      guard Self.isSaid(bytes[0]), Self.isSaid(bytes[1]) else { return nil }
      if bytes[0] == UInt8(ascii: "P"), let kind = Self.proprietary(sentence, bytes) {
        self.kind = kind
        return
      }
      // PQ is QZSS for some makers; after any other P comes a maker's own code.
      guard bytes.count == 5, bytes[0] != UInt8(ascii: "P") || bytes[1] == UInt8(ascii: "Q")
      else { return nil }
      switch UInt32(bytes[2]) << 16 | UInt32(bytes[3]) << 8 | UInt32(bytes[4]) {
      case Self.code("G", "G", "A"): kind = .gga
      case Self.code("R", "M", "C"): kind = .rmc
      case Self.code("G", "S", "V"): kind = .gsv
      case Self.code("G", "S", "A"): kind = .gsa
      case Self.code("G", "S", "T"): kind = .gst
      case Self.code("G", "N", "S"): kind = .gns
      case Self.code("Z", "D", "A"): kind = .zda
      case Self.code("V", "T", "G"): kind = .vtg
      case Self.code("G", "L", "L"): kind = .gll
      case Self.code("G", "B", "S"): kind = .gbs
      case Self.code("H", "D", "T"): kind = .hdt
      case Self.code("H", "D", "G"): kind = .hdg
      case Self.code("T", "H", "S"): kind = .ths
      default: return nil
      }
    }

    /// Returns true for the capital letters and digits of which talkers consist.
    @inline(__always)
    private static func isSaid(_ byte: UInt8) -> Bool {
      (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
    }

    @inline(__always)
    private static func code(
      _ first: Unicode.Scalar, _ second: Unicode.Scalar, _ third: Unicode.Scalar
    ) -> UInt32 {
      UInt32(UInt8(ascii: first)) << 16 | UInt32(UInt8(ascii: second)) << 8
        | UInt32(UInt8(ascii: third))
    }

    private static func proprietary(
      _ sentence: NMEASentence, _ address: UnsafeBufferPointer<UInt8>
    ) -> Kind? {
      if address.elementsEqual("PUBX".utf8) { return sentence.integer(1) == 0 ? .bx : nil }
      if address.elementsEqual("PGRME".utf8) { return .rme }
      return address.elementsEqual("PGRMZ".utf8) ? .rmz : nil
    }
  }
}
