import Evidence
import Inspection
import Positioning
import TimeAndText

/// All words on the pages that are not data: a translation changes this enumeration and its
/// extensions alone.
enum PDFWords {
  /// The language's tag (RFC 5646), for readers that read aloud.
  static let language = "en"

  // MARK: every page

  static let kind = "Task dossier"
  static let demonstration = "Demonstration"
  static let demonstrationMeans = "made with a simulated receiver or data; evidence of nothing"
  static func page(_ number: Int, of count: Int) -> String { "Page \(number) of \(count)" }
  static func madeBy(_ software: String, at time: DeviceTime) -> String {
    "Made by \(software) on \(seconds(time))"
  }

  // MARK: the task

  static let task = "Task"
  static let identifier = "Identifier"
  static let type = "Type"
  static let inspector = "Inspector"
  static let agency = "Agency"
  static let revision = "Revision"
  static let created = "Created"
  static let due = "Due"
  static let overdue = "overdue when this was made"
  static let parcel = "Parcel"
  static let area = "Area"
  static let contents = "Photos, tracks"
  static let instructions = "Instructions"
  static let note = "Note"
  static let returnReason = "Returned because"
  static let none = "none"
  static let notKnown = "not known"
  static let continued = "(continued)"

  static let history = "Decision history"
  static let historyEmpty = "Nothing has happened to this task since it was created."
  static let historyColumns = ["Time (UTC)", "Step", "By", "Reason"]
  static func person(_ person: Person) -> String { "\(person.login) (\(role(person.role)))" }
  static func step(_ transition: TaskTransition) -> String {
    "\(transition.from.fileTitle) → \(transition.to.fileTitle)"
  }
  private static func role(_ role: Role) -> String {
    switch role {
    case .inspector: "inspector"
    case .officer: "officer"
    case .administrator: "administrator"
    case .superAdministrator: "super-administrator"
    }
  }

  // MARK: the lists

  static let photos = "Photos"
  static let photosNone = "This task has no photo."
  static let photosColumns = ["No.", "GNSS time", "± m (95 %)", "Origin", "Verdict"]
  static let tracks = "Tracks"
  static let tracksColumns = ["No.", "Name", "Started (UTC)", "Points", "Length", "Area"]
  static let simulatedShort = "simulated"

  // MARK: the map

  static let map = "Sketch map"
  static let north = "N"
  static func mapParcel(_ identifier: String) -> String { "parcel \(identifier)" }
  static let mapPhoto = "photo, its circle holds the true place with 95 %"
  static let mapView = "field of view; its length means nothing"
  static let mapTrack = "track"
  static let mapGraticule = "meridians and parallels"
  static func mapBase(_ title: String, _ attribution: String?) -> String {
    "Base map: \(title)\(attribution.map { ", \($0)" } ?? "")."
  }
  static func mapBaseEmpty(_ title: String) -> String {
    "The base map \"\(title)\" has nothing here that can be drawn."
  }
  static func mapCentre(_ latitude: String, _ longitude: String) -> String {
    "Middle of the map \(latitude), \(longitude) (WGS 84); metres on the ground, true north up."
  }
  static func mapNoCircle(_ numbers: [Int]) -> String {
    "No circle, as the uncertainty is not known or wider than the map: \(photos(numbers))."
  }
  static func mapNoView(_ numbers: [Int]) -> String {
    "No field of view, as the direction is not known: \(photos(numbers))."
  }
  private static func photos(_ numbers: [Int]) -> String {
    (numbers.count == 1 ? "photo " : "photos ")
      + numbers.map { "\($0)" }.joined(separator: ", ")
  }
  static func mapFar(_ number: Int, _ distance: String, _ bearing: String) -> String {
    "Photo \(number) lies outside this map: \(distance) from its middle, towards \(bearing)."
  }
  static func mapTrackCut(_ number: Int) -> String { "Track T\(number) leaves this map." }

  // MARK: a photo

  static func photo(_ number: Int, of count: Int) -> String { "Photo \(number) of \(count)" }
  static func bookmark(_ number: Int) -> String { "Photo \(number)" }
  static let simulated = "Simulated receiver"
  static let imported = "Imported file"
  static let unsealed = "Sent by a phone's app, not sealed by a device key"
  static func pictureShown(_ shown: String, _ sealed: String) -> String {
    "Shown with \(shown) pixels; the sealed file has \(sealed)."
  }
  static func pictureDamaged(_ reason: String) -> String { "Damaged picture: \(reason)." }
  static let pictureMissing = "The picture cannot be shown"
  static func pictureReason(_ reason: String) -> String { "The file could not be read: \(reason)." }

