import Evidence
import Imagery
import Inspection
import Judgement
import Positioning
import Store
import Sync
import TimeAndText
import Verification

/// The results about a capture that take long, and are therefore found before the transaction.
package struct ArrivalMeasure {
  /// The verifier's report on the capture alone; nil for a photo without a seal.
  package var report: VerificationReport?
  /// The result of reading the raw window again; nil if the window is not here.
  package var window: WindowReading?
  /// The SHA-256 of the picture's image data; nil if the picture is not here or is no JPEG.
  package var imageDigest: String?
  /// The size of the stored file, bytes; nil if the file is not here.
  package var fileBytes: Int?
  /// The picture's likeness for comparisons; nil if the picture shows nothing or cannot be decoded.
  package var probe: PictureProbe?
  /// The names of the capture's files that were not here.
  package var missing: [String]
  /// The SHA-256 of the file as it is now, for a photo without a seal; nil otherwise.
  package var fileDigest: String?
  /// The checks of the receiver's own data over time; empty if its raw window is not here.
  var receiverChecks: [PhotoCheck] = []
  /// True if the device says that its key is in a token.
  var isInToken = false
  var isAttested = false

  /// Creates the results about a capture.
  package init(
    report: VerificationReport?, window: WindowReading?, imageDigest: String?, fileBytes: Int?,
    probe: PictureProbe?, missing: [String], fileDigest: String? = nil
  ) {
    self.report = report
    self.window = window
    self.imageDigest = imageDigest
    self.fileBytes = fileBytes
    self.probe = probe
    self.missing = missing
    self.fileDigest = fileDigest
  }
}

/// Gives photos their verdicts from their measures, inside one transaction. A second run changes
/// nothing: a photo that has a verdict keeps it.
struct Examination {
  /// The measures in the order of the photos' arrival: a picture is compared with those that
  /// arrived before it.
  let measures: [(id: Identifier, measure: ArrivalMeasure)]
  let session: any AgencyTransaction
  /// The added services: one of them may have taken a photo.
  let services: [any AddedService]

  /// Gives each photo without a verdict its verdict.
  /// - Returns: the number of photos that got their verdict, and true if other photos wait for
  ///   their verdicts again because of these.
  func run() throws -> (count: Int, reopens: Bool) {
    let waiting = try measures.filter { try session.photos.photo($0.id).verdict == nil }
    let probes = Dictionary(waiting.map { ($0.id, $0.measure.probe) }) { first, _ in first }
    let series = try waiting.reduce(into: [Identifier: Set<Identifier>]()) {
      $0[$1.id] = try seriesPhotos(of: $1.id)
    }
    var similar = try SimilarPictures(probes, session, expected: series)
    var reopens = false
    for (id, measure) in waiting {
      try conclude(id, measure, &similar)
      if try reopenLaterUses(id, measure) { reopens = true }
    }
    try similar.keep(in: session)
    return (waiting.count, reopens)
  }

  /// Returns the other photos of the series that a photo continues: from the same place it has to
  /// look like them. Nil for a photo that repeats nothing, or not from there.
  private func seriesPhotos(of id: Identifier) throws -> Set<Identifier>? {
    guard let repetition = try session.points.repetition(ofPhoto: id),
      let point = try session.points.point(repetition.claims.point),
      point.measured(repetition.claims, of: try session.photos.photo(id).photo).isPlaceMet
    else { return nil }
    return Set(try session.points.repeats(ofPoint: point.id).map(\.photo) + [point.reference.photo])
  }

  private func conclude(
    _ id: Identifier, _ measure: ArrivalMeasure, _ similar: inout SimilarPictures
  ) throws {
    var received = try session.photos.photo(id)
    for service in services {
      if let concluded = try service.conclude(received, measure, &similar, in: session) {
        return try session.photos.keepChecks(of: concluded)
      }
    }
    guard let seal = try session.seals.seal(of: id, .capture) else {
      throw OfficeRefusal(.unknown, "photo \(id) has no seal")
    }
    let isWhole = received.deletedReason == nil
    guard let report = measure.report else {
      throw OfficeRefusal(.unknown, "photo \(id) was not verified")
    }
    // The findings that are kept already concern the place in the chain, which was judged on
    // arrival. Bytes that were removed before they were sent are not missed: a sealed deletion says
    // so.
    var findings = report.findings.filter { isWhole || $0.severity != .incomplete }
    findings += received.findings
    // The measured digest if the picture is here: the record's digest is only a claim.
    let image = measure.imageDigest ?? seal.record["photo"]?["image"]?.text
    // At a second look, the photos that arrived in between came after this one, and do not count.
    let others =
      try image.map {
        try session.photos.photos(
          withImage: $0, except: id, onlyEarlier: received.imageDigest != nil)
      } ?? []
    let photo = received.photo
    if let use = measure.window?.use, !photo.isSimulated {
      try session.checks.keep(use, ofPhoto: id)
    }
    if let finding = try windowFinding(seal, measure.window?.use) { findings.append(finding) }
    if let finding = reuseFinding(photo, others) { findings.append(finding) }
    let verdict =
      (findings.map(\.severity.verdict) + (isWhole ? [report.verdict] : []))
      .max() ?? .intact
    received.verdict = verdict
    received.findings = findings
    received.imageDigest = image
    // The record knows only the frame; the office keeps the file, which has the claims in it.
    if let size = measure.fileBytes, size > 0 { received.photo.bytes = size }
    received.checks = try checks(of: received, photo, seal, measure, others, &similar)
    try session.photos.keepChecks(of: received)
    // Only a capture that nothing contradicts may tell later captures where a transmitter is.
    if verdict == .intact, !photo.isSimulated, photo.origin == .camera, isWhole {
      try session.checks.keep(
        transmitters: seal.transmitters ?? [], ofPhoto: id, key: seal.seal.link.key,
        at: photo.position.coordinate)
    }
  }

