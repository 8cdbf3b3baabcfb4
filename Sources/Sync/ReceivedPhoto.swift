import Evidence
import Inspection
import Positioning
import TimeAndText

/// A photo as the office holds it, with the results of its examination soon after it arrived.
public struct ReceivedPhoto: Hashable, Sendable {
  /// The photo.
  public var photo: Photo
  /// The verifier's verdict on arrival; nil until the office has examined the photo. A receipt
  /// confirms that the bytes are held, and does not wait for the verdict.
  public var verdict: EvidenceVerdict?
  /// The verifier's findings; until there is a verdict, only those about the photo's place in its
  /// chain.
  public var findings: [Finding]
  /// The revision of the order under which the photo was taken; nil if its record does not say.
  public var revision: Int?
  /// The SHA-256 of the picture's image data; nil if it is not known.
  public var imageDigest: String?
  /// The reason for which its bytes were deleted before they were sent; nil for a whole photo.
  public var deletedReason: String?
  /// The time of that deletion, by the device's clock; nil for a whole photo.
  public var deleted: DeviceTime?
  /// The office's checks, each with its numbers; empty until there is a verdict, and for a photo
  /// that an older version received.
  public var checks: [PhotoCheck]
  /// The time at which an officer assigned the photo to its task, which its record does not name;
  /// nil if the photo was taken for its task, or has none.
  public var assigned: DeviceTime?
  /// The time at which an officer hid the photo; nil while it is shown.
  public var hidden: DeviceTime?
  /// The task that its record names, if the office had decided on that task before the photo came;
  /// nil otherwise.
  public var lateTask: Identifier?
  /// The item to which an officer moved the photo, whose record names none; nil if none did.
  public var officeItem: ItemName?

  /// The item for which the photo counts: the one that its record names, or else the one to which an
  /// officer moved it; nil leaves it to the first open shot.
  public var item: ItemName? { photo.item ?? officeItem }

  /// Creates a received photo.
  public init(
    photo: Photo, verdict: EvidenceVerdict?, findings: [Finding], revision: Int?,
    imageDigest: String?, deletedReason: String? = nil, deleted: DeviceTime? = nil,
    checks: [PhotoCheck] = [], assigned: DeviceTime? = nil, hidden: DeviceTime? = nil,
    lateTask: Identifier? = nil, officeItem: ItemName? = nil
  ) {
    self.lateTask = lateTask
    self.officeItem = officeItem
    self.assigned = assigned
    self.hidden = hidden
    self.photo = photo
    self.verdict = verdict
    self.findings = findings
    self.revision = revision
    self.imageDigest = imageDigest
    self.deletedReason = deletedReason
    self.deleted = deleted
    self.checks = checks
  }
}

/// The number of a task's whole photos, and the results of their examination.
public struct PhotoCount: Hashable, Sendable {
  /// The number of all whole photos.
  public var photos: Int
  /// The number of photos that are still being checked.
  public var unchecked: Int
  /// The number of photos that a check contradicts, or whose evidence does not hold.
  public var contradicted: Int
  /// The oldest whole photo, by its identifier; nil if there is none.
  public var first: Identifier?

  /// True if the task may be accepted together with others, without a look at it alone: it has
  /// photos, all are checked, and nothing contradicts any of them.
  public var isClean: Bool { photos > 0 && unchecked == 0 && contradicted == 0 }

  /// Creates the counts.
  public init(
    photos: Int = 0, unchecked: Int = 0, contradicted: Int = 0, first: Identifier? = nil
  ) {
    self.photos = photos
    self.unchecked = unchecked
    self.contradicted = contradicted
    self.first = first
  }
}

/// A link as the office keeps it, bare or with its record.
public struct ReceivedLink: Hashable, Sendable {
  /// The seal: the signature over the link.
  public var seal: Seal
  /// The record with its seal; nil for a bare link.
  public var file: SealFile?

  /// Creates a bare link.
  public init(bare seal: Seal) { self.seal = seal }

  /// Creates a link with its record.
  public init(_ file: SealFile) { (seal, self.file) = (file.seal, file) }
}

/// The state of the check that follows the order of a device's clock along its chain.
public struct ChainClock: Hashable, Sendable {
  /// The last place that was checked.
  public var sequence: Int
  /// The state of the clock at that place.
  public var order: ClockOrder

  /// Creates the state at a place.
  public init(sequence: Int, order: ClockOrder) {
    self.sequence = sequence
    self.order = order
  }
}

/// A device that may deliver for an inspector.
public struct EnrolledDevice: Hashable, Sendable {
  /// The thumbprint of the device's key.
  public var key: String
  /// The login of its inspector.
  public var inspector: String
  /// The identifier of the device.
  public var device: String
  /// The certificate of its key, PEM; behind it those by earlier authorities of the office.
  public var certificate: String
  /// The name and version of the program with which it last signed in; nil if unknown.
  public var software: String?
  /// The time of its enrolment.
  public var enrolled: DeviceTime
  /// The reason for which it may no longer deliver; nil while it may.
  public var revokedReason: String?
  /// The time from which it may no longer deliver; nil while it may.
  public var revoked: DeviceTime?
  /// The time at which its inspector signed out on it; nil while signed in.
  public var signedOut: DeviceTime?

  /// Creates a device.
  public init(
    key: String, inspector: String, device: String, certificate: String, software: String?,
    enrolled: DeviceTime, revokedReason: String? = nil, revoked: DeviceTime? = nil,
    signedOut: DeviceTime? = nil
  ) {
    self.key = key
    self.inspector = inspector
    self.device = device
    self.certificate = certificate
    self.software = software
    self.enrolled = enrolled
    self.revokedReason = revokedReason
    self.revoked = revoked
    self.signedOut = signedOut
  }
}

/// A transition that was delivered but could not be made, because the office had changed the task
/// in the meantime. It is kept and shown.
public struct TransitionConflict: Hashable, Sendable {
  /// The device's transition.
  public var transition: TaskTransition
  /// The reason for which it did not count.
  public var reason: Wording
  /// The reason in English.
  public var words: String { reason.description }

  /// Creates a conflict.
  public init(transition: TaskTransition, reason: Wording) {
    self.transition = transition
    self.reason = reason
  }
}
