import Evidence
import Exports
import Inspection
import Office
import Positioning
import TimeAndText
import Verification
import Web

/// The words for checks, always with numbers and never as a bare tick.
package struct CheckWords {
  /// The texts in the language of the words.
  package let t: Texts
  /// The verifier's findings about the photo. A check keeps the verifier's words in English; the
  /// findings hold the same words in a form that can be translated.
  package var findings: [Finding] = []
  /// The added services, which have their own words for checks of the photos that they took.
  package var services: [any AddedService] = []

  /// Creates the words in the language of `t`.
  package init(t: Texts, findings: [Finding] = [], services: [any AddedService] = []) {
    self.t = t
    self.findings = findings
    self.services = services
  }

  /// Returns a check as the page and the PDF show it.
  package func line(_ check: PhotoCheck) -> Dossier.Check {
    let isGood: Bool? =
      switch check.outcome {
      case .agrees: true
      case .contradicts: false
      case .unclear, .notCheckable: nil
      }
    return Dossier.Check(name: name(check.name), value: value(check), isGood: isGood)
  }

  /// Returns between which of the office's times a photo was sealed; nil if its record names no challenge.
  package func sealedBetween(_ checks: [PhotoCheck]) -> String? {
    guard let check = checks.first(where: { $0.name == .times }),
      let after = check[.challengedSecondsSince1970], let before = check[.receivedSecondsSince1970]
    else { return nil }
    let times = [after, before].map {
      t.moment(DeviceTime(millisecondsSince1970: Int64(($0 * 1000).rounded())))
    }
    let minutes = max(0, before - after) / 60
    return minutes < 120
      ? t(
        "between {1} and {2} by the office's clock, within {3} min", times[0], times[1],
        t.decimal(minutes.rounded(.up), places: 0))
      : t(
        "between {1} and {2} by the office's clock, within {3} h", times[0], times[1],
        t.decimal(minutes / 60, places: 1))
  }

  private func name(_ name: PhotoCheck.Name) -> String {
    switch name {
    case .seal: t("Seal")
    case .issuer: t("Issuer")
    case .file: t("File")
    case .chain: t("Chain")
    case .standpoint: t("Standpoint")
    case .times: t("Times")
    case .parcel: t("Parcel")
    case .aim: t("Lens aimed at the parcel")
    case .order: t("Order")
    case .policy: t("Policy")
    case .reused: t("Same picture")
    case .similar: t("Similar picture")
    case .origin: t("Origin")
    case .receiver: t("Receiver")
    case .sky: t("Satellites")
    case .noise: t("Noise of the receiver")
    case .surroundings: t("Radio surroundings")
    case .deleted: t("Deleted before it was sent")
    case .appDigest: t("The app's digest")
    case .nmea: t("Receiver's sentences")
    case .computedPositions: t("Positions computed by the app")
    }
  }

  private func value(_ check: PhotoCheck) -> String {
    if let words = services.lazy.compactMap({ $0.words(for: check, t) }).first { return words }
    // The verifier's words, appended in full after a colon; empty without any.
    let said = words(of: check.reason).map { ": \($0)" } ?? ""
    func number(_ quantity: PhotoCheck.Quantity, _ places: Int = 0) -> String? {
      check[quantity].map { t.decimal($0, places: places) }
    }
    switch check.name {
    case .seal:
      if check.outcome == .notCheckable { return t("none: not sealed by a device key") }
      return check.outcome == .agrees
        ? t("valid, number {1} under its key", number(.sequence) ?? "?") : t("not valid") + said
    case .issuer:
      return check.outcome == .agrees ? issuer(check) : said.dropColon
    case .file:
      guard check.outcome != .notCheckable else {
        return t("cannot be checked: the file is missing")
      }
      return check.outcome == .agrees
        ? t("{1} bytes, unaltered", number(.bytes) ?? "?") : t("changed since it was sealed") + said
    case .chain:
      return check.outcome == .agrees
        ? t("number {1} follows the one before it", number(.sequence) ?? "?") : said.dropColon
    case .standpoint: return standpoint(check, said, number)
    case .times: return times(check, said, number)
    case .parcel: return parcel(check, number)
    case .aim: return aim(check, number)
    case .order:
      return check.outcome == .agrees
        ? t("revision {1}, the latest", number(.revision) ?? "?")
        : t(
          "taken for revision {1}; the order is now at revision {2}", number(.revision) ?? "?",
          number(.latestRevision) ?? "?")
    case .policy: return policy(check, number(.revision) ?? "?")
    case .reused:
      if check.outcome == .notCheckable { return t("cannot be checked: the picture is missing") }
      return check[.others] == 0
        ? t("in no other photo")
        : t("used before, in {1} other photos", number(.others) ?? "?")
    case .similar: return similar(check, number)
    case .origin:
      if check.outcome == .notCheckable {
        return t("cannot be checked: the receiver's data are missing")
      }
      return check.outcome == .agrees ? t("camera, real receiver") : said.dropColon
    case .receiver: return receiver(number)
    case .sky: return sky(check, number)
    case .noise: return noise(check, number)
    case .surroundings: return surroundings(check, number)
    case .deleted: return said.dropColon
    // Only a service that examines its own photos in this way has words for these.
    case .appDigest, .nmea, .computedPositions: return check.reason?.text ?? ""
    }
  }

  /// Returns the verifier's words in the reader's language, or an inspector's own words; nil for all
  /// other reasons.
  private func words(of reason: PhotoCheck.Reason?) -> String? {
    switch reason {
    case .finding(let message):
      t(findings.first { $0.message == message }?.wording ?? Wording(template: message, values: []))
    case .deletion(let words): words
    default: nil
    }
  }

  private func issuer(_ check: PhotoCheck) -> String {
    if check[.isAttested] == 1 {
      return t(
        "this office has certified the device, whose key is in a TPM and does not leave it: the TPM has shown it, and its maker's certificate vouches for the TPM"
      )
    }
    return check[.isInToken] == 1
      ? t(
        "this office has certified the device, whose key is in a token that does not give it away, as the device says"
      )
      : t(
        "this office has certified the device, whose key is in a file: its owner can sign anything")
  }

  private func policy(_ check: PhotoCheck, _ revision: String) -> String {
    switch check.outcome {
    case .agrees: t("follows revision {1}", revision)
    case .notCheckable: t("revision {1}: the record does not state the limits", revision)
    case .unclear: t("the device had no policy when it was taken")
    case .contradicts:
      if case .brokenRules(let rules) = check.reason {
        t(
          "breaks revision {1}: {2}", revision,
          rules.map { t($0.title) }.joined(separator: "; "))
      } else {
        t("names revision {1}, which this office never issued", revision)
      }
    }
  }

  private typealias Number = (PhotoCheck.Quantity, Int) -> String?

  private func standpoint(_ check: PhotoCheck, _ said: String, _ number: Number) -> String {
    var parts: [String] = []
    if let difference = check[.recomputedDifferenceMetres] {
      parts.append(
        t("recomputed: {1} mm away", t.decimal(difference * 1000, places: 0)))
    } else if check.outcome != .contradicts {
      parts.append(t("cannot be checked: the receiver's data are missing"))
    }
    if let samples = number(.samples, 0) {
      parts.append(
        t(
          "{1} samples (about {2} independent), spread {3} m", samples,
          number(.effectiveSamples, 0) ?? "?",
          number(.spreadMetres, 2) ?? "?"))
    } else {
      parts.append(t("single fix at the shutter"))
    }
    return parts.joined(separator: ", ") + (check.outcome == .contradicts ? said : "")
  }

  private func times(_ check: PhotoCheck, _ said: String, _ number: Number) -> String {
    var parts: [String] = []
    if let difference = number(.deviceMinusGNSSSeconds, 1) {
      parts.append(t("device minus receiver {1} s", difference))
    } else {
      parts.append(t("the receiver gave no date"))
    }
    if let age = number(.fixAgeSeconds, 1) { parts.append(t("fix {1} s old", age)) }
    if let after = check[.deliveredAfterSeconds] {
      parts.append(
        t("delivered {1} h later", t.decimal(after / 3600, places: 1)))
    }
    if check.outcome == .notCheckable { parts.append(t("a replay: cannot be compared")) }
    return parts.joined(separator: ", ") + said
  }

  private func parcel(_ check: PhotoCheck, _ number: Number) -> String {
    guard let distance = number(.distanceMetres, 1) else {
      return t("cannot be checked: there is no parcel")
    }
    let uncertainty = number(.uncertaintyMetres95, 1)
    if check[.distanceMetres] == 0 {
      return uncertainty.map { t("inside, ± {1} m", $0) } ?? t("inside, ± not known")
    }
    return uncertainty.map { t("{1} m outside, ± {2} m", distance, $0) }
      ?? t("{1} m outside, ± not known", distance)
  }

  private func aim(_ check: PhotoCheck, _ number: Number) -> String {
    guard let azimuth = number(.azimuthDegreesTrue, 1) else {
      return t("cannot be checked: azimuth unknown")
    }
    guard let miss = number(.missDegrees, 0) else {
      return t("cannot be checked: there is no parcel")
    }
    var parts = [t("azimuth {1}° ± {2}°", azimuth, number(.azimuthUncertaintyDegrees95, 0) ?? "?")]
    if check[.missDegrees] == 0 {
      if let reach = number(.reachMetres, 0) {
        parts.append(t("{1} m of the parcel lie ahead", reach))
      }
    } else {
      parts.append(
        t(
          "misses the parcel by {1}°; the picture covers {2}° to each side", miss,
          number(.halfViewDegrees, 0) ?? "?"))
    }
    if check.outcome == .unclear, let low = number(.lowestViewDegrees, 0),
      let high = number(.highestViewDegrees, 0)
    {
      parts.append(t("from {1}° to {2}° above the horizon", low, high))
    }
    return parts.joined(separator: ", ")
  }

  private func similar(_ check: PhotoCheck, _ number: Number) -> String {
    guard let others = check[.others] else { return t("cannot be checked: it shows too little") }
    return others == 0
      ? t("none")
      : t(
        "{1} similar photos, the most similar at distance {2} of {3}; only a hint",
        number(.others, 0) ?? "?", number(.distanceBits, 0) ?? "?", number(.comparedBits, 0) ?? "?")
  }

  private func receiver(_ number: Number) -> String {
    var parts: [String] = []
    if let used = number(.satellitesUsed, 0) { parts.append(t("{1} satellites used", used)) }
    if let mean = number(.meanCarrierToNoiseDecibelHertz, 1) {
      parts.append(
        t("signals {1} dB-Hz, spread {2} dB", mean, number(.spreadDecibelHertz, 1) ?? "?"))
    }
    if let age = number(.correctionAgeSeconds, 0) {
      parts.append(t("corrections {1} s old", age))
    }
    return parts.isEmpty
      ? t("cannot be checked: the receiver reported nothing") : parts.joined(separator: ", ")
  }

  private func sky(_ check: PhotoCheck, _ number: Number) -> String {
    guard check[.reportedSatellites] != nil else {
      return t("cannot be checked: the receiver did not say where its satellites are")
    }
    guard let compared = number(.comparedSatellites, 0), check[.comparedSatellites] != 0 else {
      return t("cannot be checked: this office has no orbits of that month")
    }
    return t(
      "{1} of {2} satellites are where this office's orbits put them, half of them within {3}°",
      number(.agreeingSatellites, 0) ?? "?", compared, number(.medianMissDegrees, 0) ?? "?")
  }

  private func noise(_ check: PhotoCheck, _ number: Number) -> String {
    guard check.outcome != .notCheckable else {
      return t("cannot be checked: only {1} s of data", number(.epochs, 0) ?? "0")
    }
    var parts: [String] = []
    var signs: [PhotoCheck.NoiseSign] = []
    if case .invented(let found) = check.reason { signs = found }
    parts += signs.map(words)
    let signals = check[.signals] == 0 ? nil : number(.signals, 0)
    if let signals, !signs.contains(.constantSignals) {
      parts.append(
        t("{1} of {2} signals changed", number(.changedSignals, 0) ?? "?", signals))
    } else if signals == nil {
      parts.append(t("the receiver reported no signals over time"))
    }
    if let alike = number(.positionCorrelation, 2) {
      parts.append(
        t("each position resembles the one before by {1} (0: not at all, 1: fully)", alike))
    }
    return parts.joined(separator: "; ")
  }

  private func words(_ sign: PhotoCheck.NoiseSign) -> String {
    switch sign {
    case .drawnPositions: t("its positions jump at random, as no receiver's do")
    case .drawnSignals: t("its signals jump at random, as no receiver's do")
    case .constantSignals: t("no signal ever changed")
    case .constantPositions: t("nothing in its data ever changed")
    }
  }

  private func surroundings(_ check: PhotoCheck, _ number: Number) -> String {
    guard let heard = number(.transmitters, 0) else {
      return t("cannot be checked: none were recorded")
    }
    guard check[.known] ?? 0 > 0 else {
      return t("cannot be checked: {1} heard, none of them known here yet", heard)
    }
    return t(
      "{1} heard, {2} known: {3} where they were, {4} elsewhere; nearest known place {5} m away",
      heard, number(.known, 0) ?? "?", number(.near, 0) ?? "?", number(.far, 0) ?? "?",
      number(.distanceMetres, 0) ?? "?")
  }
}

extension String {
  /// The text without the leading colon that would join it to a preceding text.
  fileprivate var dropColon: String { hasPrefix(": ") ? String(dropFirst(2)) : self }
}
