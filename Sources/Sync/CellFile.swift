import Foundation
import Geodesy
import Inspection

/// A fault in a list of cells.
public struct CellFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1.
  public var line: Int
  /// The fault, in English.
  public var words: String

  /// The place and the fault, in one line.
  public var description: String { "line \(line): \(words)" }
}

/// An agency's own list of mobile cells: CSV with the columns of OpenCelliD and the Mozilla
/// Location Service, `radio,mcc,net,area,cell,unit,lon,lat,range`, and any further columns.
public enum CellFile {
  private static let technologies = ["gsm", "umts", "lte", "nr"]
  /// The longest range of a transmitter on the ground, metres.
  private static let furthestMetres = 200_000.0

  /// Reads the whole list, or nothing of it.
  /// - Returns: The cells, and the number of lines for networks that field units' modems do not
  ///   report (CDMA).
  /// - Throws: `CellFileError` for the first faulty line.
  public static func cells(
    fromCSV bytes: [UInt8]
  ) throws(CellFileError) -> (cells: [CellSite], left: Int) {
    var cells: [CellSite] = []
    var left = 0
    var number = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      guard let text = String(validating: line, as: UTF8.self) else {
        throw CellFileError(line: number, words: "it is not UTF-8 text")
      }
      let fields = text.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      let radio = fields[0].lowercased()
      // The header, and the empty end of the last line, are not cells.
      if fields == [""] || (number == 1 && radio == "radio") { continue }
      if radio == "cdma" {
        left += 1
        continue
      }
      cells.append(try cell(fields, radio, number))
    }
    return (cells, left)
  }

  private static func cell(
    _ fields: [String], _ radio: String, _ number: Int
  ) throws(CellFileError) -> CellSite {
    func wrong(_ words: String) -> CellFileError { CellFileError(line: number, words: words) }
    guard fields.count >= 9 else {
      throw wrong(
        "it has \(fields.count) columns, and needs radio,mcc,net,area,cell,unit,lon,lat,range")
    }
    guard technologies.contains(radio) else {
      throw wrong("radio is “\(fields[0])”, not GSM, UMTS, LTE or NR")
    }
    guard fields[1].count == 3, Int(fields[1]) != nil, let network = Int(fields[2]),
      (0...999).contains(network), let area = Int(fields[3]), area >= 0,
      let cell = Int(fields[4]), cell >= 0
    else { throw wrong("mcc, net, area and cell are whole numbers, the first of three digits") }
    guard let longitude = Double(fields[6]), let latitude = Double(fields[7]),
      let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { throw wrong("lon and lat are degrees on the Earth") }
    guard let range = Double(fields[8]), (0...furthestMetres).contains(range) else {
      throw wrong("range is metres from 0 to \(Int(furthestMetres))")
    }
    return CellSite(
      transmitter: CellSite.transmitterName(
        technology: radio, countryCode: fields[1], networkCode: fields[2], areaCode: area,
        cell: cell), coordinate: place, rangeMetres: range)
  }
}
