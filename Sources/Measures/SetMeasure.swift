import Evidence
import FieldUnit
import Foundation
import Imagery
import Inspection
import Positioning
import Receivers
import SetCapture
import Store
import TimeAndText

/// Measures the cost of a set on this machine: of deciding on a frame, and of sealing a full ring
/// whose frames are on the disk already.
public enum SetMeasure {
  /// The times of one set, seconds.
  public struct Sample: Hashable, Sendable {
    /// The time from the last standpoint to the durable rows and files.
    public var sealingSeconds: Double
    /// The time for the SHA-256 of all of its bytes.
    public var hashingSeconds: Double
    /// The time for deciding on one frame, without decoding.
    public var decidingSeconds: Double
    /// The size of its frames, bytes.
    public var bytes: Int
  }

  /// Seals sets of 72 drawn frames of 1280 × 720 pixels, and measures each.
  /// - Parameter folder: an empty folder on the disk to be measured.
  /// - Throws: the errors of sealing.
  public static func run(count: Int, folder: URL) throws -> [Sample] {
    let person = Person(agency: "measure", login: "measure", role: .inspector)
    var configuration = FieldUnitConfiguration(
      dataDirectory: folder, person: person, software: "standpoint measure")
    configuration.gate.allowsSimulated = true
    let unit = try InspectorUnit.make(configuration: configuration, clock: MachineClock())
    let exposure = try SealingMeasure.exposure(of: [], configuration)
    let (stand, raw) = try proven(exposure, configuration)
    let request = SetRequest(
      task: nil, terms: try FrameSetTerms(kind: .around), waitSeconds: 1)
    let pictures = try (0..<request.terms.sectors).map { seed in
      try DemonstrationPicture.jpeg(
        widthPixels: 1280, heightPixels: 720, seed: UInt64(seed), captionLines: ["\(seed)"])
    }
    let watch = ContinuousClock()
    return try (0..<count).map { _ in
      let open = try unit.openSet(request, stand, startRaw: raw, isSimulated: true)
      let frames = try kept(pictures, in: open)
      let hashing = watch.measure { for picture in pictures { _ = Digest.hexadecimal(picture) } }
      let sealing = try watch.measure {
        _ = try unit.seal(open, frames: frames, end: stand, endRaw: raw, source: "measure")
      }
      return Sample(
        sealingSeconds: sealing / .seconds(1), hashingSeconds: hashing / .seconds(1),
        decidingSeconds: deciding(on: frames, in: open.ring),
        bytes: pictures.reduce(0) { $0 + $1.count })
    }
  }

  private static func kept(_ pictures: [[UInt8]], in open: OpenSet) throws -> [SetFrame] {
    try pictures.enumerated().map { sector, picture in
      let attitude = FrameAttitude(
        angleDegrees: open.ring.middleDegrees(ofSector: sector), deviationPitchDegrees: 0,
        deviationRollDegrees: 0)
      let frame = SetFrame(
        digest: Digest.hexadecimal(picture), bytes: picture.count, widthPixels: 1280,
        heightPixels: 720, attitude: attitude, accelerationMetresPerSecondSquared: 0, quality: 1,
        seconds: Double(sector), place: nil, isMoving: true)
      try open.keep(frame, picture, inSector: sector)
      return frame
    }
  }

  /// Returns the mean time for deciding on a frame.
  private static func deciding(on frames: [SetFrame], in ring: SectorRing) -> Double {
    var keeper = SectorKeeper<Int>(ring: ring)
    let rounds = 100
    let time = ContinuousClock().measure {
      for round in 0..<rounds {
        for (number, frame) in frames.enumerated() {
          _ = keeper.offer(
            number, frame.attitude,
            accelerationMetresPerSecondSquared: 1 / Double(round + 1))
        }
      }
    }
    return time / .seconds(1) / Double(rounds * frames.count)
  }

  private static func proven(
    _ exposure: Exposure, _ configuration: FieldUnitConfiguration
  ) throws -> (SealedStand, [UInt8]) {
    let shutter = exposure.shutter
    let raw = try RawWindow(
      source: "measure", receiver: nil, from: exposure.start.from,
      firstSample: exposure.start.firstStill, shutter: shutter.fix.time,
      cycleEnd: exposure.cycleEnd, gate: configuration.gate, sampler: configuration.sampler,
      chunks: exposure.chunks
    ).fileBytes()
    guard let place = shutter.standpoint?.coordinate,
      let stand = SealedStand(
        StandClaims(
          position: PhotoPosition(
            kept: place, ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
            uncertaintyMetres95: shutter.standpoint?.uncertaintyMetres95,
            method: .standpoint(configuration.sampler.method)),
          standpoint: shutter.standpoint, shutter: shutter, gate: configuration.gate,
          sampler: configuration.sampler, gnssTime: shutter.fix.time,
          deviceTime: exposure.deviceTime, fixAgeSeconds: 0.1, sky: exposure.sky),
        source: "measure", rawDigest: Digest.hexadecimal(raw))
    else { throw FieldUnitError.rawWindowGone }
    return (stand, raw)
  }
}
