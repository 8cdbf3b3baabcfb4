import Evidence
import FieldUnit
import Foundation
import Inspection
import Office
import Positioning
import Store
import Sync
import Synchronization
import TimeAndText

/// A network that loses, repeats, reorders, delays and cuts, from a seed. The office behind it is
/// nil while its program doesn't run.
final class SimulatedLink: OfficeLink {
  let address = "http://127.0.0.1:1"
  private let state: Mutex<State>
  /// The bytes of a chunk; few, so that a file has several chunks.
  private static let chunkBytes = 1_500

  private struct State {
    var random: SeededGenerator
    /// The number of calls in a thousand that go wrong.
    var trouble = 0
    var office: OfficeServer?
    var officeDisk: SimulatedDisk
    var calls = 0
    var bytesSent = 0
    /// The requests that are still in the network and arrive late.
    var late: [@Sendable (OfficeServer) async throws -> Void] = []
  }

  init(seed: UInt64, officeDisk: SimulatedDisk) {
    state = Mutex(State(random: SeededGenerator(seed: seed), officeDisk: officeDisk))
  }

  var calls: Int { state.withLock { $0.calls } }
  var bytesSent: Int { state.withLock { $0.bytesSent } }
  func use(_ office: OfficeServer?) { state.withLock { $0.office = office } }
  func set(trouble: Int) { state.withLock { $0.trouble = trouble } }
  func forgetLate() { state.withLock { $0.late = [] } }

  private enum Fate { case well, requestLost, answerLost, repeated, late, lateToo }

  private func lost(_ words: String) -> DeliveryError {
    .unreachable(address: address, reason: "\(words)")
  }

  private func call<Answer: Sendable>(
    _ body: @escaping @Sendable (OfficeServer) async throws -> Answer
  ) async throws -> Answer {
    let (office, fate, arriving) = state.withLock { state in
      state.calls += 1
      var fate = Fate.well
      if Int.random(in: 0..<1000, using: &state.random) < state.trouble {
        let fates: [Fate] = [
          .requestLost, .answerLost, .answerLost, .repeated, .late, .lateToo,
        ]
        fate = fates.randomElement(using: &state.random) ?? .well
      }
      // Late requests arrive at any later call, in any order.
      var arriving: [@Sendable (OfficeServer) async throws -> Void] = []
      if !state.late.isEmpty, Bool.random(using: &state.random) {
        state.late.shuffle(using: &state.random)
        arriving = [state.late.removeLast()]
      }
      return (state.office, fate, arriving)
    }
    guard let office else { throw lost("nothing is listening there") }
    for request in arriving { try? await request(office) }
    switch fate {
    case .requestLost: throw lost("the request was lost")
    case .late, .lateToo:
      state.withLock { $0.late.append { _ = try await body($0) } }
      if fate == .late { throw lost("the request is late") }
    case .repeated: _ = try? await body(office)
    case .well, .answerLost: break
    }
    let answer: Answer
    do {
      answer = try await body(office)
    } catch let error as DeliveryError {
      throw error
    } catch {
      if state.withLock({ $0.officeDisk.hasStopped }) { throw lost("the office has died") }
      guard let refusal = OfficeRefusal(of: error) else { throw error }
      if [.diskLow, .quotaFull].contains(refusal.kind) {
        throw DeliveryError.officeFull(
          address: address, seconds: refusal.retrySeconds.map(Double.init) ?? 900,
          reason: "\(word: refusal.detail)")
      }
      // As over HTTP, trouble of the office itself is no decision about the batch.
      if refusal.kind.status >= 500
        || [.uploadBusy, .uploadOffset, .uploadChecksum].contains(refusal.kind)
      {
        throw lost(refusal.detail)
      }
      throw DeliveryError.refused(code: refusal.kind.rawValue, detail: "\(word: refusal.detail)")
    }
    if state.withLock({ $0.officeDisk.hasStopped }) { throw lost("the office has died") }
    if fate == .answerLost { throw lost("the answer was lost") }
    return answer
  }

  func office() async throws -> OfficeMessage {
    try await call { OfficeMessage(software: "simulation", fingerprint: $0.fingerprint) }
  }

  func signIn(_ request: SignInRequest) async throws -> SignInAnswer {
    try await call { try await $0.devices.signInDevice(request) }
  }

  func challenge() async throws -> ChallengeMessage { try await call { $0.devices.challenge() } }

  func renew(_ request: RenewalMessage) async throws -> SignInAnswer {
    try await call { try await $0.devices.renewSession(request) }
  }

  func signOut(token: String) async throws {
    try await call { try await $0.sessions.endSession(token: token) }
  }

  func tasks(
    since cursor: String?, proved: String?, token: String
  ) async throws -> TaskListMessage {
    try await call {
      try await $0.review.tasks(for: try $0.sessions.visitor(withToken: token), since: cursor)
    }
  }

  func held(_ question: HeldQuestion, token: String) async throws -> HeldAnswer {
    try await call {
      try await $0.deliveries.held(question, from: try $0.sessions.visitor(withToken: token))
    }
  }

  func send(batch id: Identifier, _ message: [UInt8], token: String) async throws -> BatchAnswer {
    state.withLock { $0.bytesSent += message.count }
    return try await call {
      try await $0.deliveries.receive(
        batch: message, id: id, from: try $0.sessions.visitor(withToken: token))
    }
  }

  func send(
    file path: String, digest: String, bytes: Int, from start: Int, token: String,
    progress: @Sendable (_ bytes: Int) -> Void
  ) async throws -> Int {
    guard let data = FileManager.default.contents(atPath: path), data.count == bytes else {
      throw DeliveryError.fileGone(path: path)
    }
    var offset = start
    while offset < bytes {
      let chunk = Array(data[offset..<min(bytes, offset + Self.chunkBytes)])
      let place = offset
      let arrives = state.withLock { state in
        let isCut = Int.random(in: 0..<1000, using: &state.random) < state.trouble
        let count =
          isCut ? Int.random(in: 0..<chunk.count, using: &state.random) : chunk.count
        state.bytesSent += count
        return count
      }
      let isChecked = state.withLock { Bool.random(using: &$0.random) }
      let next = try await call { office in
        guard let key = try await office.sessions.visitor(withToken: token).key else {
          throw DeliveryError.notSignedIn
        }
        let file = ReceivedFile(key: key, digest: digest)
        try await office.room.requireRoom(for: file, length: bytes, in: "north")
        return try await office.uploads.receive(
          file, length: bytes, at: place,
          checksum: isChecked ? ChunkChecksum(field: "sha256 \(Digest.base64(chunk))") : nil
        ) { body in
          try chunk.prefix(arrives).withUnsafeBytes(body)
          if arrives < chunk.count {
            throw DeliveryError.unreachable(address: "", reason: "the connection was cut")
          }
        }.offset
      }
      offset = next
      progress(offset)
    }
    return bytes - start
  }
}
