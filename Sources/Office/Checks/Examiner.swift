import Evidence
import Foundation
import Imagery
import Inspection
import Judgement
import OfficeKeyring
import Orbits
import Positioning
import Store
import Sync
import TimeAndText
import Verification
import Web

// A receipt says that the office holds the bytes. Their worth is found out after the receipt: seal,
// receiver's bytes, picture and place are examined photo by photo, in a thread of low priority that
// gives way to requests. The photos without a verdict are the queue, so that a crash loses nothing.

/// Examines photos that have arrived.
package struct Examiner: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  let people: People
  /// The added services, which examine the photos that they took.
  package let services: [any AddedService]
}

extension Examiner {
  /// The number of photos that get their verdicts in one transaction.
  private static let photosAtOnce = 8

  /// The seconds after which photos that could not be examined are tried again, if no others arrive
  /// earlier.
  private static let retrySeconds = 60.0

  /// Examines photos as they arrive, until the surrounding task is cancelled; begins with those
  /// that an earlier run has left. No photo can end the loop: a failure is logged, and the photo is
  /// tried again.
  public func keepExamining() async throws {
    for await _ in arrivals.words() {
      let began = clock.elapsed
      var isComplete = true
      do {
        // A few photos of each agency in turn: no agency waits until another has no more.
        var places = Dictionary(
          uniqueKeysWithValues: try await people.agencies().map { ($0.name, ListPlace.beginning) })
        while !places.isEmpty {
          for (agency, place) in places.sorted(by: { $0.key < $1.key }) {
            try await waitForQuiet(since: began)
            let next = try await nextUnexamined(in: agency, after: place)
            places[agency] = next.last?.place
            if next.isEmpty { continue }
            // The transaction does not run on the background thread: others may wait for it.
            let measures = try await core.background.runInTurn {
              await self.measure(next.map(\.id), in: agency)
            }
            let concluded = await conclude(measures, in: agency)
            isComplete = isComplete && concluded.count == next.count
            if concluded.reopens { arrivals.announce() }
          }
        }
      } catch let error as CancellationError {
        throw error
      } catch {
        configuration.log("what has arrived cannot be looked at: \(error)")
        isComplete = false
      }
      if !isComplete { announceLater() }
    }
    try Task.checkCancellation()
  }

