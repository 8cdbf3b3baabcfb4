import Evidence
import Inspection
import Positioning

/// A photo as the office holds it, with what its checks said when it was looked at, soon after it came.
public struct ReceivedPhoto: Hashable, Sendable {
  /// The photo.
  public var photo: Photo
  /// What the verifier said on arrival; nil as long as the office has not looked at it: a receipt is for
  /// bytes that are held, and does not wait for that.
  public var verdict: EvidenceVerdict?
  /// What it noticed; as long as there is no verdict, what the place in its chain says alone.
  public var findings: [Finding]
  /// The order's revision under which it was taken; nil when its record does not say.
  public var revision: Int?
  /// SHA-256 of the picture's image data.
  public var imageDigest: String?
  /// Why its bytes were deleted before they were sent; nil for a photo that is whole.
  public var deletedReason: String?
  /// When that was, by the device's clock; nil for a photo that is whole.
  public var deleted: DeviceTime?
  /// What the office checked, each with its numbers; empty for what an older version received, and as
  /// long as there is no verdict.
  public var checks: [PhotoCheck]
  /// When an officer gave it to its task, which its record does not name; nil for one that was taken for
  /// its task, or has none.
  public var assigned: DeviceTime?
  /// When an officer has hidden it; nil while it is shown.
  public var hidden: DeviceTime?
  /// The task that its record names, where the office had decided upon that one before the photo came; nil otherwise.
  public var lateTask: Identifier?

  /// A photo from its parts.
  public init(
    photo: Photo, verdict: EvidenceVerdict?, findings: [Finding], revision: Int?,
    imageDigest: String?, deletedReason: String? = nil, deleted: DeviceTime? = nil,
    checks: [PhotoCheck] = [], assigned: DeviceTime? = nil, hidden: DeviceTime? = nil,
    lateTask: Identifier? = nil
  ) {
    self.lateTask = lateTask
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

/// How many whole photos a task has, and what was found of them.
public struct PhotoCount: Hashable, Sendable {
  /// All of them.
  public var photos: Int
  /// Those that are still being checked.
  public var unchecked: Int
  /// Those that a check contradicts, or whose evidence does not hold.
  public var contradicted: Int

  /// Whether a task may be accepted together with others, without a look of its own: there are photos,
  /// all of them are checked, and nothing contradicts one.
  public var isClean: Bool { photos > 0 && unchecked == 0 && contradicted == 0 }

  /// Counts.
  public init(photos: Int = 0, unchecked: Int = 0, contradicted: Int = 0) {
    self.photos = photos
    self.unchecked = unchecked
    self.contradicted = contradicted
  }
}

/// A link as the office keeps it, bare or with its record.
public struct ReceivedLink: Hashable, Sendable {
  /// The signature over the link.
  public var seal: Seal
  /// What is claimed, with its seal; nil for a bare link.
  public var file: SealFile?

  /// A bare link.
  public init(bare seal: Seal) { self.seal = seal }

  /// A link with its record.
  public init(_ file: SealFile) { (seal, self.file) = (file.seal, file) }
}

/// How far the order of a device's clock was followed along its chain.
public struct ChainClock: Hashable, Sendable {
  /// The last place that was looked at.
  public var sequence: Int
  /// What the clock was there.
  public var order: ClockOrder

  /// A place and its clock.
  public init(sequence: Int, order: ClockOrder) {
    self.sequence = sequence
    self.order = order
  }
}

/// A device that may deliver for an inspector.
public struct EnrolledDevice: Hashable, Sendable {
  /// Thumbprint of its key.
  public var key: String
  /// Login of its inspector.
  public var inspector: String
  /// Its identifier.
  public var device: String
  /// Its certificate, PEM.
  public var certificate: String
  /// The program that it last signed in with.
  public var software: String?
  /// When it was enrolled.
  public var enrolled: DeviceTime
  /// Why it may no longer deliver; nil while it may.
  public var revokedReason: String?
  /// Since when; nil while it may.
  public var revoked: DeviceTime?
  /// When its inspector has signed out there; nil while signed in.
  public var signedOut: DeviceTime?

  /// A device from its parts.
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

/// A transition that came with a delivery and could not be made, because the task was changed at the
/// office meanwhile. It is kept and shown.
public struct TransitionConflict: Hashable, Sendable {
  /// What the device did.
  public var transition: TaskTransition
  /// Why it did not count.
  public var reason: Wording
  /// The same in English.
  public var words: String { reason.description }

  /// A conflict from its parts.
  public init(transition: TaskTransition, reason: Wording) {
    self.transition = transition
    self.reason = reason
  }
}