  /// Returns the finding that other photos of the agency have the same picture; nil if there are
  /// none, or for a simulated photo.
  private func reuseFinding(_ photo: Photo, _ others: [Identifier]) -> Finding? {
    guard !photo.isSimulated, let first = others.first else { return nil }
    return Finding(
      subject: "photo \(photo.id)", check: .reused,
      severity: photo.origin == .imported ? .note : .doubtful,
      wording: others.count > 1
        ? "photo \(first) and \(others.count - 1) more have the same picture"
        : "photo \(first) has the same picture")
  }

  /// Returns the checks of a photo that a device has sealed.
  /// - Parameters:
  ///   - received: the photo with its verdict and findings.
  ///   - photo: the photo as it was sealed.
  ///   - others: other photos with the same picture.
  private func checks(
    of received: ReceivedPhoto, _ photo: Photo, _ seal: SealFile, _ measure: ArrivalMeasure,
    _ others: [Identifier], _ similar: inout SimilarPictures
  ) throws -> [PhotoCheck] {
    SealChecks(
      seal: seal, received: received, time: photo.delivered ?? photo.deviceTime,
      recomputedDifferenceMetres: measure.window?.recomputedDifferenceMetres,
      challenged: measure.report?.sealedBetween.first?.after, isInToken: measure.isInToken,
      isAttested: measure.isAttested
    ).checks()
      + PlaceChecks(
        photo: photo, revision: received.revision,
        task: try photo.task.map { try session.tasks.task($0) }
      ).checks()
      + [
        try session.policyCheck(
          seal.record, photo, devices: measure.window?.gpsdDevices)
      ].compactMap(\.self)
      + [
        PhotoCheck(
          .reused,
          others.isEmpty
            ? measure.imageDigest == nil ? .notCheckable : .agrees
            : photo.isSimulated ? .unclear : .contradicts,
          [.others: Double(others.count)], photos: Array(others.prefix(5))),
        similar.check(photo.id), ReceiverCheck.check(seal),
      ] + measure.receiverChecks + [
        SurroundingsCheck.check(
          seal, at: photo.position.coordinate, known: try session.places(of: seal.transmitters))
      ]
  }

  // MARK: raw windows

  /// Finds an earlier capture, of any of the agency's devices, that rests on the same epochs; nil
  /// if there is none.
  private func windowFinding(_ seal: SealFile, _ use: WindowUse?) throws -> Finding? {
    let link = seal.seal.link
    guard !seal.isSimulated else { return nil }
    // A window that an older version of the office received has no epochs in the database, but may
    // still be the same file.
    var shutters =
      try link.raw.map { try session.checks.photos(withRawWindow: $0, except: link.id) } ?? []
    var others: [Identifier] = []
    if let use {
      for (id, other) in try session.checks.windows(overlapping: use, except: link.id)
      where use.isSame(as: other) {
        if use.hasShutter(of: other) { shutters.append(id) } else { others.append(id) }
      }
    }
    // Identifiers sort by the time of their making: the later capture repeats the earlier one.
    let earlier = [shutters, others].lazy.compactMap { ids in ids.filter { $0 < link.id }.min() }
    return earlier.first.map {
      Finding.reusedWindow(
        EvidenceName.seal(.capture, link.id), of: EvidenceName.seal(.capture, $0))
    }
  }

  /// Takes away the verdicts of captures that were made later and arrived earlier: the capture that
  /// they repeat is here now.
  /// - Returns: true if a capture lost its verdict.
  private func reopenLaterUses(_ id: Identifier, _ measure: ArrivalMeasure) throws -> Bool {
    guard let use = measure.window?.use, try !session.photos.photo(id).photo.isSimulated else {
      return false
    }
    var reopens = false
    for (later, other) in try session.checks.windows(overlapping: use, except: id)
    where later > id && use.isSame(as: other) {
      var received = try session.photos.photo(later)
      guard received.verdict != nil, let seal = try session.seals.seal(of: later, .capture),
        let finding = try windowFinding(seal, other), !received.findings.contains(finding)
      else { continue }
      received.findings.removeAll { !$0.isOfChain }
      received.verdict = nil
      try session.photos.keepChecks(of: received)
      reopens = true
    }
    return reopens
  }
}
