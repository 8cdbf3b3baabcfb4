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

  private var keyFile: String { core.configuration.folder.path + "/keys/log.key" }

  /// The log's name: the office's authority, by which people know it, is in it.
  private var origin: String { "standpoint.office/\(fingerprint.prefix(32))" }

  /// Returns the key that signs checkpoints, and makes it the first time.
  /// - Throws: `StoreError` if its file cannot be read or written.
  private func signer() throws -> NoteSigner {
    if FileStatus(ofPath: keyFile) != nil {
      let text = String(decoding: try DurableFile.read(keyFile), as: UTF8.self)
      do {
        return try NoteSigner(privateText: text.trimmingCharacters(in: .whitespacesAndNewlines))
      } catch {
        throw StoreError.unavailable(
          path: keyFile, reason: "it is damaged: restore it from a backup (\(error.wording))")
      }
    }
    let signer = try NoteSigner(name: origin, kind: .log)
    try DurableFile.replace(keyFile, with: Array((signer.privateText + "\n").utf8))
    return signer
  }

  /// Returns the key by which anybody checks the checkpoints, as text.
  /// - Throws: `StoreError`.
  package func key() throws -> NoteKey { try shelf.alone { try signer().key } }

  // MARK: checkpoints

  /// Signs a checkpoint of the whole log. If the log has not grown, it is the last one.
  /// - Returns: nil for a log without entries.
  /// - Throws: `OfficeRefusal` if the log does not begin with what was signed earlier: the office does not
  ///   sign such a log. `StoreError`.
  @discardableResult
  package func makeCheckpoint() async throws -> SignedNote? {
    let now = clock.deviceTime
    return try await database.readRegistry { registry in
      try shelf.alone {
        var tree = try LogTree(shelf, registry)
        if let last = try lastCheckpoint() {
          let earlier = try Checkpoint(text: last.text)
          try require(earlier, in: &tree)
          if earlier.size == tree.size { return last }
        }
        guard tree.size > 0 else { return nil }
        let signer = try signer()
        let checkpoint = Checkpoint(
          origin: signer.key.name, size: tree.size, root: try tree.root(size: tree.size))
        let note = try SignedNote(text: checkpoint.text, signedBy: signer, at: now)
        try shelf.keep(note, size: tree.size)
        return note
      }
    }
  }

  /// Requires that the log still begins with an earlier checkpoint.
  private func require(_ earlier: Checkpoint, in tree: inout LogTree) throws {
    let isSame = try earlier.size <= tree.size && tree.root(size: earlier.size) == earlier.root
    guard isSame else {
      throw OfficeRefusal(
        .exportImpossible,
        "the log does not begin with the \(earlier.size) entries that this office signed earlier: it was rewritten, or restored from an older backup. To begin a new log, remove keys/log.key and the folder log; what was published shows the break"
      )
    }
  }

  /// Returns the checkpoint that was signed last; nil before the first.
  package func lastCheckpoint() throws -> SignedNote? {
    try shelf.sizes().last.flatMap { try shelf.checkpoint(size: $0) }
  }

  /// Returns the sizes of all checkpoints, the smallest first.
  package func sizes() throws -> [Int] { try shelf.sizes() }

  /// Returns a checkpoint.
  /// - Throws: `OfficeRefusal` if none of this size was signed.
  package func checkpoint(size: Int) throws -> SignedNote {
    guard let note = try shelf.checkpoint(size: size) else {
      throw OfficeRefusal(.unknown, "no checkpoint of \(size) entries was signed")
    }
    return note
  }

  /// Signs a checkpoint each day on which the log grows, until the surrounding task is cancelled.
  package func keepSigning() async throws {
    while true {
      do {
        let last = try shelf.sizes().last.flatMap {
          try shelf.age(ofSize: $0, at: clock.deviceTime)
        }
        if last.map({ $0 >= Self.checkpointSeconds }) ?? true { try await makeCheckpoint() }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        configuration.log("log: no checkpoint was signed: \(error)")
      }
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: Self.lookSeconds))
    }
  }

  // MARK: proofs

  /// Returns the proof that an entry is in the log, as C2SP's `tlog-proof` writes it.
  /// - Parameters:
  ///   - entry: the number of the entry, from 1, as the exported log counts.
  ///   - size: the size of the checkpoint; nil for the last one.
  /// - Throws: `OfficeRefusal` if there is no such entry or checkpoint.
  package func proof(ofEntry entry: Int, size: Int? = nil) async throws -> String {
    let (note, proof) = try await answer(size) { tree, shape in
      guard let proof = try shape.inclusion(of: entry - 1, { try tree.hash($0) }) else {
        throw OfficeRefusal(
          .unknown,
          "the checkpoint of \(shape.size) entries has no entry \(entry): make a newer one with standpoint office log checkpoint"
        )
      }
      return proof
    }
    let lines = ["c2sp.org/tlog-proof@v1", "index \(entry - 1)"] + proof.map(\.base64)
    return lines.map { $0 + "\n" }.joined() + "\n" + note.note
  }

  /// Returns the proof that the log of a checkpoint begins with that of an earlier one, as C2SP's
  /// `tlog-witness` writes it.
  /// - Throws: `OfficeRefusal` if there is no such checkpoint.
  package func proof(from earlier: Int, to size: Int? = nil) async throws -> String {
    let (note, proof) = try await answer(size) { tree, shape in
      guard let proof = try shape.consistency(from: earlier, { try tree.hash($0) }) else {
        throw OfficeRefusal(
          .unknown, "an earlier checkpoint has 1 to \(shape.size) entries, and not \(earlier)")
      }
      return proof
    }
    let lines = ["old \(earlier)"] + proof.map(\.base64)
    return lines.map { $0 + "\n" }.joined() + "\n" + note.note
  }

  /// Answers a question about a checkpoint that was signed, and returns it.
  private func answer(
    _ size: Int?, _ question: @Sendable (inout LogTree, TreeShape) throws -> [TreeHash]
  ) async throws -> (SignedNote, [TreeHash]) {
    try await database.readRegistry { registry in
      try shelf.alone {
        guard let size = try size ?? shelf.sizes().last else {
          throw OfficeRefusal(
            .unknown, "no checkpoint was signed yet: standpoint office log checkpoint signs one")
        }
        let note = try checkpoint(size: size)
        var tree = try LogTree(shelf, registry)
        try require(Checkpoint(text: note.text), in: &tree)
        return (note, try question(&tree, TreeShape(size: size)))
      }
    }
  }
}
