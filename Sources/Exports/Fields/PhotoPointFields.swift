import Geodesy
import Inspection
import TimeAndText

/// A photo point with the photos that repeat it.
public struct ExportedPhotoPoint: Hashable, Sendable {
  /// A photo that repeats the point.
  public struct Repetition: Hashable, Sendable {
    /// The photo.
    public var photo: Identifier
    /// The device time at which it was taken.
    public var taken: DeviceTime
    /// The claims of its sealed record.
    public var claims: RepeatClaims
    /// The office's own displacement, per cent of the frame; nil if there is none.
    public var displacementPercent: Double?

    /// Creates a repeat.
    public init(
      photo: Identifier, taken: DeviceTime, claims: RepeatClaims, displacementPercent: Double? = nil
    ) {
      (self.photo, self.taken) = (photo, taken)
      (self.claims, self.displacementPercent) = (claims, displacementPercent)
    }
  }

  /// The point.
  public var point: PhotoPoint
  /// The repeats, the oldest first.
  public var repeats: [Repetition]

  /// Creates an exported photo point.
  public init(point: PhotoPoint, repeats: [Repetition]) {
    (self.point, self.repeats) = (point, repeats)
  }
}

/// The fields of a photo point, which only a GeoPackage has.
public enum PhotoPointFields {
  private typealias Field = ExportField<PhotoPoint>

  /// The table of a photo point's fields.
  public static let table = FieldTable<PhotoPoint>(
    name: "photo_point", rowName: "photoPoint", title: "Photo points",
    fields: [
      Field("point", .text, "The photo point's identifier.") { .words($0.id) },
      Field("code", .text, "The code on its label.", nil: "it has none") { .words($0.code) },
      Field("name", .text, "What it is called.", nil: "it has no name") { .words($0.name) },
      Field("parcel", .text, "Identifier of its parcel.", nil: "it has none") { .words($0.parcel) },
      Field("reference", .text, "Identifier of the photo that is to be repeated.") {
        .words($0.reference.photo)
      },
      Field(
        "latitudeDegrees", .decimal, "°", "Latitude (WGS 84) of the place from which it was taken."
      ) {
        .degrees($0.stand.coordinate.latitudeDegrees)
      },
      Field("longitudeDegrees", .decimal, "°", "Longitude of that place.") {
        .degrees($0.stand.coordinate.longitudeDegrees)
      },
      Field("uncertaintyMetres95", .decimal, "m", "95 % radius of that place.", nil: "not known") {
        .metres($0.stand.uncertaintyMetres95)
      },
      Field(
        "azimuthDegreesTrue", .decimal, "°", "Where the lens looked, clockwise from true north.",
        nil: "not known"
      ) { .angle($0.stand.orientation?.azimuthDegreesTrue) },
      Field(
        "elevationDegrees", .decimal, "°", "The lens above the horizon, -90 to 90.",
        nil: "not known"
      ) { .angle($0.stand.orientation?.elevationDegrees) },
      Field("rollDegrees", .decimal, "°", "Roll about the lens, clockwise.", nil: "not known") {
        .angle($0.stand.orientation?.rollDegrees)
      },
      Field("viewAcrossDegrees", .decimal, "°", "Its horizontal field of view.") {
        .angle($0.camera.horizontalDegrees)
      },
      Field("pose", .text, "`measured` by the photo's record, or `estimated` by an officer.") {
        .text($0.pose.rawValue)
      },
      Field("subjectLatitudeDegrees", .decimal, "°", "Latitude of what it shows.", nil: "not set") {
        .degrees($0.subject?.latitudeDegrees)
      },
      Field("subjectLongitudeDegrees", .decimal, "°", "Its longitude.", nil: "not set") {
        .degrees($0.subject?.longitudeDegrees)
      },
      Field("maker", .text, "Login of who made the point.") { .text($0.maker) },
      Field("made", .time, "When it was made.") { .moment($0.made) },
    ])
}

/// The fields of a photo that repeats a photo point, which only a GeoPackage has.
public enum RepeatFields {
  private typealias Field = ExportField<ExportedPhotoPoint.Repetition>

  /// The table of a repeat's fields.
  public static let table = FieldTable<ExportedPhotoPoint.Repetition>(
    name: "repeat", rowName: "repeat", title: "Repeats of photo points",
    fields: [
      Field("photo", .text, "The photo's identifier.") { .words($0.photo) },
      Field("point", .text, "Identifier of its photo point.") { .words($0.claims.point) },
      Field("taken", .time, "What the device's clock showed.") { .moment($0.taken) },
      Field("distanceMetres", .decimal, "m", "From where the reference was taken.") {
        .metres($0.claims.distanceMetres)
      },
      Field("distanceUncertaintyMetres95", .decimal, "m", "Its 95 % radius.", nil: "not known") {
        .metres($0.claims.distanceUncertaintyMetres95)
      },
      // Not the record's names of the parts: another table has a roll about the lens.
      angle("angleDegrees", "Whole angle between both views.") { $0.angleDegrees },
      angle("turnLeftDegrees", "Its part about the upright axis, to the left.") { $0.rollDegrees },
      angle("turnUpDegrees", "Its part about the axis to the right, upwards.") { $0.pitchDegrees },
      angle("turnRoundDegrees", "Its part about the lens, anti-clockwise.") { $0.yawDegrees },
      Field("inliers", .integer, "Features that both pictures share.", nil: "not compared") {
        .count($0.claims.inliers)
      },
      Field("displacementPercent", .decimal, "%", "Displacement of the frame.", nil: unlike) {
        .angle($0.claims.displacementPercent)
      },
      Field(
        "officeDisplacementPercent", .decimal, "%", "The same, as the office compared.", nil: unlike
      ) {
        .angle($0.displacementPercent)
      },
    ])

  private static let unlike = "not compared, or not alike"

  private static func angle(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (RepeatClaims) -> Double?
  ) -> Field {
    Field(name, .decimal, "°", meaning, nil: "not known") { .angle(value($0.claims)) }
  }
}
