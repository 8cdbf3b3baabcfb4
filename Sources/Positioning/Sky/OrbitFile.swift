import Geodesy
import TimeAndText

/// The reason why a file of orbits cannot be used.
public enum OrbitFileError: Error, Hashable, Sendable, Worded {
  /// The file is compressed.
  case packed
  /// The file is of none of the kinds that are understood.
  case notOrbits
  /// The file is of a known kind, but holds no orbit that can be read.
  case empty(OrbitFile.Kind)
  /// The file holds orbits, but none of a navigation satellite whose number is known.
  case noNavigationSatellites(passedOver: Int)

  /// A stable word for programs.
  public var code: String {
    switch self {
    case .packed: "orbits-packed"
    case .notOrbits: "orbits-unknown"
    case .empty: "orbits-empty"
    case .noNavigationSatellites: "orbits-of-others"
    }
  }

  /// The message for people: the fault and what to do.
  public var wording: Wording {
    switch self {
    case .packed: "it is packed: unpack it with gunzip"
    case .notOrbits:
      "it is not a RINEX navigation file of version 3 or 4, two-line elements or a YUMA almanac:"
        + " use a broadcast file such as BRDC….rnx, or elements of the navigation satellites with"
        + " their names"
    case .empty(let kind): "it is \(word: kind.title), but without an orbit that can be read"
    case .noNavigationSatellites(let count):
      "it holds orbits, but none has the name of a navigation satellite (\(count) others):"
        + " use elements in three lines, the name first"
    }
  }
}

/// The orbits in a file of any kind that is understood: broadcasts in RINEX, two-line elements, a
/// YUMA almanac. The file's bytes decide the kind, not its name.
public struct OrbitFile: Sendable {
  /// The kind of source of orbits.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The satellites' own broadcasts, RINEX 3 or 4.
    case broadcast
    /// Two-line elements, as radars and the owners of satellites make them.
    case elements
    /// A YUMA almanac of GPS.
    case almanac

    /// The kind's name for people; the catalogue's key.
    public var title: String {
      switch self {
      case .broadcast: "RINEX navigation"
      case .elements: "two-line elements"
      case .almanac: "YUMA almanac"
      }
    }

    /// The file name ending under which such a file is kept.
    public var ending: String {
      switch self {
      case .broadcast: "rnx"
      case .elements: "tle"
      case .almanac: "alm"
      }
    }
  }

  /// The file's kind.
  public let kind: Kind
  /// The orbits, in the file's order.
  public let orbits: [SatelliteOrbit]
  /// Number of entries that could not be read, or are no orbits.
  public let unread: Int
  /// Number of orbits of satellites that are not for navigation, or whose name does not tell their
  /// number.
  public let passedOver: Int

  /// The number of orbits that are kept: more than any file has.
  static let limit = 100_000

  /// Reads a whole file.
  /// - Parameter time: the approximate present, because an almanac counts its weeks only from 0 to
  ///   1023.
  /// - Throws: `OrbitFileError` if the file cannot be used.
  public init(_ bytes: [UInt8], near time: DeviceTime) throws(OrbitFileError) {
    if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: Array("PK".utf8)) { throw .packed }
    // An old kind of compressed file (compress, .Z) is recognised before it is taken for text.
    if bytes.starts(with: [0x1F, 0x9D]) { throw .packed }
    do throws(NavigationFileError) {
      let file = try NavigationFile(bytes)
      (kind, orbits, unread, passedOver) = (.broadcast, file.orbits, file.unread, 0)
      return
    } catch .empty {
      throw .empty(.broadcast)
    } catch {}
    if let file = YumaAlmanac(bytes, near: time) {
      guard !file.orbits.isEmpty else { throw .empty(.almanac) }
      (kind, orbits, unread, passedOver) = (.almanac, file.orbits, file.unread, 0)
      return
    }
    let file = ElementsFile(bytes)
    guard file.found > 0 else { throw .notOrbits }
    guard !file.orbits.isEmpty else {
      throw file.passedOver > 0
        ? .noNavigationSatellites(passedOver: file.passedOver) : .empty(.elements)
    }
    (kind, orbits, unread, passedOver) = (.elements, file.orbits, file.unread, file.passedOver)
  }
}

/// Two-line elements with their satellites' names above them. Elements without a name do not tell
/// the constellation, and are skipped.
struct ElementsFile {
  private(set) var orbits: [SatelliteOrbit] = []
  private(set) var unread = 0
  private(set) var passedOver = 0
  /// Number of pairs of lines, readable or not.
  private(set) var found = 0

  init(_ bytes: [UInt8]) {
    var name: ArraySlice<UInt8>?
    var first: ArraySlice<UInt8>?
    var lines = OrbitLines(bytes)
    while let line = lines.next() {
      switch TwoLineElements.lineNumber(line) {
      case 1:
        if first != nil { unread += 1 }
        first = line
      case 2:
        guard let above = first else {
          unread += 1
          continue
        }
        add(above, line, named: name)
        (name, first) = (nil, nil)
      default:
        if first != nil { unread += 1 }
        (name, first) = (line, nil)
      }
    }
    if first != nil { unread += 1 }
    if lines.isCutOff { unread += 1 }
  }

