import Evidence
import Imports
import Inspection
import MapLayers
import Store
import Sync
import TimeAndText
import Web

/// The reasons for which the office refuses a request. Codes are stable; `docs/problems.md` lists
/// them.
public enum OfficeProblem: String, CaseIterable, Sendable {
  /// Login or password is wrong, or the person is disabled.
  case signInRefused = "sign-in-refused"
  /// The one-time code is unknown, was used or has ended.
  case invitationRefused = "invitation-refused"
  /// Too many wrong passwords were tried: the next try has to wait.
  case signInWait = "sign-in-wait"
  /// The request belongs to no session.
  case sessionMissing = "session-missing"
  /// The session has ended.
  case sessionExpired = "session-expired"
  /// A device that is not signed in tries to renew its session.
  case signInNeeded = "sign-in-needed"
  /// An administrator has disabled the login.
  case accountDisabled = "account-disabled"
  /// A device signed a challenge that is too old, or another office's.
  case challengeStale = "challenge-stale"
  /// The device asks too often.
  case tooManyRequests = "too-many-requests"
  /// The request is for another role.
  case roleForbidden = "role-forbidden"
  /// The thing does not exist in the agency.
  case unknown = "unknown"
  /// The task has changed since the officer saw it.
  case taskChanged = "task-changed"
  /// The policy has changed since its page was opened.
  case policyChanged = "policy-changed"
  /// The thing has another version than `If-Match` names.
  case preconditionFailed = "precondition-failed"
  /// A program changes an order or a policy without `If-Match`.
  case preconditionMissing = "precondition-missing"
  /// A rule of the tasks forbids it.
  case ruleForbids = "rule-forbids"
  /// An entry is missing or wrong.
  case inputInvalid = "input-invalid"
  /// A program's file of tasks or parcels has faults.
  case importFaulty = "import-faulty"
  /// The login or the agency's name is taken.
  case loginTaken = "login-taken"
  /// The device's proof that it holds its key does not hold.
  case enrolmentMalformed = "enrolment-malformed"
  /// The device's key was enrolled for another person.
  case keyElsewhere = "key-elsewhere"
  /// The key that sealed the delivery is not enrolled for this inspector.
  case keyNotEnrolled = "key-not-enrolled"
  /// The device was revoked.
  case keyRevoked = "key-revoked"
  /// The batch is damaged, or written in another way.
  case batchMalformed = "batch-malformed"
  /// Another batch was received under the same identifier.
  case batchChanged = "batch-changed"
  /// The batch holds another inspector's records.
  case recordsOfAnother = "records-of-another"
  /// The received bytes are not those that were announced.
  case fileMismatch = "file-mismatch"
  /// A file is larger than allowed.
  case fileTooLarge = "file-too-large"
  /// The requested part of a base map is larger than allowed.
  case extractTooLarge = "extract-too-large"
  /// A map service, whose pictures the office shows, cannot be used.
  case mapUnavailable = "map-unavailable"
  /// Too many files of the device wait for their batch.
  case tooManyUploads = "too-many-uploads"
  /// Another request is receiving the same file.
  case uploadBusy = "upload-busy"
  /// The chunk does not begin where the received bytes end.
  case uploadOffset = "upload-offset"
  /// The chunk was changed on its way.
  case uploadChecksum = "upload-checksum"
  /// The message was changed on its way.
  case digestDiffers = "digest-differs"
  /// Office and field unit speak different versions.
  case messageVersion = "message-version"
  /// The document cannot be made.
  case exportImpossible = "export-impossible"
  /// The database or the files cannot be used.
  case storeUnavailable = "store-unavailable"
  /// The disk has less free than its reserve.
  case diskLow = "disk-low"
  /// The agency's quota is used up.
  case quotaFull = "quota-full"
  /// The certification authority does not sign now: its token is not there.
  case authorityUnavailable = "authority-unavailable"
  /// The TPM has not shown that it has the device's key.
  case attestationRefused = "attestation-refused"
  /// The office cannot take deliveries now.
  case notReady = "not-ready"
  /// The token for reading the figures is missing or wrong.
  case tokenMissing = "token-missing"

