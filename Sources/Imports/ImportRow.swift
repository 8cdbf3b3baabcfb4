import Evidence
import Geodesy
import Inspection
import TimeAndText

/// The contents of one row of a file, in one shape for every format: a feature's properties, or the
/// columns of a line.
public struct ImportRow: Sendable {
  /// The line at which the row begins, counted from 1.
  public var line: Int
  /// The number of the row, counted from 1.
  public var number: Int
  /// The rings, the outline first; nil if the row has no geometry.
  public var rings: [[Coordinate]]?
  package var values: [Column: String] = [:]

  /// A value that a row can hold besides its geometry.
  package enum Column: String, CaseIterable {
    case identifier, reference, name, type, instructions, due, inspector, around, turn, crop, area
    case determined

    /// The names of the column or property, among them those of GeoJSON and fiboa. The first one
    /// with a value counts.
    package var names: [String] {
      switch self {
      case .identifier: ["identifier", "id"]
      case .crop: ["crop", "crop:name", "crop:name_en", "crop:code"]
      case .type: ["type", "category"]
      case .determined: ["determined", "determination_datetime", "determination:datetime"]
      default: [rawValue]
      }
    }

    /// The longest accepted text, in characters: as long as in the pages' forms.
    package var charactersAtMost: Int {
      switch self {
      case .instructions: 5000
      case .type, .due, .inspector, .area, .determined, .around, .turn: 100
      default: 200
      }
    }
  }

  /// Returns the task that the row orders.
  /// - Throws: `ImportFault` with the row's place.
  public func order() throws(ImportFault) -> TaskOrder {
    let identifier = values[.identifier]
    guard let name = values[.name] ?? identifier else {
      throw wrong("it has neither a name nor an identifier")
    }
    var due: DeviceTime?
    if let text = values[.due] {
      due = TaskOrder.due(text)
      guard due != nil else {
        throw wrong(
          "due \"\(ImportText.shown(text))\" is neither a date (2026-06-30) nor a time with its"
            + " offset")
      }
    }
    var order = TaskOrder(
      name: name, type: values[.type], instructions: values[.instructions], due: due,
      inspector: values[.inspector], parcel: try parcel(identifier ?? name),
      parcelIdentifier: identifier, reference: values[.reference])
    order.aroundSectors = try sectors(.around)
    order.turnViews = try sectors(.turn)
    do {
      _ = try order.sets()
    } catch {
      throw wrong(error.wording)
    }
    return order
  }

  /// Returns the number of sectors in a column; nil if it says nothing.
  private func sectors(_ column: Column) throws(ImportFault) -> Int? {
    guard let text = values[column] else { return nil }
    guard let number = Int(text) else {
      throw wrong(
        "\(column.rawValue) \"\(ImportText.shown(text))\" is not a whole number: give the number of"
          + " pictures, or 0 for none")
    }
    return number
  }

  /// Returns the parcel that the row declares.
  /// - Throws: `ImportFault` with the row's place.
  public func declaredParcel() throws(ImportFault) -> DeclaredParcel {
    guard let identifier = values[.identifier] else {
      throw wrong("it has no identifier: every parcel needs a property identifier or id")
    }
    guard let parcel = try parcel(identifier) else {
      throw wrong("it has no outline: a parcel is a Polygon or a MultiPolygon")
    }
    var area: Double?
    if let text = values[.area] {
      guard let hectares = Double(text), hectares > 0, hectares <= 10_000_000 else {
        throw wrong(
          "area \"\(ImportText.shown(text))\" is not a number of hectares above 0, such as 2.35")
      }
      area = hectares * 10_000
    }
    var determined: DeviceTime?
    if let text = values[.determined] {
      determined = DeviceTime(rfc3339: text) ?? DeviceTime(rfc3339: "\(text)T00:00:00Z")
      guard let determined, DeviceTime(rfc3339: determined.rfc3339) == determined else {
        throw wrong(
          "determination_datetime \"\(ImportText.shown(text))\" is not a time such as"
            + " 2026-06-30T12:00:00Z")
      }
    }
    return DeclaredParcel(
      parcel: parcel, name: values[.name], crop: values[.crop], type: values[.type],
      declaredAreaSquareMetres: area, determined: determined)
  }

