import Foundation
import Geodesy
import Inspection

/// A camera's view as a sector on the ground: from the standpoint, as wide as the field of view. How
/// far a view reaches is not known, so every sector is equally long.
struct KMLViewCone {
  /// The sector's radius, in metres.
  static let lengthMetres = 30.0
  /// The most degrees between two corners of the rim.
  private static let stepDegrees = 15.0
  /// Beyond it, in degrees of latitude, meridians run together within a sector's length.
  private static let latitudeAtMost = 89.9

  /// The degrees whose length in metres is measured.
  private static let probeDegrees = 1e-4

  let eye: Coordinate
  let azimuthDegrees: Double
  let fieldDegrees: Double

  /// Creates the sector of a photo; nil if its place, its direction or its field is not known.
  init?(of photo: Photo) {
    let field = photo.camera.horizontalDegrees
    guard !photo.claimsNoPlace, let azimuth = photo.orientation?.azimuthDegreesTrue,
      azimuth.isFinite, field.isFinite, (1...179).contains(field),
      abs(photo.position.coordinate.latitudeDegrees) < Self.latitudeAtMost
    else { return nil }
    (eye, azimuthDegrees, fieldDegrees) = (photo.position.coordinate, azimuth, field)
  }

  /// Writes the sector's ring, counter-clockwise.
  func write(to out: ByteWriter) throws {
    let (latitude, longitude) = (eye.latitudeDegrees, eye.longitudeDegrees)
    // Over 30 m a degree is equally long everywhere, to less than a millimetre.
    let plane = LocalPlane(origin: eye)
    let step = latitude < 0 ? Self.probeDegrees : -Self.probeDegrees
    guard
      let above = Coordinate(
        latitudeDegrees: latitude + step, longitudeDegrees: longitude),
      let beside = Coordinate(
        latitudeDegrees: latitude,
        longitudeDegrees: longitude - (longitude > 0 ? step.magnitude : -step.magnitude))
    else { return }
    let north = Self.lengthMetres * Self.probeDegrees / plane.project(above).northMetres.magnitude
    let east = Self.lengthMetres * Self.probeDegrees / plane.project(beside).eastMetres.magnitude
    func corner(_ azimuth: Double) throws {
      let angle = azimuth * .pi / 180
      let place = longitude + east * sin(angle)
      try out.degrees(place > 180 ? place - 360 : place < -180 ? place + 360 : place)
      try out.words(",")
      try out.degrees(latitude + north * cos(angle))
      try out.words(" ")
    }
    func middle() throws {
      try out.degrees(longitude)
      try out.words(",")
      try out.degrees(latitude)
    }
    try middle()
    try out.words(" ")
    let steps = max(1, Int((fieldDegrees / Self.stepDegrees).rounded(.up)))
    for step in 0...steps {
      try corner(azimuthDegrees + fieldDegrees * (0.5 - Double(step) / Double(steps)))
    }
    try middle()
  }
}
