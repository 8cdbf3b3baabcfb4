import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Sync

/// What came of a conversation with the office.
public struct DeliveryOutcome: Hashable, Sendable {
  /// Entries of the outbox that a matching receipt turned to delivered.
  public var delivered = 0
  /// Entries that still wait.
  public var waiting = 0
  /// Entries that the office refused.
  public var failed = 0
  /// Bytes of messages and files that were sent.
  public var bytesSent = 0
  /// Tasks that came new.
  public var newTasks = 0
  /// Tasks that the office had changed.
  public var changedTasks = 0
  /// Why the policy that came with the tasks does not hold; nil when it does, or none came.
  public var policyProblem: SyncError?
  /// What the office refused, in words; nil when nothing was.
  public var refusal: DeliveryError?

  /// Nothing yet.
  public init() {}
}

extension InspectorUnit {
  /// Who is signed in here, with their office.
  /// - Throws: `DeliveryError.notSignedIn`.
  func signIn() throws -> (signIn: SignIn, token: String) {
    guard let signIn = try store.read(as: person, { try $0.signIn() }), let token = signIn.token
    else { throw DeliveryError.notSignedIn }
    return (signIn, token)
  }

  /// Receipts of what was delivered, the newest first.
  public func receipts() throws -> [Receipt] { try store.read(as: person) { try $0.receipts() } }

