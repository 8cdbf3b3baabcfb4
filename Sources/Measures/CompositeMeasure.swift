import Evidence
import Foundation
import Imagery
import TimeAndText

/// Measures how long a composite of two photos of 12 megapixels takes: for `standpoint measure`.
public enum CompositeMeasure {
  /// The result of the measuring.
  public struct Sample: Sendable {
    /// The seconds of each composite, from both files in memory to the finished file, ascending.
    public var seconds: [Double]
    /// The most memory of the process while they were made, bytes.
    public var residentBytes: Int
  }

  private static let (width, height) = (4000, 3000)

  /// Makes composites of two drawn photos, each through a soft ellipse and with the earlier photo
  /// turned and scaled a little, so that every pixel is read between its neighbours.
  public static func run(count: Int, at now: DeviceTime) throws -> Sample {
    let (below, above) = (try source(seed: 1, "later"), try source(seed: 2, "earlier"))
    let key = SoftwareDeviceKey()
    let certificate = try Authority.make(name: "measured", at: now).certify(
      key.publicKey, subject: DeviceSubject(agency: "measured", inspector: "ines", device: "this"),
      at: now)
    var plan = CompositePlan(
      .byHand(
        centreX: Double(width) / 2 + 12, centreY: Double(height) / 2 - 9, scale: 1.04,
        angleDegrees: 1.5),
      window: CompositePlan.Window(
        .ellipse, centreX: Double(width) / 2, centreY: Double(height) / 2,
        halfWidth: Double(width) / 2, halfHeight: Double(height) / 2))
    plan.softness = 0.3
    // The drawing of the pictures needed more than the composites may.
    resetPeak()
    var seconds: [Double] = []
    for number in 0..<count {
      var record = CompositeRecord(
        id: "composite-\(number)", agency: "measured", maker: "ines", made: now,
        software: "standpoint", below: below.original, above: above.original, plan: plan)
      let began = ContinuousClock.now
      _ = try CompositeFile.make(
        &record, below: below, above: above, certificate: certificate, key: key)
      let spent = (ContinuousClock.now - began).components
      seconds.append(Double(spent.seconds) + Double(spent.attoseconds) / 1e18)
    }
    return Sample(seconds: seconds.sorted(), residentBytes: peakBytes())
  }

  private static func source(seed: UInt64, _ id: String) throws -> CompositeSource {
    let file = try DemonstrationPicture.grainyJPEG(
      widthPixels: width, heightPixels: height, seed: seed)
    return try CompositeSource(file: file, id: id, taken: "2026-05-12", agency: nil)
  }

  private static func resetPeak() {
    guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return }
    defer { try? file.close() }
    try? file.write(contentsOf: Data("5".utf8))
  }

  private static func peakBytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first).flatMap { Int($0) }
      .map { $0 * 1024 } ?? 0
  }
}
