import Evidence
import Foundation

/// The receiver's reception when a photo was taken, from the photo's sealed record. Each member is
/// nil if the record does not say.
public struct Reception: Hashable, Sendable {
  /// The number of satellites in the fix, as the receiver counts them.
  public var satellitesUsed: Int?
  /// The number of named satellites by constellation; empty if the receiver names none.
  public var constellations: [String: Int] = [:]
  /// The median of the satellites' carrier-to-noise densities, in dB-Hz.
  public var carrierToNoiseDecibelHertz: Double?
  /// The quality of the fix: `autonomous`, `rtk fixed` and so on, as the dictionary's `fixQuality`.
  public var quality: String?
  /// The dimensions of the fix, 2 or 3.
  public var dimensions: Int?
  /// The horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// The 95 % radius of the fix at the shutter, in metres.
  public var fixUncertaintyMetres95: Double?
  /// The age of the fix at the shutter, in seconds.
  public var fixAgeSeconds: Double?
  /// The age of the corrections, in seconds.
  public var correctionAgeSeconds: Double?
  /// The speed that the gate found over its window, in metres per second.
  public var speedMetresPerSecond: Double?
  /// The upper limit of the speed with 95 % probability, in metres per second.
  public var speedUpperMetresPerSecond95: Double?
  /// The length of the gate's window, in seconds.
  public var windowSeconds: Double?
  /// The number of fixes in that window.
  public var windowFixes: Int?

  /// Reads the reception from a record; members of a wrong type or range count as absent.
  public init(record: JSONValue) {
    let integrity = record["integrity"]
    let satellites = integrity?["satellites"]?.elements ?? []
    satellitesUsed =
      integrity?["satellitesUsed"]?.wholeNumber ?? (satellites.isEmpty ? nil : satellites.count)
    for satellite in satellites.prefix(200) {
      guard let name = satellite["constellation"]?.text, name.utf8.count <= 20 else { continue }
      constellations[name, default: 0] += 1
    }
    let densities = satellites.prefix(200).compactMap { $0["carrierToNoiseDecibelHertz"]?.measured }
      .sorted()
    if !densities.isEmpty {
      let middle = densities.count / 2
      carrierToNoiseDecibelHertz =
        densities.count % 2 == 1
        ? densities[middle] : (densities[middle - 1] + densities[middle]) / 2
    }
    quality = integrity?["quality"]?.text
    dimensions = integrity?["mode"]?.wholeNumber.flatMap { (2...3).contains($0) ? $0 : nil }
    correctionAgeSeconds = integrity?["correctionAgeSeconds"]?.measured
    let fix = record["position"]?["fix"]
    horizontalDilution = fix?["horizontalDilution"]?.measured
    fixUncertaintyMetres95 = fix?["horizontalUncertaintyMetres95"]?.measured
    fixAgeSeconds = record["time"]?["fixAgeSeconds"]?.measured
    let statistics = record["gate"]?["statistics"]
    speedMetresPerSecond = statistics?["speedMetresPerSecond"]?.measured
    speedUpperMetresPerSecond95 = statistics?["speedUpperMetresPerSecond95"]?.measured
    windowSeconds = statistics?["windowSeconds"]?.measured
    windowFixes = statistics?["fixes"]?.wholeNumber
  }
}