  /// Drains the outbox, then fetches tasks.
  ///
  /// - Parameter progress: called with words for people on the way.
  /// - Throws: `DeliveryError` when the office could not be reached or nobody is signed in; what it
  ///   refused is in the outcome. Whatever is thrown, nothing is lost: a batch that has begun is sent
  ///   again as it was.
  public func deliver(
    over link: any OfficeLink, progress: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> DeliveryOutcome {
    let (signIn, token) = try signIn()
    var outcome = DeliveryOutcome()
    do {
      try await drain(over: link, signIn, token, &outcome, progress)
    } catch let error as DeliveryError {
      try noteFailure(error)
      guard case .refused = error, !error.asksForSignIn else { throw error }
      outcome.refusal = error
    } catch let error as SyncError {
      // A receipt that does not match is no receipt.
      let refusal = DeliveryError.refused(code: error.code, detail: "\(error)")
      try noteFailure(refusal)
      outcome.refusal = refusal
    }
    try await fetchTasks(over: link, signIn, token, &outcome)
    outcome.waiting = try outbox().count
    if outcome.refusal != nil {
      outcome.failed = try outbox().count { $0.hasBegun }
      outcome.waiting -= outcome.failed
    }
    return outcome
  }

  /// What waits is tried again at a moment: the outbox tells it.
  public func planNextAttempt(at time: DeviceTime) throws {
    try store.write(as: person) { try $0.planNextAttempt(at: time) }
  }

  private func noteFailure(_ error: DeliveryError) throws {
    try store.write(as: person) { session in
      try session.noteAttempt(
        batch: try session.unfinishedBatch()?.id, answer: "\(error)", nextAttempt: nil)
    }
  }

  // MARK: tasks

  /// Fetches the tasks alone.
  public func fetchTasks(over link: any OfficeLink) async throws -> DeliveryOutcome {
    var outcome = DeliveryOutcome()
    let (signIn, token) = try signIn()
    try await fetchTasks(over: link, signIn, token, &outcome)
    return outcome
  }

  private func fetchTasks(
    over link: any OfficeLink, _ signIn: SignIn, _ token: String,
    _ outcome: inout DeliveryOutcome
  ) async throws {
    let message = try await link.tasks(token: token)
    guard message.schema == TaskListMessage.schema else {
      throw SyncError.unknownSchema(found: message.schema, expected: TaskListMessage.schema)
    }
    let tasks = try message.tasks.map { try $0.task(for: person) }
    let counts = try store.write(as: person) { session in
      let known = Dictionary(
        try session.tasks().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      var new = 0
      var changed = 0
      for task in tasks {
        if let device = known[task.id] {
          let merge = TaskMerge(device: device, office: task)
          guard merge.isChange else { continue }
          try session.save(merge, at: clock.deviceTime)
          changed += 1
        } else {
          try session.take(task)
          new += 1
        }
      }
      return (new, changed)
    }
    outcome.newTasks += counts.0
    outcome.changedTasks += counts.1
    // After the tasks: a policy that does not hold keeps nobody from working.
    let authority = try EvidenceCertificate(pem: signIn.authority)
    do {
      try store.write(as: person) { session in
        let known = try session.policy()
        if let new = try message.policy(for: person, authority: authority, known: known) {
          try session.keep(new)
        }
      }
    } catch let problem as SyncError {
      outcome.policyProblem = problem
    }
  }

  // MARK: the outbox

  private func drain(
    over link: any OfficeLink, _ signIn: SignIn, _ token: String, _ outcome: inout DeliveryOutcome,
    _ progress: @escaping @Sendable (String) -> Void
  ) async throws {
    let authority = try EvidenceCertificate(pem: signIn.authority)
    while let stored = try unfinishedOrNewBatch() {
      let batch = try BatchMessage(stored.message)
      progress("\(batch.seals.count) records and \(batch.files.count) files to send")
      let paths = self.paths(of: batch)
      var answer = try await link.send(batch: batch.id, stored.message, token: token)
      outcome.bytesSent += stored.message.count
      for (done, digest) in answer.missing.enumerated() {
        guard let path = paths[digest],
          let size = batch.files.first(where: { $0.digest == digest })?.bytes
        else {
          throw DeliveryError.refused(
            code: "batch-malformed", detail: "it asks for a file that was not announced")
        }
        progress("file \(done + 1) of \(answer.missing.count)")
        outcome.bytesSent += try await link.send(
          file: path, digest: digest, bytes: size, token: token)
      }
      if answer.receipt == nil {
        answer = try await link.send(batch: batch.id, stored.message, token: token)
        outcome.bytesSent += stored.message.count
      }
      guard answer.id == batch.id.description, let jws = answer.receipt else {
        throw SyncError.receiptMismatch("the office gives none although nothing is missing")
      }
      let receipt: Receipt
      do {
        receipt = try Receipt(jws: jws)
      } catch {
        throw SyncError.receiptMismatch("\(error)")
      }
      try batch.requireMatch(receipt, authority: authority, person: person)
      try DurableFile.makeFolder(folder.root + "/receipts")
      try DurableFile.replace(
        folder.root + "/receipts/\(receipt.id).receipt", with: Array(receipt.jws.utf8))
      let before = try outbox().count
      try store.write(as: person) {
        try $0.markDelivered(batch, receipt: receipt, at: clock.deviceTime)
      }
      outcome.delivered += before - (try outbox().count)
      progress("delivered: receipt \(receipt.id)")
    }
  }

  /// The batch that was begun, or a new one of all that waits; nil when nothing does.
  private func unfinishedOrNewBatch() throws -> StoredBatch? {
    try store.write(as: person) { session in
      if let begun = try session.unfinishedBatch() { return begun }
      let entries = try session.outbox().filter { !$0.hasBegun }
      guard !entries.isEmpty else { return nil }
      var seals: [String: SealFile] = [:]
      for entry in entries {
        for file in try session.undeliveredSeals(of: entry) { seals[file.seal.digest] = file }
      }
      let now = clock.deviceTime
      let thumbprint = key.publicKey.thumbprint
      let own = seals.values.filter { $0.seal.link.key == thumbprint }
        .sorted { $0.seal.link.sequence < $1.seal.link.sequence }
      let last = own.last?.seal.link.sequence ?? 0
      let links = try session.links(
        ofKey: thumbprint, after: try session.deliveredHead(ofKey: thumbprint)
      ).filter { $0.link.sequence <= last && seals[$0.digest] == nil }
      let batch = BatchMessage(
        id: Identifier(at: now), key: thumbprint, made: now, links: links, seals: own,
        files: try files(of: own, session))
      let head = max(last, try session.deliveredHead(ofKey: thumbprint))
      let stored = StoredBatch(
        id: batch.id, key: thumbprint, head: head, message: batch.bytes)
      try session.insert(stored, at: now, entries: entries.map(\.id))
      return stored
    }
  }

  /// The files that seals name, but those whose bytes were deleted.
  private func files(
    of seals: [SealFile], _ session: FieldSession
  ) throws -> [BatchMessage.File] {
    var files: [String: BatchMessage.File] = [:]
    for file in seals {
      let link = file.seal.link
      guard try !session.isDeleted(link.id) else { continue }
      for (digest, path) in sealedFiles(of: link) {
        guard
          let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        else { throw DeliveryError.fileGone(path: path) }
        files[digest] = BatchMessage.File(digest: digest, bytes: size)
      }
    }
    return files.values.sorted { $0.digest < $1.digest }
  }

  private func paths(of batch: BatchMessage) -> [String: String] {
    var paths: [String: String] = [:]
    for file in batch.seals {
      for (digest, path) in sealedFiles(of: file.seal.link) { paths[digest] = path }
    }
    return paths
  }

  private func sealedFiles(of link: Link) -> [(digest: String, path: String)] {
    var files: [(String, String)] = []
    switch link.kind {
    case .capture:
      if let digest = link.file { files.append((digest, folder.file(.photos, link.id))) }
      if let digest = link.raw { files.append((digest, folder.raw(link.id))) }
    case .track:
      if let digest = link.file { files.append((digest, folder.file(.tracks, link.id))) }
    case .note, .transition, .deletion: break
    }
    return files
  }
}
