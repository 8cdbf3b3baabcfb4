import Foundation
import Geodesy
import Inspection

/// The checks of the photo's place and of the lens' direction against the order of its task. They
/// are made when the photo arrives, and again when the order changes.
package struct PlaceChecks {
  package let photo: Photo
  /// The revision of the order under which the photo was taken; nil if its record does not say.
  package let revision: Int?
  package let task: InspectionTask?

  /// Creates the checks of a photo's place; `task` is nil for a photo without a task.
  package init(photo: Photo, revision: Int?, task: InspectionTask?) {
    self.photo = photo
    self.revision = revision
    self.task = task
  }

  package func checks() -> [PhotoCheck] { [parcel(), aim(), order()].compactMap(\.self) }

  private var region: PolygonRegion? {
    task?.parcel(nearestTo: photo.position.coordinate)
      .flatMap { PolygonRegion(rings: $0.rings) }
  }

  private func parcel() -> PhotoCheck {
    guard let region, !photo.claimsNoPlace else { return PhotoCheck(.parcel, .notCheckable) }
    let distance = region.distanceMetres(to: photo.position.coordinate)
    let uncertainty = photo.position.uncertaintyMetres95
    let outcome: PhotoCheck.Outcome =
      distance == 0
      ? .agrees
      : distance <= uncertainty ?? Limits.assumedUncertaintyMetres95 ? .unclear : .contradicts
    return PhotoCheck(
      .parcel, outcome, [.distanceMetres: distance, .uncertaintyMetres95: uncertainty])
  }

  private func order() -> PhotoCheck? {
    guard let revision, let task else { return nil }
    return PhotoCheck(
      .order, revision == task.revision ? .agrees : .contradicts,
      [.revision: Double(revision), .latestRevision: Double(task.revision)])
  }

  // MARK: the aim

  private func aim() -> PhotoCheck {
    guard let region, !photo.claimsNoPlace, let azimuth = photo.orientation?.azimuthDegreesTrue
    else {
      return PhotoCheck(
        .aim, .notCheckable, [.azimuthDegreesTrue: photo.orientation?.azimuthDegreesTrue])
    }
    let place = photo.position.coordinate
    let elevation = photo.orientation?.elevationDegrees
    let distance = region.distanceMetres(to: place)
    let uncertainty = photo.position.uncertaintyMetres95 ?? Limits.assumedUncertaintyMetres95
    let heading =
      1.96 * (photo.orientation?.azimuthAccuracyDegrees ?? Limits.assumedAzimuthAccuracyDegrees)
    // The true place may lie elsewhere within the uncertainty, and from there the parcel is in
    // another direction.
    let shift = distance > 0 ? atan2(uncertainty, distance) * 180 / .pi : 0
    let error = min(180, hypot(heading, shift))
    // Lines of equal azimuth draw together towards the zenith, so a tilted picture spans more of
    // the horizon.
    let tilt = min(abs(elevation ?? 0), 80) * .pi / 180
    let half =
      atan(tan(min(photo.camera.horizontalDegrees, 170) / 2 * .pi / 180) / cos(tilt)) * 180 / .pi
    let miss = region.missDegrees(from: place, azimuthDegrees: azimuth)
    let stretch = region.stretch(from: place, azimuthDegrees: azimuth)
    let halfUp = photo.camera.verticalDegrees / 2
    let outcome: PhotoCheck.Outcome
    if let elevation, abs(elevation) > Limits.steepElevationDegrees {
      outcome = .unclear
    } else if miss - half > error {
      outcome = .contradicts
    } else if half - miss < error {
      outcome = .unclear
    } else if distance > Limits.furthestSightMetres {
      outcome = .unclear
    } else if elevation.map({ showsNoLand($0, halfUp, distance) }) ?? true {
      outcome = .unclear
    } else if distance == 0,
      (stretch?.lengthMetres ?? 0) < max(uncertainty, nearestGround(elevation ?? 0, halfUp))
    {
      // The inspector stood inside the parcel and looked out over its edge.
      outcome = .unclear
    } else {
      outcome = .agrees
    }
    return PhotoCheck(
      .aim, outcome,
      [
        .azimuthDegreesTrue: azimuth, .azimuthUncertaintyDegrees95: error, .halfViewDegrees: half,
        .missDegrees: miss, .distanceMetres: distance, .reachMetres: stretch?.lengthMetres,
        .lowestViewDegrees: elevation.map { $0 - halfUp },
        .highestViewDegrees: elevation.map { $0 + halfUp },
      ])
  }

  /// Returns the distance at which the ground begins in the picture, metres.
  private func nearestGround(_ elevation: Double, _ halfUp: Double) -> Double {
    let down = halfUp - elevation
    guard down > 1 else { return Limits.furthestSightMetres }
    return down >= 90 ? 0 : Limits.eyeHeightMetres / tan(down * .pi / 180)
  }

  /// Returns true if the picture shows only sky, or only the ground in front of the parcel.
  private func showsNoLand(_ elevation: Double, _ halfUp: Double, _ distance: Double) -> Bool {
    let nearEdge = -atan2(Limits.eyeHeightMetres, max(distance, 0.1)) * 180 / .pi
    return elevation - halfUp > Limits.terrainDegrees
      || (distance > 0 && elevation + halfUp < nearEdge - Limits.terrainDegrees)
  }
}

extension Limits {
  /// The uncertainty (95 %) that is assumed if a receiver does not tell its own, metres.
  package static let assumedUncertaintyMetres95 = 15.0
  /// The longest distance from which a picture shows what grows in the parcel, metres.
  package static let furthestSightMetres = 2_000.0
  /// One standard deviation of a heading, assumed if the device tells none, degrees. A compass in a
  /// tablet next to a car is often worse.
  package static let assumedAzimuthAccuracyDegrees = 10.0
  /// The elevation of the lens above which its azimuth says little about the picture, degrees.
  package static let steepElevationDegrees = 60.0
  /// The angle by which land may rise or fall between the photographer and the parcel, degrees.
  package static let terrainDegrees = 15.0
  /// The height of the lens above the ground, metres.
  package static let eyeHeightMetres = 1.6
}
