import Evidence
import Positioning
import TimeAndText

/// Reads a file of tasks or parcels from bytes that come piece by piece. It finds out the format,
/// and then returns the rows one after the other, each good or faulty. It holds one row at a time,
/// however large the file is.
public struct ImportReader {
  /// A row, or the fault in it.
  public typealias Outcome = Result<ImportRow, ImportFault>

  private enum Source {
    case unknown
    case features(FeatureSplitter)
    case table(CSVReader)
  }

  private let limits: ImportLimits
  private let rules: OutlineRules
  private let asked: ImportFormat?
  private var source = Source.unknown
  private var head: [UInt8] = []
  private var columns: [(column: ImportRow.Column, index: Int)] = []
  private var wkt: Int?
  private var width: Int?
  private var rows = 0

  /// Creates a reader at the beginning of a file.
  /// - Parameters:
  ///   - format: The file's format; nil to find it out from the first bytes.
  ///   - limits: The limits on the file.
  ///   - findsCrossings: False for bytes that were read before and found good.
  public init(
    format: ImportFormat? = nil, limits: ImportLimits = ImportLimits(), findsCrossings: Bool = true
  ) {
    asked = format
    self.limits = limits
    rules = OutlineRules(limits: limits, findsCrossings: findsCrossings)
  }

  /// Takes the next bytes, and calls `body` with each row that ends in them.
  /// - Throws: `ImportFault` if the rest of the file cannot be understood; any error of `body`.
  public mutating func feed(
    _ bytes: UnsafeRawBufferPointer, _ body: (Outcome) throws -> Void
  ) throws {
    guard case .unknown = source else { return try pass(bytes, body) }
    head += bytes
    guard head.count >= 64 else { return }
    try begin(body)
  }

  /// Ends the file, and calls `body` with its last row.
  /// - Throws: `ImportFault` if the file ends too early, or could not be read at all; any error of
  ///   `body`.
  public mutating func finish(_ body: (Outcome) throws -> Void) throws {
    if case .unknown = source { try begin(body) }
    switch source {
    case .unknown: break
    case .features(var splitter):
      let frame = try splitter.finish()
      if let frame { try checkFrame(frame) }
      guard rows > 0 else {
        throw ImportFault(
          frame == nil
            ? "not a GeoJSON feature collection: it is not JSON" : "the feature collection is empty"
        )
      }
    case .table(var table):
      try table.finish { record in
        if let outcome = try row(record) { try body(outcome) }
      }
      guard width != nil else { throw ImportFault("the file is empty") }
      guard rows > 0 else { throw ImportFault("it has a header line and no rows") }
    }
  }

  // MARK: the format

  private mutating func begin(_ body: (Outcome) throws -> Void) throws {
    if let words = Self.foreign(head) { throw ImportFault(line: 1, words) }
    var bytes = head[...]
    head = []
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let isJSON = first.map { [UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E].contains($0) }
    switch asked ?? (isJSON == true ? .geojson : .csv) {
    case .geojson: source = .features(FeatureSplitter(limits: limits))
    case .csv: source = .table(CSVReader(limits: limits))
    }
    try bytes.withUnsafeBytes { try pass($0, body) }
  }

  private static let sqlite = Array("SQLite format 3".utf8)

  /// Returns the words for a format that people send by mistake, recognised by its first bytes; nil
  /// if the bytes show none. Nothing is ever unpacked here.
  private static func foreign(_ head: [UInt8]) -> Wording? {
    let signs: [([UInt8], Wording)] = [
      (
        [0x50, 0x4B, 0x03, 0x04],
        "it is a ZIP (or a spreadsheet, KMZ or the like): unpack it, or save it as CSV or GeoJSON"
      ),
      ([0x50, 0x4B, 0x05, 0x06], "it is an empty ZIP: unpack it, or save it as CSV or GeoJSON"),
      ([0x1F, 0x8B], "it is compressed with gzip: unpack it, e.g. gunzip FILE"),
      ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed with zstd: unpack it"),
      ([0x42, 0x5A, 0x68], "it is compressed with bzip2: unpack it"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "it is compressed with xz: unpack it"),
      (
        sqlite,
        "it is a GeoPackage or another database: ogr2ogr -t_srs EPSG:4326 NEW.geojson FILE"
      ),
      (
        [0x00, 0x00, 0x27, 0x0A], "it is a shapefile: ogr2ogr -t_srs EPSG:4326 NEW.geojson FILE.shp"
      ),
      (Array("PAR1".utf8), "it is GeoParquet: ogr2ogr -t_srs EPSG:4326 NEW.geojson FILE"),
      (
        [0xFF, 0xFE], "it is UTF-16: save it in UTF-8, or iconv -f UTF-16 -t UTF-8 FILE > NEW"
      ),
      (
        [0xFE, 0xFF], "it is UTF-16: save it in UTF-8, or iconv -f UTF-16 -t UTF-8 FILE > NEW"
      ),
      (
        Array("<".utf8),
        "it is XML, such as KML or GML: ogr2ogr -t_srs EPSG:4326 NEW.geojson FILE"
      ),
    ]
    return signs.first { head.starts(with: $0.0) }?.1
  }

