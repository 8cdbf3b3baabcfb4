import Inspection
import Positioning

/// What a PDF says of one photo that belongs to no task.
public struct PhotoDossier {
  /// The photo with what the verifier and the checks said of it.
  public var part: Dossier.PhotoPart
  /// The agency's name for people.
  public var agencyTitle: String
  /// The inspector's full name; nil where only the login is known.
  public var inspectorName: String?
  /// The name of the task that it belongs to; nil for a photo without one.
  public var taskName: String?
  /// When an officer has hidden it; nil while it is shown. The document says so.
  public var hidden: DeviceTime?
  /// Why its bytes were deleted before they were sent; nil for a photo that is whole.
  public var deletedReason: String?
  /// Whether all of it is a demonstration; every page then says so.
  public var isDemonstration: Bool
  /// When the document is made.
  public var made: DeviceTime
  /// Which program makes it, with its version.
  public var software: String
  /// SHA-256 of the office's certification authority; nil where there is none.
  public var authorityFingerprint: String?
  /// What lies beneath the map; nil where there is none.
  public var baseMap: Dossier.BaseMap?

  /// A dossier from its parts.
  public init(
    part: Dossier.PhotoPart, agencyTitle: String, inspectorName: String?, taskName: String? = nil,
    hidden: DeviceTime? = nil, deletedReason: String? = nil, isDemonstration: Bool,
    made: DeviceTime, software: String, authorityFingerprint: String?,
    baseMap: Dossier.BaseMap? = nil
  ) {
    self.part = part
    self.agencyTitle = agencyTitle
    self.inspectorName = inspectorName
    self.taskName = taskName
    self.hidden = hidden
    self.deletedReason = deletedReason
    self.isDemonstration = isDemonstration
    self.made = made
    self.software = software
    self.authorityFingerprint = authorityFingerprint
    self.baseMap = baseMap
  }
}
