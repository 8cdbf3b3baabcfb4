import Foundation
import Inspection
import Office
import Store

/// What there is to say of a row that was not carried over as it was. Codes are stable; `docs/problems.md` lists them.
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
  // Left out, as it should be.
  case superAdministrator = "super-administrator"
  case adminAgency = "admin-agency"
  case taskDeleted = "task-deleted"
  // Carried over, and not quite as it was.
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
  // Here already, and not as it is there.
  case taskDiffers = "task-differs"
  case photoDiffers = "photo-differs"
  case photoTwice = "photo-twice"
  case userDiffers = "user-differs"
  case parcelDiffers = "parcel-differs"

  /// What became of the row.
  public enum Outcome: String, Sendable, CaseIterable {
    /// It was not carried over, and somebody may want to do something about it.
    case left
    /// It was not carried over, and that is as it should be.
    case passed
    /// It was carried over, with a change.
    case changed
    /// It was here already, and stays as it is here.
    case stays
  }

  /// What became of the row.
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

  /// What to do about it.
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

/// One line of the report: what became of one row of the older database.
public struct CarryOverLine: Hashable, Sendable {
  /// The row's table.
  public var table: String
  /// Its number there; nil where the line is about the whole table.
  public var number: Int64?
  /// Which case it is.
  public var remark: CarryOverRemark
  /// What it is about, in words.
  public var what: String
  /// Why.
  public var why: String
  /// What to do.
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

/// How many of one kind there were, and what became of them.
public struct CarryOverCount: Hashable, Sendable {
  /// Rows of the older database.
  public var rows = 0
  /// Carried over now.
  public var carried = 0
  /// Here already.
  public var here = 0
  /// Deleted there.
  public var deleted = 0
  /// Left out, as it should be.
  public var passed = 0
  /// Left out for another reason.
  public var left = 0

  /// None yet.
  public init() {}
}

/// What is carried over.
public enum CarryOverPart: String, CaseIterable, Sendable {
  case agencies, users, tasks, photos, tracks, parcels
}

/// What an import of an older office's database has done, or would do.
public struct CarryOverSummary: Sendable {
  /// What became of each kind.
  public var counts: [CarryOverPart: CarryOverCount] = [:]
  /// How many lines of the report there are of each case.
  public var remarks: [CarryOverRemark: Int] = [:]
  /// The agencies: what each is called there, its name here, and whether it is a new one.
  public var agencies: [(number: Int64, title: String, name: String, isNew: Bool)] = []
  /// Photos whose digest was found to be the app's own, and how many brought one.
  public var digests = (held: 0, brought: 0)
  /// How many photos were looked at afterwards, as those that phones send are.
  public var examined = 0
  /// Whether it was only looked at, and nothing was written.
  public var isCheck: Bool

  init(isCheck: Bool) { self.isCheck = isCheck }

  /// Whether something was left out that could not be carried over.
  public var hasLeftOut: Bool {
    counts.values.contains { $0.left > 0 } || remarks.contains { $0.key.outcome == .left }
  }
}

/// How far an import is.
public struct CarryOverProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: String, Sendable {
    case reading, people, tasks, photos, tracks, parcels, checking
  }

  /// What is being done.
  public var phase: Phase
  /// How much of it is done: bytes while reading, rows else.
  public var done: Int
  /// Of how much; nil where nobody knows.
  public var all: Int?
}
