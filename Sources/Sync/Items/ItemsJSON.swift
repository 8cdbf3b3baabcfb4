import Evidence
import Geodesy
import Inspection
import TimeAndText

/// The JSON of items (`schemas/items.schema.json`): in files of templates, in tasks that travel, in
/// databases and in the programs' interface.
public enum ItemsJSON {
  /// The name of a question's form, as it is in JSON.
  public static func formName(_ form: Question.Form) -> String { ItemsJSONWriter.form(form) }

  /// Writes items as an array.
  public static func json(_ order: OrderItems) -> JSONValue {
    .array(order.items.map(ItemsJSONWriter.item))
  }

  /// Reads items from an array. All of it is understood, or nothing is taken.
  /// - Throws: `ItemsJSONFault` with the item and its fault.
  public static func items(_ json: JSONValue) throws(ItemsJSONFault) -> OrderItems {
    guard let elements = json.elements else {
      throw ItemsJSONFault(nil, "the items are no array")
    }
    guard elements.count <= OrderItems.itemsAtMost else {
      throw ItemsJSONFault(
        nil,
        "an order has at most \(OrderItems.itemsAtMost) items, not \(elements.count)")
    }
    var items: [OrderItem] = []
    for (index, element) in elements.enumerated() {
      let reader = ItemsJSONReader(number: index + 1, above: items)
      items.append(try reader.item(element))
    }
    do {
      return try OrderItems(items)
    } catch {
      let number = error.item.flatMap { name in items.lastIndex { $0.name == name } }
      throw ItemsJSONFault(number.map { $0 + 1 }, error.wording)
    }
  }
}

/// A fault in the JSON of items.
public struct ItemsJSONFault: Error, Sendable, Worded {
  /// The number of the item, from 1; nil if all of them are meant.
  public let number: Int?
  /// The fault.
  public let reason: Wording

  init(_ number: Int?, _ reason: Wording) { (self.number, self.reason) = (number, reason) }

  /// The item and its fault, in one line.
  public var wording: Wording { number.map { "item \($0): \(reason)" } ?? reason }
}

/// Writes items as JSON.
enum ItemsJSONWriter {
  static func item(_ item: OrderItem) -> JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(item.name.description), "kind": .string(item.kind),
      "wording": .string(item.wording), "required": .bool(item.isRequired),
    ]
    members["hint"] = item.hint.map(JSONValue.string)
    members["when"] = item.condition.map(condition)
    switch item.content {
    case .question(let asked): members["question"] = question(asked)
    case .shot(let wanted): members["shot"] = shot(wanted)
    case .track(let wanted): members["track"] = .string(wanted.rawValue)
    case .note, .words: break
    }
    return .object(members)
  }

  private static func question(_ question: Question) -> JSONValue {
    var members: [String: JSONValue] = ["form": .string(form(question.form))]
    switch question.form {
    case .choice(let choices), .several(let choices):
      members["choices"] = .array(
        choices.map {
          .object(["id": .string($0.name.description), "wording": .string($0.wording)])
        })
    case .number(let range):
      members["unit"] = range.unit.map(JSONValue.string)
      members["least"] = range.least.map(JSONValue.number)
      members["most"] = range.most.map(JSONValue.number)
      if range.isWhole { members["whole"] = .bool(true) }
    case .text, .yesOrNo, .date: break
    }
    return .object(members)
  }

  static func form(_ form: Question.Form) -> String {
    switch form {
    case .choice: "choice"
    case .several: "several"
    case .number: "number"
    case .text: "text"
    case .yesOrNo: "yesOrNo"
    case .date: "date"
    }
  }

  private static func shot(_ shot: WantedShot) -> JSONValue {
    var members: [String: JSONValue] = ["least": .integer(shot.least)]
    members["most"] = shot.most.map(JSONValue.integer)
    switch shot.station {
    case .point(let place, let radius):
      members["station"] = .object([
        "point": .array([.number(place.longitudeDegrees), .number(place.latitudeDegrees)]),
        "radiusMetres": .number(radius),
      ])
    case .section(let name): members["station"] = .object(["section": .string(name)])
    case .parcel(let identifier): members["station"] = .object(["parcel": .string(identifier)])
    case nil: break
    }
    members["bearing"] = shot.bearing.map {
      .object([
        "degreesTrue": .number($0.degreesTrue), "toleranceDegrees": .number($0.toleranceDegrees),
      ])
    }
    members["distance"] = shot.distance.map { .string($0.rawValue) }
    members["hold"] = shot.hold.map { .string($0.rawValue) }
    if shot.needsScale { members["scale"] = .bool(true) }
    members["point"] = shot.point.map { .string($0.description) }
    members["set"] = shot.set.map {
      .object(["kind": .string($0.kind.rawValue), "sectors": .integer($0.sectors)])
    }
    members["example"] = shot.example.map(JSONValue.string)
    if shot.isStrict { members["strict"] = .bool(true) }
    return .object(members)
  }

  static func condition(_ condition: ItemCondition) -> JSONValue {
    func member(_ name: String, _ question: ItemName, _ value: JSONValue) -> JSONValue {
      .object([name: .array([.string(question.description), value])])
    }
    switch condition {
    case .equals(let name, let wanted): return member("equals", name, value(wanted))
    case .isOneOf(let name, let wanted): return member("oneOf", name, names(wanted))
    case .less(let name, let limit): return member("less", name, value(limit))
    case .more(let name, let limit): return member("more", name, value(limit))
    case .all(let parts): return .object(["all": .array(parts.map(Self.condition))])
    case .any(let parts): return .object(["any": .array(parts.map(Self.condition))])
    case .not(let part): return .object(["not": Self.condition(part)])
    }
  }

  static func value(_ value: AnswerValue) -> JSONValue {
    switch value {
    case .choice(let name): .string(name.description)
    case .several(let chosen): names(chosen)
    case .number(let number): .number(number)
    case .text(let text): .string(text)
    case .yes(let isYes): .bool(isYes)
    case .date(let day): .string(day.iso8601)
    }
  }

  private static func names(_ names: Set<ItemName>) -> JSONValue {
    .array(names.sorted().map { .string($0.description) })
  }
}
