import Foundation
import Geodesy

/// How the thing that a photo point shows lies from the camera, by the pin that a person has set.
public struct SubjectSight: Hashable, Sendable {
  /// The elevation beyond which a picture's sides span so much azimuth that nothing is said of it.
  private static let steepDegrees = 60.0

  /// The distance from the camera to the thing, metres.
  public let distanceMetres: Double
  /// The azimuth of the thing from the camera, degrees from true north; nil at the camera itself.
  public let azimuthDegrees: Double?
  /// The angle from the lens's direction to the thing, degrees from -180 to 180, positive to the
  /// right; nil if the lens's direction is not known or not trusted.
  public let offsetDegrees: Double?
  /// True if the thing lies between the picture's sides, or may lie there with the errors of compass
  /// and place; nil if the lens's direction is not known or not trusted, if it looks steeply up or
  /// down, or if the thing is no farther away than the place is uncertain.
  public let isInPicture: Bool?

  /// Creates the sight from a camera to a thing.
  /// - Parameter camera: the field of view of the photo.
  public init(from stand: RepeatMeasure.Stand, camera: CameraGeometry, to subject: Coordinate) {
    let way = Geodesic.inverse(from: stand.coordinate, to: subject)
    distanceMetres = way.distanceMetres
    azimuthDegrees = way.distanceMetres > 0 ? way.initialAzimuthDegrees : nil
    guard let azimuthDegrees, let lens = stand.orientation?.trustedAzimuthDegrees else {
      (offsetDegrees, isInPicture) = (nil, nil)
      return
    }
    let offset = (azimuthDegrees - lens).remainder(dividingBy: 360)
    offsetDegrees = offset
    let radius = stand.uncertaintyMetres95 ?? 0
    guard abs(stand.orientation?.elevationDegrees ?? 0) <= Self.steepDegrees,
      radius < distanceMetres
    else {
      isInPicture = nil
      return
    }
    // A compass without a stated accuracy may err as much as one that is still trusted.
    let compass =
      stand.orientation?.azimuthAccuracyDegrees ?? Orientation.trustedAzimuthAccuracyDegrees
    let place = asin(radius / distanceMetres) * 180 / .pi
    isInPicture = abs(offset) <= camera.horizontalDegrees / 2 + compass + place
  }
}