  private func announceLater() {
    Task { [clock, arrivals] in
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: Self.retrySeconds))
      arrivals.announce()
    }
  }

  /// Examines everything that has arrived, at once and on the caller's thread.
  /// - Parameter progress: called with the number of photos that have got their verdict so far.
  /// - Returns: the number of photos that got their verdict.
  @discardableResult
  public func examineArrivals(
    progress: (_ done: Int) throws -> Void = { _ in }
  ) async throws -> Int {
    var count = 0
    for agency in try await people.agencies().map(\.name) {
      var place: ListPlace? = .beginning
      var reopens = false
      while let after = place {
        let next = try await nextUnexamined(in: agency, after: after)
        let concluded = await conclude(measure(next.map(\.id), in: agency), in: agency)
        count += concluded.count
        reopens = reopens || concluded.reopens
        place = next.last?.place
        if place != nil { try progress(count) }
        // Photos that wait again may be before this place in the order.
        if place == nil, reopens { (place, reopens) = (.beginning, false) }
      }
    }
    return count
  }

  /// Waits while a delivery is arriving, so that the delivery has the whole machine.
  private func waitForQuiet(since began: ElapsedTime) async throws {
    while true {
      try Task.checkCancellation()
      let seconds = ExaminationPace.waitSeconds(
        secondsSinceArrival: arrivals.last.map { clock.elapsed.seconds(since: $0) },
        secondsWaited: clock.elapsed.seconds(since: began))
      if seconds <= 0 { return }
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: seconds))
    }
  }

  /// Takes away the verdicts of a repeated batch's photos whose missing files are here now, so that
  /// they are examined again.
  func lookAgain(at batch: BatchMessage, in agency: String) async throws {
    let captures = batch.seals.map(\.seal.link).filter { $0.kind == .capture }.map(\.id)
    func mended(_ session: any AgencyTransaction) throws -> [ReceivedPhoto] {
      try captures.compactMap { id in try StoreError.found { try session.photos.photo(id) } }.filter
      {
        received in
        // A photo that is incomplete for another reason stays so, however often it is sent.
        let missing = received.findings.filter {
          [.file, .rawWindow].contains($0.check) && $0.severity == .incomplete
        }
        return try received.deletedReason == nil && !missing.isEmpty
          && missing.allSatisfy { finding in
            let id = received.photo.id
            return try photos.holds(
              finding.check == .file ? EvidenceName.file(.capture, id) : EvidenceName.raw(id))
          }
      }
    }
    if try await !database.read(in: agency, { try mended($0).isEmpty }) {
      try await database.write(in: agency) { session in
        for var received in try mended(session) {
          received.verdict = nil
          received.findings.removeAll { !$0.isOfChain }
          try session.photos.keepChecks(of: received)
        }
      }
    }
    arrivals.announce()
  }

  private func nextUnexamined(
    in agency: String, after place: ListPlace
  ) async throws -> [(place: ListPlace, id: Identifier)] {
    try await database.read(in: agency) {
      try $0.photos.unexaminedPhotos(after: place, limit: Self.photosAtOnce)
    }
  }

  /// Gives measured photos their verdicts. If that fails for all together, each is tried alone, so
  /// that one photo does not hold up the others.
  /// - Returns: the number of photos that got their verdict, and true if other photos wait for
  ///   theirs again.
  private func conclude(
    _ measures: [(id: Identifier, measure: ArrivalMeasure)], in agency: String
  ) async -> (count: Int, reopens: Bool) {
    // A photo is measured again if a file that was missing has arrived since.
    let measures = measures.filter { id, measure in
      do {
        return try measure.missing.allSatisfy { try !photos.holds($0) }
      } catch {
        configuration.log("photo \(id) cannot be looked at: \(error)")
        return false
      }
    }
    func conclude(
      _ measures: [(id: Identifier, measure: ArrivalMeasure)]
    ) async throws -> (count: Int, reopens: Bool) {
      if measures.isEmpty { return (0, false) }
      return try await database.write(in: agency) {
        try Examination(measures: measures, session: $0, services: services).run()
      }
    }
    do {
      return try await conclude(measures)
    } catch {
      var sum = (count: 0, reopens: false)
      for one in measures {
        do {
          let concluded = try await conclude([one])
          sum = (sum.count + concluded.count, sum.reopens || concluded.reopens)
        } catch {
          configuration.log("photo \(one.id) gets no verdict: \(error)")
        }
      }
      return sum
    }
  }

  /// Measures photos. A photo that cannot be examined now waits for the next time, and does not
  /// hold up the others.
  private func measure(
    _ photos: [Identifier], in agency: String
  ) async -> [(id: Identifier, measure: ArrivalMeasure)] {
    var measures: [(id: Identifier, measure: ArrivalMeasure)] = []
    for id in photos {
      do {
        measures.append((id: id, measure: try await measure(id, in: agency)))
      } catch {
        configuration.log("photo \(id) cannot be looked at: \(error)")
      }
    }
    return measures
  }

  /// Measures one capture, and has the verifier check it alone.
  private func measure(_ id: Identifier, in agency: String) async throws -> ArrivalMeasure {
    for service in services {
      if let measure = try await service.measure(id, in: agency, of: core) { return measure }
    }
    let (seal, certificate) = try await database.read(in: agency) { session in
      guard let seal = try session.seals.seal(of: id, .capture) else {
        throw OfficeRefusal(.unknown, "photo \(id) has no seal")
      }
      return (seal, try session.devices.device(withKey: seal.seal.link.key)?.certificate)
    }
    let (name, raw) = (EvidenceName.file(.capture, id), EvidenceName.raw(id))
    var files: [String: [UInt8]] = [name + ".seal": seal.bytes]
    for file in [name, raw] {
      files[file] = try photos.bytes(of: file)
      // A file that is here but cannot be read is not missing.
      if files[file] == nil, try photos.holds(file) {
        throw OfficeRefusal(.storeUnavailable, "\(file) cannot be read")
      }
    }
    if let digest = CaptureChallenge.digest(in: seal.record) {
      let challenge = EvidenceName.challenge(digest, ofKey: seal.seal.link.key)
      files[challenge] = try photos.bytes(of: challenge)
    }
    if let certificate {
      files["certificates/device.pem"] = Array(
        (certificate + core.keys.ring.authoritiesPEM).utf8)
    }
    let window = files[raw].map { WindowReading($0, of: seal) }
    var measure = ArrivalMeasure(
      report: Verifier.verify(
        GivenFiles(files), scope: .single, trust: .certificate(authority.certificate)),
      window: window,
      // The verifier has reported already that the picture cannot be decoded.
      imageDigest: files[name].flatMap { try? CaptureDigests.image(of: $0) },
      fileBytes: files[name]?.count,
      probe: files[name].flatMap { try? PictureProbe(jpeg: $0) },
      missing: [name, raw].filter { files[$0] == nil })
    let key = seal.seal.link.key
    measure.isInToken = try photos.keeping(ofKey: key) != .file
    measure.isAttested = try photos.attestation(ofKey: key)?.shown.root != nil
    if let window, !seal.isSimulated {
      measure.receiverChecks = receiverChecks(try seal.photo(), window)
    }
    return measure
  }

  /// Compares a receiver's own data with the office's orbits and with what noise does. What a simulator
  /// made is marked as such, and is not compared.
  private func receiverChecks(_ photo: Photo, _ window: WindowReading) -> [PhotoCheck] {
    let time = photo.gnssTime.instant(near: photo.deviceTime)
    let (orbits, problems) = core.orbitLibrary.orbits(near: time, readAt: clock.deviceTime)
    for (file, words) in problems { configuration.log("orbits/\(file): \(words)") }
    return [
      SkyCheck.check(window.sky, at: time, from: photo.position.coordinate, orbits: orbits),
      NoiseCheck.check(window.fixes, window.sky),
    ]
  }
}
