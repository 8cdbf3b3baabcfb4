import Evidence
import Inspection
import TimeAndText

/// An inspector's word on an item, as its record tells it. It holds the wordings of its day, so that
/// a stranger can read it without the order.
public struct SealedAnswer: Hashable, Sendable {
  /// The identifier of the record.
  public var id: Identifier
  /// The task.
  public var task: Identifier
  /// The order's revision that the device knew; nil if the record does not say.
  public var revision: Int?
  /// The item.
  public var item: ItemName
  /// The type of the template in which the item stands.
  public var type: String
  /// The version of the template, from 1.
  public var version: Int
  /// The wording of the item.
  public var asked: String
  /// The answer.
  public var answer: ItemAnswer
  /// The answer in the words of the question; nil for "not possible".
  public var words: String?
  /// The photos that the answer rests on, in their order.
  public var photos: [Identifier]
  /// The time of the answer, by the device's clock.
  public var time: DeviceTime

  /// Creates the claims about an answer.
  public init(
    id: Identifier, to item: OrderItem, of order: OrderedItems, task: Identifier, revision: Int?,
    _ answer: ItemAnswer, photos: [Identifier], at time: DeviceTime
  ) {
    self.id = id
    self.task = task
    self.revision = revision
    self.item = item.name
    (type, version) = (order.type, order.version)
    asked = item.wording
    self.answer = answer
    if case .value(let value) = answer { words = item.words(value) } else { words = nil }
    self.photos = photos
    self.time = time
  }

  /// The member `answer` of the record: `item template asked form value words notPossible photos`.
  public var json: JSONValue {
    var members: [String: JSONValue] = [
      "item": .string(item.description), "asked": .string(asked),
      "template": .object(["type": .string(type), "version": .integer(version)]),
    ]
    switch answer {
    case .value(let value):
      members["form"] = .string(Self.form(value))
      members["value"] = Self.json(value)
      members["words"] = words.map(JSONValue.string)
    case .notPossible(let reason): members["notPossible"] = .string(reason)
    }
    if !photos.isEmpty {
      members["photos"] = .array(photos.map { .string($0.description) })
    }
    return .object(members)
  }

  /// Returns the record.
  public func record(in context: RecordContext) -> JSONValue {
    let reference: [(String, JSONValue?)] = [
      ("id", .string(task.description)), ("revision", revision.map { .integer($0) }),
    ]
    return .object(
      known: context.members(id: id, kind: .answer) + [
        ("task", .object(known: reference)), ("answer", json),
        ("time", .object(["device": .string(time.rfc3339)])),
      ])
  }

  /// Reads the member `answer` of a record.
  /// - Throws: `EvidenceError.malformedSeal` with the member that is missing or not valid.
  public init(
    _ json: JSONValue?, id: Identifier, task: Identifier, revision: Int?, at time: DeviceTime
  ) throws(EvidenceError) {
    (self.id, self.task, self.revision, self.time) = (id, task, revision, time)
    item = try required(json?["item"]?.text.flatMap(ItemName.init(_:)), "answer.item")
    type = try required(json?["template"]?["type"]?.text, "answer.template.type")
    version = try required(
      json?["template"]?["version"]?.wholeNumber.flatMap { $0 > 0 ? $0 : nil },
      "answer.template.version")
    asked = try required(json?["asked"]?.text, "answer.asked")
    words = json?["words"]?.text
    if let reason = json?["notPossible"]?.text {
      answer = .notPossible(reason: reason)
    } else {
      let form = try required(json?["form"]?.text, "answer.form")
      answer = .value(try required(Self.value(json?["value"], form: form), "answer.value"))
    }
    var photos: [Identifier] = []
    for element in json?["photos"]?.elements ?? [] {
      photos.append(try required(element.text.flatMap(Identifier.init(_:)), "answer.photos"))
    }
    self.photos = photos
  }

  private static func form(_ value: AnswerValue) -> String {
    switch value {
    case .choice: "choice"
    case .several: "several"
    case .number: "number"
    case .text: "text"
    case .yes: "yesOrNo"
    case .date: "date"
    }
  }

  /// Records hold numbers as decimal text.
  private static func json(_ value: AnswerValue) -> JSONValue {
    if case .number(let number) = value { return .string(Question.decimalText(number)) }
    return ItemsJSONWriter.value(value)
  }

  private static func value(_ json: JSONValue?, form: String) -> AnswerValue? {
    if form == "number" { return json?.measured.map(AnswerValue.number) }
    return json.flatMap { ItemsJSONReader.value($0, form: form) }
  }
}

extension SealFile {
  /// Returns the answer that the record claims.
  /// - Throws: `EvidenceError.malformedSeal` if a member is missing or not what it must be.
  public func answer() throws(EvidenceError) -> SealedAnswer {
    try SealedAnswer(
      record["answer"], id: seal.link.id, task: try required(task, "task.id"),
      revision: taskRevision, at: try required(deviceTime, "time.device"))
  }
}
