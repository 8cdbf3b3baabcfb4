import Foundation
import Geodesy
import Inspection

/// Where a photo was taken and where the lens looked, against the order of its task. Made when it
/// arrives, and again when the order is changed.
struct PlaceChecks {
  let photo: Photo
  /// The order's revision that it was taken under; nil when its record does not say.
  let revision: Int?
  let task: InspectionTask?

  func checks() -> [PhotoCheck] { [parcel(), aim(), order()].compactMap(\.self) }

  private var region: PolygonRegion? {
    task?.parcel.flatMap { PolygonRegion(rings: $0.rings) }
  }

  private func parcel() -> PhotoCheck {
    guard let region, !photo.claimsNoPlace else { return PhotoCheck(.parcel, .notCheckable) }
    let distance = region.distanceMetres(to: photo.position.coordinate)
    let uncertainty = photo.position.uncertaintyMetres95
    let outcome: PhotoCheck.Outcome =
      distance == 0
      ? .agrees
      : distance <= uncertainty ?? Self.assumedUncertaintyMetres95 ? .unclear : .contradicts
    return PhotoCheck(
      .parcel, outcome, [.distanceMetres: distance, .uncertaintyMetres95: uncertainty])
  }

  /// Of a receiver that does not tell its own.
  private static let assumedUncertaintyMetres95 = 15.0
  /// Nobody sees on a picture from further away what grows there.
  private static let furthestMetres = 2_000.0

  private func order() -> PhotoCheck? {
    guard let revision, let task else { return nil }
    return PhotoCheck(
      .order, revision == task.revision ? .agrees : .contradicts,
      [.revision: Double(revision), .latestRevision: Double(task.revision)])
  }

  // MARK: the aim

  /// One standard deviation of a heading whose device says nothing of it. A compass in a tablet beside
  /// a car is often worse.
  static let assumedAzimuthAccuracyDegrees = 10.0
  /// Above this the azimuth of the lens says little of what is in the picture.
  private static let steepDegrees = 60.0
  /// Land rises and falls by so much between the photographer and the parcel.
  private static let terrainDegrees = 15.0
  private static let eyeHeightMetres = 1.6

  private func aim() -> PhotoCheck {
    guard let region, !photo.claimsNoPlace, let azimuth = photo.orientation?.azimuthDegreesTrue
    else {
      return PhotoCheck(
        .aim, .notCheckable, [.azimuthDegreesTrue: photo.orientation?.azimuthDegreesTrue])
    }
    let place = photo.position.coordinate
    let elevation = photo.orientation?.elevationDegrees
    let distance = region.distanceMetres(to: place)
    let uncertainty = photo.position.uncertaintyMetres95 ?? Self.assumedUncertaintyMetres95
    let heading =
      1.96 * (photo.orientation?.azimuthAccuracyDegrees ?? Self.assumedAzimuthAccuracyDegrees)
    // From elsewhere within the uncertainty the parcel lies in another direction.
    let shift = distance > 0 ? atan2(uncertainty, distance) * 180 / .pi : 0
    let error = min(180, hypot(heading, shift))
    // Meridians draw together upwards: a tilted picture spans more of the horizon.
    let tilt = min(abs(elevation ?? 0), 80) * .pi / 180
    let half =
      atan(tan(min(photo.camera.horizontalDegrees, 170) / 2 * .pi / 180) / cos(tilt)) * 180 / .pi
    let miss = region.missDegrees(from: place, azimuthDegrees: azimuth)
    let stretch = region.stretch(from: place, azimuthDegrees: azimuth)
    let halfUp = photo.camera.verticalDegrees / 2
    let outcome: PhotoCheck.Outcome
    if let elevation, abs(elevation) > Self.steepDegrees {
      outcome = .unclear
    } else if miss - half > error {
      outcome = .contradicts
    } else if half - miss < error {
      outcome = .unclear
    } else if distance > Self.furthestMetres {
      outcome = .unclear
    } else if elevation.map({ showsNoLand($0, halfUp, distance) }) ?? true {
      outcome = .unclear
    } else if distance == 0,
      (stretch?.lengthMetres ?? 0) < max(uncertainty, nearestGround(elevation ?? 0, halfUp))
    {
      // From inside, looking out over the edge.
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

  /// How far away the ground begins in the picture, metres.
  private func nearestGround(_ elevation: Double, _ halfUp: Double) -> Double {
    let down = halfUp - elevation
    guard down > 1 else { return Self.furthestMetres }
    return down >= 90 ? 0 : Self.eyeHeightMetres / tan(down * .pi / 180)
  }

  /// Whether only sky is in the picture, or only the ground before the parcel.
  private func showsNoLand(_ elevation: Double, _ halfUp: Double, _ distance: Double) -> Bool {
    let nearEdge = -atan2(Self.eyeHeightMetres, max(distance, 0.1)) * 180 / .pi
    return elevation - halfUp > Self.terrainDegrees
      || (distance > 0 && elevation + halfUp < nearEdge - Self.terrainDegrees)
  }
}
