import Evidence
import Imports
import Inspection
import Positioning
import Store
import Sync
import Web

/// What the office says no to. Codes are stable; `docs/problems.md` lists them.
public enum OfficeProblem: String, CaseIterable, Sendable {
  case signInRefused = "sign-in-refused"
  case signInWait = "sign-in-wait"
  case sessionMissing = "session-missing"
  case sessionExpired = "session-expired"
  case signInNeeded = "sign-in-needed"
  case accountDisabled = "account-disabled"
  case challengeStale = "challenge-stale"
  case tooManyRequests = "too-many-requests"
  case roleForbidden = "role-forbidden"
  case unknown = "unknown"
  case taskChanged = "task-changed"
  case policyChanged = "policy-changed"
  case preconditionFailed = "precondition-failed"
  case preconditionMissing = "precondition-missing"
  case ruleForbids = "rule-forbids"
  case inputInvalid = "input-invalid"
  case importFaulty = "import-faulty"
  case loginTaken = "login-taken"
  case enrolmentMalformed = "enrolment-malformed"
  case keyElsewhere = "key-elsewhere"
  case keyNotEnrolled = "key-not-enrolled"
  case keyRevoked = "key-revoked"
  case batchMalformed = "batch-malformed"
  case batchChanged = "batch-changed"
  case recordsOfAnother = "records-of-another"
  case fileMismatch = "file-mismatch"
  case fileTooLarge = "file-too-large"
  case extractTooLarge = "extract-too-large"
  case tooManyUploads = "too-many-uploads"
  case uploadBusy = "upload-busy"
  case uploadOffset = "upload-offset"
  case uploadChecksum = "upload-checksum"
  case digestDiffers = "digest-differs"
  case messageVersion = "message-version"
  case exportImpossible = "export-impossible"
  case storeUnavailable = "store-unavailable"
  case diskLow = "disk-low"
  case quotaFull = "quota-full"
  case notReady = "not-ready"
  case tokenMissing = "token-missing"

  /// HTTP's status.
  public var status: Int {
    switch self {
    case .signInRefused, .sessionMissing, .sessionExpired, .signInNeeded, .challengeStale,
      .tokenMissing:
      401
    case .signInWait, .tooManyRequests, .tooManyUploads: 429
    case .roleForbidden, .accountDisabled, .keyNotEnrolled, .keyRevoked, .recordsOfAnother: 403
    case .unknown: 404
    case .taskChanged, .policyChanged, .loginTaken, .keyElsewhere, .batchChanged,
      .uploadOffset:
      409
    case .ruleForbids, .fileMismatch, .importFaulty, .extractTooLarge: 422
    case .inputInvalid, .enrolmentMalformed, .batchMalformed, .messageVersion,
      .digestDiffers:
      400
    case .preconditionFailed: 412
    case .fileTooLarge: 413
    case .uploadBusy: 423
    case .preconditionMissing: 428
    // tus' own, which HTTP has no word for.
    case .uploadChecksum: 460
    // Not 507: whoever is told 503 comes back when Retry-After says, field units of all versions do.
    case .exportImpossible, .storeUnavailable, .diskLow, .quotaFull, .notReady: 503
    }
  }

  /// What it is about, for a heading.
  public var title: String {
    switch self {
    case .signInRefused: "Login or password is wrong"
    case .signInWait: "Too many tries"
    case .sessionMissing: "Not signed in"
    case .sessionExpired: "The session has ended"
    case .signInNeeded: "Sign in with the password"
    case .accountDisabled: "This login is disabled"
    case .challengeStale: "The challenge is too old"
    case .tooManyRequests: "Too many requests"
    case .roleForbidden: "Not yours to do"
    case .unknown: "Not found"
    case .taskChanged: "The task was changed meanwhile"
    case .policyChanged: "The policy was changed meanwhile"
    case .preconditionFailed: "It was changed meanwhile"
    case .preconditionMissing: "It must be said what was seen"
    case .ruleForbids: "Not possible"
    case .inputInvalid: "Something is missing or wrong"
    case .importFaulty: "The file was not taken"
    case .loginTaken: "This login is taken"
    case .enrolmentMalformed: "The device's request is not what it must be"
    case .keyElsewhere: "The device's key belongs to somebody else"
    case .keyNotEnrolled: "The device is not enrolled"
    case .keyRevoked: "The device was revoked"
    case .batchMalformed: "The delivery is not what it must be"
    case .batchChanged: "The delivery has changed"
    case .recordsOfAnother: "The delivery holds another inspector's records"
    case .fileMismatch: "The file is not the one that was announced"
    case .fileTooLarge: "The file is too large"
    case .extractTooLarge: "The part of the map is too large"
    case .tooManyUploads: "Too many open uploads"
    case .uploadBusy: "The file is being received"
    case .uploadOffset: "The file goes on elsewhere"
    case .uploadChecksum: "The chunk was changed on its way"
    case .digestDiffers: "The message was changed on its way"
    case .messageVersion: "The programs are of different versions"
    case .exportImpossible: "The document cannot be made"
    case .storeUnavailable: "The office cannot use its storage"
    case .diskLow: "The office's disk is nearly full"
    case .quotaFull: "The agency's room is used up"
    case .notReady: "The office cannot work just now"
    case .tokenMissing: "A token is needed"
    }
  }
}

/// A problem with the words for this case.
public struct OfficeRefusal: Error, Hashable, Sendable, Worded, ProblemConvertible {
  /// Which.
  public var kind: OfficeProblem
  /// What happened and what to do next, for people.
  public var wording: Wording
  /// In how many seconds to come back; nil where that would not help.
  public var retrySeconds: Int?

  /// A refusal from its parts.
  public init(_ kind: OfficeProblem, _ wording: Wording, retrySeconds: Int? = nil) {
    self.kind = kind
    self.wording = wording
    self.retrySeconds = retrySeconds
  }

  /// The same in English, as programs and terminals are told.
  public var detail: String { wording.description }

  /// The same as an answer.
  public var problem: Problem {
    var problem = Problem(
      status: kind.status, code: kind.rawValue, title: kind.title, detail: detail,
      shown: Texts.current(wording))
    problem.retrySeconds = retrySeconds
    return problem
  }

  /// What an error of the modules beneath means here; nil for what nobody expected.
  public init?(of error: any Error) {
    switch error {
    case let error as OfficeRefusal: self = error
    case let error as InspectionError: self.init(.ruleForbids, "\(error)")
    case let error as TaskFileError: self.init(.inputInvalid, "\(error)")
    case let error as StoreError:
      if case .unknown = error {
        self.init(.unknown, "\(error)")
      } else {
        self.init(.storeUnavailable, "\(error)")
      }
    case let error as SyncError:
      if case .unknownSchema = error {
        self.init(.messageVersion, "\(error)")
      } else {
        self.init(.batchMalformed, "\(error)")
      }
    case let error as EvidenceError: self.init(.batchMalformed, "\(error)")
    default: return nil
    }
  }
}