  private mutating func add(
    _ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>, named name: ArraySlice<UInt8>?
  ) {
    found += 1
    guard let elements = try? TwoLineElements(first, second) else {
      unread += 1
      return
    }
    guard let name,
      let (constellation, id) = SatelliteName.satellite(
        named: String(decoding: name.prefix(100), as: UTF8.self)),
      orbits.count < OrbitFile.limit
    else {
      passedOver += 1
      return
    }
    let milliseconds =
      Int64(elements.epochDay) * 86_400_000
      + Int64((elements.epochDayFraction * 86_400_000).rounded())
    orbits.append(
      SatelliteOrbit(
        constellation: constellation, id: id,
        reference: DeviceTime(millisecondsSince1970: milliseconds),
        motion: .perturbed(PerturbedOrbit(elements))))
  }
}

/// An almanac in the form of YUMA: names and numbers, one pair to a line. Source: United States
/// Coast Guard Navigation Center, "Definition of a Yuma Almanac".
struct YumaAlmanac {
  private(set) var orbits: [SatelliteOrbit] = []
  private(set) var unread = 0

  /// Reads an almanac; nil if the bytes are none.
  /// - Parameter time: the approximate present, to which the week's number is completed.
  init?(_ bytes: [UInt8], near time: DeviceTime) {
    var values: [String: Double] = [:]
    var isAlmanac = false
    func close(_ almanac: inout YumaAlmanac) {
      guard !values.isEmpty else { return }
      if let orbit = Self.orbit(values, near: time), almanac.orbits.count < OrbitFile.limit {
        almanac.orbits.append(orbit)
      } else {
        almanac.unread += 1
      }
      values.removeAll()
    }
    var lines = OrbitLines(bytes)
    var number = 0
    while let line = lines.next() {
      let text = String(decoding: line.prefix(120), as: UTF8.self)
      if text.hasPrefix("***"), text.lowercased().contains("almanac") {
        isAlmanac = true
        close(&self)
      } else if let colon = text.firstIndex(of: ":") {
        let name = text[..<colon].lowercased().prefix { $0 != "(" }
        let value = Double(
          text[text.index(after: colon)...].filter { !$0.isWhitespace })
        if let value, value.isFinite, values.count < 32 { values[name.trimmed] = value }
      }
      // A file without an almanac's heading within its first lines is none.
      guard isAlmanac || number < 5 else { return nil }
      number += 1
    }
    guard isAlmanac else { return nil }
    close(&self)
    if lines.isCutOff { unread += 1 }
  }

  private static func orbit(
    _ values: [String: Double], near time: DeviceTime
  ) -> SatelliteOrbit? {
    guard let number = values["id"].flatMap(Int.init(exactly:)),
      let eccentricity = values["eccentricity"], (0..<0.9).contains(eccentricity),
      let seconds = values["time of applicability"], (0..<604_800).contains(seconds),
      let inclination = values["orbital inclination"], abs(inclination) <= .pi,
      let nodeRate = values["rate of right ascen"], abs(nodeRate) < 1e-4,
      let root = values["sqrt"], (4000...8000).contains(root),
      let node = values["right ascen at week"], abs(node) <= 7,
      let perigee = values["argument of perigee"], abs(perigee) <= 7,
      let mean = values["mean anom"], abs(mean) <= 7,
      let week = values["week"].flatMap(Int.init(exactly:)), (0...8191).contains(week)
    else { return nil }
    let constellation: Constellation
    let id: Int
    switch number {
    case 1...32: (constellation, id) = (.gps, number)
    case 193...202: (constellation, id) = (.qzss, number - 192)
    default: return nil
    }
    // GPS weeks count from 1980-01-06, and almanacs count them modulo 1024.
    let began: Int64 = 315_964_800_000
    let weekLength: Int64 = 604_800_000
    let now = (time.millisecondsSince1970 - began) / weekLength
    let turns = ((Double(now) - Double(week)) / 1024).rounded()
    let whole = week >= 1024 ? Int64(week) : Int64(week) + 1024 * Int64(max(0, turns))
    let reference = DeviceTime(
      millisecondsSince1970: began + whole * weekLength + Int64((seconds - 18) * 1000))
    return SatelliteOrbit(
      constellation: constellation, id: id, reference: reference,
      motion: .kepler(
        KeplerElements(
          semiMajorAxisMetres: root * root, eccentricity: eccentricity, inclination: inclination,
          inclinationRate: 0, nodeAtWeek: node, nodeRate: nodeRate, perigee: perigee,
          meanAnomaly: mean, meanMotionDifference: 0, secondsOfWeek: seconds)),
      kind: .almanac)
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    var kept = Substring(self)
    while kept.last?.isWhitespace == true { kept.removeLast() }
    while kept.first?.isWhitespace == true { kept.removeFirst() }
    return String(kept)
  }
}
