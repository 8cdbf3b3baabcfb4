import Evidence
import Inspection
import Positioning
import TimeAndText

/// The words on a photo's page.
extension DocumentWords {
  func photo(_ number: Int, of count: Int) -> String { t("Photo {1} of {2}", number, count) }
  func photo(_ number: Int) -> String { t("Photo {1}", number) }
  func photo(taken time: String) -> String { t("Photo of {1}", time) }
  var photoAlone: String { t("It belongs to no task.") }
  func photoOfTask(_ name: String) -> String { t("It belongs to the task “{1}”.", name) }
  func hiddenSince(_ time: DeviceTime) -> String {
    t(
      "Hidden by an officer since {1}: lists, maps and exports of everything leave it out.",
      moment(time))
  }
  func deleted(_ reason: String) -> String {
    t("Deleted on the device before it was sent: {1}", reason)
  }

  func tag(_ origin: PhotoOrigin) -> String? {
    switch origin {
    case .camera: nil
    case .imported: t("Imported file")
    case .egnss4cap: t("Sent by a phone's app, not sealed")
    }
  }
  var simulated: String { t("Simulated receiver") }
  func pictureDamaged(_ reason: String) -> String { t("Damaged picture: {1}.", reason) }
  var pictureMissing: String { t("The picture cannot be shown") }
  func pictureReason(_ reason: String) -> String {
    t("The file could not be read: {1}.", reason)
  }

  // MARK: verdict and checks

  func word(_ verdict: EvidenceVerdict?) -> String {
    switch verdict {
    case .intact?: t("Authentic")
    case .doubtful?: t("Evidence in doubt")
    case .incomplete?: t("Evidence incomplete")
    case .altered?: t("Evidence altered")
    case nil: t("Not verified")
    }
  }
  func meaning(_ verdict: EvidenceVerdict?) -> String? {
    switch verdict {
    case .intact?: nil
    case .doubtful?: t("All bytes hold, but a check does not.")
    case .incomplete?: t("Something named is missing, or something unnamed is there.")
    case .altered?: t("Bytes, signatures or certificates do not hold.")
    case nil: t("The verifier has not examined this photo.")
    }
  }
  func suitability(_ suitability: Suitability) -> String {
    suitability.isSuitable
      ? t("Suitable")
      : t("check: {1}", suitability.reasons.map { t($0.wording) }.joined(separator: ", "))
  }
  var checks: String { t("Checks") }
  /// Returns a finding in words, with its subject unless that is the photo of the page itself.
  func finding(_ finding: Finding, on photo: Photo) -> String {
    let words = t(finding.wording)
    return finding.subject.isEmpty || finding.subject.contains(photo.id.description)
      ? words : "\(words) [\(finding.subject)]"
  }
  func unclear(_ checks: String) -> String { t("Cannot be told: {1}", checks) }
  func passed(_ count: Int, _ names: String) -> String {
    t("Checks passed: {1} ({2})", count, names)
  }
  func noted(_ words: String) -> String { t("Noted: {1}", words) }

  // MARK: facts

  func taken(_ photo: Photo) -> String {
    photo.toldGNSSTime.map(moment) ?? t("{1}, by the device's clock", moment(photo.deviceTime))
  }
  var place: String { t("Place") }
  func within(_ radius: String) -> String { t("{1} (95 %)", radius) }
  var uncertaintyUnknown: String { t("uncertainty not known") }
  var positionFrom: String { t("Position from") }
  func positionFrom(_ photo: Photo) -> String {
    guard let standpoint = photo.standpoint else {
      return photo.position.method == .fix ? t("a single fix") : notKnown
    }
    return t(
      "{1} samples (about {2} independent), spread {3} m", standpoint.samples,
      number(standpoint.effectiveSamples, places: 0) ?? notKnown,
      number(standpoint.spreadMetres, places: 2) ?? notKnown)
  }
  var height: String { t("Height") }
  func aboveSea(_ metres: String) -> String { t("{1} above sea level", metres) }
  func aboveEllipsoid(_ metres: String) -> String { t("{1} above the ellipsoid", metres) }
  var direction: String { t("Direction of view") }
  private func tilt(_ degrees: Double) -> String? {
    guard let text = number(abs(degrees), places: 0) else { return nil }
    return degrees < 0 ? t("{1}° below the horizon", text) : t("{1}° above the horizon", text)
  }
  func direction(of orientation: Orientation?) -> String? {
    guard let orientation else { return nil }
    let azimuth = angle(
      orientation.azimuthDegreesTrue, accuracy: orientation.azimuthAccuracyDegrees)
    return [azimuth ?? notKnown, orientation.elevationDegrees.flatMap(tilt), source(orientation)]
      .compactMap(\.self).joined(separator: ", ")
  }
  private func source(_ orientation: Orientation) -> String {
    switch orientation.source {
    case .stated: t("as stated")
    case .deviceSensors: t("by the device's sensors")
    case .receiver: t("by the receiver")
    }
  }
  var fieldOfView: String { t("Field of view") }
  func source(_ source: CameraGeometry.Source) -> String {
    switch source {
    case .exif: "EXIF"
    case .calibrated: t("calibrated")
    case .stated: t("told by the app")
    case .assumed: t("assumed")
    }
  }
  var clock: String { t("Device's clock") }
  /// Returns the device's time minus the receiver's, in words.
  func difference(_ device: DeviceTime, _ gnss: GNSSTime) -> String {
    let seconds = device.gnssTime.seconds(since: gnss)
    guard let text = number(abs(seconds), places: 1) else { return notKnown }
    if abs(seconds) < 0.05 { return t("agrees with the receiver's") }
    return seconds < 0
      ? t("{1} s behind the receiver's", text) : t("{1} s ahead of the receiver's", text)
  }
  var camera: String { t("Camera") }
  func origin(_ photo: Photo, way: CameraWay?) -> String {
    if let way { return t(way.wording) }
    return tag(photo.origin) ?? t("camera of the field unit")
  }
  var receiver: String { t("Receiver") }
  var receiverSimulated: String { t("simulated or replayed") }
  func reception(_ reception: Reception) -> [String] {
    var parts: [String] = []
    if let used = reception.satellitesUsed {
      let names = reception.constellations.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      parts.append(t("satellites: {1}", used) + (names.isEmpty ? "" : " (\(names))"))
    }
    if let density = number(reception.carrierToNoiseDecibelHertz, places: 0) {
      parts.append("\(density)\u{A0}dB-Hz")
    }
    if let dilution = number(reception.horizontalDilution, places: 1) {
      parts.append("HDOP\u{A0}\(dilution)")
    }
    if let quality = reception.quality {
      parts.append(t(Wording(template: quality, values: [])))
    }
    return parts
  }
  var delivery: String { t("Sent, received") }
  var sealed: String { t("Sealed") }

  // MARK: the file

  var digest: String { t("SHA-256 of the file; the code holds it, too") }
  var digestAlone: String { t("SHA-256 of the file") }
  func file(_ photo: Photo, shown: (width: Int, height: Int)?) -> String {
    let sealed = t(
      "Photo {1}, JPEG of {2} pixels, {3} bytes", photo.id,
      pixels(photo.widthPixels, photo.heightPixels), photo.bytes)
    guard let shown else { return sealed }
    return sealed + "; " + t("shown here with {1}", pixels(shown.width, shown.height))
  }
}
