import MachineBus
import Positioning
import TimeAndText

/// The mobile cells that ModemManager reports: all cells of its modems (`GetCellInfo`, since 1.20),
/// or only the serving cell, from the modem's location, if the modem reports no more.
enum MobileCells {
  private static let service = "org.freedesktop.ModemManager1"
  private static let path = "/org/freedesktop/ModemManager1"
  private static let modem = "org.freedesktop.ModemManager1.Modem"
  /// The most cells that are kept, more than any modem reports; a hostile modem's further ones are
  /// dropped.
  private static let cellLimit = 16

  static func hear(on bus: SystemBus, _ clock: any Timepiece) -> RadioSurroundings {
    var surroundings = RadioSurroundings()
    let objects: [String: BusValue]
    do throws(BusFailure) {
      objects = try bus.objects(of: service, at: path, seconds: 1)
    } catch {
      surroundings.remarks.append(
        error.isAbsence
          ? "ModemManager is not running: no cells"
          : "ModemManager refuses: \(error.words): no cells")
      return surroundings
    }
    let modems = objects.filter { $0.value[modem] != nil }.sorted { $0.key < $1.key }
    if modems.isEmpty { surroundings.remarks.append("no modem: no cells") }
    for (path, interfaces) in modems.prefix(2) {
      let heard = clock.elapsed
      var cells: [RadioSurroundings.Cell] = []
      do throws(BusFailure) {
        cells =
          try bus.call(service, path, modem, "GetCellInfo", seconds: 2).first?.list?
          .compactMap { cell($0, at: heard) } ?? []
      } catch {
        // An older ModemManager, or a modem without this function, still names the serving cell in
        // its location.
        if error.isForbidden {
          surroundings.remarks.append("the modem's cells cannot be read: \(error.words)")
          continue
        }
        if error.isSilence {
          surroundings.remarks.append("the modem does not answer: no cells")
          continue
        }
      }
      if cells.isEmpty {
        let location = try? bus.call(
          service, path, "\(modem).Location", "GetLocation", seconds: 1
        ).first
        cells = servingCell(location ?? nil, interfaces, at: heard).map { [$0] } ?? []
      }
      if cells.isEmpty { surroundings.remarks.append("a modem hears no cell, or reports none") }
      surroundings.cells += cells
    }
    surroundings.cells.sort { one, other in
      if one.isServing != other.isServing { return one.isServing }
      return one.signalDecibelMilliwatts ?? -999 > other.signalDecibelMilliwatts ?? -999
    }
    surroundings.cells = Array(surroundings.cells.prefix(cellLimit))
    return surroundings
  }

  /// Reads one dictionary of `GetCellInfo`; nil for kinds that are no 3GPP cell, and for a cell
  /// without any number.
  static func cell(_ value: BusValue, at heard: ElapsedTime) -> RadioSurroundings.Cell? {
    let names: (kind: RadioSurroundings.Cell.Technology, area: String, channel: String)
    // MMCellType.
    switch value["cell-type"]?.number {
    case 2: names = (.gsm, "lac", "arfcn")
    case 3, 4: names = (.umts, "lac", "uarfcn")
    case 5: names = (.lte, "tac", "earfcn")
    case 6: names = (.nr, "tac", "nrarfcn")
    default: return nil
    }
    var cell = RadioSurroundings.Cell(
      technology: names.kind, isServing: value["serving"]?.flag == true, heard: heard)
    if let operatorCode = value["operator-id"]?.text { cell.name(operatorCode: operatorCode) }
    cell.areaCode = number(value[names.area]?.text, unknown: unknownAreas)
    cell.cell = number(value["ci"]?.text, unknown: unknownCells)
    cell.channel = whole(value[names.channel])
    switch names.kind {
    case .gsm:
      // RXLEV n means −111 + n to −110 + n dBm (3GPP TS 45.008, 8.1.4).
      cell.signalDecibelMilliwatts = value["rx-level"]?.number.flatMap {
        (0...63).contains($0) ? Double($0) - 110.5 : nil
      }
    case .umts:
      cell.physicalCell = whole(value["psc"]) ?? whole(value["cell-parameter-id"])
      cell.signalDecibelMilliwatts = power(value["rscp"])
    case .lte, .nr:
      cell.physicalCell = number(value["physical-ci"]?.text, unknown: [0xFFFF, 0xFFFF_FFFF])
      cell.signalDecibelMilliwatts = power(value["rsrp"])
    }
    // A cell without any number of its own proves nothing.
    return cell.cell ?? cell.physicalCell ?? cell.areaCode ?? cell.channel == nil ? nil : cell
  }

