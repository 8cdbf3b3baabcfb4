import Imports
import Office
import Store
import Sync

/// The report on a file of tasks or parcels: the changes that it brings, and the faults that keep
/// it from being taken.
struct ConsoleImport: Encodable, Sendable {
  /// A fault, or a remark that is worth a look.
  struct Remark: Encodable, Sendable {
    /// The line, from 1; absent if the remark is about the whole file.
    var line: Int?
    /// The feature or row, from 1; absent if the remark is about none of them.
    var row: Int?
    var words: String

    init(_ fault: ImportFault) {
      line = fault.line
      row = fault.row
      words = fault.words
    }
  }

  /// A sample from the first rows.
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
  /// The number of faults; only the first hundred are listed.
  var faultCount: Int
  var faults: [Remark]
  /// The number of remarks that are worth a look and do not keep the file from being taken; only
  /// the first hundred are listed.
  var remarkCount: Int
  var remarks: [Remark]
  var samples: [Sample]
  /// The SHA-256 of the file; absent if the file could not be read to its end.
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
