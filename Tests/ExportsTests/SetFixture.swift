import Evidence
import Exports
import Foundation
import Geodesy
import Inspection
import Positioning
import TimeAndText

/// Made-up sets of pictures.
enum SetFixture {
  static let record = String(repeating: "5e", count: 32)

  /// Returns a walk round a thing, 8 m from it, or a turn at its place.
  /// - Parameters:
  ///   - missing: the sectors without a picture.
  ///   - firstMiddleDegrees: the angle of the first sector's middle; not 0 with a compass.
  static func set(
    _ kind: FrameSetKind = .around, sectors: Int, missing: Set<Int> = [],
    firstMiddleDegrees: Double = 0, task: Identifier? = nil
  ) throws -> FrameSet {
    let heap = try ExportFixture.coordinate(49.0838, 16.6385)
    let ring = SectorRing(count: sectors, firstMiddleDegrees: firstMiddleDegrees)
    let begun = ExportFixture.time
    func place(_ degrees: Double) -> Coordinate {
      Geodesic.direct(
        from: heap, initialAzimuthDegrees: degrees,
        distanceMetres: kind.isWalked ? 8 : 0)
    }
    func stand(_ seconds: Double) -> SetStand {
      let time = begun.advanced(bySeconds: seconds)
      let place = place(180)
      return SetStand(
        position: PhotoPosition(
          kept: place, ellipsoidalHeightMetres: 276.1, meanSeaLevelHeightMetres: 231.5,
          uncertaintyMetres95: 1.8, method: .standpoint(.innermostLayer)),
        standpoint: Standpoint(
          method: .innermostLayer, innermostLayer: place, mean: place, median: place, samples: 20,
          effectiveSamples: 4.2, layers: 5, spreadMetres: 0.214, uncertaintyMetres95: 1.76,
          hull: [place], ellipsoidalHeightMetres: 276.1, meanSeaLevelHeightMetres: 231.5,
          firstTime: time.gnssTime, lastTime: time.gnssTime), gnssTime: time.gnssTime,
        deviceTime: time)
    }
    let frames = try (0..<sectors).filter { !missing.contains($0) }.map { sector in
      let angle = ring.middleDegrees(ofSector: sector)
      let seconds = 30 + 4 * Double(sector)
      return SetFrame(
        digest: Digest.hexadecimal(try picture(sector)), bytes: try picture(sector).count,
        widthPixels: 320, heightPixels: 240,
        attitude: FrameAttitude(
          angleDegrees: angle, deviationPitchDegrees: -0.5, deviationRollDegrees: 1.25),
        accelerationMetresPerSecondSquared: 0.2, quality: 0.95, seconds: seconds,
        place: sector == 3
          ? nil
          : FramePlace(
            gnssTime: begun.advanced(bySeconds: seconds).gnssTime, coordinate: place(180 + angle),
            uncertaintyMetres95: 2.4), isMoving: kind.isWalked)
    }
    return FrameSet(
      id: try ExportFixture.id(kind == .around ? 90 : 91), agency: "north", inspector: "ines",
      task: task, terms: try FrameSetTerms(kind: kind, sectors: sectors), ring: ring,
      start: stand(0), end: stand(40 + 4 * Double(sectors)), frames: frames, isSimulated: true)
  }

  /// Returns a set's part of a dossier, with the pictures of its frames.
  static func part(_ set: FrameSet, _ name: String? = "Ines Müller") -> Dossier.SetPart {
    Dossier.SetPart(set, inspectorName: name, record: record) { number in
      try picture(number)
    }
  }

  private static func picture(_ number: Int) throws -> [UInt8] { try DossierFixture.picture.get() }
}
