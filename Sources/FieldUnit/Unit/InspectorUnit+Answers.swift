import Evidence
import Inspection
import Store
import Sync
import TimeAndText

/// An inspector's word on an item, as they write it.
public enum WrittenAnswer: Hashable, Sendable {
  /// An answer to a question, or a note.
  case text(String)
  /// The fields of a form: the names of choices, or one text.
  case fields([String])
  /// The reason why the item is not possible.
  case notPossible(String)
}

/// The items of a task with all that was given for them.
public struct TaskItems: Sendable {
  /// The items.
  public let order: OrderedItems
  /// The last word on each item.
  public let answers: [ItemName: SealedAnswer]
  /// The office's last words on the items.
  public let verdicts: ItemVerdicts
  /// The accepted items for which something was given since.
  public let changed: Set<ItemName>
  /// The number of photos of each shot that were not sent yet.
  let unsent: [ItemName: Int]
  /// The things that count for the items.
  public let given: GivenItems
  /// The standing of the items.
  public let standing: ItemStanding

  /// The records of the words that count for an item that is asked for.
  package var counting: Set<Identifier> {
    let names = standing.counting
    return Set(answers.filter { names.contains($0.key) }.map(\.value.id))
      .subtracting(verdicts.refused)
  }

  /// The names of the items without which the task is not sent, as JSON.
  public var missing: JSONValue { .array(standing.missing.map { .string($0.description) }) }

  /// The office's last words on the items as JSON: `item`, and `returned` with the reason; absent for an
  /// item that was accepted; `marks` with `photo` and `lines` if an officer has marked photos.
  public var verdictsJSON: JSONValue {
    .array(
      verdicts.last.map { verdict in
        .object(known: [
          ("item", .string(verdict.item.description)),
          ("returned", verdict.returned.map { .string($0) }),
          ("marks", verdict.marks.isEmpty ? nil : .array(verdict.marks.map(Self.json))),
        ])
      })
  }

  private static func json(_ mark: PhotoMark) -> JSONValue {
    .object(known: [
      ("photo", .string(mark.photo.description)), ("lines", .string(mark.linesText)),
    ])
  }

  /// The last words on the items as JSON, in the order of the items: the members that their records
  /// have, and `time` and `record`.
  public var json: JSONValue {
    .array(
      order.items.items.compactMap { answers[$0.name] }.map { answer in
        guard case .object(var members) = answer.json else { return answer.json }
        members["time"] = .string(answer.time.rfc3339)
        members["record"] = .string(answer.id.description)
        return .object(members)
      })
  }
}

extension InspectorUnit {
  /// Returns the items of a task with all that was given for them; nil if its order asks for none.
  public func taskItems(of id: Identifier) throws -> TaskItems? {
    try store.read(as: person) { try TaskItems(ofTask: id, $0) }
  }

  /// Gives a word on an item, and seals it. A word that was given before stays in the chain.
  /// - Parameter photos: the photos of the task on which the answer rests.
  /// - Throws: `InspectionError.item` with the reason for the refusal.
  @discardableResult
  public func answer(
    _ written: WrittenAnswer, to name: String, ofTask id: Identifier, photos: [Identifier] = []
  ) throws -> SealedAnswer {
    let time = clock.deviceTime
    return try sealer.seal(as: person, with: key) { session in
      let task = try session.tasks.task(id)
      guard task.state.isEditable else { throw InspectionError.taskLocked(task.state) }
      guard let items = try TaskItems(ofTask: id, session),
        let item = items.order.items.items.first(where: { $0.name.description == name })
      else { throw InspectionError.item(.unknown(String(name.prefix(ItemName.charactersAtMost)))) }
      if items.standing.states.contains(where: { $0.name == item.name && $0.state == .notAsked }) {
        throw InspectionError.item(.notAsked(item.name))
      }
      try items.requireOpen(item)
      try TaskItems.require(photos, of: id, session)
      let answer = SealedAnswer(
        id: Identifier(at: time), to: item, of: items.order, task: id, revision: task.revision,
        try written.answer(to: item), photos: photos, at: time)
      let record = answer.record(in: context())
      // A record that no office takes would keep the whole delivery back.
      guard record.canonicalBytes.count <= AnswerRule.recordBytesAtMost else {
        throw InspectionError.item(.tooLong)
      }
      return (
        Sealer.Sealing(shelf: .records, kind: .answer, id: answer.id, record: record), answer
      )
    } after: { session, answer in
      try session.answers.keep(answer)
    }
  }
}

