import Geodesy

/// How the thing that a photo point shows lies from the camera, by the pin that a person has set.
public struct SubjectSight: Hashable, Sendable {
  /// The distance from the camera to the thing, metres.
  public let distanceMetres: Double
  /// The azimuth of the thing from the camera, degrees from true north; nil at the camera itself.
  public let azimuthDegrees: Double?
  /// The angle from the lens's direction to the thing, degrees from -180 to 180, positive to the
  /// right; nil if the lens's direction is not known or not trusted.
  public let offsetDegrees: Double?
  /// True if the thing lies in the picture, or may lie there with the compass's usual error; nil if
  /// the lens's direction is not known or not trusted.
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
    // A compass without a stated accuracy may err as much as one that is still trusted.
    let error =
      stand.orientation?.azimuthAccuracyDegrees ?? Orientation.trustedAzimuthAccuracyDegrees
    isInPicture = abs(offset) <= camera.horizontalDegrees / 2 + error
  }
}
