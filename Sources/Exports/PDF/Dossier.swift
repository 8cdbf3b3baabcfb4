import Evidence
import Inspection
import Positioning

/// What a PDF says of one task.
public struct Dossier {
  /// One check that was made of a photo, with its number.
  public struct Check: Hashable, Sendable {
    /// What was checked.
    public var name: String
    /// What came out, with its number and unit.
    public var value: String
    /// Whether it speaks for the photo; nil where it cannot be told.
    public var isGood: Bool?

    /// A check with its result.
    public init(name: String, value: String, isGood: Bool?) {
      self.name = name
      self.value = value
      self.isGood = isGood
    }
  }

  /// A photo with what the verifier said of it.
  public struct PhotoPart {
    /// The photo's claims.
    public var photo: Photo
    /// Reads the stored file; asked once, and for one photo after the other.
    public var jpeg: () throws -> [UInt8]
    /// The verifier's verdict; nil where the photo was not verified.
    public var verdict: EvidenceVerdict?
    /// What the verifier noticed.
    public var findings: [Finding]
    /// The checks that officers are shown.
    public var checks: [Check]
    /// The sealed record, as the bundle holds it, and how the receiver did according to it; nil where there is
    /// none. It is read when its volume is written.
    public var record: (() throws -> SealFile)?
    /// Whether it is fit to decide upon; nil where nobody has looked.
    public var suitability: Suitability?
    /// Where the receiver's data came from, by its record; nil when that does not say, or there is none.
    public var receiverSource: String?
    /// How the picture came to the device; nil where there is no record.
    public var cameraWay: CameraWay?

    /// A photo from its parts.
    public init(
      photo: Photo, jpeg: @escaping () throws -> [UInt8], verdict: EvidenceVerdict?,
      findings: [Finding], checks: [Check], record: (() throws -> SealFile)? = nil,
      suitability: Suitability? = nil
    ) {
      self.suitability = suitability
      self.photo = photo
      self.jpeg = jpeg
      self.verdict = verdict
      self.findings = findings
      self.checks = checks
      self.record = record
    }
  }

  /// The task with its history.
  public var task: InspectionTask
  /// The agency's name for people.
  public var agencyTitle: String
  /// The inspector's full name; nil where only the login is known.
  public var inspectorName: String?
  /// Its photos, in the order of their numbers.
  public var photos: [PhotoPart]
  /// Its tracks.
  public var tracks: [Track]
  /// Whether all of it is a demonstration; every page then says so.
  public var isDemonstration: Bool
  /// When the document is made.
  public var made: DeviceTime
  /// Which program makes it, with its version.
  public var software: String
  /// SHA-256 of the office's certification authority; nil where there is none.
  public var authorityFingerprint: String?
  /// All files of the task's evidence with their digests; nil where they are not known.
  public var evidence: EvidenceList?
  /// Further files that belong to it: records of notes, steps and tracks.
  public var attachments: [Attachment]
  /// What lies beneath the maps; nil where there is none.
  public var baseMap: BaseMap?

  /// A dossier from its parts.
  public init(
    task: InspectionTask, agencyTitle: String, inspectorName: String?, photos: [PhotoPart],
    tracks: [Track], isDemonstration: Bool, made: DeviceTime, software: String,
    authorityFingerprint: String?, evidence: EvidenceList? = nil, attachments: [Attachment] = [],
    baseMap: BaseMap? = nil
  ) {
    self.task = task
    self.agencyTitle = agencyTitle
    self.inspectorName = inspectorName
    self.photos = photos
    self.tracks = tracks
    self.isDemonstration = isDemonstration
    self.made = made
    self.software = software
    self.authorityFingerprint = authorityFingerprint
    self.evidence = evidence
    self.attachments = attachments
    self.baseMap = baseMap
  }
}