  static let claims = "Claims"
  static let position = "Position"
  static let timeAndDirection = "Time, direction"
  static let latitude = "Latitude"
  static let longitude = "Longitude"
  static let ellipsoidalHeight = "Height above ellipsoid"
  static let seaLevelHeight = "Height above sea level"
  static let uncertainty = "Uncertainty (95 %)"
  static let method = "Method"
  static let samples = "Samples"
  static let spread = "Spread of samples"
  static let gnssTime = "GNSS time"
  static let deviceTime = "Device time"
  static let clockDifference = "Device − GNSS"
  static let azimuth = "Azimuth (true)"
  static let angle = "Angle"
  static let directionSource = "Direction from"
  static let fieldOfView = "Field of view"
  static let origin = "Origin"
  static let receiver = "Receiver"
  static let receiverSource = "Receiver's source"
  static let cameraWay = "Camera"
  static let takenBy = "Taken by"
  static let sent = "Sent"
  static let receipt = "Receipt"
  static let digest = "SHA-256 of the file"
  static let file = "File"
  static let dateNotKnown = "date not known"
  static let receiverReal = "not declared as simulated"
  static let receiverSimulated = "simulated or replayed"
  static let noSamples = "none, a single fix"

  static func method(_ method: PhotoPosition.Method) -> String {
    switch method {
    case .fix: "single fix"
    case .standpoint(.innermostLayer): "standpoint, innermost layer"
    case .standpoint(.mean): "standpoint, mean"
    case .standpoint(.median): "standpoint, median"
    }
  }
  static func samples(_ standpoint: Standpoint) -> String {
    let worth = number(standpoint.effectiveSamples, places: 1) ?? notKnown
    return "\(standpoint.samples), worth \(worth) independent ones"
  }
  static func origin(_ origin: PhotoOrigin) -> String {
    switch origin {
    case .camera: "camera"
    case .imported: "imported file"
    case .egnss4cap: unsealed
    }
  }
  static func source(_ orientation: Orientation) -> String {
    let word =
      switch orientation.source {
      case .stated: "what was stated"
      case .deviceSensors: "the device's sensors"
      case .receiver: "the receiver"
      }
    guard let magnetic = number(orientation.headingDegreesMagnetic, places: 1) else { return word }
    let declination = number(orientation.declinationDegrees, places: 1) ?? notKnown
    return "\(word); \(magnetic)° magnetic, declination \(declination)°"
  }
  static func source(_ source: CameraGeometry.Source) -> String {
    switch source {
    case .exif: "EXIF"
    case .calibrated: "calibrated"
    case .stated: "said by the app"
    case .assumed: "assumed"
    }
  }
  static func file(bytes: Int, pixels: String) -> String {
    "JPEG, \(pixels) pixels, \(bytes) bytes"
  }

  // MARK: the verifier

  static let verifier = "Verifier"
  static let findingsNone = "The verifier found nothing to remark."
  static let findingsColumns = ["Weight", "Check", "Finding"]
  /// Returns a finding's message, with its subject unless that is the photo of the page itself.
  static func finding(_ finding: Finding, on photo: Photo) -> String {
    finding.subject.isEmpty || finding.subject.contains(photo.id.description)
      ? finding.message : "\(finding.message) [\(finding.subject)]"
  }
  static let checks = "Checks"
  static let checksNone = "No check was made of this photo."
  static let checksSigns =
    "✓ speaks for the photo    ✗ speaks against it    – cannot be told from what there is"
  static func sign(isGood: Bool?) -> String {
    switch isGood {
    case true?: "✓"
    case false?: "✗"
    case nil: "–"
    }
  }

  /// Returns the words on a photo's suitability for a decision, which is a question apart from its
  /// evidence.
  static func suitability(_ suitability: Suitability) -> String {
    suitability.isSuitable
      ? "Suitable: nothing that was checked speaks against its place, aim, time or origin."
      : "Look before you decide: "
        + suitability.reasons.map(\.wording.description).joined(separator: ", ") + "."
  }

  static func sign(_ verdict: EvidenceVerdict?) -> String {
    switch verdict {
    case .intact?: "✓"
    case .doubtful?: "?"
    case .incomplete?: "◌"
    case .altered?: "✗"
    case nil: "–"
    }
  }
  static func word(_ verdict: EvidenceVerdict?) -> String {
    switch verdict {
    case .intact?: "Intact"
    case .doubtful?: "Doubtful"
    case .incomplete?: "Incomplete"
    case .altered?: "Altered"
    case nil: "Not verified"
    }
  }
  static func meaning(_ verdict: EvidenceVerdict?) -> String {
    switch verdict {
    case .intact?: "Everything that was checked holds."
    case .doubtful?: "All bytes hold, but a check does not."
    case .incomplete?: "Something named is missing, or something unnamed is there."
    case .altered?: "Bytes, signatures or certificates do not hold."
    case nil: "This photo was not given to the verifier."
    }
  }
  static func word(_ severity: Finding.Severity) -> String {
    switch severity {
    case .note: "note"
    case .doubtful: "doubtful"
    case .incomplete: "incomplete"
    case .altered: "altered"
    }
  }
  /// Returns the name of a check. The checks' stable names are words themselves; a few of them say
  /// too little alone.
  static func word(_ check: Finding.Check) -> String {
    switch check {
    case .image: "image data"
    case .reused: "used before"
    case .unnamed: "unnamed file"
    default: check.rawValue.replacing("-", with: " ")
    }
  }
}
