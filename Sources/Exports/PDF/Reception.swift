import Evidence
import Foundation
import Positioning

/// How the receiver did when a photo was taken, from the photo's sealed record. Each member is nil where the
/// record does not say.
public struct Reception: Hashable, Sendable {
  /// Satellites that went into the fix, as the receiver counts them.
  public var satellitesUsed: Int?
  /// How many of them each constellation has, where the receiver names them.
  public var constellations: [String: Int] = [:]
  /// Median of their carrier-to-noise densities, dB-Hz.
  public var carrierToNoiseDecibelHertz: Double?
  /// What kind of fix it was: `autonomous`, `rtk fixed` and so on, as the dictionary's `fixQuality`.
  public var quality: String?
  /// 2 or 3.
  public var dimensions: Int?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Radius of the fix at the shutter, 95 %, metres.
  public var fixUncertaintyMetres95: Double?
  /// Age of the fix at the shutter, seconds.
  public var fixAgeSeconds: Double?
  /// Age of the corrections, seconds.
  public var correctionAgeSeconds: Double?
  /// Speed that the gate found over its window, metres per second.
  public var speedMetresPerSecond: Double?
  /// What the speed stays below with 95 %, metres per second.
  public var speedUpperMetresPerSecond95: Double?
  /// The gate's window, seconds.
  public var windowSeconds: Double?
  /// Fixes in that window.
  public var windowFixes: Int?

  /// What a record says; members that are not what they must be count as absent.
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
