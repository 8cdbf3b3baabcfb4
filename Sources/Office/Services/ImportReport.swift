import Imports
import Inspection
import Store
import Sync

/// What a file brings, and what keeps it from being taken.
public struct ImportReport: Sendable {
  /// What a file has rows of.
  public enum Kind: String, Sendable, CaseIterable {
    case tasks, parcels

    /// Who may: parcels are laid out by administrators, too; tasks are ordered by officers.
    package var importers: Set<Role> { self == .parcels ? [.officer, .administrator] : [.officer] }
  }

  /// A row as a preview shows it.
  public struct Sample: Sendable {
    /// Its line.
    public var line: Int
    /// The parcel's or the task's identifier; nil without one.
    public var identifier: String?
    /// The name; nil without one.
    public var name: String?
    /// What else is worth seeing: the crop, or inspector and due date.
    public var detail: String
    /// The outline's area in square metres; nil without one.
    public var areaSquareMetres: Double?
    /// What taking it does.
    public var effect: ImportEffect
  }

  /// More than so many faults are counted, and not listed.
  public static let faultsListed = 100
  static let samplesListed = 20

  /// What the file has rows of.
  public var kind: Kind
  /// Rows that were read.
  public var rows = 0
  /// Rows that are not known yet.
  public var new = 0
  /// Rows that are known otherwise.
  public var changed = 0
  /// Rows that are known as they are.
  public var unchanged = 0
  /// What is wrong, the first hundred. Where anything is, nothing is taken.
  public var faults: [ImportFault] = []
  /// How much is wrong.
  public var faultCount = 0
  /// What is worth a look and keeps nothing from being taken, the first hundred.
  public var remarks: [ImportFault] = []
  /// How much is worth a look.
  public var remarkCount = 0
  /// The first rows.
  public var samples: [Sample] = []
  /// SHA-256 of the file; empty where it was not read to its end.
  public var digest = ""
  /// Whether it was taken.
  public var isTaken = false
  /// The tasks that are new or changed, in the file's order, when it was taken.
  public var tasks: [Identifier] = []

  package init(_ kind: Kind) {
    self.kind = kind
  }

  package mutating func count(_ effect: ImportEffect, _ sample: @autoclosure () -> Sample) {
    switch effect {
    case .new: new += 1
    case .changed: changed += 1
    case .unchanged: unchanged += 1
    }
    if samples.count < Self.samplesListed { samples.append(sample()) }
  }

  package mutating func complain(_ fault: ImportFault) {
    faultCount += 1
    if faults.count < Self.faultsListed { faults.append(fault) }
  }

  package mutating func remark(_ fault: ImportFault) {
    remarkCount += 1
    if remarks.count < Self.faultsListed { remarks.append(fault) }
  }
}