  // MARK: rows

  private mutating func pass(
    _ bytes: UnsafeRawBufferPointer, _ body: (Outcome) throws -> Void
  ) throws {
    switch source {
    case .unknown: break
    case .features(var splitter):
      // The parser is taken out of `source` while it works, so that its buffers are not copied.
      source = .unknown
      defer { source = .features(splitter) }
      try splitter.feed(bytes) { try body(try row($0)) }
    case .table(var table):
      source = .unknown
      defer { source = .table(table) }
      try table.feed(bytes) { record in
        if let outcome = try row(record) { try body(outcome) }
      }
    }
  }

  private mutating func row(_ piece: FeatureSplitter.Piece) throws -> Outcome {
    rows += 1
    guard let bytes = piece.bytes else {
      return .failure(
        ImportFault(
          line: piece.line, row: piece.number,
          "it has more than \(limits.rowBytes >> 20) MiB: divide or simplify it"))
    }
    do {
      return .success(
        try ImportRow(feature: bytes, line: piece.line, number: piece.number, rules))
    } catch {
      return .failure(error)
    }
  }

  /// Checks that the text around the features is that of a collection in degrees on WGS 84.
  private func checkFrame(_ bytes: [UInt8]) throws {
    guard let frame = try? JSONValue(parsing: bytes) else {
      throw ImportFault(
        "not a GeoJSON feature collection: the part outside its features is not JSON")
    }
    guard let type = frame["type"] else {
      throw ImportFault("not a GeoJSON feature collection: \"type\" is missing")
    }
    guard let type = type.text else {
      throw ImportFault("not a GeoJSON feature collection: \"type\" has the wrong type")
    }
    guard type == "FeatureCollection" else {
      throw ImportFault("its type is \(ImportText.shown(type)), not FeatureCollection")
    }
    // GeoJSON of 2008 named its reference system; RFC 7946 has only one.
    if let name = frame["crs"]?["properties"]?["name"]?.text,
      !["CRS84", "EPSG::4326", "EPSG:4326", "OGC:1.3:CRS84"].contains(where: name.hasSuffix)
    {
      throw ImportFault(
        "its coordinates are in \(ImportText.shown(name)): transform them to WGS 84, e.g. ogr2ogr"
          + " -t_srs EPSG:4326 NEW.geojson FILE")
    }
  }

  /// Reads a row of the table; nil for the header line.
  private mutating func row(_ record: CSVReader.Record) throws -> Outcome? {
    guard let width else {
      try header(record)
      return nil
    }
    rows += 1
    func wrong(_ words: Wording) -> Outcome {
      .failure(ImportFault(line: record.line, row: rows, words))
    }
    guard let fields = record.fields else {
      return wrong(
        "it has more than \(limits.rowBytes >> 20) MiB or \(limits.columns) columns: is an"
          + " opening quote missing?")
    }
    guard !record.isQuoteAlone else {
      return wrong("something follows the quote that closes a field: write a quote in a text twice")
    }
    guard fields.count == width else {
      return wrong(
        "it has \(fields.count) fields, but the header line has \(width): is there a separator in"
          + " a text without quotes?")
    }
    do {
      return .success(
        try ImportRow(
          fields: fields, columns: columns, wkt: wkt, line: record.line, number: rows, rules))
    } catch {
      return .failure(error)
    }
  }

  private mutating func header(_ record: CSVReader.Record) throws {
    let names = (record.fields ?? []).map { field in
      field.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    }
    width = names.count
    for column in ImportRow.Column.allCases {
      for name in column.names {
        let places = names.indices.filter { names[$0] == name }
        guard places.count <= 1 else {
          throw ImportFault(
            line: record.line, "the column \(name) appears \(places.count) times: keep only one")
        }
        if let place = places.first { columns.append((column, place)) }
      }
    }
    wkt = names.firstIndex(of: "wkt") ?? names.firstIndex(of: "geometry")
    guard columns.contains(where: { $0.column == .identifier || $0.column == .name }) else {
      throw ImportFault(
        line: record.line,
        "the first line has no column identifier or name. Known columns are identifier,"
          + " reference, name, type, instructions, due, inspector, crop, area and wkt. If the"
          + " file is not CSV, convert it to GeoJSON with ogr2ogr")
    }
  }
}
