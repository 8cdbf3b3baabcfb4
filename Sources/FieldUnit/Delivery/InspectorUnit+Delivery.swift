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
  /// Photos whose bytes have left the device, because the rule says so.
  public var removed = 0
  /// What came of comparing what both sides hold; nil where it was not done this time.
  public var reconciliation: Reconciliation?

  /// Nothing yet.
  public init() {}
}

extension InspectorUnit {
  /// Receipts of what was delivered, the newest first.
  public func receipts() throws -> [Receipt] { try store.read(as: person) { try $0.receipts() } }

  /// Drains the outbox, then fetches tasks; once a day, and whenever the office holds less than it has
  /// signed for, compares what both sides hold.
  ///
  /// - Parameter progress: called on the way.
  /// - Throws: `DeliveryError` when the office could not be reached or nobody is signed in; what it
  ///   refused is in the outcome. Whatever is thrown, nothing is lost: a batch that has begun is sent
  ///   again as it was.
  public func deliver(
    over link: any OfficeLink, progress: @escaping @Sendable (DeliveryProgress) -> Void = { _ in }
  ) async throws -> DeliveryOutcome {
    // Two programs beside each other would make two batches of the same things.
    let lock = try deliveryLock()
    defer { lock.release() }
    let office = try OfficeConversation(of: self, over: link)
    var outcome = DeliveryOutcome()
    var full: DeliveryError?
    let waiting = try outbox()
    let tally = DeliveryTally(
      files: waiting.count { [.photo, .track].contains($0.kind) },
      bytes: waiting.reduce(0) { [.photo, .track].contains($1.kind) ? $0 + $1.bytes : $0 },
      progress)
    do {
      do {
        full = try await drain(office, tally, &outcome)
      } catch let full as DeliveryError where full.saysFull {
        // An office that takes nothing at all has tasks to give all the same.
        _ = try? await fetchTasks(office, &outcome)
        throw full
      }
      let head = try await fetchTasks(office, &outcome)
      if try needsReconciliation(head, at: office.signIn.office) {
        outcome.reconciliation = try await reconcile(office, tally)
        full = try await drain(office, tally, &outcome, whileFull: full)
        outcome.removed = try await removeDelivered(office)
      }
    } catch let error as DeliveryError {
      // What was tried in vain says so itself; all that waits was not reached.
      try noteAttempt(error)
      guard case .refused = error, !error.asksForSignIn else { throw error }
      outcome.refusal = error
      outcome.failed = try outbox().count
    }
    // Said last: what waits for room says so itself, and everything else was done.
    if let full { throw full }
    outcome.bytesSent = tally.bytesSent
    outcome.waiting = try outbox().count - outcome.failed
    return outcome
  }

  /// - Throws: `DeliveryError.underWay` while another program delivers or compares.
  func deliveryLock() throws -> FileLock {
    guard let lock = try FileLock(folder.root + "/delivery.lock") else {
      throw DeliveryError.underWay
    }
    return lock
  }

  /// What waits is tried again at a moment: the outbox tells it.
  public func planNextAttempt(at time: DeviceTime) throws {
    try store.write(as: person) { try $0.planNextAttempt(at: time) }
  }

  private func noteAttempt(
    _ error: some Error, batch: Identifier? = nil, whole: Identifier? = nil
  ) throws {
    try store.write(as: person) {
      try $0.noteAttempt(batch: batch, whole: whole, answer: "\(error)")
    }
  }

  // MARK: tasks

  /// Fetches the tasks alone.
  public func fetchTasks(over link: any OfficeLink) async throws -> DeliveryOutcome {
    var outcome = DeliveryOutcome()
    _ = try await fetchTasks(try OfficeConversation(of: self, over: link), &outcome)
    return outcome
  }

