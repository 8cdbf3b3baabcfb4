import Evidence
import Foundation
import Geodesy
import Imagery
import Inspection
import Positioning
import TimeAndText

extension SealFile {
  /// Returns the distance in metres between the position that a capture's record claims and the one
  /// that its raw window gives; nil if the window gives none, or the record claims none.
  func differenceMetres(from again: Recomputation) -> Double? {
    guard let fix = again.shutter?.fix,
      let place = PhotoPosition(standpoint: again.standpoint, fix: fix),
      let latitude = record["position"]?["latitudeDegrees"]?.measured,
      let longitude = record["position"]?["longitudeDegrees"]?.measured,
      let claimed = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { return nil }
    return Geodesic.distanceMetres(from: place.coordinate, to: claimed)
  }
}

/// Checks of a capture's claims against its raw window and against each other.
enum CaptureChecks {
  struct Problem {
    var check: Finding.Check
    var message: Wording
  }

  /// Returns the contradictions between a record and its raw window.
  static func problems(
    of record: JSONValue, window: RawWindow, _ again: Recomputation
  ) -> [Problem] {
    var problems: [Problem] = []
    if record["gate"]?["limits"] != window.gate.json
      || record["gate"]?["sampler"] != window.sampler?.json
    {
      problems.append(
        Problem(check: .standpoint, message: "the record and the raw window have different limits"))
    }
    if record["device"]?["receiver"]?["source"]?.text != window.source {
      problems.append(
        Problem(check: .rawWindow, message: "the raw window comes from a different receiver"))
    }
    for rule in CaptureRules.beyondEachAgency(window.gate, window.sampler) {
      problems.append(
        Problem(
          check: .standpoint,
          message: "its limit is looser than any agency can set it: \(word: rule.rawValue)"))
    }
    for name in foreignTimings(window.gate, window.sampler) {
      problems.append(
        Problem(
          check: .standpoint, message: "its limit is not one that our programs have: \(word: name)")
      )
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
        Problem(check: .times, message: "the raw window is from a different time than the photo"))
      return problems
    }
    if !again.heldOpen || shutter.verdict.state != .still {
      problems.append(
        Problem(check: .standpoint, message: "the raw window shows that the receiver was moving"))
    }
    let words =
      standpointProblem(record["position"], again, shutter.fix, Record.lens(of: record))
      ?? fixProblem(record["position"]?["fix"], shutter.fix)
      ?? gateProblem(record["gate"], shutter.verdict)
      ?? integrityProblem(record["integrity"], shutter.fix)
      ?? satelliteProblem(
        record["integrity"]?["satellites"], again,
        spanSeconds: window.shutter.seconds(since: window.from))
    if let words { problems.append(Problem(check: .standpoint, message: words)) }
    return problems
  }

  /// Returns the names of the limits in time that differ from those of our programs: neither people nor agencies
  /// can set them, and with others the gate would pass over gaps in what the receiver said.
  static func foreignTimings(_ gate: GatePolicy, _ sampler: SamplerPolicy?) -> [String] {
    let (own, samples) = (GatePolicy(), SamplerPolicy())
    let limits = [
      ("shortWindowSeconds", gate.shortWindowSeconds, own.shortWindowSeconds),
      ("maximumAgeSeconds", gate.maximumAgeSeconds, own.maximumAgeSeconds),
      ("maximumGapSeconds", gate.maximumGapSeconds, own.maximumGapSeconds),
      (
        "sampler.maximumAgeSeconds", sampler?.maximumAgeSeconds ?? samples.maximumAgeSeconds,
        samples.maximumAgeSeconds
      ),
    ]
    return limits.filter { abs($0.1 - $0.2) > 0.0005 }.map(\.0)
  }

  /// Resolves the position again with the code that resolved it the first time (`PhotoPosition`),
  /// and compares it number by number; nil if all numbers agree.
  private static func standpointProblem(
    _ position: JSONValue?, _ again: Recomputation, _ fix: Fix, _ lens: LensOffset?
  ) -> Wording? {
    guard let lens else { return "the distance between antenna and lens cannot be read" }
    let claims = position?["standpoint"]
    if claims != nil, again.standpoint == nil {
      return "the number of samples in the raw window does not match the record"
    }
    if claims == nil, again.standpoint != nil {
      return "the record does not contain the standpoint of the raw window"
    }
    if let claims, let standpoint = again.standpoint,
      let words = problem(of: claims, standpoint)
    {
      return words
    }
    guard
      let place = PhotoPosition(standpoint: again.standpoint, fix: fix)?.widened(by: lens),
      agrees(position, place.coordinate), position?["method"]?.text == place.method.name
    else { return "the position does not match the raw window" }
    guard agrees(position?["uncertaintyMetres95"], place.uncertaintyMetres95),
      agrees(position?["ellipsoidalHeightMetres"], place.ellipsoidalHeightMetres),
      agrees(position?["meanSeaLevelHeightMetres"], place.meanSeaLevelHeightMetres)
    else { return "the position's height or uncertainty does not match the raw window" }
    return nil
  }

  private static func problem(of claims: JSONValue, _ standpoint: Standpoint) -> Wording? {
    let places = [
      ("innermostLayer", standpoint.innermostLayer), ("mean", standpoint.mean),
      ("median", standpoint.median),
    ]
    for (name, place) in places where !agrees(claims[name], place) {
      return "the standpoint (\(name)) does not match the raw window"
    }
    guard claims["method"]?.text == standpoint.method.rawValue,
      claims["samples"]?.wholeNumber == standpoint.samples,
      claims["layers"]?.wholeNumber == standpoint.layers,
      agrees(claims["spreadMetres"], standpoint.spreadMetres),
      agrees(claims["effectiveSamples"], standpoint.effectiveSamples),
      agrees(claims["uncertaintyMetres95"], standpoint.uncertaintyMetres95),
      agrees(claims["firstTime"], standpoint.firstTime),
      agrees(claims["lastTime"], standpoint.lastTime),
      let hull = claims["hull"]?.elements, hull.count == standpoint.hull.count,
      zip(hull, standpoint.hull).allSatisfy({ corner, place in
        agrees(
          latitude: corner.elements?.last?.measured, longitude: corner.elements?.first?.measured,
          place)
      })
    else { return "the standpoint's numbers do not match the raw window" }
    return nil
  }

  private static func fixProblem(_ claims: JSONValue?, _ fix: Fix) -> Wording? {
    guard let claims, let place = fix.coordinate, agrees(claims, place),
      agrees(claims["time"], fix.time),
      agrees(claims["horizontalUncertaintyMetres95"], fix.horizontalUncertaintyMetres95),
      agrees(claims["ellipsoidalHeightMetres"], fix.ellipsoidalHeightMetres),
      agrees(claims["meanSeaLevelHeightMetres"], fix.meanSeaLevelHeightMetres)
    else { return "the fix at the shutter does not match the raw window" }
    let dilutions = [
      ("horizontalDilution", fix.horizontalDilution), ("verticalDilution", fix.verticalDilution),
      ("positionDilution", fix.positionDilution),
    ]
    guard dilutions.allSatisfy({ agrees(claims[$0.0], $0.1) }),
      agrees(claims["verticalUncertaintyMetres95"], fix.verticalUncertaintyMetres95),
      claims["uncertaintySource"]?.text == fix.uncertaintySource?.rawValue
    else { return "the dilution or uncertainty of the fix does not match the raw window" }
    return nil
  }

  /// Compares what the receiver said of its own solution; nil if all of it agrees.
  private static func integrityProblem(_ claims: JSONValue?, _ fix: Fix) -> Wording? {
    guard claims?["quality"]?.text == fix.quality?.name,
      claims?["mode"]?.wholeNumber == fix.mode.rawValue,
      agrees(claims?["correctionAgeSeconds"], fix.correctionAgeSeconds),
      claims?["correctionStation"]?.text == fix.correctionStation,
      claims?["satellitesUsed"]?.wholeNumber == fix.satellitesUsed
    else { return "the quality, corrections or satellites do not match the raw window" }
    return nil
  }

  private static func gateProblem(_ claims: JSONValue?, _ verdict: GateVerdict) -> Wording? {
    let numbers = claims?["statistics"]
    let statistics = verdict.statistics
    guard claims?["verdict"]?.text == verdict.state.rawValue,
      agrees(numbers?["speedMetresPerSecond"], statistics?.speedMetresPerSecond),
      agrees(
        numbers?["speedUpperMetresPerSecond95"], statistics?.speedUpperMetresPerSecond95),
      agrees(numbers?["dopplerMetresPerSecond"], statistics?.dopplerMetresPerSecond),
      agrees(numbers?["windowSeconds"], statistics?.windowSeconds),
      numbers?["fixes"]?.wholeNumber == statistics?.fixes
    else { return "the gate's verdict or its numbers do not match the raw window" }
    return nil
  }

  /// Returns a message if the picture has another size than its record claims; nil if the size
  /// agrees, or if the bytes are no picture, which another check reports.
  static func sizeProblem(_ record: JSONValue, _ picture: [UInt8]) -> Wording? {
    guard let frame = try? JPEGPicture.inspect(picture) else { return nil }
    let (width, height) = (
      record["photo"]?["widthPixels"]?.wholeNumber, record["photo"]?["heightPixels"]?.wholeNumber
    )
    if width == frame.widthPixels, height == frame.heightPixels { return nil }
    func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "?" }
    return
      "the picture has \(frame.widthPixels) × \(frame.heightPixels) pixels, but its record says"
      + " \(text(width)) × \(text(height))"
  }

  /// The largest difference between a camera's time and the record's on one day, in seconds. A
  /// camera writes its time without a zone, and zones reach from 12 hours behind to 14 ahead; a
  /// camera may also be set a little wrong. A larger difference is another day.
  private static let cameraTimeToleranceSeconds = 36 * 3600.0

  /// Returns a message if the camera wrote another day into its picture than the record's; nil if
  /// it did not, or wrote none.
  static func cameraTimeProblem(_ record: JSONValue, _ picture: [UInt8]) -> Wording? {
    guard let exif = try? JPEGMetadata(picture).exif, let block = try? ExifBlock(exif),
      case .text(let text)? = block[.exif, 0x9003],
      let device = record["time"]?["device"]?.text.flatMap(DeviceTime.init(rfc3339:))
    else { return nil }
    // EXIF has colons in its dates: 2019:04:30 11:58:07.
    let digits = text.prefix(19).split(separator: " ")
    guard digits.count == 2,
      let camera = DeviceTime(
        rfc3339: "\(digits[0].replacing(":", with: "-"))T\(digits[1]).000Z"),
      // A phone whose clock was found to be a day off writes that day into its pictures.
      abs(
        device.gnssTime.seconds(since: camera.gnssTime)
          + clockOffset(record)) > cameraTimeToleranceSeconds
    else { return nil }
    return
      "the camera's own time in the picture is \(String(text.prefix(19))), the record's \(moment: device)"
  }

  /// The largest difference of a phone's clock that excuses its camera's time, seconds. The phone tells it,
  /// so it must not excuse a picture of another year.
  private static let clockOffsetSecondsAtMost = 3 * 86_400.0

  private static func clockOffset(_ record: JSONValue) -> Double {
    let told = record["shutter"]?["clockOffsetSeconds"]?.measured ?? 0
    return min(max(told, -clockOffsetSecondsAtMost), clockOffsetSecondsAtMost)
  }

  // MARK: agreement

  /// Returns true if a claim with latitude and longitude agrees with the place, to 1 mm.
  private static func agrees(_ claimed: JSONValue?, _ place: Coordinate) -> Bool {
    agrees(
      latitude: claimed?["latitudeDegrees"]?.measured,
      longitude: claimed?["longitudeDegrees"]?.measured, place)
  }

  private static func agrees(latitude: Double?, longitude: Double?, _ place: Coordinate) -> Bool {
    guard let latitude, let longitude,
      let claimed = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { return false }
    return Geodesic.distanceMetres(from: place, to: claimed) <= 0.001
  }

  /// Returns true if a claimed number agrees with a value, to 0.002. Records carry three decimals,
  /// and no number if there is none or none that has a text.
  private static func agrees(_ claimed: JSONValue?, _ value: Double?) -> Bool {
    switch (claimed?.measured, value.flatMap({ JSONValue.metres($0)?.measured })) {
    case (nil, nil): claimed == nil
    case (let claimed?, let value?): abs(claimed - value) <= 0.002
    default: false
    }
  }

  private static func agrees(_ claimed: JSONValue?, _ time: GNSSTime) -> Bool {
    RawWindow.time(claimed).map { abs(time.seconds(since: $0)) < 0.0005 } ?? false
  }

  // MARK: clocks

  /// Returns a message if device and receiver disagree about the time, or if the record states
  /// another difference than theirs; nil if neither is so, and for simulated records. The
  /// difference is computed here: the record's own is one more claim.
  static func clockProblem(_ record: JSONValue) -> Wording? {
    // A replay runs under the log's clock, not under the device's.
    guard record["simulated"]?.flag != true else { return nil }
    let time = record["time"]
    guard let device = time?["device"]?.text.flatMap(DeviceTime.init(rfc3339:)),
      let gnss = RawWindow.time(time?["gnss"])
    else { return "the receiver's or the device's time is missing" }
    let difference = device.gnssTime.seconds(since: gnss)
    if abs(difference) > ClockTolerance.seconds {
      let seconds = DecimalText.fixed(difference, places: 0)
      return "the times of the device and the receiver differ by \(seconds) s"
    }
    if let claimed = time?["deviceMinusGNSSSeconds"]?.measured, abs(claimed - difference) > 0.002 {
      return "the difference between the clocks is not what the record says"
    }
    return nil
  }
}
