import Foundation
import Office
import TimeAndText
import Transparency
import Web

/// The addresses at which anybody may fetch the log's key, its checkpoints, and the proofs that each begins with the
/// earlier ones and has an entry. Nothing of what an entry says is in them.
package struct LogRoutes {
  private let office: OfficeServer
  private let log: PublicLog
  private let witness: LogWitness

  /// Creates the routes of an office.
  package init(office: OfficeServer) {
    self.office = office
    log = PublicLog(core: office.core)
    witness = LogWitness(core: office.core)
  }

  /// Adds the addresses to a table.
  package func add(to routes: inout Routes) {
    routes.get("/checkpoint") { _ in
      try await office.requests.answering {
        guard let note = try log.lastCheckpoint() else {
          throw OfficeRefusal(.unknown, "no checkpoint was signed yet")
        }
        return Self.text(note.note)
      }
    }
    routes.get("/checkpoints") { _ in
      try await office.requests.answering {
        Self.text(try log.sizes().map { "/checkpoints/\($0)\n" }.joined())
      }
    }
    routes.get("/checkpoints/key") { _ in
      try await office.requests.answering { Self.text(try log.key().text + "\n") }
    }
    routes.get("/checkpoints/{size}") { request in
      try await office.requests.answering {
        Self.text(try log.checkpoint(size: try Self.number("size", of: request)).note)
      }
    }
    addProofs(to: &routes)
    // C2SP's `tlog-witness`: other logs ask this office to sign their checkpoints.
    routes.post("/add-checkpoint", machine: true) { request in
      let body = try await request.bytes(limit: WitnessRequest.bytesAtMost)
      return try await office.requests.answering { try Self.witnessed(body, by: witness) }
    }
  }

  private func addProofs(to routes: inout Routes) {
    routes.get("/checkpoints/{size}/from/{earlier}") { request in
      try await office.requests.answering {
        Self.text(
          try await log.proof(
            from: try Self.number("earlier", of: request), to: try Self.number("size", of: request),
            mends: false))
      }
    }
    routes.get("/checkpoints/{size}/entry/{number}") { request in
      try await office.requests.answering {
        Self.text(
          try await log.proof(
            ofEntry: try Self.number("number", of: request),
            size: try Self.number("size", of: request), mends: false))
      }
    }
  }

  private static func witnessed(_ body: [UInt8], by witness: LogWitness) throws -> WebResponse {
    do {
      return text(try witness.sign(body))
    } catch let refusal as LogWitness.Refusal {
      switch refusal {
      case .malformed(let words): return text("\(words)\n", status: 400)
      case .unsigned: return text("the key of this log did not sign it\n", status: 403)
      case .unknownLog: return text("this office does not watch this log\n", status: 404)
      case .otherSize(let size):
        return text("\(size)\n", status: 409, type: "text/x.tlog.size")
      case .noProof: return text("the proof does not lead to this checkpoint\n", status: 422)
      }
    }
  }

  private static func number(_ name: String, of request: WebRequest) throws -> Int {
    guard let text = request.parameters[name], let number = Int(text), number > 0 else {
      throw OfficeRefusal(.unknown, "a checkpoint is named by its number of entries")
    }
    return number
  }

  private static func text(
    _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
  ) -> WebResponse {
    WebResponse.bytes(Array(text.utf8), mediaType: type, status: status)
  }
}