extension FieldSession {
  /// Returns the things that a task holds, as they are counted before it is sent.
  func contents(of task: InspectionTask) throws -> TaskContents {
    let tracks = try tracks.heads(.task(task.id))
    let finished = tracks.count { $0.ended != nil }
    return TaskContents(
      photos: try photos.list(.task(task.id)).count, tracks: finished,
      unfinishedTracks: tracks.count - finished,
      lackingRepeats: try points.lacking(for: task), sets: try sets.list(.task(task.id)),
      items: try TaskItems(ofTask: task.id, self)?.standing)
  }
}

extension TaskItems? {
  /// Returns the item of a name, for a photo.
  /// - Throws: `InspectionError.item` if the order has no such item, or if it takes no photo now.
  func shot(named name: String) throws(InspectionError) -> OrderItem {
    guard let items = self,
      let item = items.order.items.items.first(where: { $0.name.description == name })
    else { throw .item(.unknown(String(name.prefix(ItemName.charactersAtMost)))) }
    guard let shot = item.shot, item.takesPhotos else { throw .item(.noShot(item.name)) }
    if items.standing.states.contains(where: { $0.name == item.name && $0.state == .notAsked }) {
      throw .item(.notAsked(item.name))
    }
    try items.requireOpen(item)
    if let most = shot.most, items.unsent[item.name] ?? 0 >= most {
      throw .item(.full(item.name, most: most))
    }
    return item
  }
}

extension TaskItems {
  /// Reads a task's items with all that was given for them; nil if its order asks for none.
  package init?(ofTask id: Identifier, _ session: FieldSession) throws {
    guard let order = try session.tasks.items(ofTask: id)?.located(in: session.tasks.task(id))
    else { return nil }
    let answers = try session.answers.answers(ofTask: id)
    let verdicts = try session.answers.verdicts(ofTask: id)
    var given = GivenItems(answers, verdicts)
    let photos = try session.photos.list(.task(id))
    let sent = Set(photos.filter { $0.sent != nil }.map(\.id))
    given.fill(
      order.items, photos: photos.map { GivenItems.Taken($0.id, for: $0.item) },
      sets: try session.sets.list(.task(id)),
      tracks: try session.tracks.heads(.task(id)).filter { $0.ended != nil }.map(\.id),
      verdicts: verdicts)
    self.init(
      order: order, answers: answers, verdicts: verdicts,
      changed: verdicts.changed(given, answers: answers.mapValues(\.id)),
      // A photo that was sent cannot be deleted to make room for another one.
      unsent: given.photos.mapValues { $0.count { !sent.contains($0) } },
      given: given,
      standing: ItemStanding(of: order.items, given, returned: verdicts.returned))
  }

  /// Throws `InspectionError.item` for an item that the office has accepted.
  func requireOpen(_ item: OrderItem) throws(InspectionError) {
    // One that is open here, because it was done on another device or the order has changed, is done
    // again.
    let isOpen = standing.states.contains { $0.name == item.name && $0.state == .open }
    if !isOpen, verdicts.last.contains(where: { $0.item == item.name && $0.returned == nil }) {
      throw .item(.accepted(item.name))
    }
  }

  /// Throws `InspectionError.item` unless photos are a task's, and not too many.
  static func require(
    _ photos: [Identifier], of task: Identifier, _ session: FieldSession
  ) throws {
    guard photos.count <= AnswerRule.photosAtMost else {
      throw InspectionError.item(.tooManyPhotos)
    }
    let own = try session.photos.list(.task(task)).map(\.id)
    if let other = photos.first(where: { !own.contains($0) }) {
      throw InspectionError.item(.photo(other))
    }
  }
}

extension WrittenAnswer {
  /// Returns the answer to an item.
  /// - Throws: `InspectionError.item` if it is none.
  func answer(to item: OrderItem) throws(InspectionError) -> ItemAnswer {
    switch self {
    case .text(let text):
      do throws(AnswerFault) {
        return .value(try item.value(written: text))
      } catch { throw .item(.fault(error)) }
    case .fields(let fields):
      do throws(AnswerFault) {
        return .value(try item.value(fields: fields))
      } catch { throw .item(.fault(error)) }
    case .notPossible(let reason):
      guard Question(.text).allows(.text(reason)) else { throw .item(.reason) }
      return .notPossible(reason: reason)
    }
  }
}
