import Evidence
import Geodesy
import Inspection
import Office
import Positioning
import Sync
import TimeAndText

// The console's messages about photos and tracks.

/// All photos of a task, or a page of the photos without one.
struct ConsolePhotoList: Encodable, Sendable {
  var photos: [ConsolePhoto]
  /// The cursor of the next page; nil if there are no more photos.
  var next: String?
  /// The mark of the photos of a task, which a decision sends back as `shown`; nil without a task.
  var shown: String?
}

/// A photo: the claims of its record, and the results of its examination.
struct ConsolePhoto: Encodable, Sendable {
  struct Lens: Encodable, Sendable {
    var azimuthDegreesTrue: Double?
    var elevationDegrees: Double?
    var rollDegrees: Double?

    init(_ orientation: Orientation) {
      azimuthDegreesTrue = orientation.azimuthDegreesTrue.finite
      elevationDegrees = orientation.elevationDegrees.finite
      rollDegrees = orientation.rollDegrees.finite
    }
  }

  struct Standpoint: Encodable, Sendable {
    var method: String
    var samples: Int
    var effectiveSamples: Double?
    var spreadMetres: Double?

    init(_ standpoint: Positioning.Standpoint) {
      method = standpoint.method.rawValue
      samples = standpoint.samples
      effectiveSamples = standpoint.effectiveSamples.finite
      spreadMetres = standpoint.spreadMetres.finite
    }
  }

  struct Finding: Encodable, Sendable {
    var check: String
    var severity: String
    var message: String

    init(_ finding: Evidence.Finding) {
      check = finding.check.rawValue
      severity = finding.severity.rawValue
      message = finding.message
    }
  }

  struct Check: Encodable, Sendable {
    var name: String
    var outcome: String
    /// The numbers of the check; each name ends with its unit.
    var numbers: [String: Double]
    var photos: [String]
    var words: String?

    init(_ check: PhotoCheck) {
      name = check.name.rawValue
      outcome = check.outcome.rawValue
      numbers = Dictionary(
        uniqueKeysWithValues: check.numbers.map { ($0.key.rawValue, $0.value) })
      photos = check.photos.map(\.description)
      words = check.reason?.text
    }
  }

  var id: String
  var task: String?
  var inspector: String
  var origin: String
  /// The receiver's time of day in UTC, whose date may be missing; nil if no receiver told a time.
  var gnssTimeOfDay: String?
  var gnssTime: String?
  var deviceTime: String
  var latitudeDegrees: Double
  var longitudeDegrees: Double
  var ellipsoidalHeightMetres: Double?
  var meanSeaLevelHeightMetres: Double?
  var uncertaintyMetres95: Double?
  var method: String
  var standpoint: Standpoint?
  var lens: Lens?
  var digest: String
  var bytes: Int
  var widthPixels: Int
  var heightPixels: Int
  var note: String?
  var simulated: Bool
  var delivered: String?
  /// The revision of the order under which the photo was taken.
  var orderRevision: Int?
  /// The verdict; absent until the photo is examined.
  var verdict: String?
  var findings: [Finding]
  var checks: [Check]
  var deleted: String?
  var deletedReason: String?
  /// The time at which an officer gave the photo to its task; absent if its inspector took it for
  /// that task.
  var assigned: String?
  /// The time since which lists and maps leave the photo out; absent if it is shown.
  var hidden: String?
  /// The task that the photo's record names, if that task was decided before the photo came.
  var lateTask: String?
}

