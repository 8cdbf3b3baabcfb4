import Evidence
import Geodesy
import Inspection
import Positioning
import TimeAndText

/// The fields of a photo. The fix at the shutter and the centroid of the samples are separate, each
/// with its own uncertainty; the position that the photo claims is one of the two, and `method`
/// says which.
public enum PhotoFields {
  /// The table of a photo's fields.
  public static let table = FieldTable<ExportedPhoto>(
    name: "photos", rowName: "photo", title: "Photos",
    fields: whoAndWhen + position + fixAndCentroid + view + state + file)

  private typealias Field = ExportField<ExportedPhoto>

  private static let whoAndWhen: [Field] = [
    Field("photo", .text, "The photo's identifier.") { .words($0.photo.id) },
    Field("task", .text, "Identifier of its task.", nil: "it has none") { .words($0.photo.task) },
    Field("taskName", .text, "What that is called.", nil: "it has none, or is exported without it")
    {
      .words($0.task?.name)
    },
    Field("agency", .text, "The agency.") { .text($0.photo.agency) },
    Field("inspector", .text, "Login of who took it.") { .text($0.photo.inspector) },
    Field(
      "origin", .text,
      "`camera`: through the field unit; `imported`: a file that was there already; `egnss4cap`: by a phone's app, not sealed."
    ) {
      .text($0.photo.origin.rawValue)
    },
    Field("simulated", .flag, "Whether a simulator or a replay stood in for the receiver.") {
      .flag($0.photo.isSimulated)
    },
    Field(
      "gnssTime", .time, "The receiver's time at the shutter.",
      nil: "the receiver said no date, or nothing"
    ) {
      .time($0.photo.gnssTime)
    },
    Field(
      "gnssTimeOfDay", .text, "The same without a date, hh:mm:ss.sss UTC.",
      nil: "gnssTime is there, or no receiver told a time"
    ) {
      $0.photo.gnssTime.date == nil ? $0.photo.toldGNSSTime.map { .text($0.timeOfDay) } : nil
    },
    Field("deviceTime", .time, "What the device's clock showed.") { .moment($0.photo.deviceTime) },
  ]

  private static let position: [Field] = [
    Field(
      "latitudeDegrees", .decimal, "°", "Latitude (WGS 84) of the position that the photo claims."
    ) {
      .degrees($0.photo.position.coordinate.latitudeDegrees)
    },
    Field("longitudeDegrees", .decimal, "°", "Its longitude.") {
      .degrees($0.photo.position.coordinate.longitudeDegrees)
    },
    Field(
      "ellipsoidalHeightMetres", .decimal, "m", "Its height above the ellipsoid.", nil: "not known"
    ) {
      .metres($0.photo.position.ellipsoidalHeightMetres)
    },
    Field(
      "meanSeaLevelHeightMetres", .decimal, "m", "Its height above mean sea level.",
      nil: "not known"
    ) {
      .metres($0.photo.position.meanSeaLevelHeightMetres)
    },
    Field(
      "uncertaintyMetres95", .decimal, "m",
      "Radius round it that holds the true position with 95 % probability.", nil: "not known"
    ) { .metres($0.photo.position.uncertaintyMetres95) },
    Field(
      "method", .text,
      "How it was obtained: `fix`, or by the centroid `innermost-layer`, `mean`, `median`."
    ) {
      .text($0.photo.position.method.name)
    },
  ]

  private static let fixAndCentroid: [Field] = [
    Field(
      "fixLatitudeDegrees", .decimal, "°", "Latitude of the single fix at the shutter.", nil: noFix
    ) {
      .degrees(fix($0)?.latitudeDegrees)
    },
    Field("fixLongitudeDegrees", .decimal, "°", "Its longitude.", nil: noFix) {
      .degrees(fix($0)?.longitudeDegrees)
    },
    Field("fixUncertaintyMetres95", .decimal, "m", "Its 95 % radius.", nil: "not known") {
      .metres(
        $0.claims?.fixUncertaintyMetres95
          ?? ($0.photo.position.method == .fix ? $0.photo.position.uncertaintyMetres95 : nil))
    },
    Field(
      "fixQuality", .text, "The receiver's word for it: `autonomous`, `differential`, `rtk fixed`…",
      nil: "not known"
    ) {
      .words($0.claims?.fixQuality)
    },
    Field("fixMode", .integer, "2 or 3 dimensions.", nil: "not known") {
      .count($0.claims?.fixMode?.rawValue)
    },
    Field("satellitesUsed", .integer, "Satellites in that solution.", nil: "not known") {
      .count($0.claims?.satellitesUsed)
    },
    Field(
      "horizontalDilution", .decimal, "Horizontal dilution of precision of that fix.",
      nil: "not known"
    ) {
      $0.claims?.horizontalDilution.map { .decimal($0, places: 2) }
    },
    Field("fixAgeSeconds", .decimal, "s", "Its age at the shutter.", nil: "not known") {
      .metres($0.claims?.fixAgeSeconds)
    },
    Field(
      "centroidLatitudeDegrees", .decimal, "°", "Latitude of the samples' centroid.", nil: noSamples
    ) {
      .degrees($0.photo.standpoint?.coordinate.latitudeDegrees)
    },
    Field("centroidLongitudeDegrees", .decimal, "°", "Its longitude.", nil: noSamples) {
      .degrees($0.photo.standpoint?.coordinate.longitudeDegrees)
    },
    Field("centroidUncertaintyMetres95", .decimal, "m", "Its 95 % radius.", nil: noSamples) {
      .metres($0.photo.standpoint?.uncertaintyMetres95)
    },
    Field("samples", .integer, "How many samples were taken.", nil: noSamples) {
      .count($0.photo.standpoint?.samples)
    },
    Field("effectiveSamples", .decimal, "How many independent ones they are worth.", nil: noSamples)
    {
      .angle($0.photo.standpoint?.effectiveSamples)
    },
    Field(
      "spreadMetres", .decimal, "m", "Root mean square distance of the samples from their mean.",
      nil: noSamples
    ) {
      .metres($0.photo.standpoint?.spreadMetres)
    },
  ]

