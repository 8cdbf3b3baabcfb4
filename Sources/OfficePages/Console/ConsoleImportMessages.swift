import Imports
import Office
import Store
import Sync

/// What a file of tasks or parcels brings, and what keeps it from being taken.
struct ConsoleImport: Encodable, Sendable {
  /// What is wrong, or worth a look.
  struct Remark: Encodable, Sendable {
    /// From 1; absent where it is the whole file.
    var line: Int?
    /// Which feature or row, from 1; absent where it is none of them.
    var row: Int?
    var words: String

    init(_ fault: ImportFault) {
      line = fault.line
      row = fault.row
      words = fault.words
    }
  }

  /// One of the first rows.
  struct Sample: Encodable, Sendable {
    var line: Int
    var identifier: String?
    var name: String?
    var detail: String
    var areaSquareMetres: Double?
    var effect: String

    init(_ sample: ImportReport.Sample) {
      line = sample.line
      identifier = sample.identifier
      name = sample.name
      detail = sample.detail
      areaSquareMetres = sample.areaSquareMetres
      effect =
        switch sample.effect {
        case .new: "new"
        case .changed: "changed"
        case .unchanged: "unchanged"
        }
    }
  }

  var kind: String
  var taken: Bool
  var rows: Int
  var new: Int
  var changed: Int
  var unchanged: Int
  /// How much is wrong; the first hundred are told.
  var faultCount: Int
  var faults: [Remark]
  /// How much is worth a look and keeps nothing from being taken; the first hundred are told.
  var remarkCount: Int
  var remarks: [Remark]
  var samples: [Sample]
  /// SHA-256 of the file; absent where it could not be read to its end.
  var digest: String?

  init(_ report: ImportReport) {
    kind = report.kind.rawValue
    taken = report.isTaken
    rows = report.rows
    new = report.new
    changed = report.changed
    unchanged = report.unchanged
    faultCount = report.faultCount
    faults = report.faults.map(Remark.init)
    remarkCount = report.remarkCount
    remarks = report.remarks.map(Remark.init)
    samples = report.samples.map(Sample.init)
    digest = report.digest.isEmpty ? nil : report.digest
  }
}
