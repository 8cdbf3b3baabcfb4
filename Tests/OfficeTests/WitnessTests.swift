import AsyncHTTPClient
import Evidence
import Foundation
import NIOCore
import OfficeScenes
import Positioning
import Receivers
import Store
import Synchronization
import TestSupport
import Testing
import TimeAndText
import Transparency

@testable import LogPublishing
@testable import Office

@Suite("Witnesses of logs", .timeLimit(.minutes(5)))
struct WitnessTests {
  /// The way to another office in this process, which counts, and can fail.
  private final class Link: WitnessLink {
    private let other: LogWitness
    private let state = Mutex<(questions: Int, failure: String?)>((0, nil))

    init(_ other: LogWitness) { self.other = other }

    var questions: Int { state.withLock { $0.questions } }
    func fail(_ words: String?) { state.withLock { $0.failure = words } }

    func add(
      _ question: [UInt8], at url: String
    ) async throws -> (status: Int, body: [UInt8]) {
      let failure = state.withLock { state in
        state.questions += 1
        return state.failure
      }
      if let failure { throw OutsideFailure("\(word: failure)") }
      do {
        return (200, Array(try other.sign(question).utf8))
      } catch let refusal as LogWitness.Refusal {
        switch refusal {
        case .malformed: return (400, [])
        case .unsigned: return (403, [])
        case .unknownLog: return (404, [])
        case .otherSize(let size): return (409, Array("\(size)\n".utf8))
        case .noProof: return (422, [])
        }
      }
    }
  }

  private func grow(_ office: OfficeServer, by count: Int) async throws {
    let core = office.core
    try await office.database.writeRegistry { registry in
      for number in 0..<count {
        try registry.log(
          core.log("witness-test", on: "\(number)", by: "test", agency: nil, detail: nil))
      }
    }
  }

  /// The key of an office's log, with which it could sign anything.
  private func signer(of scene: OfficeScene) throws -> NoteSigner {
    _ = try PublicLog(core: scene.office.core).key()
    let path = scene.office.core.configuration.folder.path + "/keys/log.key"
    return try NoteSigner(
      privateText: String(decoding: try DurableFile.read(path), as: UTF8.self)
        .trimmingCharacters(in: .newlines))
  }

  /// Two offices, of which the second watches the first's log.
  private func pair(
    _ folder: URL
  ) async throws -> (own: OfficeScene, log: PublicLog, witness: LogWitness, link: Link) {
    let own = try await OfficeScene(folder.appendingPathComponent("own"))
    let other = try await OfficeScene(folder.appendingPathComponent("other"))
    let (log, witness) = (
      PublicLog(core: own.office.core), LogWitness(core: other.office.core)
    )
    try witness.watch(try log.key().text)
    return (own, log, witness, Link(witness))
  }

  @Test(
    "a witness signs each checkpoint that follows the last one, and the office publishes its signature"
  )
  func follows() async throws {
    try await withTemporaryDirectory { folder in
      let (own, log, witness, link) = try await pair(folder)
      let witnesses = LogWitnesses(core: own.office.core, link: link)
      try witnesses.use("https://other.example.org/", key: try witness.key().text)
      for count in [1, 5, 300] {
        try await grow(own.office, by: count)
        let note = try #require(try await log.makeCheckpoint())
        #expect(note.answer(of: try witness.key()) == .absent)
        try await witnesses.askDue()
        let signed = try #require(try log.lastCheckpoint())
        #expect(signed.text == note.text)
        #expect(signed.answer(of: try witness.key()) == .signed(at: own.clock.deviceTime))
        #expect(try signed.answer(of: log.key()) == .signed(at: nil))
        let state = try #require(try witnesses.all().first).state
        #expect(state.size == (try Checkpoint(text: note.text)).size && state.problem == nil)
      }
      let asked = link.questions
      try await witnesses.askDue()
      #expect(link.questions == asked, "a checkpoint that is signed is not asked for again")
      #expect(asked == 3)
    }
  }