  /// The HTTP status of the answer.
  public var status: Int {
    switch self {
    case .signInRefused, .invitationRefused, .sessionMissing, .sessionExpired, .signInNeeded,
      .challengeStale,
      .tokenMissing:
      401
    case .signInWait, .tooManyRequests, .tooManyUploads: 429
    case .roleForbidden, .accountDisabled, .keyNotEnrolled, .keyRevoked, .recordsOfAnother: 403
    case .unknown: 404
    case .taskChanged, .policyChanged, .loginTaken, .keyElsewhere, .batchChanged,
      .uploadOffset:
      409
    case .ruleForbids, .fileMismatch, .importFaulty, .extractTooLarge, .attestationRefused: 422
    case .inputInvalid, .enrolmentMalformed, .batchMalformed, .messageVersion,
      .digestDiffers:
      400
    case .preconditionFailed: 412
    case .fileTooLarge: 413
    case .uploadBusy: 423
    case .mapUnavailable: 502
    case .preconditionMissing: 428
    // HTTP has no status for this; the number is that of the tus protocol.
    case .uploadChecksum: 460
    // 503 and not 507: field units of all versions come back after a 503, when Retry-After says.
    case .exportImpossible, .storeUnavailable, .diskLow, .quotaFull, .notReady,
      .authorityUnavailable:
      503
    }
  }

  /// The heading of the problem.
  public var title: String {
    switch self {
    case .signInRefused: "Login or password is wrong"
    case .invitationRefused: "This code does not sign in"
    case .signInWait: "Too many attempts"
    case .sessionMissing: "Not signed in"
    case .sessionExpired: "The session has ended"
    case .signInNeeded: "Sign in with the password"
    case .accountDisabled: "This login is disabled"
    case .challengeStale: "The challenge is too old"
    case .tooManyRequests: "Too many requests"
    case .roleForbidden: "You don't have permission"
    case .unknown: "Not found"
    case .taskChanged: "The task has changed in the meantime"
    case .policyChanged: "The policy has changed in the meantime"
    case .preconditionFailed: "It has changed in the meantime"
    case .preconditionMissing: "The version that you saw is not given"
    case .ruleForbids: "Not possible"
    case .inputInvalid: "Something is missing or wrong"
    case .importFaulty: "The file was not imported"
    case .loginTaken: "This login is taken"
    case .enrolmentMalformed: "The device's request is not valid"
    case .keyElsewhere: "The device's key belongs to somebody else"
    case .keyNotEnrolled: "The device is not enrolled"
    case .keyRevoked: "The device was revoked"
    case .batchMalformed: "The delivery is not valid"
    case .batchChanged: "The delivery has changed"
    case .recordsOfAnother: "The delivery contains another inspector's records"
    case .fileMismatch: "The file is not the one that was announced"
    case .fileTooLarge: "The file is too large"
    case .extractTooLarge: "This part of the map is too large"
    case .mapUnavailable: "The map service cannot be used"
    case .tooManyUploads: "Too many open uploads"
    case .uploadBusy: "The file is being received"
    case .uploadOffset: "The upload continues at another place"
    case .uploadChecksum: "The chunk was changed on its way"
    case .digestDiffers: "The message was changed on its way"
    case .messageVersion: "The programs have different versions"
    case .exportImpossible: "The document cannot be made"
    case .storeUnavailable: "The office cannot use its storage"
    case .diskLow: "The office's disk is nearly full"
    case .quotaFull: "The agency's storage is full"
    case .authorityUnavailable: "The office cannot certify devices right now"
    case .attestationRefused: "The TPM has not shown that it has the key"
    case .notReady: "The office cannot work right now"
    case .tokenMissing: "You need a token"
    }
  }
}

/// A problem with the words for one case.
public struct OfficeRefusal: Error, Hashable, Sendable, Worded, ProblemConvertible {
  /// The problem.
  public var kind: OfficeProblem
  /// The message for people: what happened, and what to do next.
  public var wording: Wording
  /// The seconds after which to try again; nil if that would not help.
  public var retrySeconds: Int?

  /// Creates a refusal.
  public init(_ kind: OfficeProblem, _ wording: Wording, retrySeconds: Int? = nil) {
    self.kind = kind
    self.wording = wording
    self.retrySeconds = retrySeconds
  }

  /// The message in English, for programs and terminals.
  public var detail: String { wording.description }

  /// The refusal as an answer, with words in the language of the request as well.
  public var problem: Problem {
    var problem = Problem(
      status: kind.status, code: kind.rawValue, title: kind.title, detail: detail,
      shown: Texts.current(wording))
    problem.retrySeconds = retrySeconds
    return problem
  }

  /// Creates a refusal from an error of the modules beneath; nil for an unexpected error.
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
    case let error as MapServiceError:
      if case .malformedAddress = error {
        self.init(.inputInvalid, "\(error)")
      } else {
        self.init(.mapUnavailable, "\(error)")
      }
    case let error as MapLayerError:
      if case .unknown = error {
        self.init(.unknown, "\(error)")
      } else {
        self.init(.inputInvalid, "\(error)")
      }
    case let error as EvidenceError: self.init(.batchMalformed, "\(error)")
    default: return nil
    }
  }
}
