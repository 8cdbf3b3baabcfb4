import Foundation
import Inspection
import Office
import Store

/// A remark on a row that was not carried over as it was. Codes are stable; `docs/problems.md`
/// lists them.
public enum CarryOverRemark: String, CaseIterable, Sendable {
  // Left out.
  case rowUnreadable = "row-unreadable"
  case agencyUnknown = "agency-unknown"
  case roleUnknown = "role-unknown"
  case userUnknown = "user-unknown"
  case numberTaken = "number-taken"
  case pictureMissing = "picture-missing"
  case pictureUnusable = "picture-unusable"
  case placeMissing = "place-missing"
  case trackEmpty = "track-empty"
  case trackTooLong = "track-too-long"
  case identifierMissing = "identifier-missing"
  case identifierTwice = "identifier-twice"
  case outlineUnusable = "outline-unusable"
  // Left out, and rightly.
  case superAdministrator = "super-administrator"
  case adminAgency = "admin-agency"
  case taskDeleted = "task-deleted"
  // Carried over, with a change.
  case loginChanged = "login-changed"
  case personJoined = "person-joined"
  case passwordMissing = "password-missing"
  case officersTask = "officers-task"
  case decisionMissing = "decision-missing"
  case decisionsContradict = "decisions-contradict"
  case nameMissing = "name-missing"
  case timeUnreadable = "time-unreadable"
  case textDamaged = "text-damaged"
  case taskMissing = "task-missing"
  case taskElsewhere = "task-elsewhere"
  case pointsLeftOut = "points-left-out"
  case columnsLeftOut = "columns-left-out"
  case taskWentOn = "task-went-on"
  case photoLate = "photo-late"
  // Here already, and different there.
  case taskDiffers = "task-differs"
  case photoDiffers = "photo-differs"
  case photoTwice = "photo-twice"
  case userDiffers = "user-differs"
  case parcelDiffers = "parcel-differs"

  /// The outcome for a row.
  public enum Outcome: String, Sendable, CaseIterable {
    /// The row was not carried over, and an administrator may want to do something about it.
    case left
    /// The row was not carried over, and that is right.
    case passed
    /// The row was carried over, with a change.
    case changed
    /// The row was here already, and stays as it is here.
    case stays
  }

  /// The outcome for the row.
  public var outcome: Outcome {
    switch self {
    case .rowUnreadable, .agencyUnknown, .roleUnknown, .userUnknown, .numberTaken, .pictureMissing,
      .pictureUnusable, .placeMissing, .trackEmpty, .trackTooLong, .identifierMissing,
      .identifierTwice, .outlineUnusable:
      .left
    case .superAdministrator, .adminAgency, .taskDeleted: .passed
    case .loginChanged, .personJoined, .passwordMissing, .officersTask, .decisionMissing,
      .decisionsContradict, .nameMissing, .timeUnreadable, .textDamaged, .taskMissing,
      .taskElsewhere, .pointsLeftOut, .columnsLeftOut, .taskWentOn, .photoLate:
      .changed
    case .taskDiffers, .photoDiffers, .photoTwice, .userDiffers, .parcelDiffers: .stays
    }
  }

