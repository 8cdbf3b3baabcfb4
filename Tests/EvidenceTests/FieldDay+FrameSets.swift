import Foundation
import Geodesy
import Inspection
import Positioning
import TimeAndText

@testable import Evidence

extension FieldDay {
  /// A day with one walk round a thing: eight sectors, of which one is empty.
  static let withSet = Result {
    var day = try FieldDay(seed: 72)
    try day.frameSet(at: try place(48.2005, 11.6003), sectors: 8, missing: [3])
    return day
  }

  /// Seals a walk round a thing, or a turn whose two standpoints nothing connects.
  /// - Parameter missing: the sectors that get no frame.
  @discardableResult
  mutating func frameSet(
    _ kind: FrameSetKind = .around, at origin: Coordinate, sectors: Int, missing: Set<Int> = []
  ) throws -> Identifier {
    let begun = now.advanced(bySeconds: 600)
    let start = try stand(at: origin, from: begun)
    now = start.claims.deviceTime
    let id = Identifier(at: now, using: &random)
    var frames: [SetFrame] = []
    let ring = SectorRing(count: sectors)
    for sector in 0..<sectors where !missing.contains(sector) {
      now = now.advanced(bySeconds: 4)
      let attitude = FrameAttitude(
        angleDegrees: ring.middleDegrees(ofSector: sector), deviationPitchDegrees: -0.5,
        deviationRollDegrees: 1.25)
      let picture = Self.pictures[sector % Self.pictures.count]
      frames.append(
        SetFrame(
          digest: Digest.hexadecimal(picture), bytes: picture.count, widthPixels: 320,
          heightPixels: 240, attitude: attitude,
          accelerationMetresPerSecondSquared: sector == 1 ? nil : 0.2,
          quality: FrameQuality(
            attitude, accelerationMetresPerSecondSquared: sector == 1 ? nil : 0.2, in: ring
          ).value, seconds: Double(sector) * 4,
          place: sector == 6
            ? nil
            : FramePlace(
              gnssTime: now.gnssTime,
              coordinate: Geodesic.direct(
                from: origin, initialAzimuthDegrees: 90 + attitude.angleDegrees / 2,
                distanceMetres: 20 * sin(attitude.angleDegrees * .pi / 360)),
              uncertaintyMetres95: 1.5), isMoving: kind == .around))
    }
    let order = FrameOrder.order(frames.map(\.attitude.angleDegrees), isFullRing: missing.isEmpty)
    frames = order.map { frames[$0] }
    let end = try stand(at: origin, from: now)
    now = end.claims.deviceTime
    let set = FrameSet(
      id: id, agency: person.agency, inspector: person.login, task: nil,
      terms: try FrameSetTerms(kind: kind, sectors: sectors), ring: ring, start: start.sealed.stand,
      end: end.sealed.stand, frames: frames, isSimulated: false)
    let record = Record.frameSet(
      FrameSetClaims(
        set: set, start: start.sealed, end: end.sealed,
        camera: .assumed(widthPixels: 320, heightPixels: 240), task: nil, policy: policy),
      in: context)
    var sealed = Sealed(
      kind: RecordKind(kind), id: id, record: record, file: FrameList.bytes(frames, of: id))
    sealed.parts[.startRaw] = start.raw
    sealed.parts[.endRaw] = end.raw
    for (index, frame) in frames.enumerated() {
      sealed.parts[.frame(index + 1)] =
        Self.pictures.first { Digest.hexadecimal($0) == frame.digest }
    }
    entries.append(sealed)
    return id
  }

  private mutating func stand(
    at origin: Coordinate, from start: DeviceTime
  ) throws -> (claims: StandClaims, sealed: SealedStand, raw: [UInt8]) {
    let (gate, sampler) = (GatePolicy(), try Self.rules(20, .innermostLayer))
    for _ in 0..<40 {
      let story = ReceiverStory(origin: origin, start: start, seed: random.next())
      guard let exposure = story.exposure(sampler: sampler, countdownSeconds: 0, gate: gate),
        let milliseconds = exposure.shutter.fix.time.millisecondsSince1970,
        let position = PhotoPosition(
          asked: sampler, standpoint: exposure.shutter.standpoint, fix: exposure.shutter.fix)
      else { continue }
      let raw = try RawWindow(
        source: source, receiver: "u-blox 9", from: exposure.start.from,
        firstSample: exposure.start.firstStill, shutter: exposure.shutter.fix.time,
        cycleEnd: exposure.cycleEnd, gate: gate, sampler: sampler, chunks: exposure.chunks
      ).fileBytes()
      let claims = StandClaims(
        position: position, standpoint: exposure.shutter.standpoint, shutter: exposure.shutter,
        gate: gate, sampler: sampler, gnssTime: exposure.shutter.fix.time,
        deviceTime: DeviceTime(millisecondsSince1970: milliseconds).advanced(bySeconds: 0.5),
        fixAgeSeconds: 0.2, sky: exposure.sky)
      if let sealed = SealedStand(
        claims, source: source, rawDigest: Digest.hexadecimal(raw))
      {
        return (claims, sealed, raw)
      }
    }
    throw Failure.gateNeverOpened
  }
}