  /// - Returns: the end of this key's chain at the office; nil where it does not say.
  private func fetchTasks(
    _ office: OfficeConversation, _ outcome: inout DeliveryOutcome
  ) async throws -> ChainHead? {
    let setting = Self.cursorSetting + " " + office.signIn.office
    var head: ChainHead?
    // Something that always has more is no office with that many tasks.
    for _ in 0..<Self.mostPages {
      let cursor = try store.read(as: person) { try $0.setting(setting) }
      let message = try await office.asking { token in
        try await office.link.tasks(since: cursor, token: token)
      }
      guard message.schema == TaskListMessage.schema else {
        throw SyncError.unknownSchema(found: message.schema, expected: TaskListMessage.schema)
      }
      try take(message, office.signIn, &outcome)
      head = message.head
      // A cursor that stays where it is says that nothing comes any more, whatever else is said.
      if message.hasMore != true || message.cursor == cursor { break }
    }
    return head
  }

  private static let cursorSetting = "task-cursor"
  private static let mostPages = 2_000

  private func take(
    _ message: TaskListMessage, _ signIn: SignIn, _ outcome: inout DeliveryOutcome
  ) throws {
    let tasks = try message.tasks.map { try $0.task(for: person) }
    let counts = try store.write(as: person) { session in
      let known = Dictionary(
        try session.tasks().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      var new = 0
      var changed = 0
      for task in tasks {
        if let device = known[task.id] {
          let merge = TaskMerge(
            device: device, office: task,
            knownElsewhere: Set(try session.transitionsElsewhere(of: task.id).map(\.id)))
          guard merge.isChange else { continue }
          try session.save(merge, at: clock.deviceTime)
          changed += 1
        } else {
          try session.take(task)
          new += 1
        }
      }
      // In the same transaction: what a cursor has passed is here.
      if let cursor = message.cursor {
        try session.set(Self.cursorSetting + " " + signIn.office, to: cursor)
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

  /// - Parameter known: that the office has no room for files, where it has said so before.
  /// - Returns: that it has none; then what brings no file was delivered, and the rest waits.
  private func drain(
    _ office: OfficeConversation, _ tally: DeliveryTally, _ outcome: inout DeliveryOutcome,
    whileFull known: DeliveryError? = nil
  ) async throws -> DeliveryError? {
    var failed: Set<Identifier> = []
    var heldBack: Set<Identifier> = []
    var full = known
    func refuse(_ error: DeliveryError, batch: Identifier, of wholes: Set<Identifier>) throws {
      guard error.concernsOneThing else { throw error }
      try noteAttempt(error, batch: batch)
      // It need not be about all of them: each goes alone, and only the one that it is about stays.
      if wholes.count > 1 { return try store.write(as: person) { try $0.dissolve(batch: batch) } }
      // Steps wait in no outbox: they are told anew the next time.
      if wholes.isEmpty { try store.write(as: person) { try $0.dissolve(batch: batch) } }
      outcome.refusal = outcome.refusal ?? error
      failed.formUnion(wholes)
    }
    func holdBack(_ wholes: Set<Identifier>, _ full: DeliveryError) throws {
      for whole in wholes { try noteAttempt(full, whole: whole) }
      heldBack.formUnion(wholes)
    }
    func send(_ kept: KeptBatch, of wholes: Set<Identifier>, isBegun: Bool) async throws {
      let sent: Sent
      do {
        sent = try await self.send(
          kept, office, tally, except: failed.union(heldBack), whileFull: full)
      } catch let error as DeliveryError {
        sent = Sent(refusal: error)
      }
      outcome.delivered += sent.delivered
      if let refusal = sent.refusal {
        // An office that has no room even for what brings no file takes nothing at all.
        if refusal.saysFull, !kept.message.files.isEmpty {
          // What was made of wholes that lack nothing is not divided once more.
          let mayDivide = isBegun || full == nil
          full = refusal
          if try await !divide(kept, of: mayDivide ? wholes : [], office, tally) {
            try holdBack(wholes, refusal)
          }
        } else {
          try refuse(refusal, batch: kept.stored.id, of: wholes)
        }
      }
      if let end = sent.end {
        guard end.saysFull else { throw end }
        full = full ?? end
      }
    }
    let begun = try store.read(as: person) { try $0.unfinishedBatches() }
    for id in begun {
      let wholes = try store.read(as: person) { try $0.wholes(ofBatch: id) }
      // Within a whole the order is kept: what comes later waits for what came before.
      guard failed.isDisjoint(with: wholes), heldBack.isDisjoint(with: wholes) else { continue }
      try await send(try keptBatch(id), of: wholes, isBegun: true)
    }
    if let steps = try makeStepBatch() { try await send(steps, of: [], isBegun: false) }
    while true {
      var wholes = BatchPlan.next(
        of: try store.read(as: person) { try $0.waitingWholes() }, except: failed.union(heldBack))
      if wholes.isEmpty { break }
      if let full {
        let lacking = try await lackingWholes(of: wholes, office, tally)
        try holdBack(lacking, full)
        wholes.removeAll(where: lacking.contains)
        if wholes.isEmpty { continue }
      }
      let (batch, unreadable) = try makeBatch(of: wholes)
      for (whole, error) in unreadable {
        try noteAttempt(error, whole: whole)
        outcome.refusal = outcome.refusal ?? error
        failed.insert(whole)
      }
      guard let batch else { continue }
      try await send(batch, of: Set(wholes).subtracting(failed), isBegun: false)
    }
    outcome.failed = try outbox().count { failed.contains($0.whole) }
    return full
  }

  /// What came of sending a batch.
  private struct Sent {
    /// Entries of the outbox that were delivered.
    var delivered = 0
    /// Why the office has refused it.
    var refusal: DeliveryError?
    /// What it has said meanwhile that ends this run.
    var end: DeliveryError?
  }

  /// Sends one batch: first the files that the office lacks, then the message that names them.
  /// - Parameters:
  ///   - failed: what does not go in this run.
  ///   - full: that the office has no room for files; then none is sent.
  private func send(
    _ kept: KeptBatch, _ office: OfficeConversation, _ tally: DeliveryTally,
    except failed: Set<Identifier>, whileFull full: DeliveryError?
  ) async throws -> Sent {
    let (batch, stored) = (kept.message, kept.stored)
    let files = files(of: batch)
    tally.says("\(batch.seals.count) records and \(files.count) files: what does the office hold?")
    // Where the answer to the batch itself was lost, it is what is asked for first: a network that loses
    // each second answer would else lose it for ever.
    var isComplete = stored.wasTried
    for _ in 0..<3 {
      if !isComplete {
        let lacking = try await missing(of: files, office, tally)
        if let full, !lacking.isEmpty { throw full }
        try await upload(lacking, of: files, office, tally)
      }
      try store.write(as: person) { try $0.markTried(true, batch: batch.id) }
      async let ahead = full == nil ? sendAhead(office, tally, except: failed) : nil
      let answer: BatchAnswer
      do {
        answer = try await office.asking { token in
          try await office.link.send(batch: batch.id, stored.message, token: token)
        }
      } catch let error as DeliveryError where error.concernsOneThing {
        // What is on its way has nothing to do with it.
        return Sent(refusal: error, end: await ahead)
      }
      tally.sent(bytes: stored.message.count)
      guard answer.id == batch.id.description else {
        throw DeliveryError.receiptMismatch("it is for another batch")
      }
      if let jws = answer.receipt {
        // Kept before anything else is waited for.
        let delivered = try accept(jws, for: batch, office.signIn, tally)
        return Sent(delivered: delivered, end: await ahead)
      }
      // What was there was cleared away meanwhile.
      try store.write(as: person) { try $0.markTried(false, batch: batch.id) }
      isComplete = false
    }
    throw DeliveryError.receiptMismatch("the office gives none although nothing is missing")
  }

  /// While the office makes a batch durable, the files of what goes next are on their way.
  /// - Returns: that the office asks to be left alone for a while. All else shows when their own batch is
  ///   sent.
  private func sendAhead(
    _ office: OfficeConversation, _ tally: DeliveryTally, except failed: Set<Identifier>
  ) async -> DeliveryError? {
    // Who wants one thing after the other gets it.
    guard configuration.parallelUploads > 1 else { return nil }
    do {
      let wholes = try readableFiles(
        ofWholes: BatchPlan.next(
          of: try store.read(as: person) { try $0.waitingWholes() }, except: failed))
      let all = wholes.values.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
      if all.isEmpty { return nil }
      let offsets = try await missing(of: all, office, tally)
      // Where nothing travels, everything can still be taken back.
      let travelling = wholes.filter { $0.value.keys.contains { offsets[$0] != nil } }
      // The batch before has come to nothing meanwhile: neither does this begin.
      try Task.checkCancellation()
      let begun = try store.write(as: person) { try $0.begin(wholes: Array(travelling.keys)) }
      let files = travelling.filter { begun.contains($0.key) }.values
        .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
      try await upload(offsets.filter { files[$0.key] != nil }, of: files, office, tally)
    } catch let error as DeliveryError {
      if error.askedSeconds != nil { return error }
    } catch {}
    return nil
  }

  /// Where to go on with the files that the office lacks, by digest.
  package func missing(
    of files: [String: BatchFile], _ office: OfficeConversation, _ tally: DeliveryTally
  ) async throws -> [String: Int] {
    var offsets: [String: Int] = [:]
    for digests in Self.pieces(of: files.keys.sorted()) {
      let answer = try await office.asking { token in
        try await office.link.held(HeldQuestion(digests: digests), token: token)
      }
      for digest in answer.missing { offsets[digest] = answer.offsets?[digest] ?? 0 }
    }
    for file in files.values where offsets[file.digest] == nil { tally.done(file) }
    return offsets
  }

  private static func pieces(of digests: [String]) -> [[String]] {
    stride(from: 0, to: digests.count, by: HeldQuestion.maximumThings).map {
      Array(digests[$0..<min($0 + HeldQuestion.maximumThings, digests.count)])
    }
  }

  /// Sends files, each from where an earlier try was cut off.
  private func upload(
    _ offsets: [String: Int], of files: [String: BatchFile], _ office: OfficeConversation,
    _ tally: DeliveryTally
  ) async throws {
    // What was begun is ended first.
    var waiting = try offsets.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
      guard let file = files[$0.key] else {
        throw DeliveryError.refused(
          code: "batch-malformed", detail: "it asks for a file that was not announced")
      }
      // An offset that cannot be is none.
      return (file, (0..<max(1, file.bytes)).contains($0.value) ? $0.value : 0)
    }[...]
    try await withThrowingTaskGroup(of: Void.self) { group in
      func next() {
        guard let (file, offset) = waiting.popFirst() else { return }
        group.addTask {
          do {
            func send(from offset: Int) async throws -> Int {
              try await office.asking { token in
                try await office.link.send(
                  file: file.path, digest: file.digest, bytes: file.bytes, from: offset,
                  token: token
                ) { tally.sending(file, upTo: $0) }
              }
            }
            let sent: Int
            do {
              sent = try await send(from: offset)
            } catch let error as DeliveryError where offset > 0 && error.saysOtherBytes {
              // What an earlier try has sent were other bytes, or of another length: the file was mended since.
              sent = try await send(from: 0)
            }
            tally.sent(bytes: sent)
            tally.done(file)
          } catch {
            tally.stopped(file)
            throw error
          }
        }
      }
      for _ in 0..<configuration.parallelUploads { next() }
      while try await group.next() != nil { next() }
    }
  }

  /// Only a receipt that matches turns anything to delivered.
  private func accept(
    _ jws: String, for batch: BatchMessage, _ signIn: SignIn, _ tally: DeliveryTally
  ) throws -> Int {
    let receipt: Receipt
    do {
      receipt = try Receipt(jws: jws)
      try batch.requireMatch(
        receipt, authority: try EvidenceCertificate(pem: signIn.authority), person: person)
    } catch let error as SyncError {
      throw DeliveryError.refused(code: error.code, detail: "\(error)")
    } catch {
      throw DeliveryError.receiptMismatch("\(error)")
    }
    try DurableFile.makeFolder(folder.root + "/receipts")
    try DurableFile.replace(
      folder.root + "/receipts/\(receipt.id).receipt", with: Array(receipt.jws.utf8))
    let delivered = try store.write(as: person) {
      try $0.markDelivered(
        batch, receipt: receipt, at: clock.deviceTime, office: signIn.office)
    }
    tally.says("delivered: receipt \(receipt.id)")
    return delivered
  }
}

extension DeliveryError {
  static func receiptMismatch(_ words: Wording) -> DeliveryError {
    let error = SyncError.receiptMismatch(words)
    return .refused(code: error.code, detail: "\(error)")
  }
}
