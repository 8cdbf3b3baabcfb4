import Inspection
import TimeAndText

/// The content of the PDF of one photo.
public struct PhotoDossier {
  /// The photo with the results of the verifier and the checks.
  public var part: Dossier.PhotoPart
  /// The agency's name for people.
  public var agencyTitle: String
  /// The inspector's full name; nil if only the login is known.
  public var inspectorName: String?
  /// The language of the document's words.
  public var language = DocumentLanguage.english
  /// The name of the task that it belongs to; nil for a photo without one.
  public var taskName: String?
  /// The time at which an officer hid the photo; nil while it is shown. The document says so.
  public var hidden: DeviceTime?
  /// The reason why the photo's bytes were deleted before they were sent; nil for a photo that is
  /// whole.
  public var deletedReason: String?
  /// True if everything is a demonstration; every page then says so.
  public var isDemonstration: Bool
  /// The time at which the document is made.
  public var made: DeviceTime
  /// The name and version of the program that makes the document.
  public var software: String
  /// The SHA-256 of the office's certification authority; nil if there is none.
  public var authorityFingerprint: String?
  /// The map beneath the sketch map; nil if there is none.
  public var baseMap: Dossier.BaseMap?

  /// Creates a dossier of one photo.
  public init(
    part: Dossier.PhotoPart, agencyTitle: String, inspectorName: String?, taskName: String? = nil,
    hidden: DeviceTime? = nil, deletedReason: String? = nil, isDemonstration: Bool,
    made: DeviceTime, software: String, authorityFingerprint: String?,
    baseMap: Dossier.BaseMap? = nil
  ) {
    (self.part, self.agencyTitle, self.inspectorName) = (part, agencyTitle, inspectorName)
    (self.taskName, self.hidden, self.deletedReason) = (taskName, hidden, deletedReason)
    (self.isDemonstration, self.made, self.software) = (isDemonstration, made, software)
    (self.authorityFingerprint, self.baseMap) = (authorityFingerprint, baseMap)
  }
}
