import Evidence
import Inspection
import PDFWriting
import Positioning
import TimeAndText

/// The content of the PDF of one task.
public struct Dossier {
  /// A check that was made of a photo, with its result.
  public struct Check: Hashable, Sendable {
    /// The name of the check.
    public var name: String
    /// The result in words, with its number and unit.
    public var value: String
    /// True if the result speaks for the photo, false if against it; nil if it cannot be told.
    public var isGood: Bool?

    /// Creates a check with its result.
    public init(name: String, value: String, isGood: Bool?) {
      self.name = name
      self.value = value
      self.isGood = isGood
    }
  }

  /// A file that is embedded in the document.
  public typealias Attachment = PDFAttachment

  /// A photo with the verifier's results.
  public struct PhotoPart {
    /// The photo with its claims.
    public var photo: Photo
    /// Reads the photo's stored file; called once for each photo, one photo after the other.
    public var jpeg: () throws -> [UInt8]
    /// The verifier's verdict; nil if the photo was not verified.
    public var verdict: EvidenceVerdict?
    /// The verifier's findings.
    public var findings: [Finding]
    /// The checks that officers are shown.
    public var checks: [Check]
    /// Reads the photo's seal file, as the bundle contains it; nil if there is no record. Called
    /// when the photo's volume is written, which attaches the file and shows the reception from its
    /// record.
    public var record: (() throws -> SealFile)?
    /// The photo's suitability as a basis for a decision; nil if nobody has examined it.
    public var suitability: Suitability?
    /// The source of the receiver's data, according to the record; nil if the record does not say,
    /// or if there is none.
    public var receiverSource: String?
    /// The way by which the picture came to the device; nil if there is no record.
    public var cameraWay: CameraWay?
    /// Between which of the office's times it was sealed, in words; nil if that is not known.
    public var sealedBetween: String?
    /// The photo point that the photo repeats; nil if it repeats none.
    public var repetition: Repetition?

    /// Creates a part of a dossier for one photo.
    public init(
      photo: Photo, jpeg: @escaping () throws -> [UInt8], verdict: EvidenceVerdict?,
      findings: [Finding], checks: [Check], record: (() throws -> SealFile)? = nil,
      suitability: Suitability? = nil
    ) {
      (self.photo, self.jpeg, self.verdict, self.findings) = (photo, jpeg, verdict, findings)
      (self.checks, self.record, self.suitability) = (checks, record, suitability)
    }
  }

  /// The task with its history.
  public var task: InspectionTask
  /// The agency's name for people.
  public var agencyTitle: String
  /// The inspector's full name; nil if only the login is known.
  public var inspectorName: String?
  /// The full names of the people who did something with the task, by their logins.
  public var names: [String: String] = [:]
  /// The language of the document's words.
  public var language = DocumentLanguage.english
  /// The task's photos, in the order of their numbers.
  public var photos: [PhotoPart]
  /// The task's tracks.
  public var tracks: [Track]
  /// True if everything is a demonstration; every page then says so.
  public var isDemonstration: Bool
  /// The time at which the document is made.
  public var made: DeviceTime
  /// The name and version of the program that makes the document.
  public var software: String
  /// The SHA-256 of the office's certification authority; nil if there is none.
  public var authorityFingerprint: String?
  /// The files of the task's evidence with their digests; nil if they are not known.
  public var evidence: EvidenceList?
  /// Further files of the task's evidence: records of notes, transitions and tracks.
  public var attachments: [Attachment]
  /// The composites of photos of the task: pages of their own, and no evidence.
  public var composites: [CompositePart] = []
  /// The task's sets of pictures, each on a page of its own.
  public var sets: [SetPart] = []
  /// The items of the order with all that was given for them; nil if the order asks for none.
  public var items: ExportedItems?
  /// The map beneath the sketch maps; nil if there is none.
  public var baseMap: BaseMap?

  /// Creates a dossier.
  public init(
    task: InspectionTask, agencyTitle: String, inspectorName: String?, photos: [PhotoPart],
    tracks: [Track], isDemonstration: Bool, made: DeviceTime, software: String,
    authorityFingerprint: String?, evidence: EvidenceList? = nil, attachments: [Attachment] = [],
    baseMap: BaseMap? = nil
  ) {
    (self.task, self.agencyTitle, self.inspectorName) = (task, agencyTitle, inspectorName)
    (self.photos, self.tracks, self.isDemonstration) = (photos, tracks, isDemonstration)
    (self.made, self.software, self.baseMap) = (made, software, baseMap)
    (self.authorityFingerprint, self.evidence) = (authorityFingerprint, evidence)
    self.attachments = attachments
  }
}
