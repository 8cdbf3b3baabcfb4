import Evidence
import Inspection
import Office
import Positioning
import Store
import Sync

/// A photo whose bytes are on the disk under their name, and which is to be known to the database.
struct StagedPhoto: Sendable {
  /// The photo as it will be kept.
  let received: ReceivedPhoto
  /// What the phone sent with it; its number is drawn with the transaction.
  let phone: PhonePhoto
  /// The agency.
  let agency: String
  /// From where it was carried over; nil for one that the phone has sent here.
  var carriedOver: CarriedOver?
  /// Who does that, for the log.
  var person: String?
}

/// A photo that the database knows.
struct KeptPhoto: Sendable {
  /// The number by which phones know it.
  let number: Int64
  /// Whether it is the one that was given; otherwise the same was sent before.
  let isNew: Bool
}

/// Makes photos known to the database, several in one transaction: each transaction waits for the disk once, and 500
/// phones at a time would wait for it 500 times.
actor PhoneCommits {
  typealias Work = @Sendable ([StagedPhoto]) async -> [Result<KeptPhoto, any Error>]

  private struct Job {
    let photo: StagedPhoto
    let waiter: CheckedContinuation<KeptPhoto, any Error>
  }

  private static let photosAtOnce = 64
  private var waiting: [Job] = []
  private var isRunning = false

  /// Commits a photo, together with whatever waits beside it.
  /// - Returns: its number; that of the one that is here already where it was sent before.
  func commit(_ photo: StagedPhoto, _ work: @escaping Work) async throws -> KeptPhoto {
    try await withCheckedThrowingContinuation { waiter in
      waiting.append(Job(photo: photo, waiter: waiter))
      guard !isRunning else { return }
      isRunning = true
      Task { await run(work) }
    }
  }

  private func run(_ work: Work) async {
    while !waiting.isEmpty {
      let jobs = Array(waiting.prefix(Self.photosAtOnce))
      waiting.removeFirst(jobs.count)
      let results = await work(jobs.map(\.photo))
      for (index, job) in jobs.enumerated() {
        job.waiter.resume(
          with: index < results.count ? results[index] : .failure(CancellationError()))
      }
    }
    isRunning = false
  }
}

extension PhoneScripts {
  /// Commits what came together, an agency's in one transaction. Where that fails each is tried alone: one keeps no
  /// other from coming in.
  func commit(_ photos: [StagedPhoto]) async -> [Result<KeptPhoto, any Error>] {
    var results = [Result<KeptPhoto, any Error>](
      repeating: .failure(CancellationError()), count: photos.count)
    let byAgency = Dictionary(grouping: photos.indices) { photos[$0].agency }
    for (agency, places) in byAgency {
      let own = places.map { photos[$0] }
      let outcome: [Result<KeptPhoto, any Error>]
      do {
        outcome = try await self.commit(own, in: agency)
      } catch  where own.count > 1 {
        var each: [Result<KeptPhoto, any Error>] = []
        for photo in own {
          do {
            each += try await self.commit([photo], in: agency)
          } catch {
            each.append(.failure(error))
          }
        }
        outcome = each
      } catch {
        outcome = [.failure(error)]
      }
      for (place, result) in zip(places, outcome) { results[place] = result }
    }
    return results
  }

  private func commit(
    _ photos: [StagedPhoto], in agency: String
  ) async throws -> [Result<KeptPhoto, any Error>] {
    try await office.database.write(in: agency) { session in
      try photos.map { staged in
        do {
          return .success(try keep(staged, session))
        } catch let refusal as PhoneRefusal {
          return .failure(refusal)
        } catch let refusal as OfficeRefusal {
          return .failure(refusal)
        }
      }
    }
  }

  /// Keeps a photo with what came with it. Everything that may say no comes before the first change.
  func keep(_ staged: StagedPhoto, _ session: any AgencyTransaction) throws -> KeptPhoto {
    let photo = staged.received.photo
    // Sent twice at once, as an app does that has waited for too long.
    let same =
      if staged.carriedOver != nil {
        try session.phones.phonePhoto(
          ofInspector: photo.inspector, fileDigest: photo.fileDigest,
          orDigest: staged.phone.digest, created: staged.phone.created)
      } else {
        try session.phones.phonePhoto(
          ofInspector: photo.inspector, fileDigest: photo.fileDigest,
          created: staged.phone.created, digest: staged.phone.digest, task: photo.task)
      }
    if let known = same {
      return KeptPhoto(
        number: try session.phones.makePhoneNumber(.photo, of: known.description), isNew: false)
    }
    // What was carried over has been the task's before.
    if let task = photo.task, staged.carriedOver == nil {
      try requireEditable(task, photo.inspector, session)
    }
    try OfficeServer.requireQuota(for: photo.bytes, try session.deliveries.storage())
    try session.photos.insert(staged.received)
    try session.phones.insert(staged.phone, fileDigest: photo.fileDigest)
    try session.deliveries.addStored(bytes: photo.bytes)
    if let carriedOver = staged.carriedOver { try session.phones.insert(carriedOver) }
    try session.log.add(
      office.log(
        staged.carriedOver == nil ? "phone-photo" : "photo-carried-over",
        on: photo.id.description, by: staged.person ?? photo.inspector, agency: staged.agency,
        detail: staged.carriedOver?.reference ?? photo.task.map { "task \($0)" }))
    return KeptPhoto(
      number: try session.phones.makePhoneNumber(.photo, of: photo.id.description), isNew: true)
  }

  func requireEditable(
    _ task: Identifier, _ login: String, _ session: any AgencyTransaction
  ) throws {
    guard let task = try StoreError.found({ try session.tasks.task(task) }),
      task.inspector == login,
      task.state.isEditable
    else { throw PhoneRefusal.notEditable }
  }
}
