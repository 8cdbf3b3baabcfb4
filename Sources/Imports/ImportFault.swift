import TimeAndText

/// A fault in a file to be imported, or a warning about it.
public struct ImportFault: Error, Hashable, Sendable, Worded {
  /// The line of the file, counted from 1; nil if the whole file is meant.
  public var line: Int?
  /// The feature or row, counted from 1; nil if no single row is meant.
  public var row: Int?
  /// The fault, and what to do about it.
  public var reason: Wording
  /// The reason in English.
  public var words: String { reason.description }

  /// Creates a fault.
  public init(line: Int? = nil, row: Int? = nil, _ reason: Wording) {
    self.line = line
    self.row = row
    self.reason = reason
  }

  /// The place and the fault, in one line.
  public var wording: Wording {
    switch (line, row) {
    case (let line?, let row?): "line \(line), feature \(row): \(reason)"
    case (let line?, nil): "line \(line): \(reason)"
    case (nil, let row?): "feature \(row): \(reason)"
    case (nil, nil): reason
    }
  }
}

/// The form in which a file holds its rows.
public enum ImportFormat: String, CaseIterable, Sendable {
  /// RFC 7946, as one collection, a feature on each line, or a sequence (RFC 8142).
  case geojson
  /// RFC 4180 in UTF-8, with commas, semicolons or tabs.
  case csv
}

/// The limits on a file. Larger parts are refused with a message, and never held in memory.
public struct ImportLimits: Hashable, Sendable {
  /// The most bytes of one feature or row, and of a collection's own text before its features.
  public var rowBytes = 16 << 20
  /// The most bytes of a collection's own text after its features.
  public var headBytes = 1 << 20
  /// The deepest nesting of JSON.
  public var depth = 32
  /// The most columns of CSV.
  public var columns = 500
  /// The most rings of one parcel.
  public var rings = 2000
  /// The most corners of one parcel.
  public var corners = 500_000

  /// Creates the ordinary limits.
  public init() {}
}
