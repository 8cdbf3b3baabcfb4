import Imports
import Inspection
import Store
import Sync

/// The contents of an imported file, and the faults that keep it from being taken.
public struct ImportReport: Sendable {
  /// The kind of rows in a file.
  public enum Kind: String, Sendable, CaseIterable {
    case tasks, parcels

    /// The roles that may import: officers order tasks, and officers and administrators add
    /// parcels.
    package var importers: Set<Role> { self == .parcels ? [.officer, .administrator] : [.officer] }
  }

  /// A row as a preview shows it.
  public struct Sample: Sendable {
    /// The row's line in the file, counted from 1.
    public var line: Int
    /// The parcel's or the task's identifier; nil if the row has none.
    public var identifier: String?
    /// The name; nil if the row has none.
    public var name: String?
    /// The rest that is worth seeing: the crop, or inspector and due date.
    public var detail: String
    /// The outline's area in square metres; nil if the row has no outline.
    public var areaSquareMetres: Double?
    /// The effect of taking the row.
    public var effect: ImportEffect
  }

  /// The greatest number of listed faults; further ones are only counted.
  public static let faultsListed = 100
  static let samplesListed = 20

  /// The kind of rows in the file.
  public var kind: Kind
  /// The number of rows read.
  public var rows = 0
  /// The number of rows that are not known yet.
  public var new = 0
  /// The number of rows that are known with other contents.
  public var changed = 0
  /// The number of rows that are known with the same contents.
  public var unchanged = 0
  /// The faults, the first hundred. A file with a fault is not taken at all.
  public var faults: [ImportFault] = []
  /// The number of all faults.
  public var faultCount = 0
  /// The remarks that do not keep the file from being taken, the first hundred.
  public var remarks: [ImportFault] = []
  /// The number of all remarks.
  public var remarkCount = 0
  /// The first rows, 20 at most.
  public var samples: [Sample] = []
  /// The SHA-256 of the file; empty if the file was not read to its end.
  public var digest = ""
  /// True if the file was taken.
  public var isTaken = false
  /// The tasks that are new or changed, in the file's order; empty until the file is taken.
  public var tasks: [Identifier] = []

  /// Creates an empty report.
  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// Counts a row by its effect, and keeps it as a sample while there are fewer than 20.
  package mutating func count(_ effect: ImportEffect, _ sample: @autoclosure () -> Sample) {
    switch effect {
    case .new: new += 1
    case .changed: changed += 1
    case .unchanged: unchanged += 1
    }
    if samples.count < Self.samplesListed { samples.append(sample()) }
  }

  /// Adds a fault.
  package mutating func complain(_ fault: ImportFault) {
    faultCount += 1
    if faults.count < Self.faultsListed { faults.append(fault) }
  }

  /// Adds a remark.
  package mutating func remark(_ fault: ImportFault) {
    remarkCount += 1
    if remarks.count < Self.faultsListed { remarks.append(fault) }
  }
}
