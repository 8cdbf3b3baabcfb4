import Evidence
import Imagery
import Inspection
import Judgement
import Positioning
import Store
import Sync

/// What was found out about a capture before the transaction, because it takes long.
package struct ArrivalMeasure {
  /// What the verifier says of it alone; nil of a photo that has no seal.
  package var report: VerificationReport?
  /// What its raw window gives when it is read again; nil where the window is not here.
  package var window: WindowReading?
  /// SHA-256 of its picture's image data; nil where the picture is not here or no JPEG.
  package var imageDigest: String?
  /// Size of its stored file; nil where it is not here.
  package var fileBytes: Int?
  /// What its picture looks like; nil for one that shows nothing or cannot be decoded.
  package var probe: PictureProbe?
  /// Names of its files that were not here.
  package var missing: [String]
  /// SHA-256 of the file as it is now, of a photo that has no seal.
  package var fileDigest: String?

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

/// What the office says of photos that it has looked at, inside one transaction. It may be run twice:
/// what has a verdict keeps it.
struct Examination {
  /// In the order of their arrival: a picture is compared with those that came before it.
  let measures: [(id: Identifier, measure: ArrivalMeasure)]
  let session: any AgencyTransaction
  /// The added services: one of them may have taken a photo.
  let services: [any AddedService]

  /// - Returns: how many got their verdict, and whether others wait for theirs again because of these.
  func run() throws -> (count: Int, reopens: Bool) {
    let waiting = try measures.filter { try session.photos.photo($0.id).verdict == nil }
    let probes = Dictionary(waiting.map { ($0.id, $0.measure.probe) }) { first, _ in first }
    var similar = try SimilarPictures(probes, session)
    var reopens = false
    for (id, measure) in waiting {
      try conclude(id, measure, &similar)
      if try reopenLaterUses(id, measure) { reopens = true }
    }
    try similar.keep(in: session)
    return (waiting.count, reopens)
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
    // Those that are kept already are of its place in the chain, which was looked at when it came.
    // Bytes that were removed before they were sent are not missed: a sealed deletion says so.
    guard let report = measure.report else {
      throw OfficeRefusal(.unknown, "photo \(id) was not verified")
    }
    var findings = report.findings.filter { isWhole || $0.severity != .incomplete }
    findings += received.findings
    // What was measured, where the picture is here: the record's digest is one more claim.
    let image = measure.imageDigest ?? seal.record["photo"]?["image"]?.text
    // Looked at a second time, it was here before those that came meanwhile.
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
    if !photo.isSimulated, let first = others.first {
      findings.append(
        Finding(
          subject: "photo \(id)", check: .reused,
          severity: photo.origin == .imported ? .note : .doubtful,
          wording: others.count > 1
            ? "its picture is that of photo \(first) and of \(others.count - 1) more, too"
            : "its picture is that of photo \(first), too"))
    }
    let verdict =
      (findings.map(\.severity.verdict) + (isWhole ? [report.verdict] : []))
      .max() ?? .intact
    received.verdict = verdict
    received.findings = findings
    received.imageDigest = image
    // The record knows the frame; what is kept is the file, with its claims in it.
    if let size = measure.fileBytes, size > 0 { received.photo.bytes = size }
    let place = photo.position.coordinate
    received.checks =
      SealChecks(
        seal: seal, received: received, time: photo.delivered ?? photo.deviceTime,
        recomputedDifferenceMetres: measure.window?.recomputedDifferenceMetres
      ).checks()
      + PlaceChecks(
        photo: photo, revision: received.revision,
        task: try photo.task.map { try session.tasks.task($0) }
      ).checks()
      + [try session.policyCheck(seal.record, photo)].compactMap(\.self)
      + [
        PhotoCheck(
          .reused,
          others.isEmpty
            ? measure.imageDigest == nil ? .notCheckable : .agrees
            : photo.isSimulated ? .unclear : .contradicts,
          [.others: Double(others.count)], photos: Array(others.prefix(5))),
        similar.check(id), ReceiverCheck.check(seal),
        SurroundingsCheck.check(
          seal, at: place, known: try session.places(of: seal.transmitters)),
      ]
    try session.photos.keepChecks(of: received)
    // Only what nothing speaks against tells later captures where a transmitter is.
    if verdict == .intact, !photo.isSimulated, photo.origin == .camera, isWhole {
      try session.checks.keep(
        transmitters: seal.transmitters ?? [], ofPhoto: id, key: seal.seal.link.key, at: place)
    }
  }

  // MARK: raw windows

  /// That a capture rests on the same epochs as an earlier one of any of the agency's devices; nil where it does not.
  private func windowFinding(_ seal: SealFile, _ use: WindowUse?) throws -> Finding? {
    let link = seal.seal.link
    guard !seal.isSimulated else { return nil }
    // What an older version received has no epochs here, and may still be the same file.
    var shutters =
      try link.raw.map { try session.checks.photos(withRawWindow: $0, except: link.id) } ?? []
    var others: [Identifier] = []
    if let use {
      for (id, other) in try session.checks.windows(overlapping: use, except: link.id)
      where use.isSame(as: other) {
        if use.hasShutter(of: other) { shutters.append(id) } else { others.append(id) }
      }
    }
    // Identifiers sort by the time of their making: the later one repeats the earlier one.
    let earlier = [shutters, others].lazy.compactMap { ids in ids.filter { $0 < link.id }.min() }
    return earlier.first.map {
      Finding.reusedWindow(
        EvidenceName.seal(.capture, link.id), of: EvidenceName.seal(.capture, $0))
    }
  }

  /// Captures that were made later and came before wait for their verdicts again: now there is what they repeat.
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
      received.findings.removeAll { !Intake.isOfChain($0) }
      received.verdict = nil
      try session.photos.keepChecks(of: received)
      reopens = true
    }
    return reopens
  }
}
