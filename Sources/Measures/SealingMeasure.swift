import Evidence
import FieldUnit
import Foundation
import Geodesy
import Inspection
import Positioning
import Receivers
import Store
import TimeAndText

/// Measures the cost of sealing a photo on this machine: the code of a capture, and in the same run
/// the least work that it cannot do without.
public enum SealingMeasure {
  /// The times of one photo, seconds.
  public struct Sample: Hashable, Sendable {
    /// The time from the frame in memory to the durable rows and files.
    public var sealingSeconds: Double
    /// The time for checking before that whether the picture can be decoded to its end.
    public var lookingSeconds: Double
    /// The time for the SHA-256 of the frame and one durable write of it.
    public var floorSeconds: Double
  }

  /// Seals a frame a number of times, and measures each.
  /// - Parameters:
  ///   - frame: a JPEG.
  ///   - count: the number of photos.
  ///   - folder: an empty folder on the disk to be measured.
  /// - Throws: the errors of sealing.
  public static func run(frame: [UInt8], count: Int, folder: URL) throws -> [Sample] {
    let clock = MachineClock()
    let person = Person(agency: "measure", login: "measure", role: .inspector)
    var configuration = FieldUnitConfiguration(
      dataDirectory: folder, person: person, software: "standpoint measure")
    configuration.gate.allowsSimulated = true
    let unit = try InspectorUnit.make(configuration: configuration, clock: clock)
    try certify(unit)
    let exposure = try exposure(of: frame, configuration)
    let request = CaptureRequest(
      task: nil, camera: .command(["measure"]), countdownSeconds: 0, waitSeconds: 1)
    let terms = try unit.terms(for: request)
    let watch = ContinuousClock()
    return try (0..<count).map { number in
      let file = folder.appendingPathComponent("floor-\(number)").path
      let floor = try watch.measure {
        _ = Digest.hexadecimal(frame)
        try DurableFile.write(frame, to: file)
      }
      try DurableFile.remove(file)
      var accepted: AcceptedFrame?
      let looking = try watch.measure { accepted = try AcceptedFrame(frame) }
      guard let accepted else { throw FieldUnitError.rawWindowGone }
      // The frame's own digest belongs to sealing.
      let hashing = watch.measure { _ = Digest.hexadecimal(frame) }
      let sealing = try watch.measure {
        _ = try unit.seal(exposure, accepted, request, terms, surroundings: nil)
      }
      return Sample(
        sealingSeconds: (hashing + sealing) / .seconds(1),
        lookingSeconds: (looking - hashing) / .seconds(1), floorSeconds: floor / .seconds(1))
    }
  }

  /// Seals photos into a field unit, without a receiver and without waiting; all of them are marked
  /// as simulated.
  package static func seal(
    _ frames: [[UInt8]], task: Identifier?, in unit: InspectorUnit
  ) throws -> [Photo] {
    let request = CaptureRequest(
      task: task, camera: .command(["measure"]), countdownSeconds: 0, waitSeconds: 1)
    let terms = try unit.terms(for: request)
    var configuration = unit.configuration
    configuration.gate.allowsSimulated = true
    return try frames.map { frame in
      var exposure = try exposure(of: frame, configuration)
      exposure.deviceTime = unit.clock.deviceTime
      return try unit.seal(
        exposure, try AcceptedFrame(frame), request, terms, surroundings: nil)
    }
  }

  /// Gives the unit a certificate, as a sign-in does: without one there is no manifest.
  private static func certify(_ unit: InspectorUnit) throws {
    let now = unit.clock.deviceTime
    let authority = try Authority.make(name: "measure", at: now)
    let certificate = try authority.certify(
      unit.key.publicKey,
      subject: DeviceSubject(agency: "measure", inspector: "measure", device: unit.device), at: now)
    let path = unit.folder.certificate(
      ofKey: unit.key.publicKey.thumbprint, authority: authority.certificate)
    try DurableFile.makeFolder(unit.folder.root + "/certificates")
    try DurableFile.replace(path, with: Array((certificate.pem + authority.certificate.pem).utf8))
    try unit.store.write(as: unit.person) {
      try $0.signIns.save(
        SignIn(
          person: unit.person, name: nil, office: "http://127.0.0.1:1",
          authority: authority.certificate.pem, token: "measure", time: now))
    }
  }

  /// Returns the exposure after a minute of standing still with a simulated receiver.
  static func exposure(
    of frame: [UInt8], _ configuration: FieldUnitConfiguration
  ) throws -> Exposure {
    guard let origin = Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.63) else {
      throw FieldUnitError.rawWindowGone
    }
    let start = DeviceTime(millisecondsSince1970: 1_780_000_000_000)
    let walk = WalkSimulator(
      origin: origin, start: start, legs: [.stand(seconds: 60)], seed: 1)
    var pipeline = PositioningPipeline(gate: configuration.gate, sampler: configuration.sampler)
    var ring = RawRing()
    var last: JudgedFix?
    for (second, epoch) in walk.epochs().enumerated() {
      let arrival = ElapsedTime(milliseconds: Int64(second) * 1000)
      ring.append(RawChunk(arrival: arrival, bytes: epoch))
      pipeline.accept(epoch, at: arrival) { event in
        if case .fix(let judged) = event { last = judged }
      }
    }
    guard let shutter = last, let sampling = shutter.sampling,
      let chunks = ring.chunks(from: sampling.firstChunk)
    else { throw FieldUnitError.rawWindowGone }
    return Exposure(
      frame: frame, shutter: shutter, start: sampling, chunks: chunks,
      cycleEnd: pipeline.cycleEnd, source: .tcp(host: "measure", port: 1), sky: pipeline.sky,
      deviceTime: start.advanced(bySeconds: 60), fixAgeSeconds: 0.1,
      shutterAt: shutter.arrival, surroundings: nil)
  }
}
