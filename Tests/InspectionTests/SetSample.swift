import Geodesy
import Inspection
import Positioning
import Testing
import TimeAndText

/// Sets with frames at given angles, all at one place.
enum SetSample {
  static func set(
    _ kind: FrameSetKind, sectors: Int, firstMiddleDegrees: Double = 0, angles: [Double]
  ) throws -> FrameSet {
    let time = DeviceTime(millisecondsSince1970: 1_780_302_600_000)
    let place = try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 16))
    let id = try #require(Identifier("019e8284-0000-7000-8000-000000000090"))
    let stand = SetStand(
      position: PhotoPosition(
        kept: place, ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
        uncertaintyMetres95: 1.8, method: .standpoint(.innermostLayer)),
      standpoint: Standpoint(
        method: .innermostLayer, innermostLayer: place, mean: place, median: place, samples: 20,
        effectiveSamples: 4, layers: 5, spreadMetres: 0.2, uncertaintyMetres95: 1.8,
        hull: [place], ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
        firstTime: time.gnssTime, lastTime: time.gnssTime), gnssTime: time.gnssTime,
      deviceTime: time)
    let frames = angles.map { angle in
      SetFrame(
        digest: String(repeating: "0a", count: 32), bytes: 1, widthPixels: 4, heightPixels: 3,
        attitude: FrameAttitude(
          angleDegrees: angle, deviationPitchDegrees: 0, deviationRollDegrees: 0),
        accelerationMetresPerSecondSquared: nil, quality: 1, seconds: 0, place: nil,
        isMoving: kind.isWalked)
    }
    return FrameSet(
      id: id, agency: "north", inspector: "ines", task: nil,
      terms: try FrameSetTerms(kind: kind, sectors: sectors),
      ring: SectorRing(count: sectors, firstMiddleDegrees: firstMiddleDegrees), start: stand,
      end: stand, frames: frames, isSimulated: false)
  }
}