  /// Reads the serving cell from `MCC,MNC,LAC,CI[,TAC]` in hexadecimal, and from the modem's
  /// properties; nil if they name none.
  static func servingCell(
    _ location: BusValue?, _ interfaces: BusValue, at heard: ElapsedTime
  ) -> RadioSurroundings.Cell? {
    // MM_MODEM_LOCATION_SOURCE_3GPP_LAC_CI is 1.
    let parts = (location?["1"]?.text ?? "").split(
      separator: ",", omittingEmptySubsequences: false
    ).map(String.init)
    guard parts.count >= 4 else { return nil }
    let technologies = interfaces[modem]?["AccessTechnologies"]?.number ?? 0
    let technology: RadioSurroundings.Cell.Technology
    let property: String
    let measure: String
    // The newest technology in use counts: bits of MMModemAccessTechnology.
    switch technologies {
    case let bits where bits & (1 << 15) != 0:
      (technology, property, measure) = (.nr, "Nr5g", "rsrp")
    case let bits where bits & (1 << 14 | 1 << 16 | 1 << 17) != 0:
      (technology, property, measure) = (.lte, "Lte", "rsrp")
    case let bits where bits & 0x3E0 != 0: (technology, property, measure) = (.umts, "Umts", "rscp")
    case let bits where bits & 0x1E != 0: (technology, property, measure) = (.gsm, "Gsm", "rssi")
    default: return nil
    }
    var cell = RadioSurroundings.Cell(technology: technology, isServing: true, heard: heard)
    cell.name(operatorCode: parts[0] + parts[1])
    cell.cell = number(parts[3], unknown: unknownCells)
    let isLater = technology == .lte || technology == .nr
    cell.areaCode = number(
      isLater ? (parts.count > 4 ? parts[4] : nil) : parts[2], unknown: unknownAreas)
    cell.signalDecibelMilliwatts = power(interfaces["\(modem).Signal"]?[property]?[measure])
    return cell
  }

  // Modems write all zeros or all ones, and FFFE for an area, for an unknown number: of 16, 24, 28,
  // 32 and 36 bits by its kind (3GPP TS 23.003).
  private static let unknownAreas: Set<Int> = [0, 0xFFFE, 0xFFFF, 0xFF_FFFE, 0xFF_FFFF]
  private static let unknownCells: Set<Int> = [
    0, 0xFFFF, 0xFFF_FFFF, 0xFFFF_FFFF, 0xF_FFFF_FFFF,
  ]

  /// Reads hexadecimal digits, up to 36 bits; nil if they are malformed or mean an unknown number.
  private static func number(_ text: String?, unknown: Set<Int>) -> Int? {
    guard let text, (1...9).contains(text.utf8.count), text.allSatisfy(\.isHexDigit),
      let number = Int(text, radix: 16), !unknown.contains(number)
    else { return nil }
    return number
  }

  private static func whole(_ value: BusValue?) -> Int? {
    value?.number.flatMap { (0...0xFF_FFFF).contains($0) ? Int($0) : nil }
  }

  /// Reads a power in dBm; nil outside −200…0, because ModemManager writes −32768 and the like for
  /// an unknown power.
  private static func power(_ value: BusValue?) -> Double? {
    guard case .real(let power)? = value, (-200...0).contains(power) else { return nil }
    return power
  }
}

extension RadioSurroundings.Cell {
  /// Sets country and network from the network's number: three digits of the country, two or three
  /// of the network.
  fileprivate mutating func name(operatorCode: String) {
    guard (5...6).contains(operatorCode.utf8.count),
      operatorCode.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return }
    countryCode = String(operatorCode.prefix(3))
    networkCode = String(operatorCode.dropFirst(3))
  }
}
