/// The meaning of the names above two-line elements. The names are those of the public catalogues
/// (CelesTrak, Space-Track): some hold the number that is broadcast, some only the number that was
/// painted on the satellite.
enum SatelliteName {
  /// Returns constellation and number as `SatelliteOrbit` has them; nil if the name is not of a
  /// navigation satellite, or the satellite's number is not known.
  static func satellite(named name: String) -> (constellation: Constellation, id: Int)? {
    let name = name.uppercased()
    if let (letter, number) = broadcastNumber(name) {
      return satellite(letter: letter, number: number, name: name)
    }
    if let number = number(in: name, after: "GSAT"), let id = galileo[number] {
      return (.galileo, id)
    }
    if name.contains("COSMOS"), let number = number(in: name, after: "("),
      let slot = glonass[number]
    {
      return (.glonass, 64 + slot)
    }
    for (build, number) in navIC where name.contains(build) { return (.navIC, number) }
    return nil
  }

  /// Finds a letter, if there is one, and a number in `(PRN 24)`, `PRN E13)`, `(WAAS/PRN 135)` or
  /// `(C19)`; nil in other names.
  private static func broadcastNumber(_ name: String) -> (letter: Character?, number: Int)? {
    if let found = name.firstMatch(of: #/PRN ?([GREJCIS])?0*([0-9]{1,3})(?![0-9])/#),
      let number = Int(found.2)
    {
      return (found.1?.first, number)
    }
    if let found = name.firstMatch(of: #/\(([EC])0*([0-9]{1,2})\)/#), let number = Int(found.2) {
      return (found.1.first, number)
    }
    return nil
  }

  private static func satellite(
    letter: Character?, number: Int, name: String
  ) -> (constellation: Constellation, id: Int)? {
    switch (letter, number) {
    case ("G", 1...32): (.gps, number)
    case ("E", 1...36): (.galileo, number)
    case ("C", 1...63): (.beiDou, number)
    case ("R", 1...24): (.glonass, 64 + number)
    case ("J", 1...10): (.qzss, number)
    case ("I", 1...14): (.navIC, number)
    case ("S", 20...58): (.sbas, number + 13)
    case (nil, 1...32) where name.contains("GPS") || name.contains("NAVSTAR"): (.gps, number)
    case (nil, 1...36) where name.contains("GALILEO"): (.galileo, number)
    case (nil, 120...158): (.sbas, number - 87)
    case (nil, 193...202): (.qzss, number - 192)
    default: nil
    }
  }

  private static func number(in name: String, after mark: String) -> Int? {
    guard let range = name.firstRange(of: mark) else { return nil }
    let digits = name[range.upperBound...].prefix { $0.isASCII && $0.isNumber }
    return digits.count <= 4 ? Int(digits) : nil
  }

  /// The number that each Galileo satellite broadcasts, by the number painted on it; the pairs
  /// never change. Source: European GNSS Service Centre, constellation information.
  private static let galileo: [Int: Int] = [
    101: 11, 102: 12, 103: 19, 104: 20, 201: 18, 202: 14, 203: 26, 204: 22, 205: 24, 206: 30,
    207: 7,
    208: 8, 209: 9, 210: 1, 211: 2, 212: 3, 213: 4, 214: 5, 215: 21, 216: 25, 217: 27, 218: 31,
    219: 36, 220: 13, 221: 15, 222: 33, 223: 34, 224: 10, 225: 29, 226: 23, 227: 6,
  ]

  /// The slot of each GLONASS satellite in June 2026, by its number. Slots are reassigned when a
  /// satellite is replaced. A satellite that is not in the table is skipped; a satellite that has
  /// moved is shown at its true place under its old slot. Source: Information and Analysis Centre,
  /// GLONASS constellation status.
  private static let glonass: [Int: Int] = [
    730: 1, 747: 2, 744: 3, 759: 4, 756: 5, 704: 6, 745: 7, 743: 8, 702: 9, 723: 10, 705: 11,
    758: 12, 721: 13, 752: 14, 757: 15, 761: 16, 751: 17, 754: 18, 707: 19, 708: 20, 755: 21,
    706: 22, 732: 23, 760: 24,
  ]

  /// The number of each NavIC satellite, by a part of its name. Source: ISRO, signal in space ICD
  /// for NavIC.
  private static let navIC: [(String, Int)] = [
    ("IRNSS-1A", 1), ("IRNSS-1B", 2), ("IRNSS-1C", 3), ("IRNSS-1D", 4), ("IRNSS-1E", 5),
    ("IRNSS-1F", 6), ("IRNSS-1G", 7), ("IRNSS-1I", 9), ("NVS-01", 10),
  ]
}
