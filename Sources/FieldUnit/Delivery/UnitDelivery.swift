import Evidence
import Foundation
import Inspection
import KeyTokens
import Store
import Sync
import TimeAndText

/// Delivers the things of an inspector's unit, and fetches the office's tasks.
public struct UnitDelivery: Sendable {
  /// The unit.
  package let unit: InspectorUnit

  var configuration: FieldUnitConfiguration { unit.configuration }
  var clock: any Timepiece { unit.clock }
  var store: FieldStore { unit.store }
  var folder: DataFolder { unit.folder }
  var person: Person { unit.person }
  var key: any DeviceKey { unit.key }
  var device: String { unit.device }
}

extension InspectorUnit {
  /// The delivery of this unit's things.
  public var delivery: UnitDelivery { UnitDelivery(unit: self) }
}

extension UnitDelivery {
  /// Returns the receipts of what was delivered, the newest first.
  public func receipts() throws -> [Receipt] {
    try store.read(as: person) { try $0.batches.receipts() }
  }

  /// Drains the outbox, then fetches tasks. About once a day, and whenever the office holds less
  /// than it has signed for, it also compares what both sides hold.
  ///
  /// - Parameter progress: called whenever the progress changes.
  /// - Throws: `DeliveryError` if the office could not be reached, has no room for files, or if
  ///   nobody is signed in. A refusal is in the outcome instead. Nothing is lost by any error: a
  ///   batch that has begun is sent again as it was.
  public func deliver(
    over link: any OfficeLink, progress: @escaping @Sendable (DeliveryProgress) -> Void = { _ in }
  ) async throws -> DeliveryOutcome {
    // Two programs that deliver at once would make two batches of the same things.
    let lock = try deliveryLock()
    defer { lock.release() }
    let office = try OfficeConversation(of: unit, over: link)
    var outcome = DeliveryOutcome()
    var full: DeliveryError?
    let waiting = try unit.outbox()
    let tally = DeliveryTally(
      files: waiting.count { [.photo, .track].contains($0.kind) },
      bytes: waiting.reduce(0) { [.photo, .track].contains($1.kind) ? $0 + $1.bytes : $0 },
      progress)
    do {
      do {
        full = try await drain(office, tally, &outcome)
      } catch let full as DeliveryError where full.saysFull {
        // An office that takes nothing at all may still have tasks to give.
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
      // A batch that was tried has its answer noted already; this notes that the rest was not
      // reached.
      try noteAttempt(error)
      guard case .refused = error, !error.asksForSignIn else { throw error }
      outcome.refusal = error
      outcome.failed = try unit.outbox().count
    }
    // The full office is reported last, because everything else has been done by now.
    if let full { throw full }
    outcome.bytesSent = tally.bytesSent
    outcome.waiting = try unit.outbox().count - outcome.failed
    return outcome
  }

  /// Takes the lock that only one program holds while it delivers or compares.
  /// - Throws: `DeliveryError.underWay` if another program holds it.
  func deliveryLock() throws -> FileLock {
    guard let lock = try FileLock(folder.root + "/delivery.lock") else {
      throw DeliveryError.underWay
    }
    return lock
  }

  /// Notes in the outbox when the waiting entries are tried again.
  public func planNextAttempt(at time: DeviceTime) throws {
    try store.write(as: person) { try $0.outbox.planNextAttempt(at: time) }
  }

  private func noteAttempt(
    _ error: some Error, batch: Identifier? = nil, whole: Identifier? = nil
  ) throws {
    try store.write(as: person) {
      try $0.outbox.noteAttempt(batch: batch, whole: whole, answer: "\(error)")
    }
  }

  // MARK: tasks

  /// Fetches the tasks without delivering anything.
  public func fetchTasks(over link: any OfficeLink) async throws -> DeliveryOutcome {
    var outcome = DeliveryOutcome()
    _ = try await fetchTasks(try OfficeConversation(of: unit, over: link), &outcome)
    return outcome
  }

  /// Fetches all pages of tasks that changed since the last time.
  /// - Returns: the end of this key's chain at the office; nil if the office does not say it.
  private func fetchTasks(
    _ office: OfficeConversation, _ outcome: inout DeliveryOutcome
  ) async throws -> ChainHead? {
    let setting = Self.cursorSetting + " " + office.signIn.office
    var head: ChainHead?
    // The limit ends the loop if something that is no office says without end that it has more.
    for _ in 0..<Self.mostPages {
      let (cursor, proved) = try store.read(as: person) {
        (try $0.settings.value(of: setting), try provedEntry(at: office.signIn.office, $0))
      }
      let message = try await office.asking { token in
        try await office.link.tasks(since: cursor, proved: proved, token: token)
      }
      guard message.schema == TaskListMessage.schema else {
        throw SyncError.unknownSchema(found: message.schema, expected: TaskListMessage.schema)
      }
      try take(message, office.signIn, &outcome)
      head = message.head
      // A cursor that stays the same means that no more tasks come, even if the office says
      // otherwise.
      if message.hasMore != true || message.cursor == cursor { break }
    }
    return head
  }

  private static let cursorSetting = "task-cursor"
  private static let mostPages = 2_000

  private func take(
    _ message: TaskListMessage, _ signIn: SignIn, _ outcome: inout DeliveryOutcome
  ) throws {
    let tasks = try message.tasks.map {
      (
        task: try $0.task(for: person), items: try $0.orderedItems(),
        verdicts: try $0.itemVerdicts()
      )
    }
    let counts = try store.write(as: person) { session in
      var new = 0
      var changed = 0
      for (task, items, verdicts) in tasks {
        if let device = try session.tasks.find(task.id) {
          let merge = TaskMerge(
            device: device, office: task,
            knownElsewhere: Set(try session.tasks.transitionsElsewhere(of: task.id).map(\.id)))
          let hasNewItems =
            try TaskMerge.takesItems(device: device, office: task)
            && session.tasks.items(ofTask: task.id) != items
          let hasNewVerdicts = try session.answers.verdicts(ofTask: task.id) != verdicts
          guard merge.isChange || hasNewItems || hasNewVerdicts else { continue }
          if hasNewVerdicts { try session.answers.keep(verdicts, ofTask: task.id) }
          try session.tasks.save(merge, at: clock.deviceTime)
          if hasNewItems { try session.tasks.keep(items, ofTask: merge.task) }
          changed += 1
        } else {
          try session.tasks.take(task)
          if let items { try session.tasks.keep(items, ofTask: task) }
          if verdicts != .none { try session.answers.keep(verdicts, ofTask: task.id) }
          new += 1
        }
      }
      // The cursor is stored in the same transaction as the tasks, so that it never passes a task
      // that is not here.
      if let cursor = message.cursor {
        try session.settings.set(Self.cursorSetting + " " + signIn.office, to: cursor)
      }
      return (new, changed)
    }
    outcome.newTasks += counts.0
    outcome.changedTasks += counts.1
    // The policy comes after the tasks: one that is not accepted must not stop the work.
    let authority = try EvidenceCertificate(pem: signIn.authority)
    do {
      try store.write(as: person) { session in
        let known = try session.settings.policy()
        if let new = try message.policy(for: person, authority: authority, known: known) {
          try session.settings.keep(new)
        }
      }
    } catch let problem as SyncError {
      outcome.policyProblem = problem
    }
    try keep(message.proofs(under: authority), of: signIn.office)
    ChallengeShelf(root: folder.root).take(
      message.challenge(forKey: key.publicKey.thumbprint, authority: authority))
  }

  // MARK: the outbox

  /// Sends the outbox: batches that have begun, then the steps of tasks, then all that waits.
  /// - Parameter known: the office's earlier answer that it has no room for files; nil if it has not
  ///   said so.
  /// - Returns: the office's answer that it has no room for files: then everything without a file was
  ///   delivered, and the rest waits. Nil if it has room.
  private func drain(
    _ office: OfficeConversation, _ tally: DeliveryTally, _ outcome: inout DeliveryOutcome,
    whileFull known: DeliveryError? = nil
  ) async throws -> DeliveryError? {
    var run = DrainRun(office: office, tally: tally, full: known)
    let begun = try store.read(as: person) { try $0.batches.unfinished() }
    for id in begun {
      let wholes = try store.read(as: person) { try $0.batches.wholes(of: id) }
      // Within a whole the order is kept: a later batch waits for an earlier one that has failed.
      guard run.passedOver.isDisjoint(with: wholes) else { continue }
      try await attempt(try keptBatch(id), of: wholes, isBegun: true, &run, &outcome)
    }
    if let steps = try makeStepBatch() {
      try await attempt(steps, of: [], isBegun: false, &run, &outcome)
    }
    while try await sendNextWholes(&run, &outcome) {}
    outcome.failed = try unit.outbox().count { run.failed.contains($0.whole) }
    return run.full
  }

  /// Makes and sends the next batch of the wholes that are not passed over.
  /// - Returns: false if there are none left.
  private func sendNextWholes(
    _ run: inout DrainRun, _ outcome: inout DeliveryOutcome
  ) async throws -> Bool {
    var wholes = BatchPlan.next(
      of: try store.read(as: person) { try $0.outbox.waitingWholes() }, except: run.passedOver)
    if wholes.isEmpty { return false }
    if let full = run.full {
      let lacking = try await lackingWholes(of: wholes, run.office, run.tally)
      try holdBack(lacking, full, &run)
      wholes.removeAll(where: lacking.contains)
      if wholes.isEmpty { return true }
    }
    let (batch, unreadable) = try makeBatch(of: wholes)
    for (whole, error) in unreadable {
      try noteAttempt(error, whole: whole)
      outcome.refusal = outcome.refusal ?? error
      run.failed.insert(whole)
    }
    guard let batch else { return true }
    try await attempt(
      batch, of: Set(wholes).subtracting(run.failed), isBegun: false, &run, &outcome)
    return true
  }

  /// Sends a batch, and notes the office's answer.
  /// - Parameters:
  ///   - wholes: the wholes whose entries the batch holds; empty for steps of tasks.
  ///   - isBegun: true if the batch was made in an earlier run.
  /// - Throws: an error that ends the run.
  private func attempt(
    _ kept: KeptBatch, of wholes: Set<Identifier>, isBegun: Bool, _ run: inout DrainRun,
    _ outcome: inout DeliveryOutcome
  ) async throws {
    let sent: SentBatch
    do {
      sent = try await send(
        kept, run.office, run.tally, except: run.passedOver, whileFull: run.full)
    } catch let error as DeliveryError {
      sent = SentBatch(refusal: error)
    }
    outcome.delivered += sent.delivered
    if let refusal = sent.refusal {
      // An office that says it is full to a batch without files takes nothing at all.
      if refusal.saysFull, !kept.message.files.isEmpty {
        // A batch that was made only of wholes that lack nothing is not divided once more.
        let mayDivide = isBegun || run.full == nil
        run.full = refusal
        if try await !divide(kept, of: mayDivide ? wholes : [], run.office, run.tally) {
          try holdBack(wholes, refusal, &run)
        }
      } else {
        try noteRefusal(refusal, batch: kept.stored.id, of: wholes, &run, &outcome)
      }
    }
    if let end = sent.end {
      guard end.saysFull else { throw end }
      run.full = run.full ?? end
    }
  }

  /// Notes that the office refused a batch.
  /// - Throws: the refusal itself if it concerns more than this batch.
  private func noteRefusal(
    _ error: DeliveryError, batch: Identifier, of wholes: Set<Identifier>, _ run: inout DrainRun,
    _ outcome: inout DeliveryOutcome
  ) throws {
    guard error.concernsOneThing else { throw error }
    try noteAttempt(error, batch: batch)
    // The refusal need not concern all wholes: each is sent alone next, and only the refused one
    // stays.
    if wholes.count > 1 { return try store.write(as: person) { try $0.batches.dissolve(batch) } }
    // Steps of tasks are in no outbox: the next run makes a new batch of them.
    if wholes.isEmpty { try store.write(as: person) { try $0.batches.dissolve(batch) } }
    outcome.refusal = outcome.refusal ?? error
    run.failed.formUnion(wholes)
  }

  private func holdBack(
    _ wholes: Set<Identifier>, _ full: DeliveryError, _ run: inout DrainRun
  ) throws {
    for whole in wholes { try noteAttempt(full, whole: whole) }
    run.heldBack.formUnion(wholes)
  }

  /// Sends one batch: first the files that the office lacks, then the message that names them.
  /// - Parameters:
  ///   - failed: the wholes that are not sent in this run any more.
  ///   - full: the office's answer that it has no room for files; then no files are sent. Nil if it
  ///     has room.
  private func send(
    _ kept: KeptBatch, _ office: OfficeConversation, _ tally: DeliveryTally,
    except failed: Set<Identifier>, whileFull full: DeliveryError?
  ) async throws -> SentBatch {
    let (batch, stored) = (kept.message, kept.stored)
    let files = files(of: batch)
    tally.says(
      "asking the office what it has of \(batch.seals.count) records and \(files.count) files")
    // If the batch's message was sent before, it is sent again first, since only its answer may
    // have been lost. Asking for the files first would lose the receipt each time on a network that
    // loses each second answer.
    var isComplete = stored.wasTried
    for _ in 0..<3 {
      if !isComplete {
        let lacking = try await missing(of: files, office, tally)
        if let full, !lacking.isEmpty { throw full }
        try await upload(lacking, of: files, office, tally)
      }
      try store.write(as: person) { try $0.batches.setTried(true, of: batch.id) }
      async let ahead = full == nil ? sendAhead(office, tally, except: failed) : nil
      let answer: BatchAnswer
      do {
        answer = try await office.asking { token in
          try await office.link.send(batch: batch.id, stored.message, token: token)
        }
      } catch let error as DeliveryError where error.concernsOneThing {
        // The files that are on their way belong to other batches, and are not affected.
        return SentBatch(refusal: error, end: await ahead)
      }
      tally.sent(bytes: stored.message.count)
      guard answer.id == batch.id.description else {
        throw DeliveryError.receiptMismatch("it is for another batch")
      }
      if let jws = answer.receipt {
        // The receipt is stored before the files that go ahead are waited for.
        let delivered = try accept(jws, for: batch, office.signIn, tally)
        return SentBatch(delivered: delivered, end: await ahead)
      }
      // The office has cleared away files that it had before.
      try store.write(as: person) { try $0.batches.setTried(false, of: batch.id) }
      isComplete = false
    }
    throw DeliveryError.receiptMismatch("the office gives none although nothing is missing")
  }

  /// Sends the files of the next batch while the office makes the present one durable.
  /// - Returns: the office's request to be left alone for a while, if it makes one; nil otherwise.
  ///   Any other error shows again when the files' own batch is sent.
  private func sendAhead(
    _ office: OfficeConversation, _ tally: DeliveryTally, except failed: Set<Identifier>
  ) async -> DeliveryError? {
    // With one upload at a time, nothing is sent ahead.
    guard configuration.parallelUploads > 1 else { return nil }
    do {
      let wholes = try readableFiles(
        ofWholes: BatchPlan.next(
          of: try store.read(as: person) { try $0.outbox.waitingWholes() }, except: failed))
      let all = wholes.values.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
      if all.isEmpty { return nil }
      let offsets = try await missing(of: all, office, tally)
      // Only wholes with a file on its way are locked: the inspector can still take back the
      // others.
      let travelling = wholes.filter { $0.value.keys.contains { offsets[$0] != nil } }
      // If the present batch has failed meanwhile, nothing is begun.
      try Task.checkCancellation()
      let begun = try store.write(as: person) {
        try $0.outbox.begin(wholes: Array(travelling.keys))
      }
      let files = travelling.filter { begun.contains($0.key) }.values
        .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
      try await upload(offsets.filter { files[$0.key] != nil }, of: files, office, tally)
    } catch let error as DeliveryError {
      if error.askedSeconds != nil { return error }
    } catch {}
    return nil
  }

  /// Returns the files that the office lacks: the offset to go on from, bytes, by digest.
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

  /// Sends files, each from the offset where an earlier try was cut off.
  private func upload(
    _ offsets: [String: Int], of files: [String: BatchFile], _ office: OfficeConversation,
    _ tally: DeliveryTally
  ) async throws {
    // Files that an earlier try has begun are finished first.
    var waiting = try offsets.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
      guard let file = files[$0.key] else {
        throw DeliveryError.refused(
          code: "batch-malformed", detail: "it asks for a file that was not announced")
      }
      // An impossible offset counts as 0.
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
              // An earlier try had sent other bytes or another length, because the file was mended
              // since.
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

  /// Turns a batch's entries to delivered, if the office's receipt matches the batch.
  /// - Returns: the number of entries that were delivered.
  private func accept(
    _ jws: String, for batch: BatchMessage, _ signIn: SignIn, _ tally: DeliveryTally
  ) throws -> Int {
    let receipt: Receipt
    do {
      receipt = try Receipt(jws: jws)
      try batch.requireMatch(
        receipt, authority: try authority(of: receipt, for: batch.id, signIn), person: person)
    } catch let error as SyncError {
      throw DeliveryError.refused(code: error.code, detail: "\(error)")
    } catch {
      throw DeliveryError.receiptMismatch("\(error)")
    }
    try DurableFile.makeFolder(folder.root + "/receipts")
    try DurableFile.replace(
      folder.root + "/receipts/\(receipt.id).receipt", with: Array(receipt.jws.utf8))
    let delivered = try store.write(as: person) {
      try $0.batches.markDelivered(
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