  /// The advice on the row: what to do about it.
  public var advice: String {
    switch self {
    case .rowUnreadable: "look at the row in the older database"
    case .agencyUnknown: "make the dump with the table pa"
    case .roleUnknown: "give the user the role 1 or 2 there, or add the person here by hand"
    case .userUnknown: "carry the user over first: the report says why it was not"
    case .numberTaken: "if the dump is of another office, give it a name of its own with --source"
    case .pictureMissing: "put the file in its place below the folder, then run the import again"
    case .pictureUnusable: "put a good copy in its place, then run the import again"
    case .placeMissing: "nothing; keep the file where it is"
    case .trackEmpty: "nothing"
    case .trackTooLong: "nothing; keep the dump"
    case .identifierMissing, .identifierTwice:
      "import the parcels from the register instead: standpoint office parcel import"
    case .outlineUnusable:
      "mend the outline, and import it from the register: standpoint office parcel import"
    case .superAdministrator:
      "standpoint office user add LOGIN --role super-administrator, where one is needed"
    case .adminAgency: "nothing"
    case .taskDeleted: "nothing"
    case .loginChanged: "tell the person the new login"
    case .personJoined: "if it is somebody else, rename one of the two there before the import"
    case .passwordMissing: "standpoint office user password LOGIN"
    case .officersTask: "order it of an inspector, where something is still to be done"
    case .decisionMissing, .decisionsContradict: "an officer decides upon it here"
    case .nameMissing: "nothing"
    case .timeUnreadable: "nothing"
    case .textDamaged: "make the dump with --default-character-set=utf8mb4, into a new office"
    case .taskMissing, .taskElsewhere: "give the photo to a task on the page of photos without one"
    case .pointsLeftOut: "nothing"
    case .columnsLeftOut: "nothing; they have no place here"
    case .taskWentOn: "nothing"
    case .photoLate: "look at it: whoever decided here has not seen it"
    case .taskDiffers: "go on with the task here: its inspector or an officer has since it came"
    case .photoDiffers: "give the photo to its task, or hide it, on its page here"
    case .photoTwice: "nothing"
    case .userDiffers: "standpoint office user disable LOGIN, or enable LOGIN"
    case .parcelDiffers: "nothing, or import the register: standpoint office parcel import"
    }
  }
}

/// One line of the report: the outcome for one row of the older database.
public struct CarryOverLine: Hashable, Sendable {
  /// The row's table.
  public var table: String
  /// The row's number there; nil if the line is about the whole table.
  public var number: Int64?
  /// The remark on the row.
  public var remark: CarryOverRemark
  /// The row's subject in words, such as a name.
  public var what: String
  /// The reason.
  public var why: String
  /// The advice on what to do.
  public var advice: String

  init(_ remark: CarryOverRemark, _ table: String, _ number: Int64?, what: String, why: String) {
    self.table = table
    self.number = number
    self.remark = remark
    self.what = what
    self.why = why
    advice = remark.advice
  }
}

/// The number of rows of one part, and their outcomes.
public struct CarryOverCount: Hashable, Sendable {
  /// The number of rows in the older database.
  public var rows = 0
  /// The number of rows carried over now.
  public var carried = 0
  /// The number of rows that were here already.
  public var here = 0
  /// The number of rows that were deleted there.
  public var deleted = 0
  /// The number of rows that were rightly left out.
  public var passed = 0
  /// The number of rows left out for another reason.
  public var left = 0

  /// Creates counts of zero.
  public init() {}
}

/// A part of an older office's data that can be carried over.
public enum CarryOverPart: String, CaseIterable, Sendable {
  case agencies, users, tasks, photos, tracks, parcels
}

/// A summary of what an import of an older office's database has done, or would do.
public struct CarryOverSummary: Sendable {
  /// The counts of each part.
  public var counts: [CarryOverPart: CarryOverCount] = [:]
  /// The number of the report's lines with each remark.
  public var remarks: [CarryOverRemark: Int] = [:]
  /// The agencies: number and title there, name here, and true if the agency is new here.
  public var agencies: [(number: Int64, title: String, name: String, isNew: Bool)] = []
  /// The number of photos whose digest was found to be the app's own, and the number of those that
  /// brought a digest.
  public var digests = (held: 0, brought: 0)
  /// The number of photos that were examined afterwards, as those that phones send are.
  public var examined = 0
  /// True if the import only looked, and wrote nothing.
  public var isCheck: Bool

  init(isCheck: Bool) { self.isCheck = isCheck }

  /// True if something was left out that could not be carried over.
  public var hasLeftOut: Bool {
    counts.values.contains { $0.left > 0 } || remarks.contains { $0.key.outcome == .left }
  }
}

/// The progress of an import.
public struct CarryOverProgress: Hashable, Sendable {
  /// A step of an import.
  public enum Phase: String, Sendable {
    case reading, people, tasks, photos, tracks, parcels, checking
  }

  /// The step that is being done.
  public var phase: Phase
  /// The amount that is done: bytes while reading, rows otherwise.
  public var done: Int
  /// The whole amount; nil if it is not known.
  public var all: Int?
}
