import Inspection
import Sync
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

extension FieldDay {
  /// Seals an answer to an item.
  /// - Returns: its identifier.
  @discardableResult
  mutating func answer(
    _ answer: ItemAnswer, task: Identifier, photos: [Identifier] = []
  ) throws -> Identifier {
    let choices = try ["maize", "12"].map {
      Question.Choice(name: try #require(ItemName(choice: $0)), wording: "Crop \($0)")
    }
    let item = OrderItem(
      name: try #require(ItemName("q")), wording: "Which?",
      content: .question(Question(.several(choices))))
    let order = OrderedItems(type: "crop check", version: 2, items: try OrderItems([item]))
    let sealed = SealedAnswer(
      id: identifier(), to: item, of: order, task: task, revision: 2, answer, photos: photos,
      at: now)
    entries.append(Sealed(kind: .answer, id: sealed.id, record: sealed.record(in: context)))
    return sealed.id
  }
}

@Suite("Answers as evidence")
struct AnswerEvidenceTests {
  private func values() throws -> [ItemAnswer] {
    let day = try #require(CivilDate(iso8601: "2026-05-31"))
    let names = try ["12", "maize"].map { try #require(ItemName(choice: $0)) }
    return [
      .value(.choice(names[0])), .value(.several(Set(names))), .value(.number(-2.25)),
      .value(.number(3)), .value(.text("wet “č”")), .value(.yes(false)), .value(.date(day)),
      .notPossible(reason: "a dog"),
    ]
  }

  @Test("an answer of each form is read back as it was sealed")
  func roundTrip() throws {
    var day = try FieldDay(seed: 81)
    let (task, photo) = (day.identifier(), day.identifier())
    for value in try values() { try day.answer(value, task: task, photos: [photo]) }
    let read = try day.sealFiles().map { try $0.answer() }
    #expect(read.map(\.answer) == (try values()))
    for answer in read {
      #expect(answer.task == task && answer.photos == [photo] && answer.revision == 2)
      #expect(answer.asked == "Which?" && answer.type == "crop check" && answer.version == 2)
    }
    #expect(read.map(\.words).last == .some(nil))
    #expect(read[1].words == "Crop maize, Crop 12" && read[2].words == "-2.25")
  }

  @Test("a record whose answer lacks a member, or has another kind of value, is refused")
  func hostile() throws {
    var day = try FieldDay(seed: 82)
    try day.answer(try values()[2], task: day.identifier())
    let record = try #require(day.entries.last).record
    let bad: [([String], JSONValue?)] = [
      (["answer"], nil), (["answer", "item"], .string("a b")), (["answer", "item"], nil),
      (["answer", "value"], .number(2)), (["answer", "value"], .string("nan")),
      (["answer", "value"], nil), (["answer", "form"], .string("code")),
      (["answer", "asked"], nil), (["answer", "template"], nil),
      (["answer", "template", "version"], .integer(0)),
      (["answer", "photos"], .array([.string("x")])), (["time"], nil), (["task"], nil),
    ]
    for (path, value) in bad {
      var broken = day
      broken.entries[broken.entries.count - 1].record = record.setting(path[...], to: value)
      let file = try #require(try broken.sealFiles().last)
      #expect(throws: EvidenceError.self, "\(path)") { try file.answer() }
    }
  }

  /// Returns a day with a task's photo, a photo without a task, and an answer that rests on `photos`
  /// of them.
  private func day(
    _ photos: (_ own: Identifier, _ other: Identifier) -> [Identifier]
  ) throws -> FieldDay {
    var day = try FieldDay(seed: 83)
    let here = try FieldDay.place(48.2, 11.6)
    let task = InspectionTask(
      id: day.identifier(), agency: "example", inspector: "ada", name: "x", created: day.now,
      parcel: nil)
    let own = try day.capture(
      at: here, sampler: nil, task: task, picture: FieldDay.pictures[0])
    let other = try day.capture(at: here, sampler: nil, picture: FieldDay.pictures[1])
    try day.answer(try values()[0], task: task.id, photos: photos(own, other))
    return day
  }

  private func path(_ day: FieldDay) throws -> String {
    try #require(day.entries.last { $0.kind == .answer }).sealPath
  }

  @Test("an answer that rests on a photo of its task is intact")
  func intact() throws {
    let report = try day { own, _ in [own] }.folder().verified()
    #expect(report.verdict == .intact, "\(report.findings)")
  }

  @Test("an answer that rests on a photo of another task: file, doubtful")
  func otherTask() throws {
    let day = try day { [$0, $1] }
    expect(try day.folder().verified(), .doubtful, .file, about: try path(day))
  }

  @Test("an answer whose photo is not there (in a bundle: a note): file, incomplete")
  func photoGone() throws {
    var elsewhere = try FieldDay(seed: 84)
    let nowhere = elsewhere.identifier()
    let day = try day { own, _ in [own, nowhere] }
    expect(try day.folder().verified(), .incomplete, .file, about: try path(day))
  }
}
