import Exports
import Geodesy
import Inspection
import Positioning
import Sync

/// The checks of one photo as officers see them on the page and in the PDF: each with its number, none
/// as a bare tick.
enum PhotoChecks {
  static func checks(of received: ReceivedPhoto, task: InspectionTask?) -> [Dossier.Check] {
    let photo = received.photo
    var checks = [parcel(photo, task), aim(photo, task), gate(photo), origin(photo)]
    if let revision = received.revision, let task {
      checks.append(
        Dossier.Check(
          name: "Order",
          value: revision == task.revision
            ? "revision \(revision), the latest"
            : "taken under revision \(revision); the order is revision \(task.revision) now",
          isGood: revision == task.revision))
    }
    return checks
  }

  private static func parcel(_ photo: Photo, _ task: InspectionTask?) -> Dossier.Check {
    guard let parcel = task?.parcel,
      let distance = parcel.distanceMetres(to: photo.position.coordinate)
    else { return Dossier.Check(name: "Parcel", value: "not checkable: no parcel", isGood: nil) }
    let metres = DecimalText.fixed(distance, places: 1)
    if distance == 0 { return Dossier.Check(name: "Parcel", value: "inside", isGood: true) }
    let uncertainty = photo.position.uncertaintyMetres95 ?? 0
    return Dossier.Check(
      name: "Parcel",
      value: "\(metres) m outside"
        + (distance <= uncertainty
          ? ", within ± \(DecimalText.fixed(uncertainty, places: 1)) m" : ""),
      isGood: distance <= uncertainty ? nil : false)
  }

  /// Whether the view cone meets the parcel: from inside it always does.
  private static func aim(_ photo: Photo, _ task: InspectionTask?) -> Dossier.Check {
    let name = "Lens aimed at the parcel"
    guard let azimuth = photo.orientation?.azimuthDegreesTrue else {
      return Dossier.Check(name: name, value: "not checkable: azimuth unknown", isGood: nil)
    }
    guard let parcel = task?.parcel,
      let distance = parcel.distanceMetres(to: photo.position.coordinate)
    else { return Dossier.Check(name: name, value: "not checkable: no parcel", isGood: nil) }
    let aimed = "azimuth \(DecimalText.fixed(azimuth, places: 1))°"
    if distance == 0 {
      return Dossier.Check(name: name, value: "\(aimed), taken inside it", isGood: true)
    }
    let half = photo.camera.horizontalDegrees / 2
    // The angles of the outline's corners off the lens axis: the parcel is in view where one of them
    // lies in the cone, or where they lie on both sides of it in front.
    let offsets = (parcel.rings.first ?? []).map { corner in
      let bearing = Geodesic.inverse(from: photo.position.coordinate, to: corner)
        .initialAzimuthDegrees
      return (bearing - azimuth + 540).truncatingRemainder(dividingBy: 360) - 180
    }
    let nearest = offsets.min { abs($0) < abs($1) } ?? 180
    let isAcross =
      offsets.contains { $0 > 0 && $0 < 90 } && offsets.contains { $0 < 0 && $0 > -90 }
    let isGood = isAcross || abs(nearest) <= half
    return Dossier.Check(
      name: name,
      value: "\(aimed) ± \(DecimalText.fixed(half, places: 0))°, nearest corner"
        + " \(DecimalText.fixed(abs(nearest), places: 0))° off the axis", isGood: isGood)
  }

  private static func gate(_ photo: Photo) -> Dossier.Check {
    guard let standpoint = photo.standpoint else {
      return Dossier.Check(name: "Standpoint", value: "single fix at the shutter", isGood: nil)
    }
    return Dossier.Check(
      name: "Standpoint",
      value: "\(standpoint.samples) samples worth"
        + " \(DecimalText.fixed(standpoint.effectiveSamples, places: 1)), spread"
        + " \(DecimalText.fixed(standpoint.spreadMetres, places: 2)) m", isGood: true)
  }

  private static func origin(_ photo: Photo) -> Dossier.Check {
    switch (photo.origin, photo.isSimulated) {
    case (.imported, _):
      Dossier.Check(name: "Origin", value: "imported file, not captured here", isGood: nil)
    case (.camera, true):
      Dossier.Check(name: "Origin", value: "camera, simulated receiver, and says so", isGood: nil)
    case (.camera, false): Dossier.Check(name: "Origin", value: "camera", isGood: true)
    }
  }
}
