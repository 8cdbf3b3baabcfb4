import Testing

@testable import Evidence
@testable import Verification

@Suite("What a crash leaves in the staging folder")
struct StagingTests {
  private let day: FieldDay
  private let folder: MemoryFiles
  private let last: FieldDay.Sealed

  init() throws {
    var day = try FieldDay.ordinary.get()
    // Without its last transition the day ends with a photo, which a crash can leave half done.
    day.entries.removeLast()
    self.day = day
    last = day.entries[day.entries.count - 1]
    folder = try day.folder()
    #expect(last.kind == .capture)
    expectIntact(folder.verified(), seals: day.entries.count)
  }

  private func staged(_ path: String) -> String {
    "staging/" + (path.split(separator: "/").last.map(String.init) ?? "")
  }

  @Test("a capture that is whole and the chain's next is intact at every step of its moving")
  func whole() {
    var folder = folder
    for path in [last.path, last.rawPath, last.sealPath] { folder.move(path, to: staged(path)) }
    expectIntact(folder.verified(), seals: day.entries.count, "nothing moved")
    folder.move(staged(last.rawPath), to: last.rawPath)
    expectIntact(folder.verified(), seals: day.entries.count, "raw window moved")
    folder.move(staged(last.path), to: last.path)
    expectIntact(folder.verified(), seals: day.entries.count, "photo moved")
    #expect(!folder.verified().findings.contains { $0.check == .unfinished })
  }

  @Test("a staged capture is checked like any other")
  func wholeAndChanged() {
    var folder = folder
    for path in [last.path, last.rawPath, last.sealPath] { folder.move(path, to: staged(path)) }
    folder.flip(staged(last.path), at: 700)
    expect(folder.verified(), .altered, .file, about: staged(last.path))
  }

  @Test("half of a capture was never acknowledged: a note")
  func half() {
    for missing in [[last.path], [last.rawPath], [last.sealPath], [last.path, last.sealPath]] {
      var folder = folder
      for path in [last.path, last.rawPath, last.sealPath] { folder.move(path, to: staged(path)) }
      for path in missing { folder[staged(path)] = nil }
      let report = folder.verified()
      expectIntact(report, seals: day.entries.count - 1)
      expect(report, .intact, .unfinished, about: "staging")
    }
  }

  @Test("a seal that was cut while it was written is a note, too")
  func cutSeal() throws {
    var folder = folder
    for path in [last.path, last.rawPath, last.sealPath] { folder.move(path, to: staged(path)) }
    let bytes = try #require(folder[staged(last.sealPath)])
    folder[staged(last.sealPath)] = Array(bytes.prefix(bytes.count / 2))
    let report = folder.verified()
    expectIntact(report, seals: day.entries.count - 1)
    expect(report, .intact, .unfinished, about: "staging", says: "3 files")
  }

  @Test("a whole capture that is not the chain's next was never committed: a note")
  func notNext() throws {
    var other = day
    other.entries.removeLast()
    other.note("this was sealed after the crash, in the same place")
    var folder = try other.folder()
    let unacknowledged = try day.folder()
    for path in [last.path, last.rawPath, last.sealPath] {
      folder[staged(path)] = unacknowledged[path]
    }
    let report = folder.verified()
    expectIntact(report, seals: other.entries.count)
    expect(report, .intact, .unfinished, about: "staging")
  }

  @Test("a capture hidden in the staging folder from the middle of the chain: chain, incomplete")
  func hidden() {
    var folder = folder
    let first = day.captures[0]
    for path in [first.path, first.rawPath, first.sealPath] { folder.move(path, to: staged(path)) }
    expect(folder.verified(), .incomplete, .chain, about: day.entries[2].sealPath)
  }

  @Test("a record without files that is the chain's next is whole")
  func recordAlone() throws {
    var day = day
    day.note("last words")
    var folder = try day.folder()
    let note = day.entries[day.entries.count - 1]
    folder.move(note.sealPath, to: staged(note.sealPath))
    expectIntact(folder.verified(), seals: day.entries.count)
  }
}
