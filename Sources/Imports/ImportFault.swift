import Positioning

/// What is wrong with a file that is to be imported, or worth a look before it is.
public struct ImportFault: Error, Hashable, Sendable, Worded {
  /// In which line of the file, counted from 1; nil when it is the whole file.
  public var line: Int?
  /// Which feature or row, counted from 1; nil when it is none of them.
  public var row: Int?
  /// What is wrong, and what to do.
  public var reason: Wording
  /// The same in English.
  public var words: String { reason.description }

  /// A fault from its parts.
  public init(line: Int? = nil, row: Int? = nil, _ reason: Wording) {
    self.line = line
    self.row = row
    self.reason = reason
  }

  /// One line that says what and where.
  public var wording: Wording {
    switch (line, row) {
    case (let line?, let row?): "line \(line), feature \(row): \(reason)"
    case (let line?, nil): "line \(line): \(reason)"
    case (nil, let row?): "feature \(row): \(reason)"
    case (nil, nil): reason
    }
  }
}

/// In which form a file has its rows.
public enum ImportFormat: String, CaseIterable, Sendable {
  /// RFC 7946, as one collection, a feature on each line, or a sequence (RFC 8142).
  case geojson
  /// RFC 4180 in UTF-8, with commas, semicolons or tabs.
  case csv
}

/// How much of a file is taken. What is larger is refused in words, and never held in memory.
public struct ImportLimits: Hashable, Sendable {
  /// Bytes of one feature or row.
  public var rowBytes = 16 << 20
  /// Bytes of what a collection has beside its features.
  public var headBytes = 1 << 20
  /// Nesting of JSON.
  public var depth = 32
  /// Columns of CSV.
  public var columns = 500
  /// Rings of one parcel.
  public var rings = 2000
  /// Corners of one parcel.
  public var corners = 500_000

  /// The ordinary limits.
  public init() {}
}
