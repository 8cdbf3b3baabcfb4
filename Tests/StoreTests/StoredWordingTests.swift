import Evidence
import Foundation
import Inspection
import Positioning
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Store

/// Sentences that lie in a database until somebody reads them, in a language that nobody knows yet.
@Suite("Sentences in the database")
struct StoredWordingTests {
  private let inner: Wording = "place \(7) of \("{1} \"}\n' \u{202E}") is missing"

  @Test("a sentence comes back with its values and the sentences in it")
  func roundTrip() {
    for wording in [
      inner, "not a seal: \(inner)", "no network", Wording(verbatim: "{1}"), "",
      "at \(decimal: 1.5, places: 1) m", "since \(moment: DeviceTime(millisecondsSince1970: 7))",
    ] {
      #expect(Wording(stored: wording.stored) == wording, "\(wording.stored)")
      #expect(Wording(stored: wording.stored).description == wording.description)
    }
    #expect(Wording(stored: Wording("no network").stored) == "no network")
  }

  @Test("what an earlier version has kept is shown as it is, whatever it looks like")
  func earlier() {
    for text in ["no network", "{1} and {2}", "{\"template\":", "{\"template\":7}", "null"] {
      #expect(Wording(stored: text).description == text)
    }
    // A sentence that looks like ours is still told apart.
    let hostile = Wording(template: "{\"template\":\"x\",\"values\":[]}", values: [])
    #expect(Wording(stored: hostile.stored) == hostile)
  }

  @Test("findings of earlier versions are read, and new ones keep their English for other readers")
  func findings() throws {
    let row = try RowJSON.value(
      FindingRow.self,
      #"{"subject":"s","check":"chain","severity":"note","message":"it is a copy"}"#)
    #expect(try row.finding().message == "it is a copy")
    let finding = Finding(subject: "s", check: .chain, severity: .note, wording: inner)
    let text = RowJSON.text(FindingRow(finding))
    #expect(try RowJSON.value(FindingRow.self, text).finding() == finding)
    #expect(text.contains("\"message\":\"place 7 of"))
  }

  @Test("the outbox says again what came of a try, with its values")
  func outbox() throws {
    try withTemporaryDirectory { folder in
      let store = try FieldStore(path: folder.appendingPathComponent("field.sqlite").path)
      defer { try? store.close() }
      let ines = Person(agency: "north", login: "ines", role: .inspector)
      let now = DeviceTime(millisecondsSince1970: 0)
      let id = Identifier(at: now)
      try store.write(as: ines) { session in
        try session.outbox.insert(
          OutboxEntry(id: id, kind: .note, task: nil, digest: nil, bytes: 1, queued: now))
        try session.outbox.noteAttempt(answer: inner)
      }
      let entry = try #require(try store.read(as: ines) { try $0.outbox.list() }.first)
      #expect(entry.lastWording == inner && entry.lastAnswer == inner.description)
      #expect(entry.attempts == 1)
    }
  }
}