  @Test("a witness that has signed more than the office remembers is asked once more from there")
  func remembers() async throws {
    try await withTemporaryDirectory { folder in
      let (own, log, witness, link) = try await pair(folder)
      let witnesses = LogWitnesses(core: own.office.core, link: link)
      try witnesses.use("https://other.example.org", key: try witness.key().text)
      try await log.makeCheckpoint()
      try await witnesses.askDue()
      // The office forgets what the witness has signed.
      try witnesses.use("https://other.example.org", key: try witness.key().text)
      try await grow(own.office, by: 20)
      try await log.makeCheckpoint()
      try await witnesses.askDue()
      #expect(try witnesses.all().first?.state.problem == nil)
      #expect(try witnesses.all().first?.state.size == log.sizes().last && link.questions == 3)
    }
  }

  @Test("a log that was rewritten gets no signature, and its office is told so")
  func rewritten() async throws {
    try await withTemporaryDirectory { folder in
      let (own, log, witness, link) = try await pair(folder)
      let signer = try signer(of: own)
      try await grow(own.office, by: 8)
      try await log.makeCheckpoint()
      let witnesses = LogWitnesses(core: own.office.core, link: link)
      try witnesses.use("https://other.example.org", key: try witness.key().text)
      try await witnesses.askDue()
      let size = try #require(try log.sizes().last)
      func ask(_ old: Int, _ size: Int, _ root: TreeHash, _ proof: [TreeHash] = []) throws -> String
      {
        let text = Checkpoint(origin: signer.key.name, size: size, root: root).text
        let note = try SignedNote(text: text, signedBy: signer, at: own.clock.deviceTime)
        return try witness.sign(
          Array(WitnessRequest(old: old, hashes: proof, note: note).text.utf8))
      }
      // Another past of the same size, a longer one without proof, a shorter one, and one with a wrong proof.
      #expect(throws: LogWitness.Refusal.otherSize(size)) { try ask(size, size, .ofNothing) }
      #expect(throws: LogWitness.Refusal.noProof) { try ask(size, size + 3, .ofNothing) }
      #expect(throws: LogWitness.Refusal.otherSize(size)) { try ask(2, size + 3, .ofNothing) }
      #expect(throws: LogWitness.Refusal.otherSize(size)) { try ask(0, size + 3, .ofNothing) }
      #expect(throws: LogWitness.Refusal.noProof) {
        try ask(size, size + 3, .ofNothing, [.ofNothing, .ofNothing])
      }
      let shorter = #expect(throws: LogWitness.Refusal.self) { try ask(size, 1, .ofNothing) }
      #expect(shorter.map { if case .malformed = $0 { true } else { false } } == true)
      // The office shows its log's next checkpoint as rewritten: the proof does not fit any more.
      let forged = try SignedNote(
        text: Checkpoint(origin: signer.key.name, size: size, root: .ofNothing).text,
        signedBy: signer, at: own.clock.deviceTime)
      try log.shelf.keep(forged, size: size, by: signer.key)
      try FileManager.default.removeItem(
        atPath: "\(log.shelf.folder)/checkpoints/\(signer.key.idText)/\(size).witnessed")
      try await witnesses.askDue()
      let problem = try #require(try witnesses.all().first?.state.problem)
      #expect(problem.contains("another past"), "\(problem)")
      #expect(try witness.logs().first?.size == size)
    }
  }

  @Test("a stranger's log, a foreign signature and nonsense get no signature")
  func strangers() async throws {
    try await withTemporaryDirectory { folder in
      let (own, log, witness, _) = try await pair(folder)
      let stranger = try NoteSigner(name: "stranger.example/log", kind: .log)
      let foreign = try NoteSigner(name: try log.key().name, kind: .log)
      for (signer, name, refusal) in [
        (stranger, stranger.key.name, LogWitness.Refusal.unknownLog),
        (foreign, foreign.key.name, .unsigned),
      ] {
        let text = Checkpoint(origin: name, size: 3, root: .ofNothing).text
        let note = try SignedNote(text: text, signedBy: signer, at: own.clock.deviceTime)
        #expect(throws: refusal) {
          try witness.sign(Array(WitnessRequest(old: 0, hashes: [], note: note).text.utf8))
        }
      }
      for text in ["", "old 1\n", "old x\n\nlog\n3\nAAAA\n\n", "\n\n", "old 0\nnonsense\n\nx\n"] {
        #expect(throws: LogWitness.Refusal.self) { try witness.sign(Array(text.utf8)) }
      }
      #expect(throws: LogWitness.Refusal.self) {
        try witness.sign([UInt8](repeating: 0x0A, count: WitnessRequest.bytesAtMost + 1))
      }
      #expect(throws: OfficeRefusal.self) { try witness.watch(try witness.key().text) }
      #expect(throws: OfficeRefusal.self) { try witness.watch(foreign.key.text) }
      #expect(throws: OfficeRefusal.self) { try witness.watch("nonsense") }
      try witness.stopWatching(try log.key().name)
      #expect(try witness.logs().isEmpty)
      #expect(throws: OfficeRefusal.self) { try witness.stopWatching("x") }
    }
  }

  @Test(
    "the same question again gets the same answer, and one by the new key after the old one is gone"
  )
  func again() async throws {
    try await withTemporaryDirectory { folder in
      let (own, log, witness, _) = try await pair(folder)
      try await grow(own.office, by: 4)
      let note = try #require(try await log.makeCheckpoint())
      let size = try Checkpoint(text: note.text).size
      let first = try witness.sign(
        Array(WitnessRequest(old: 0, hashes: [], note: note).text.utf8))
      let question = Array(WitnessRequest(old: size, hashes: [], note: note).text.utf8)
      #expect(try witness.sign(question) == first)
      let key = folder.appendingPathComponent("other/office-data/office/keys/witness.key")
      try FileManager.default.removeItem(at: key)
      let second = try witness.sign(question)
      #expect(second != first)
      if case .signed = try note.adding(lines: second).answer(of: try witness.key()) {
      } else {
        Issue.record("not by the new key: \(second)")
      }
    }
  }

  @Test("two questions at once get one signature for one past, and never two")
  func atOnce() async throws {
    try await withTemporaryDirectory { folder in
      let (own, _, witness, _) = try await pair(folder)
      let signer = try signer(of: own)
      let now = own.clock.deviceTime
      let signed = await withTaskGroup(of: Bool.self) { group in
        for number in UInt8(0)..<16 {
          group.addTask {
            let root = TreeHash.leaf([number])
            let text = Checkpoint(origin: signer.key.name, size: 5, root: root).text
            guard let note = try? SignedNote(text: text, signedBy: signer, at: now) else {
              return false
            }
            let question = WitnessRequest(old: 0, hashes: [], note: note)
            return (try? witness.sign(Array(question.text.utf8))) != nil
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(signed == 1)
    }
  }

  @Test("over HTTP a witness answers as C2SP's tlog-witness says")
  func overHTTP() async throws {
    try await withTemporaryDirectory { folder in
      let own = try await OfficeScene(folder.appendingPathComponent("own"))
      let other = try await OfficeScene(folder.appendingPathComponent("other"))
      let log = PublicLog(core: own.office.core)
      let witness = LogWitness(core: other.office.core)
      try await log.makeCheckpoint()
      try await withSite(other.office) { site in
        let address = "http://127.0.0.1:\(site.port)"
        let witnesses = LogWitnesses(core: own.office.core)
        try witnesses.use(address, key: try witness.key().text)
        try await witnesses.askDue()
        #expect(try witnesses.all().first?.state.problem?.contains("does not watch") == true)
        try witness.watch(try log.key().text)
        try await witnesses.askDue()
        #expect(try witnesses.all().first?.state.problem == nil)
        let note = try #require(try log.lastCheckpoint())
        if case .signed = note.answer(of: try witness.key()) {
        } else {
          Issue.record("not signed: \(note.note)")
        }
        let again = try await site.send(
          "POST", "/add-checkpoint",
          body: .bytes(ByteBuffer(string: WitnessRequest(old: 0, hashes: [], note: note).text)))
        #expect(again.status == 409)
        #expect(try again.body == "\(Checkpoint(text: note.text).size)\n")
      }
    }
  }
}
