import Evidence
import Foundation
import Imagery
import Inspection
import Positioning
import Store
import Sync
import Synchronization
import Web

// A receipt is for bytes that are held. What they are worth is found out behind it: seal, receiver's
// bytes, picture and place are looked at one photo after the other, by a thread that gives way to
// whoever is being served. A photo without a verdict is the queue: it is gone on with after a crash.

extension OfficeServer {
  /// So many photos get their verdicts in one transaction.
  private static let photosAtOnce = 8

  /// What could not be looked at is tried again after so long, or when more arrives.
  private static let retrySeconds = 60.0

  /// Looks at what arrives, until the surrounding task is cancelled; at first at what an earlier run has
  /// left. Nothing of what arrives can end it: what fails is said in the log and tried again.
  public func keepExamining() async throws {
    for await _ in arrivals.words() {
      let began = clock.elapsed
      var isComplete = true
      do {
        // A few of each agency in turn: none waits until another has no more.
        var places = Dictionary(
          uniqueKeysWithValues: try await agencies().map { ($0.name, ListPlace.beginning) })
        while !places.isEmpty {
          for (agency, place) in places.sorted(by: { $0.key < $1.key }) {
            try await waitForQuiet(since: began)
            let next = try await nextUnexamined(in: agency, after: place)
            places[agency] = next.last?.place
            if next.isEmpty { continue }
            // The transaction, which others may wait for, is none of that thread's.
            let measures = try await background.runInTurn {
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

  /// Looks at all that has arrived, now and here.
  /// - Parameter progress: how many have their verdict by now.
  /// - Returns: how many photos got their verdict.
  @discardableResult
  public func examineArrivals(
    progress: (_ done: Int) throws -> Void = { _ in }
  ) async throws -> Int {
    var count = 0
    for agency in try await agencies().map(\.name) {
      var place: ListPlace? = .beginning
      var reopens = false
      while let after = place {
        let next = try await nextUnexamined(in: agency, after: after)
        let concluded = await conclude(measure(next.map(\.id), in: agency), in: agency)
        count += concluded.count
        reopens = reopens || concluded.reopens
        place = next.last?.place
        if place != nil { try progress(count) }
        // Those that wait again may have come before.
        if place == nil, reopens { (place, reopens) = (.beginning, false) }
      }
    }
    return count
  }

  /// Whoever is delivering just now has the machine to themselves.
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

  /// A batch has come once more: what was missing when it was looked at may be here now.
  func lookAgain(at batch: BatchMessage, in agency: String) async throws {
    let captures = batch.seals.map(\.seal.link).filter { $0.kind == .capture }.map(\.id)
    func mended(_ session: any AgencyTransaction) throws -> [ReceivedPhoto] {
      try captures.compactMap { id in try StoreError.found { try session.photos.photo(id) } }.filter
      {
        received in
        // What is incomplete for another reason stays so, however often it is sent.
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
          received.findings.removeAll { !Intake.isOfChain($0) }
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

  /// - Returns: how many photos have their verdict now, and whether others wait for theirs again. Where they cannot have
  ///   it together each is tried alone: one keeps no other waiting.
  private func conclude(
    _ measures: [(id: Identifier, measure: ArrivalMeasure)], in agency: String
  ) async -> (count: Int, reopens: Bool) {
    // What was missing when it was looked at and has come since is looked at once more.
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

  /// What cannot be looked at just now waits for the next time, and keeps no other waiting.
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

  /// What the verifier says of one capture alone, and what is measured.
  private func measure(_ id: Identifier, in agency: String) async throws -> ArrivalMeasure {
    for service in services {
      if let measure = try await service.measure(id, in: agency, of: self) { return measure }
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
      // One that is here and cannot be read is not missing.
      if files[file] == nil, try photos.holds(file) {
        throw OfficeRefusal(.storeUnavailable, "\(file) cannot be read")
      }
    }
    if let certificate {
      files["certificates/device.pem"] = Array(
        (certificate + authority.certificate.pem).utf8)
    }
    return ArrivalMeasure(
      report: Verifier.verify(
        GivenFiles(files), scope: .single, trust: .certificate(authority.certificate)),
      window: files[raw].map { WindowReading($0, of: seal) },
      // What cannot be decoded the verifier has said already.
      imageDigest: files[name].flatMap { try? CaptureDigests.image(of: $0) },
      fileBytes: files[name]?.count,
      probe: files[name].flatMap { try? PictureProbe(jpeg: $0) },
      missing: [name, raw].filter { files[$0] == nil })
  }
}

/// Says that something has arrived, to the one who looks at it; said twice before they look, it is one
/// word.
package final class Arrivals: Sendable {
  private struct State {
    var listener: AsyncStream<Void>.Continuation?
    var last: ElapsedTime?
  }

  private let state = Mutex(State())

  /// When bytes came last; nil where none have come yet.
  package var last: ElapsedTime? { state.withLock { $0.last } }

  /// Bytes have come.
  package func note(at time: ElapsedTime) { state.withLock { $0.last = time } }

  package func announce() { state.withLock { _ = $0.listener?.yield() } }

  /// The words from now on, the first of them at once. There is one listener, the last who asked.
  package func words() -> AsyncStream<Void> {
    let (stream, words) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.listener = words }
    words.yield()
    return stream
  }
}
