import Foundation
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Transparency

@Suite("Signed notes and checkpoints")
struct NoteTests {
  private let now = DeviceTime(millisecondsSince1970: 1_800_000_000_500)

  private func signer(_ kind: NoteKey.Kind = .log) throws -> NoteSigner {
    try NoteSigner(name: "office.example/log", kind: kind)
  }

  @Test("a note that the makers of the format have published is signed by their key")
  func published() throws {
    let key = try NoteKey("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    let note = """
      If you think cryptography is the answer to your problem,
      then you don't know what your problem is.

      \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=

      """
    #expect(try SignedNote(note).answer(of: key) == .signed(at: nil))
    #expect(try SignedNote(note).note == note)
    let changed = note.replacing("answer", with: "Answer")
    #expect(try SignedNote(changed).answer(of: key) == .wrong)
    #expect(key.text == "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
  }

  @Test("a checkpoint is read as it was written, and a witness adds when it saw it")
  func checkpoint() throws {
    let log = try signer()
    let checkpoint = Checkpoint(origin: log.key.name, size: 20_852_163, root: .ofNothing)
    var note = try SignedNote(text: checkpoint.text, signedBy: log, at: now)
    #expect(try Checkpoint(text: note.text) == checkpoint)
    let witness = try NoteSigner(name: "witness.example/w1", kind: .witness)
    #expect(note.answer(of: witness.key) == .absent)
    try note.sign(by: witness, at: now)
    let read = try SignedNote(note.note)
    #expect(read.answer(of: log.key) == .signed(at: nil))
    #expect(
      read.answer(of: witness.key)
        == .signed(at: DeviceTime(millisecondsSince1970: 1_800_000_000_000)))
    try note.sign(by: witness, at: now)
    #expect(note.note.split(separator: "\n").count == 5, "a key signs once")
    // The same key in the other way is another key, and nobody takes one signature for the other.
    let other = try NoteKey(name: log.key.name, kind: .witness, key: log.key.key)
    #expect(other.id != log.key.id && note.answer(of: other) == .absent)
    #expect(try NoteSigner(privateText: log.privateText).key == log.key)
    for bad in ["", "PRIVATE+KEY+", log.key.text, log.privateText + "A", "x" + log.privateText] {
      #expect(throws: NoteProblem.self) { _ = try NoteSigner(privateText: bad) }
    }
  }

  @Test("signatures are taken over from a copy of the same note, and from no other one")
  func copies() throws {
    let log = try signer()
    let text = Checkpoint(origin: log.key.name, size: 7, root: .ofNothing).text
    var note = try SignedNote(text: text, signedBy: log, at: now)
    var copy = note
    let witness = try NoteSigner(name: "w", kind: .witness)
    try copy.sign(by: witness, at: now)
    // A line under the witness's name that the witness has not signed takes no place.
    let junk = Data(witness.key.id + [UInt8](repeating: 7, count: 72)).base64EncodedString()
    let forged = try SignedNote(bytes: Array((note.note + "\u{2014} w \(junk)\n").utf8))
    #expect(forged.answer(of: witness.key) == .wrong)
    #expect(
      note.take(signaturesOf: forged, by: [witness.key]) && note.answer(of: witness.key) == .absent)
    var mended = forged
    #expect(mended.take(signaturesOf: copy, by: [witness.key]) && mended == copy)
    #expect(note.take(signaturesOf: copy, by: []) && note != copy)
    #expect(note.take(signaturesOf: copy, by: [witness.key]) && note == copy)
    #expect(throws: NoteProblem.self) { _ = try SignedNote(bytes: Array(note.note.utf8) + [0xFF]) }
    let other = try SignedNote(
      text: Checkpoint(origin: log.key.name, size: 8, root: .ofNothing).text, signedBy: log,
      at: now)
    #expect(!note.take(signaturesOf: other, by: [log.key]) && note == copy)
  }

  @Test("a note or a checkpoint that is malformed is refused with its reason")
  func malformed() throws {
    let log = try signer()
    let text = Checkpoint(origin: "o", size: 1, root: .ofNothing).text
    let good = try SignedNote(text: text, signedBy: log, at: now).note
    for bad in [
      "", "\n", "\n\n", text, String(good.dropLast()), good + "\n", good + "x\n",
      good.replacing("\u{2014} ", with: "- "), good.replacing("=\n", with: "\n"),
      good.replacing("office.example/log ", with: "office example "),
      good.replacing("\n1\n", with: "\n1\r\n"), String(repeating: "x", count: 1 << 20) + good,
      good + String(repeating: "\u{2014} a AAAAAAA=\n", count: 100),
    ] {
      #expect(throws: NoteProblem.self, "\(bad.prefix(40))") { _ = try SignedNote(bad) }
    }
    let hash = TreeHash.ofNothing.base64
    for bad in [
      "", "o\n", "o\n1\n", "o\n1\n\(hash)", "\n1\n\(hash)\n", "o\n01\n\(hash)\n",
      "o\n-1\n\(hash)\n",
      "o\n99999999999999999999\n\(hash)\n", "o\n1\n\(hash.dropLast())\n", "o\n1\n\(hash)\n\nmore\n",
    ] {
      #expect(throws: NoteProblem.self, "\(bad)") { _ = try Checkpoint(text: bad) }
    }
    #expect(try Checkpoint(text: "o\n1\n\(hash)\nmore\n").size == 1)
    for bad in [
      "a", "a+b", "a b+00000000+AQ",
      "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
      "PeterNeumann+c74f20a3+AhpC", "+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
    ] {
      #expect(throws: NoteProblem.self, "\(bad)") { _ = try NoteKey(bad) }
    }
  }

  @Test("bytes changed at random are refused, or change nothing that a key has signed")
  func hostile() throws {
    let log = try signer()
    let text = Checkpoint(origin: log.key.name, size: 12, root: .ofNothing).text
    let note = Array(try SignedNote(text: text, signedBy: log, at: now).note.utf8)
    var random = SeededGenerator(seed: 33)
    for _ in 0..<3000 {
      var bytes = note
      for _ in 0...Int.random(in: 0...2, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: .min ... .max, using: &random)
      }
      guard bytes != note, let read = try? SignedNote(String(decoding: bytes, as: UTF8.self)) else {
        continue
      }
      if case .signed = read.answer(of: log.key) { #expect(read.text == text) }
    }
  }
}
