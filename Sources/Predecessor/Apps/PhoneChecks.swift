import Evidence
import Geodesy
import Inspection
import Judgement
import Office
import Positioning
import Store
import Sync
import TimeAndText

/// The checks of a photo that a phone's app sent: all that its fields allow, and none that says
/// more than they do.
struct PhoneChecks {
  let received: ReceivedPhoto
  let phone: PhonePhoto
  let fields: PhoneFields
  let measure: ArrivalMeasure

  private var photo: Photo { received.photo }

  func checks() -> [PhotoCheck] {
    [
      PhotoCheck(.seal, .notCheckable), file(), times(),
      PhotoCheck(.origin, .unclear, reason: .unsealedApp),
      appDigest(), nmea(), computedPositions(), receiver(),
    ]
  }

  private func file() -> PhotoCheck {
    guard let digest = measure.fileDigest else { return PhotoCheck(.file, .notCheckable) }
    return PhotoCheck(
      .file, digest == photo.fileDigest ? .agrees : .contradicts,
      [.bytes: measure.fileBytes.map(Double.init)])
  }

  private func appDigest() -> PhotoCheck {
    switch phone.digestHolds {
    case nil:
      // A photo that was carried over may have lost the text of the time, over which its digest was
      // made.
      PhotoCheck(.appDigest, .notCheckable, reason: phone.digest == nil ? nil : .lostAppTime)
    case true?: PhotoCheck(.appDigest, .agrees)
    case false?: PhotoCheck(.appDigest, .contradicts)
    }
  }

  private func times() -> PhotoCheck {
    let difference = photo.gnssTime.millisecondsSince1970.map {
      Double(photo.deviceTime.millisecondsSince1970 - $0) / 1000
    }
    let after =
      Double(phone.received.millisecondsSince1970 - photo.deviceTime.millisecondsSince1970) / 1000
    // Any zone shows if the time can be read. If it cannot, the time of arrival stands in for it.
    guard fields.created.flatMap(PHPTime(zone: "UTC").instant) != nil else {
      return PhotoCheck(.times, .contradicts, reason: .unreadableAppTime)
    }
    let isWrong =
      after < -ClockTolerance.seconds || abs(difference ?? 0) > ClockTolerance.seconds
    return PhotoCheck(
      .times, isWrong ? .contradicts : difference == nil ? .unclear : .agrees,
      [.deviceMinusGNSSSeconds: difference, .deliveredAfterSeconds: after])
  }

  /// Checks the position that was sent against the last one in the receiver's own sentences. Both
  /// coordinates count, each with its hemisphere.
  private func nmea() -> PhotoCheck {
    guard !fields.isNowhere else { return PhotoCheck(.nmea, .contradicts, reason: .nowhere) }
    guard let place = fields.receiver.fix?.coordinate else {
      return PhotoCheck(.nmea, .notCheckable)
    }
    let distance = Geodesic.distanceMetres(from: photo.position.coordinate, to: place)
    return PhotoCheck(
      .nmea, distance <= Limits.phoneAgreementMetres ? .agrees : .contradicts,
      [.distanceMetres: distance])
  }

  /// Checks the positions that the app computed from raw measurements. These are often tens of
  /// metres off, so distant ones only make the check unclear.
  private func computedPositions() -> PhotoCheck {
    let distances = fields.computedPositions.map {
      Geodesic.distanceMetres(from: photo.position.coordinate, to: $0.coordinate)
    }
    guard let nearest = distances.min(), let furthest = distances.max() else {
      return PhotoCheck(.computedPositions, .notCheckable)
    }
    return PhotoCheck(
      .computedPositions, nearest <= Limits.phoneAgreementMetres ? .agrees : .unclear,
      [
        .computedCount: Double(distances.count), .distanceMetres: nearest,
        .furthestMetres: furthest,
      ])
  }

  private func receiver() -> PhotoCheck {
    let fix = fields.receiver.fix
    return ReceiverCheck.check(
      strengths: fields.carrierToNoise,
      used: fix?.satellitesUsed
        ?? fields.number("extraSatCount").flatMap { $0 > 0 && $0 < 1000 ? Int($0) : nil },
      correctionAgeSeconds: fix?.correctionAgeSeconds)
  }
}

/// The examination of one photo from a phone.
struct PhoneExamination {
  let session: any AgencyTransaction

  /// Returns the photo with its findings, its verdict and its checks. A phone's photo has no seal:
  /// the findings say what an intact one would need, and everything that the photo's fields allow
  /// is checked.
  func concluded(
    _ received: ReceivedPhoto, _ phone: PhonePhoto, _ measure: ArrivalMeasure,
    _ similar: inout SimilarPictures
  ) throws -> ReceivedPhoto {
    var received = received
    let photo = received.photo
    let fields = PhoneFields(text: phone.fields)
    let others =
      try measure.imageDigest.map {
        try session.photos.photos(
          withImage: $0, except: photo.id, onlyEarlier: received.imageDigest != nil)
      } ?? []
    received.findings = [
      Finding(
        subject: "photo \(photo.id)", check: .seal, severity: .incomplete,
        wording: "a phone's app sent it: no device key has sealed it")
    ]
    if let digest = measure.fileDigest, digest != photo.fileDigest {
      received.findings.append(
        Finding(
          subject: "photo \(photo.id)", check: .file, severity: .altered,
          wording: "its bytes are not those that came"))
    }
    if let first = others.first {
      received.findings.append(
        Finding(
          subject: "photo \(photo.id)", check: .reused, severity: .doubtful,
          wording: others.count > 1
            ? "photo \(first) and \(others.count - 1) more have the same picture"
            : "photo \(first) has the same picture"))
    }
    received.verdict = received.findings.map(\.severity.verdict).max()
    received.imageDigest = measure.imageDigest
    if let size = measure.fileBytes, size > 0 { received.photo.bytes = size }
    received.checks =
      PhoneChecks(received: received, phone: phone, fields: fields, measure: measure).checks()
      + PlaceChecks(
        photo: photo, revision: nil, task: try photo.task.map { try session.tasks.task($0) }
      ).checks()
      + [
        PhotoCheck(
          .reused,
          others.isEmpty
            ? measure.imageDigest == nil ? .notCheckable : .agrees : .contradicts,
          [.others: Double(others.count)], photos: Array(others.prefix(5))),
        similar.check(photo.id),
        SurroundingsCheck.check(
          fields.transmitters, ofKey: "egnss4cap \(phone.inspector)",
          at: photo.position.coordinate, known: try session.places(of: fields.transmitters)),
      ]
    // The apps know nothing of the policy that an agency sets for its captures.
    if let policy = try session.policies.current() {
      received.checks.append(
        PhotoCheck(.policy, .notCheckable, [.revision: Double(policy.policy.revision)]))
    }
    return received
  }
}