  private static let noFix = "the record is not at hand, or the fix had no position"
  private static let noSamples = "no samples were taken"

  private static func fix(_ row: ExportedPhoto) -> Coordinate? {
    row.claims?.fix
      ?? (row.photo.position.method == .fix ? row.photo.position.coordinate : nil)
  }

  private static let view: [Field] = [
    Field(
      "azimuthDegreesTrue", .decimal, "°", "Where the lens looked, clockwise from true north.",
      nil: "not known"
    ) {
      .angle($0.photo.orientation?.azimuthDegreesTrue)
    },
    Field(
      "azimuthAccuracyDegrees", .decimal, "°", "One standard deviation of it.", nil: "not known"
    ) {
      .angle($0.photo.orientation?.azimuthAccuracyDegrees)
    },
    Field(
      "angleDegrees", .decimal, "°",
      "Between the picture's upright and the ground: 90 looks at the horizon, 0 straight down.",
      nil: "not known"
    ) {
      .angle($0.photo.orientation?.angleDegrees)
    },
    Field(
      "elevationDegrees", .decimal, "°", "The lens above the horizon, -90 to 90.", nil: "not known"
    ) {
      .angle($0.photo.orientation?.elevationDegrees)
    },
    Field("rollDegrees", .decimal, "°", "Roll about the lens, clockwise.", nil: "not known") {
      .angle($0.photo.orientation?.rollDegrees)
    },
    Field("orientationSource", .text, "`device-sensors`, `receiver` or `stated`.", nil: "not known")
    {
      .words($0.photo.orientation?.source.rawValue)
    },
    Field(
      "gate", .text, "What the gate said at the shutter: `still`, `settling`, `moving`, `refused`.",
      nil: "the record is not at hand"
    ) {
      .words($0.claims?.gate)
    },
  ]

  private static let state: [Field] = [
    Field("sent", .time, "When Send put it into the outbox.", nil: "it was not sent") {
      .moment($0.photo.sent)
    },
    Field("delivered", .time, "When the office's receipt came.", nil: "it did not") {
      .moment($0.photo.delivered)
    },
    Field("state", .text, "Where its task stands.", nil: "it has none, or is exported without it") {
      .words($0.task?.state.rawValue)
    },
    Field(
      "decision", .text, "What was decided of its task, as there.", nil: "nothing, or it has none"
    ) {
      .words($0.task.flatMap(TaskFields.decision)?.to.rawValue)
    },
    Field(
      "verdict", .text,
      "What the office's verifier says of its evidence: `intact`, `incomplete`, `doubtful`, `altered`.",
      nil: "not looked at, or exported from the field unit"
    ) {
      .words($0.verdict?.rawValue)
    },
    Field("note", .text, "What the inspector wrote about it.", nil: "nothing was written") {
      .words($0.photo.note)
    },
  ]

  private static let file: [Field] = [
    Field("fileSHA256", .text, "SHA-256 of the photo's file, hexadecimal.") {
      .text($0.photo.fileDigest)
    },
    Field("bytes", .integer, "B", "Size of that file.") { .integer($0.photo.bytes) },
    Field("widthPixels", .integer, "px", "Its width.") { .integer($0.photo.widthPixels) },
    Field("heightPixels", .integer, "px", "Its height.") { .integer($0.photo.heightPixels) },
    Field(
      "composites", .text,
      "Identifiers of the composites in which it is, with spaces between. A composite is no photo: it has no row and no place of its own, and is at `/composites/` and its identifier.",
      nil: "it is in none, or an inspector exports from the office"
    ) {
      .text($0.composites.joined(separator: " "))
    },
  ]
}
