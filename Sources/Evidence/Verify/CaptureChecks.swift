import Foundation
import Imagery
import Inspection
import Positioning

/// The digests that a capture's record carries.
public enum CaptureDigests {
  /// SHA-256 of a JPEG's image data alone: from SOI to EOI without APPn and COM segments.
  /// - Throws: `ImageryError` for what is no whole JPEG.
  public static func image(of jpeg: [UInt8]) throws -> String {
    Digest.hexadecimal(jpeg, ranges: try JPEGStructure(jpeg).imageDataRanges)
  }
}

/// Checks of a capture's claims against its raw window and against each other.
enum CaptureChecks {
  struct Problem {
    var check: Finding.Check
    var message: String
  }

  /// What the raw window says against the record.
  static func problems(of record: JSONValue, window: RawWindow) -> [Problem] {
    var problems: [Problem] = []
    let again = Recomputation(window)
    if record["gate"]?["limits"] != window.gate.json
      || record["gate"]?["sampler"] != window.sampler?.json
    {
      problems.append(
        Problem(check: .standpoint, message: "record and raw window name different limits"))
    }
    if record["device"]?["receiver"]?["source"]?.text != window.source {
      problems.append(
        Problem(check: .rawWindow, message: "the raw window comes from another receiver"))
    }
    let isDeclared = record["simulated"]?.flag == true
    if !isDeclared, again.saysSimulated || window.source.hasPrefix("file:") {
      problems.append(
        Problem(
          check: .simulated,
          message: "its receiver was a simulator or a replay, and the record does not say so"))
    }
    guard let shutter = again.shutter,
      RawWindow.time(record["time"]?["gnss"]).map({
        abs(shutter.fix.time.seconds(since: $0)) < 0.0005
      }) == true
    else {
      problems.append(
        Problem(check: .times, message: "the raw window is of another time than the photo"))
      return problems
    }
    if !again.heldOpen || shutter.verdict.state != .still {
      problems.append(
        Problem(check: .standpoint, message: "by the raw window the receiver did not stand still"))
    }
    if let words = standpointProblem(record, again) {
      problems.append(Problem(check: .standpoint, message: words))
    }
    return problems
  }

  private static func standpointProblem(
    _ record: JSONValue, _ again: Recomputation
  ) -> String? {
    let position = record["position"]
    let claimed = (
      latitude: position?["latitudeDegrees"]?.measured,
      longitude: position?["longitudeDegrees"]?.measured
    )
    guard let claims = position?["standpoint"] else {
      guard let place = again.shutter?.fix.coordinate,
        Recomputation.agrees(
          place, latitude: claimed.latitude, longitude: claimed.longitude)
      else { return "the position is not the one of the raw window" }
      return nil
    }
    guard let standpoint = again.standpoint else {
      return "the raw window does not give as many samples as the record claims"
    }
    let places = [
      ("innermostLayer", standpoint.innermostLayer), ("mean", standpoint.mean),
      ("median", standpoint.median),
    ]
    for (name, place) in places {
      guard
        Recomputation.agrees(
          place, latitude: claims[name]?["latitudeDegrees"]?.measured,
          longitude: claims[name]?["longitudeDegrees"]?.measured)
      else { return "the standpoint (\(name)) is not the one that the raw window gives" }
    }
    guard
      Recomputation.agrees(
        standpoint.coordinate, latitude: claimed.latitude, longitude: claimed.longitude),
      claims["method"]?.text == standpoint.method.rawValue,
      position?["method"]?.text == standpoint.method.rawValue
    else { return "the position is not the standpoint that the raw window gives" }
    guard claims["samples"]?.wholeNumber == standpoint.samples,
      claims["layers"]?.wholeNumber == standpoint.layers,
      agrees(claims["spreadMetres"], standpoint.spreadMetres),
      agrees(claims["effectiveSamples"], standpoint.effectiveSamples),
      agrees(claims["uncertaintyMetres95"], standpoint.uncertaintyMetres95),
      agrees(position?["uncertaintyMetres95"], standpoint.uncertaintyMetres95)
    else { return "the standpoint's numbers are not those that the raw window gives" }
    return nil
  }

  private static func agrees(_ claimed: JSONValue?, _ value: Double?) -> Bool {
    switch (claimed?.measured, value) {
    case (nil, nil): true
    case (let claimed?, let value?): abs(claimed - value) <= 0.002
    default: false
    }
  }

  /// Device and receiver disagree about the time; nil when they do not, or cannot be compared.
  static func clockProblem(_ record: JSONValue) -> String? {
    // A replay runs under the log's clock, not under the device's.
    guard record["simulated"]?.flag != true,
      let difference = record["time"]?["deviceMinusGNSSSeconds"]?.measured,
      abs(difference) > 300
    else { return nil }
    return
      "device and receiver disagree about the time by \(DecimalText.fixed(difference, places: 0)) s"
  }

  /// The device's time of a record, where it can be compared with that of others.
  static func comparableDeviceTime(_ record: JSONValue) -> DeviceTime? {
    guard record["simulated"]?.flag != true else { return nil }
    return record["time"]?["device"]?.text.flatMap(DeviceTime.init(rfc3339:))
  }
}
