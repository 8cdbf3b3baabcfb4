import Foundation
import Office
import Store
import TimeAndText
import Transparency

/// The office as a witness of other offices' logs (C2SP `tlog-witness`): it signs a checkpoint only if its log begins
/// with the one that it has signed before. So a log that shows two pasts gets its signature for one of them at most.
package struct LogWitness: OfficeService {
  package let core: OfficeCore
  private let shelf: WitnessShelf

  /// Creates the witness of an office.
  package init(core: OfficeCore) {
    self.core = core
    shelf = WitnessShelf(officeFolder: core.configuration.folder.path)
  }

  // MARK: the key

  private func signer() throws -> NoteSigner {
    let file = NoteKeyFile(
      path: core.configuration.folder.path + "/keys/witness.key",
      lock: shelf.folder + "/key.lock", remedy: "remove it, and this office is a new witness")
    return try file.signer {
      try NoteSigner(
        name: "standpoint.office/\(fingerprint.prefix(32))/witness", kind: .witness)
    }
  }

  /// Returns the key by which anybody checks what this witness has signed.
  package func key() throws -> NoteKey { try signer().key }

  // MARK: which logs

  /// The logs that this office watches.
  package func logs() throws -> [WatchedLog] { try shelf.logs.read() }

  /// Watches a log from now on.
  /// - Parameter text: its key, as `NAME+ID+KEY`.
  /// - Throws: `OfficeRefusal` if that is no key of a log.
  package func watch(_ text: String) throws {
    let key: NoteKey
    do throws(NoteProblem) {
      key = try NoteKey(text)
    } catch {
      throw OfficeRefusal(.inputInvalid, "this is not the key of a log: \(error.wording)")
    }
    guard key.kind == .log else {
      throw OfficeRefusal(
        .inputInvalid, "this is the key of a witness: standpoint office log key shows that of a log"
      )
    }
    try shelf.logs.change { logs in
      // One log for a name: two keys of one name could show two pasts.
      guard !logs.contains(where: { $0.name == key.name }) else {
        throw OfficeRefusal(.inputInvalid, "this office watches \(word: key.name) already")
      }
      logs.append(WatchedLog(key: key.text))
    }
  }

  /// Watches a log no more.
  /// - Throws: `OfficeRefusal` if it is not watched.
  package func stopWatching(_ name: String) throws {
    try shelf.logs.change { logs in
      let count = logs.count
      logs.removeAll { $0.key == name || $0.name == name }
      guard logs.count < count else {
        throw OfficeRefusal(.unknown, "this office watches no log \(word: name)")
      }
    }
  }

  // MARK: signing

  /// The answers of a witness that are no signature, as the protocol numbers them.
  package enum Refusal: Error, Hashable, Sendable {
    /// The question cannot be read, or contradicts itself.
    case malformed(Wording)
    /// Nobody asked this office to watch that log.
    case unknownLog
    /// The log's key has not signed the checkpoint.
    case unsigned
    /// Another checkpoint was signed last, with so many entries; or one of this size with another hash.
    case otherSize(Int)
    /// The proof does not lead from the checkpoint that was signed last to this one.
    case noProof
  }

  /// Signs a checkpoint that follows the last one.
  /// - Returns: the witness's line.
  /// - Throws: `Refusal`; `StoreError`.
  package func sign(_ body: [UInt8]) throws -> String {
    let request: WitnessRequest
    let checkpoint: Checkpoint
    do throws(NoteProblem) {
      request = try WitnessRequest(bytes: body)
      checkpoint = try Checkpoint(text: request.note.text)
    } catch {
      throw Refusal.malformed(error.wording)
    }
    guard request.old <= checkpoint.size else {
      throw Refusal.malformed("the checkpoint has fewer entries than the old one")
    }
    // A stranger's question ends here, without a lock or a change.
    let watched = try Self.watched(request, checkpoint, among: try shelf.logs.read())
    try Self.require(request, checkpoint, behind: watched)
    let (signer, now) = (try signer(), clock.deviceTime)
    // The same question again, which anybody can send, gets the same answer; a restored office has a new key.
    if watched.size == checkpoint.size, let line = watched.line,
      case .signed? = try? request.note.adding(lines: line).answer(of: signer.key)
    {
      return line
    }
    var note = request.note
    try note.sign(by: signer, at: now)
    let line = note.text(of: signer.key)
    try shelf.logs.change { logs in
      // Another question may have been answered meanwhile.
      let watched = try Self.watched(request, checkpoint, among: logs)
      try Self.require(request, checkpoint, behind: watched)
      guard let place = logs.firstIndex(of: watched) else { throw Refusal.unknownLog }
      logs[place].size = checkpoint.size
      logs[place].root = checkpoint.root.base64
      logs[place].signed = now.rfc3339
      logs[place].line = line
    }
    return line
  }

  /// Returns the log of a checkpoint, which its key has signed.
  private static func watched(
    _ request: WitnessRequest, _ checkpoint: Checkpoint, among logs: [WatchedLog]
  ) throws -> WatchedLog {
    let found = logs.first { $0.name == checkpoint.origin }
    guard let found else { throw Refusal.unknownLog }
    guard case .signed = request.note.answer(of: try NoteKey(found.key)) else {
      throw Refusal.unsigned
    }
    return found
  }

  private static func require(
    _ request: WitnessRequest, _ checkpoint: Checkpoint, behind log: WatchedLog
  ) throws {
    let last = log.size ?? 0
    guard request.old == last else { throw Refusal.otherSize(last) }
    if last == checkpoint.size {
      guard request.hashes.isEmpty, last > 0 || checkpoint.root == .ofNothing else {
        throw Refusal.noProof
      }
      guard log.root == nil || log.root == checkpoint.root.base64 else {
        throw Refusal.otherSize(last)
      }
      return
    }
    guard last > 0 else {
      guard request.hashes.isEmpty else { throw Refusal.noProof }
      return
    }
    guard let root = log.root.flatMap(TreeHash.init(base64:)),
      TreeProof.extends(
        root, size: last, to: checkpoint.root, size: checkpoint.size, proof: request.hashes)
    else { throw Refusal.noProof }
  }
}