  private func parcel(_ identifier: String) throws(ImportFault) -> Parcel? {
    guard let rings else { return nil }
    guard let parcel = Parcel(identifier: identifier, rings: rings) else {
      throw wrong("its outline has fewer than three points")
    }
    return parcel
  }

  private func wrong(_ words: Wording) -> ImportFault {
    ImportFault(line: line, row: number, words)
  }

  // MARK: reading

  /// Reads a row from a feature's bytes.
  package init(
    feature bytes: [UInt8], line: Int, number: Int, _ rules: OutlineRules
  ) throws(ImportFault) {
    self.line = line
    self.number = number
    func wrong(_ words: Wording) -> ImportFault { ImportFault(line: line, row: number, words) }
    let feature: JSONValue
    do {
      feature = try JSONValue(parsing: bytes)
    } catch {
      if String(validating: bytes, as: UTF8.self) == nil {
        throw wrong(CSVReader.encodingWords(bytes[...], where: "the feature"))
      }
      throw wrong("it is not JSON: \(ImportText.shown(error.wording))")
    }
    guard case .object = feature else { throw wrong("it is not an object") }
    guard let type = feature["type"] else { throw wrong("\"type\" is missing") }
    guard let type = type.text else { throw wrong("\"type\" has the wrong type") }
    guard type != "FeatureCollection" else {
      throw wrong("it is a feature collection without an array \"features\"")
    }
    guard type == "Feature" else {
      throw wrong("its type is \(ImportText.shown(type)), not Feature")
    }
    let properties = feature["properties"] ?? .null
    switch properties {
    case .object, .null: break
    default: throw wrong("\"properties\" has the wrong type")
    }
    for column in Column.allCases {
      for name in column.names {
        guard values[column] == nil, let value = properties[name] else { continue }
        values[column] = try Self.value(value, column, name, wrong)
      }
    }
    if values[.identifier] == nil, let id = feature["id"] {
      values[.identifier] = try Self.value(id, .identifier, "id", wrong)
    }
    guard let geometry = feature["geometry"], geometry != .null else { return }
    do {
      rings = try rules.rings(ofGeoJSON: geometry)
    } catch {
      throw wrong(error.reason)
    }
  }

  private static func value(
    _ value: JSONValue, _ column: Column, _ name: String, _ wrong: (Wording) -> ImportFault
  ) throws(ImportFault) -> String? {
    let text: String
    switch (value, column) {
    case (.null, _): return nil
    case (.string(let string), _): text = string
    case (.number(let number), .area): text = "\(number)"
    // Many registers use numbers as identifiers and as codes of crops.
    case (.number, .identifier), (.number, .reference), (.number, .crop), (.number, .around),
      (.number, .turn):
      guard let whole = value.wholeNumber else {
        throw wrong("\"properties.\(name)\" is neither a whole number nor text")
      }
      text = "\(whole)"
    case (.array(let elements), .type): text = elements.compactMap(\.text).joined(separator: ", ")
    default: throw wrong("\"properties.\(name)\" has the wrong type")
    }
    return try checked(text, column, name, wrong)
  }

  /// Reads a row from the fields of a line.
  package init(
    fields: [String], columns: [(column: Column, index: Int)], wkt: Int?, line: Int, number: Int,
    _ rules: OutlineRules
  ) throws(ImportFault) {
    self.line = line
    self.number = number
    func wrong(_ words: Wording) -> ImportFault { ImportFault(line: line, row: number, words) }
    for (column, index) in columns where values[column] == nil {
      values[column] = try Self.checked(fields[index], column, column.rawValue, wrong)
    }
    guard let wkt, fields[wkt].contains(where: { !$0.isWhitespace }) else { return }
    do {
      rings = try rules.rings(ofWKT: fields[wkt])
    } catch {
      throw wrong(error.reason)
    }
  }

  private static func checked(
    _ text: String, _ column: Column, _ name: String, _ wrong: (Wording) -> ImportFault
  ) throws(ImportFault) -> String? {
    do {
      return try ImportText.checked(
        text, name: name, charactersAtMost: column.charactersAtMost,
        mayHaveLines: column == .instructions)
    } catch {
      throw wrong(error.reason)
    }
  }
}
