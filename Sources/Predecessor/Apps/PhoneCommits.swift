import Evidence
import Inspection
import Office
import Store
import Sync
import TimeAndText

/// A photo whose file is stored under its name, but which the database does not know yet.
struct StagedPhoto: Sendable {
  /// The photo as it will be kept.
  let received: ReceivedPhoto
  /// The fields that the phone sent with it; their number is drawn in the transaction.
  let phone: PhonePhoto
  /// The agency's name.
  let agency: String
  /// The older office that the photo was carried over from; nil if the phone sent it here.
  var carriedOver: CarriedOver?
  /// The login of the person who carries the photo over, for the log; nil if a phone sent it.
  var person: String?
}

/// A photo that the database knows.
struct KeptPhoto: Sendable {
  /// The number by which phones know it.
  let number: Int64
  /// True if the given photo was kept; false if the same photo was sent before.
  let isNew: Bool
}

/// A queue that commits photos to the database, several in one transaction: each transaction waits
/// for the disk once, and 500 phones at a time would wait for it 500 times.
actor PhoneCommits {
  typealias Work = @Sendable ([StagedPhoto]) async -> [Result<KeptPhoto, any Error>]

  private struct Job {
    let photo: StagedPhoto
    let waiter: CheckedContinuation<KeptPhoto, any Error>
  }

  private static let photosAtOnce = 64
  private var waiting: [Job] = []
  private var isRunning = false

  /// Commits a photo, together with the others that wait at that moment.
  /// - Returns: its number, or the number of the same photo if that was sent before.
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
  /// Commits photos, those of one agency in one transaction. If the transaction fails, each photo
  /// is tried alone, so that one photo does not keep the others out.
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

  /// Keeps a photo with its fields. Everything that may refuse it comes before the first change.
  func keep(_ staged: StagedPhoto, _ session: any AgencyTransaction) throws -> KeptPhoto {
    let photo = staged.received.photo
    // An app that has waited for too long sends the photo a second time while the first is still on
    // its way.
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
    // A photo that was carried over belonged to the task before, so its task need not be editable.
    if let task = photo.task, staged.carriedOver == nil {
      try requireEditable(task, photo.inspector, session)
    }
    try Room.requireQuota(for: photo.bytes, try session.deliveries.storage())
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