extension ConsolePhoto {
  init(_ received: ReceivedPhoto) {
    let photo = received.photo
    id = photo.id.description
    task = photo.task?.description
    inspector = photo.inspector
    origin = photo.origin.rawValue
    gnssTimeOfDay = photo.toldGNSSTime?.timeOfDay
    gnssTime = photo.gnssTime.rfc3339
    deviceTime = photo.deviceTime.rfc3339
    latitudeDegrees = photo.position.coordinate.latitudeDegrees
    longitudeDegrees = photo.position.coordinate.longitudeDegrees
    ellipsoidalHeightMetres = photo.position.ellipsoidalHeightMetres.finite
    meanSeaLevelHeightMetres = photo.position.meanSeaLevelHeightMetres.finite
    uncertaintyMetres95 = photo.position.uncertaintyMetres95.finite
    method = photo.position.method.name
    standpoint = photo.standpoint.map(Standpoint.init)
    lens = photo.orientation.map(Lens.init)
    digest = photo.fileDigest
    bytes = photo.bytes
    widthPixels = photo.widthPixels
    heightPixels = photo.heightPixels
    note = photo.note
    simulated = photo.isSimulated
    delivered = photo.delivered?.rfc3339
    orderRevision = received.revision
    verdict = received.verdict?.rawValue
    findings = received.findings.map(Finding.init)
    checks = received.checks.map(Check.init)
    deleted = received.deleted?.rfc3339
    deletedReason = received.deletedReason
    assigned = received.assigned?.rfc3339
    hidden = received.hidden?.rfc3339
    lateTask = received.lateTask?.description
  }
}

/// A page of all tracks, or all tracks of a task.
struct ConsoleTrackList: Encodable, Sendable {
  var tracks: [ConsoleTrackRow]
  /// The cursor of the next page; nil if there are no more tracks.
  var next: String?
}

/// A track in a list.
struct ConsoleTrackRow: Encodable, Sendable {
  var id: String
  var task: String?
  var inspector: String
  var name: String
  var started: String
  var delivered: String
  /// The time since which lists leave the track out; absent if it is shown.
  var hidden: String?
  /// The task that the track's record names, if that task was decided before the track came.
  var lateTask: String?

  init(_ track: ReceivedTrack) {
    id = track.id.description
    task = track.task?.description
    inspector = track.inspector
    name = track.name
    started = track.started.rfc3339
    delivered = track.delivered.rfc3339
    hidden = track.hidden?.rfc3339
    lateTask = track.lateTask?.description
  }
}

/// A track with its measures, and its path as GeoJSON.
struct ConsoleTrack: Encodable, Sendable {
  struct Path: Encodable, Sendable {
    var type = "MultiPoint"
    var coordinates: [[Double]]
  }

  var id: String
  var task: String?
  var inspector: String
  var origin: String
  var name: String
  var started: String
  var ended: String?
  var delivered: String
  var hidden: String?
  var lateTask: String?
  var simulated: Bool
  var points: Int
  var lengthMetres: Double
  var areaSquareMetres: Double?
  var areaUncertaintySquareMetres95: Double?
  /// The path: a LineString of two points or more, otherwise a MultiPoint.
  var geometry: Path

  init(_ received: ReceivedTrack, _ track: Track) {
    let measures = track.measures
    id = received.id.description
    task = received.task?.description
    inspector = received.inspector
    origin = track.origin.rawValue
    name = received.name
    started = received.started.rfc3339
    ended = track.ended?.rfc3339
    delivered = received.delivered.rfc3339
    hidden = received.hidden?.rfc3339
    lateTask = received.lateTask?.description
    simulated = track.isSimulated
    points = measures.points
    lengthMetres = measures.lengthMetres
    areaSquareMetres = measures.areaSquareMetres.finite
    areaUncertaintySquareMetres95 = measures.areaUncertaintySquareMetres95.finite
    geometry = Path(
      type: track.points.count > 1 ? "LineString" : "MultiPoint",
      coordinates: track.points.map {
        [$0.coordinate.longitudeDegrees, $0.coordinate.latitudeDegrees]
      })
  }
}

extension Double {
  /// The number itself; nil if it is not finite, because JSON has no such number.
  fileprivate var finite: Double? { isFinite ? self : nil }
}

extension Double? {
  fileprivate var finite: Double? { flatMap(\.finite) }
}
