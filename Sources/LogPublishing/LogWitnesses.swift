import Foundation
import Office
import Store
import TimeAndText
import Transparency

/// The way to a witness.
package protocol WitnessLink: Sendable {
  /// Asks a witness.
  /// - Returns: the status of its answer, and the answer.
  /// - Throws: `OutsideFailure`.
  func add(_ question: [UInt8], at url: String) async throws -> (status: Int, body: [UInt8])
}

/// Asks over HTTP.
package struct HTTPWitnessLink: WitnessLink {
  /// Creates the way.
  package init() {}

  package func add(
    _ question: [UInt8], at url: String
  ) async throws -> (status: Int, body: [UInt8]) {
    let answer = try await SmallRequest(
      url: url, body: (question, "text/plain; charset=utf-8"),
      answerBytesAtMost: WitnessRequest.bytesAtMost
    ).send()
    return (answer.status, answer.bytes)
  }
}

/// Has the office's checkpoints signed by witnesses: whoever trusts one of them knows that the office shows everybody
/// the same log.
package struct LogWitnesses: OfficeService {
  package let core: OfficeCore
  private let log: PublicLog
  private let shelf: WitnessShelf
  private let link: any WitnessLink

  /// Creates the service of an office.
  package init(core: OfficeCore, link: any WitnessLink = HTTPWitnessLink()) {
    self.core = core
    self.link = link
    log = PublicLog(core: core)
    shelf = WitnessShelf(officeFolder: core.configuration.folder.path)
  }

  /// The witnesses that the office asks, and how it went.
  package func all() throws -> [UsedWitness] { try shelf.witnesses.read() }

  /// Asks a witness from now on.
  /// - Parameters:
  ///   - url: the beginning of its addresses: `/add-checkpoint` is added.
  ///   - text: its key, as `NAME+ID+KEY`.
  /// - Throws: `OfficeRefusal` if the address or the key is none.
  package func use(_ url: String, key text: String) throws {
    guard let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme),
      parts.host?.isEmpty == false, parts.user == nil, parts.query == nil
    else {
      throw OfficeRefusal(
        .inputInvalid,
        "this is not the address of a witness: it begins with https:// or http:// and has no password"
      )
    }
    let key: NoteKey
    do throws(NoteProblem) {
      key = try NoteKey(text)
    } catch {
      throw OfficeRefusal(.inputInvalid, "this is not the key of a witness: \(error.wording)")
    }
    guard key.kind == .witness else {
      throw OfficeRefusal(
        .inputInvalid,
        "this is the key of a log: standpoint office witness key shows that of a witness")
    }
    let address = url.hasSuffix("/") ? String(url.dropLast()) : url
    try shelf.witnesses.change { all in
      all.removeAll { $0.url == address }
      all.append(UsedWitness(url: address, key: key.text))
    }
  }

  /// Asks a witness no more.
  /// - Throws: `OfficeRefusal` if it is not one of those that are asked.
  package func remove(_ url: String) throws {
    let address = url.hasSuffix("/") ? String(url.dropLast()) : url
    try shelf.witnesses.change { all in
      let count = all.count
      all.removeAll { $0.url == address }
      guard all.count < count else {
        throw OfficeRefusal(
          .unknown,
          "the office does not ask \(word: url): standpoint office witness lists whom it asks"
        )
      }
    }
  }

  /// Has checkpoints witnessed as they come, until the surrounding task is cancelled.
  package func keepAsking() async throws {
    while true {
      try await askDue()
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: LogStamping.lookSeconds))
    }
  }

  /// Asks each witness to sign the last checkpoint, if it has not yet. A failure is noted, and the next look asks
  /// again.
  package func askDue() async throws {
    do {
      guard let note = try log.lastCheckpoint() else { return }
      let checkpoint = try Checkpoint(text: note.text)
      for witness in try shelf.witnesses.read() {
        let key = try NoteKey(witness.key)
        if case .signed = note.answer(of: key) { continue }
        try await ask(witness, key, checkpoint)
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      configuration.log("witnesses: \(error)")
    }
  }

  private func ask(_ witness: UsedWitness, _ key: NoteKey, _ checkpoint: Checkpoint) async throws {
    do {
      let known = witness.log == checkpoint.origin ? witness.state.size ?? 0 : 0
      // A witness that has signed another checkpoint last says which one; it is asked once more from there.
      var answer = try await question(witness, checkpoint, from: known)
      if answer.status == 409, let size = Self.size(answer.body), size != known,
        size <= checkpoint.size
      {
        answer = try await question(witness, checkpoint, from: size)
      }
      if answer.status == 409, let size = Self.size(answer.body), size > checkpoint.size {
        throw OutsideFailure("it has signed a later checkpoint of this log meanwhile")
      }
      guard answer.status == 200 else { throw Self.failure(answer.status) }
      let time = try take(String(decoding: answer.body, as: UTF8.self), key, checkpoint.size)
      try change(witness) { witness in
        if witness.log != checkpoint.origin {
          (witness.log, witness.state) = (checkpoint.origin, OutsideState())
        }
        witness.state.answered(size: checkpoint.size, at: time)
      }
    } catch let problem as any Error & Worded {
      configuration.log("witnesses: \(witness.url): \(problem.wording)")
      let now = clock.deviceTime
      try change(witness) { $0.state.failed(problem, at: now) }
    }
  }

  private func question(
    _ witness: UsedWitness, _ checkpoint: Checkpoint, from old: Int
  ) async throws -> (status: Int, body: [UInt8]) {
    let note = try log.checkpoint(size: checkpoint.size)
    let hashes =
      old == 0 || old == checkpoint.size
      ? [] : try await log.hashes(from: old, to: checkpoint.size)
    let request = WitnessRequest(old: old, hashes: hashes, note: note)
    return try await link.add(Array(request.text.utf8), at: witness.url + "/add-checkpoint")
  }

  private static func size(_ body: [UInt8]) -> Int? {
    Int(String(decoding: body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private static func failure(_ status: Int) -> OutsideFailure {
    switch status {
    case 403: OutsideFailure("it does not know the key of this log")
    case 404:
      OutsideFailure(
        "it does not watch this log: give its owner the key, standpoint office log key")
    case 409, 422:
      OutsideFailure(
        "it has signed another past of this log, and signs no more: the log was rewritten, or the office was restored under the same key"
      )
    default: OutsideFailure("it answers \(status)")
    }
  }

  /// Adds a witness's lines to the checkpoint that is published.
  private func take(_ lines: String, _ key: NoteKey, _ size: Int) throws -> DeviceTime {
    let note = try log.checkpoint(size: size)
    let witnessed: SignedNote
    do throws(NoteProblem) {
      witnessed = try note.adding(lines: lines)
    } catch {
      throw OutsideFailure("its answer is no signature: \(error.wording)")
    }
    guard case .signed(let time?) = witnessed.answer(of: key) else {
      throw OutsideFailure("its answer is not signed with the key that was named for it")
    }
    try log.keep(witnessed: witnessed, by: key, size: size)
    return time
  }

  private func change(_ witness: UsedWitness, _ body: (inout UsedWitness) -> Void) throws {
    try shelf.witnesses.change { all in
      for place in all.indices where all[place].url == witness.url { body(&all[place]) }
    }
  }
}
