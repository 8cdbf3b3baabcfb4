import Evidence
import Foundation
import Office
import Store
import TimeAndText
import Transparency

/// The office's log for strangers: its checkpoints, and the proofs that an entry is in it and that it only
/// ever grew.
package struct PublicLog: OfficeService {
  /// The time after which a checkpoint is signed by itself, if the log has grown, seconds.
  private static let checkpointSeconds = 86_400.0
  /// The time between two looks whether that time has come, seconds.
  private static let lookSeconds = 600.0

  package let core: OfficeCore
  let shelf: LogShelf

  /// Creates the public log of an office.
  package init(core: OfficeCore) {
    self.core = core
    shelf = LogShelf(officeFolder: core.configuration.folder.path)
  }

  // MARK: the key

  /// Returns the key that signs checkpoints, and makes it the first time. With the key begins a log: its name has the
  /// office's authority in it, by which people know it, and the time of its beginning.
  /// - Throws: `StoreError` if its file cannot be read or written.
  private func signer() throws -> NoteSigner {
    let file = NoteKeyFile(
      path: core.configuration.folder.path + "/keys/log.key", lock: shelf.folder + "/key.lock",
      remedy: "remove it, and the office begins a new log")
    return try file.signer {
      let began = clock.deviceTime.millisecondsSince1970 / 1000
      return try NoteSigner(
        name: "standpoint.office/\(fingerprint.prefix(32))/\(began)", kind: .log)
    }
  }

  /// Returns the key by which anybody checks the checkpoints.
  /// - Throws: `StoreError`.
  package func key() throws -> NoteKey { try signer().key }

  /// True if the log's key is there: nothing was signed before.
  var hasBegun: Bool {
    FileStatus(ofPath: core.configuration.folder.path + "/keys/log.key") != nil
  }

  // MARK: checkpoints

  /// Signs a checkpoint of the whole log. If the log has not grown, it is the last one.
  /// - Returns: nil for a log without entries.
  /// - Throws: `OfficeRefusal` if the log does not begin with what was signed earlier: the office does not
  ///   sign such a log. `StoreError`.
  @discardableResult
  package func makeCheckpoint() async throws -> SignedNote? {
    let (signer, now) = (try signer(), clock.deviceTime)
    return try await withTree { tree in
      if let last = try shelf.sizes(by: signer.key).last, last == tree.size {
        return try checkpoint(size: last)
      }
      guard tree.size > 0 else { return nil }
      let checkpoint = Checkpoint(
        origin: signer.key.name, size: tree.size, root: try tree.root(size: tree.size))
      let note = try SignedNote(text: checkpoint.text, signedBy: signer, at: now)
      try shelf.keep(note, size: tree.size, by: signer.key)
      return note
    }
  }

  /// Brings the shelf up to the log, and requires that the log still begins with the last checkpoint.
  private func withTree<Answer: Sendable>(
    _ body: @Sendable (inout LogTree) throws -> Answer
  ) async throws -> Answer {
    let last = try lastCheckpoint().map { try Checkpoint(text: $0.text) }
    // A log that seems to be another one was read too early, or its copy on the shelf is damaged, or it is
    // another one: that is said only after its hashes were made anew.
    for isAnew in [false, false, true] {
      do {
        let answer = try await database.readRegistry { registry -> Answer? in
          try shelf.alone {
            guard var tree = try LogTree(shelf, reading: registry, isAnew: isAnew) else {
              return nil
            }
            if let last {
              guard try last.size <= tree.size && tree.root(size: last.size) == last.root else {
                return nil
              }
            }
            return try body(&tree)
          }
        }
        if let answer { return answer }
      } catch StoreError.unavailable where !isAnew {
        // A copy that cannot be read is made anew, too.
      }
    }
    throw OfficeRefusal(
      .exportImpossible,
      "the log does not begin with the \(last?.size ?? 0) entries that this office signed earlier: it was rewritten"
    )
  }

  /// Returns the checkpoint that was signed last; nil before the first.
  package func lastCheckpoint() throws -> SignedNote? {
    let key = try key()
    return try shelf.sizes(by: key).last.flatMap { try shelf.checkpoint(size: $0, by: key) }
  }

  /// Returns the sizes of all checkpoints, the smallest first.
  package func sizes() throws -> [Int] { try shelf.sizes(by: key()) }

  /// Returns a checkpoint.
  /// - Throws: `OfficeRefusal` if none of this size was signed.
  package func checkpoint(size: Int) throws -> SignedNote {
    guard let note = try shelf.checkpoint(size: size, by: key()) else {
      throw OfficeRefusal(.unknown, "no checkpoint of \(size) entries was signed")
    }
    return note
  }

  /// Returns true if a checkpoint was signed after a time; without a time, true.
  func isSigned(size: Int, after time: DeviceTime?) throws -> Bool {
    guard let time, let age = try shelf.age(ofSize: size, by: key(), at: time) else { return true }
    return age <= 0
  }

  /// Signs a checkpoint each day on which the log grows, until the surrounding task is cancelled.
  package func keepSigning() async throws {
    while true {
      do {
        if try isDue(at: clock.deviceTime) { try await makeCheckpoint() }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        configuration.log("log: no checkpoint was signed: \(error)")
      }
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: Self.lookSeconds))
    }
  }

  /// Returns true if a day has passed since the last checkpoint, or if it is from the future: a clock that was wrong must
  /// not keep the office from signing.
  func isDue(at now: DeviceTime) throws -> Bool {
    let key = try key()
    guard let last = try shelf.sizes(by: key).last,
      let age = try shelf.age(ofSize: last, by: key, at: now)
    else { return true }
    return !(-Self.lookSeconds..<Self.checkpointSeconds).contains(age)
  }

  /// Returns how many entries of the log a key that counts no more still counts for: all that are there now, or those
  /// before the first one that was written at a time or later.
  package func entries(before time: DeviceTime?) async throws -> Int {
    let size = try await makeCheckpoint().map { try Checkpoint(text: $0.text).size } ?? 0
    guard let time else { return size }
    var count = 0
    var isOver = false
    try await database.readRegistry { registry in
      try registry.forEachLogEntry { entry in
        isOver = isOver || entry.time >= time
        if !isOver { count += 1 }
      }
    }
    return min(count, size)
  }

  // MARK: proofs

  /// Returns the proof that an entry is in the log, as C2SP's `tlog-proof` writes it.
  /// - Parameters:
  ///   - entry: the number of the entry, from 1, as the exported log counts.
  ///   - line: the entry itself, which the proof then carries; nil for none.
  ///   - size: the size of the checkpoint; nil for the last one.
  ///   - mends: true to make hashes again that are missing or damaged, which takes seconds.
  /// - Throws: `OfficeRefusal` if there is no such entry or checkpoint.
  package func proof(
    ofEntry entry: Int, line: [UInt8]? = nil, size: Int? = nil, mends: Bool = true
  ) async throws -> String {
    try await proof(
      ofEntry: entry, line: line, in: try signed(size), mends: mends)
  }

  /// Returns the proof that an entry is in the log of a checkpoint that this office has signed, also under an earlier
  /// key.
  /// - Throws: `OfficeRefusal` if the log does not begin with what the checkpoint says.
  func proof(
    ofEntry entry: Int, line: [UInt8]?, in note: SignedNote, mends: Bool
  ) async throws -> String {
    let proof = try await answer(note, mends) { tree, shape in
      guard let proof = try shape.inclusion(of: entry - 1, { try tree.hash($0) }) else {
        throw OfficeRefusal(
          .unknown,
          "the checkpoint of \(shape.size) entries has no entry \(entry): make a newer one with standpoint office log checkpoint"
        )
      }
      return proof
    }
    return TreeProof.text(ofEntry: entry - 1, extra: line, proof, in: note)
  }

  /// Returns the hashes that prove that the log of a checkpoint begins with that of an earlier one.
  func hashes(from earlier: Int, to size: Int) async throws -> [TreeHash] {
    try await consistency(from: earlier, in: try checkpoint(size: size), mends: true)
  }

  /// Adds what a witness has signed to a checkpoint.
  func keep(witnessed note: SignedNote, by witness: NoteKey, size: Int) throws {
    try shelf.keep(witnessed: note, by: witness, size: size, by: key())
  }

  /// Returns the proof that the log of a checkpoint begins with that of an earlier one, as C2SP's
  /// `tlog-witness` writes it.
  /// - Parameter mends: true to make hashes again that are missing or damaged, which takes seconds.
  /// - Throws: `OfficeRefusal` if there is no such checkpoint.
  package func proof(
    from earlier: Int, to size: Int? = nil, mends: Bool = true
  ) async throws -> String {
    let note = try signed(size)
    return TreeProof.text(
      from: earlier, try await consistency(from: earlier, in: note, mends: mends), to: note)
  }

  private func consistency(
    from earlier: Int, in note: SignedNote, mends: Bool
  ) async throws -> [TreeHash] {
    try await answer(note, mends) { tree, shape in
      guard let proof = try shape.consistency(from: earlier, { try tree.hash($0) }) else {
        throw OfficeRefusal(
          .unknown, "an earlier checkpoint has 1 to \(shape.size) entries, and not \(earlier)")
      }
      return proof
    }
  }

  /// Returns the checkpoint of a size; nil names the last one.
  private func signed(_ size: Int?) throws -> SignedNote {
    guard let size = try size ?? sizes().last else {
      throw OfficeRefusal(
        .unknown, "no checkpoint was signed yet: standpoint office log checkpoint signs one")
    }
    return try checkpoint(size: size)
  }

  /// Answers a question about a checkpoint that was signed. The hashes on the shelf are enough: strangers ask neither the
  /// database nor for a lock.
  private func answer(
    _ note: SignedNote, _ mends: Bool,
    _ question: @Sendable (inout LogTree, TreeShape) throws -> [TreeHash]
  ) async throws -> [TreeHash] {
    let checkpoint = try Checkpoint(text: note.text)
    let size = checkpoint.size
    let shape = TreeShape(size: size)
    @Sendable func ask(_ tree: inout LogTree) throws -> [TreeHash]? {
      guard try checkpoint.size == size && tree.root(size: size) == checkpoint.root else {
        return nil
      }
      return try question(&tree, shape)
    }
    do {
      var tree = try LogTree(of: shelf)
      if tree.size >= size, let proof = try ask(&tree) { return proof }
    } catch is StoreError where mends {
      // They are made again below.
    }
    guard mends else {
      throw OfficeRefusal(.storeUnavailable, "this proof cannot be given now: ask again tomorrow")
    }
    return try await withTree { tree in
      if let proof = try ask(&tree) { return proof }
      throw OfficeRefusal(
        .exportImpossible, "the checkpoint of \(size) entries is not one of this log")
    }
  }
}
