import Exports
import Geodesy
import Inspection
import Positioning
import TestSupport
import TimeAndText

/// Made-up photo points with their repeats, beside the tasks and photos of `ExportFixture`.
enum PhotoPointFixture {
  /// Returns the point of a number, 0 to 39, with a code of its own.
  static func point(_ number: Int, name: String? = nil) throws -> PhotoPoint {
    var random = SeededGenerator(seed: UInt64(number))
    let place = try ExportFixture.coordinate(49.0838 + Double(number) * 1e-4, 16.6385)
    let orientation = Orientation(
      azimuthDegreesTrue: 20.4, elevationDegrees: -5.2, rollDegrees: 1.5, source: .stated)
    var point = PhotoPoint(
      id: try ExportFixture.id(40 + number), agency: "north",
      reference: PhotoPoint.Picture(
        photo: try ExportFixture.id(2), digest: String(repeating: "0a", count: 32)),
      taken: ExportFixture.time, widthPixels: 400, heightPixels: 300,
      stand: RepeatMeasure.Stand(
        coordinate: place, uncertaintyMetres95: 1.76, orientation: orientation), pose: .measured,
      camera: .assumed(widthPixels: 400, heightPixels: 300), maker: "ines",
      made: ExportFixture.time.advanced(bySeconds: 3600))
    point.code = PhotoPointCode(using: &random)
    point.name = name
    return point
  }

  /// Returns the claims of a photo that repeats a point: the place is met, the attitude is not.
  static func claims(of point: Identifier) -> RepeatClaims {
    var claims = RepeatClaims(
      point: point, referenceDigest: String(repeating: "0a", count: 32), distanceMetres: 2.3)
    claims.distanceUncertaintyMetres95 = 3.4
    claims.angleDegrees = 4.2
    claims.rollDegrees = 1.2
    claims.pitchDegrees = 0.5
    claims.yawDegrees = -0.3
    claims.inliers = 120
    claims.displacementPercent = 3.4
    return claims
  }

  /// Returns a point with a subject and two repeats, and one that nobody has repeated.
  static func exported() throws -> [ExportedPhotoPoint] {
    var cross = try point(0, name: "Křížová <cesta> & kaple")
    cross.parcel = "CZ-4711/2"
    cross.subject = try ExportFixture.coordinate(49.0841, 16.6386)
    let repeats = try [3, 4].map { number in
      ExportedPhotoPoint.Repetition(
        photo: try ExportFixture.id(number),
        taken: ExportFixture.time.advanced(bySeconds: Double(number) * 86_400),
        claims: claims(of: cross.id), displacementPercent: number == 4 ? 3.6 : nil)
    }
    var bare = try point(1)
    bare.code = nil
    bare.stand.orientation = nil
    bare.stand.uncertaintyMetres95 = nil
    return [
      ExportedPhotoPoint(point: cross, repeats: repeats),
      ExportedPhotoPoint(point: bare, repeats: []),
    ]
  }
}
