import Inspection
import Positioning
import TimeAndText

extension Record {
  /// Returns the radio surroundings of the device, each entry with its age at the shutter in
  /// seconds. Entries that were too old are left out. An empty object says that nothing was heard.
  public static func surroundings(_ heard: RadioSurroundings, at shutter: ElapsedTime) -> JSONValue
  {
    // An entry may be heard after the shutter, while the frame is on its way: its age is 0.
    func age(_ moment: ElapsedTime) -> JSONValue? {
      .seconds(max(0, shutter.seconds(since: moment)))
    }
    let fresh = heard.fresh(at: shutter)
    let cells = fresh.cells.map { cell in
      JSONValue.object(known: [
        ("technology", .string(cell.technology.rawValue)), ("serving", .bool(cell.isServing)),
        ("countryCode", cell.countryCode.map { .string($0) }),
        ("networkCode", cell.networkCode.map { .string($0) }),
        ("areaCode", cell.areaCode.map { .integer($0) }), ("cell", cell.cell.map { .integer($0) }),
        ("physicalCell", cell.physicalCell.map { .integer($0) }),
        ("channel", cell.channel.map { .integer($0) }),
        ("signalDecibelMilliwatts", cell.signalDecibelMilliwatts.flatMap(JSONValue.angle)),
        ("ageSeconds", age(cell.heard)),
      ])
    }
    let accessPoints = fresh.accessPoints.map { one in
      JSONValue.object(known: [
        ("address", .string(one.address)), ("channel", one.channel.map { .integer($0) }),
        ("signalPercent", one.signalPercent.map { .integer($0) }), ("ageSeconds", age(one.heard)),
      ])
    }
    return .object(known: [
      ("cells", cells.isEmpty ? nil : .array(cells)),
      ("accessPoints", accessPoints.isEmpty ? nil : .array(accessPoints)),
    ])
  }
}

extension SealFile {
  /// The numbers of cells and access points that a capture's record names; nil if the record tells
  /// of no surroundings.
  public var surroundingsCounts: (cells: Int, accessPoints: Int)? {
    record["surroundings"].map {
      ($0["cells"]?.elements?.count ?? 0, $0["accessPoints"]?.elements?.count ?? 0)
    }
  }
}

extension SealFile {
  /// The transmitters that a capture's record names, sorted, at most 256: access points by their
  /// address, cells by all of their numbers. Nil if the record tells of no surroundings.
  public var transmitters: [String]? {
    guard let heard = record["surroundings"] else { return nil }
    let cells = (heard["cells"]?.elements ?? []).compactMap { cell -> String? in
      guard let technology = cell["technology"]?.text, let country = cell["countryCode"]?.text,
        let network = cell["networkCode"]?.text, let area = cell["areaCode"]?.wholeNumber,
        let number = cell["cell"]?.wholeNumber
      else { return nil }
      return CellSite.transmitterName(
        technology: technology, countryCode: country, networkCode: network, areaCode: area,
        cell: number)
    }
    let accessPoints = (heard["accessPoints"]?.elements ?? []).compactMap { one in
      one["address"]?.text.flatMap { Self.isFixedAddress($0) ? "wifi-\($0)" : nil }
    }
    return Array(Set(cells.filter { $0.utf8.count <= 60 } + accessPoints).sorted().prefix(256))
  }

  /// Returns true if a text is an address of six bytes in hexadecimal that the device's maker gave:
  /// an address that a telephone makes up for itself is another one tomorrow.
  private static func isFixedAddress(_ text: String) -> Bool {
    let bytes = text.split(separator: ":", omittingEmptySubsequences: false).map {
      $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil
    }
    guard bytes.count == 6, let first = bytes[0] else { return false }
    return bytes.allSatisfy { $0 != nil } && first & 0x02 == 0
  }
}
