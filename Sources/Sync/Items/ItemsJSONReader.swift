import Evidence
import Geodesy
import Inspection
import TimeAndText

/// Reads one item from JSON.
struct ItemsJSONReader {
  /// The number of the item, from 1.
  let number: Int
  /// The items above it: their questions say of which form the values of a condition are.
  let above: [OrderItem]

  private func wrong(_ words: Wording) -> ItemsJSONFault { ItemsJSONFault(number, words) }

  func item(_ json: JSONValue) throws(ItemsJSONFault) -> OrderItem {
    let all = ["id", "kind", "wording", "hint", "required", "when", "question", "shot", "track"]
    let members = try object(json, "item", all)
    let id = try text(members["id"], "id")
    guard let name = ItemName(id) else {
      throw wrong(
        "“\(id.prefix(80).description)” is no id: it has a letter or _ first, then letters, digits, _, - and ., 64 characters at most"
      )
    }
    let kind = try text(members["kind"], "kind")
    let content: OrderItem.Content
    switch kind {
    case "question": content = .question(try question(members["question"]))
    case "shot": content = .shot(try shot(members["shot"]))
    case "track": content = .track(try choice(members["track"], "track"))
    case "note": content = .note
    case "words": content = .words
    default: throw wrong("its kind is none of shot, question, track, note and words")
    }
    for other in ["question", "shot", "track"] where other != kind && members[other] != nil {
      throw wrong("it has a member “\(other)”, but its kind is \(kind)")
    }
    return OrderItem(
      name: name, wording: try text(members["wording"], "wording"),
      hint: try members["hint"].map { (json) throws(ItemsJSONFault) in try text(json, "hint") },
      isRequired: try flag(members["required"], "required") ?? (content != .words),
      condition: try members["when"].map { (json) throws(ItemsJSONFault) in
        try condition(json, depth: 1)
      }, content: content)
  }

  // MARK: questions

  private func question(_ json: JSONValue?) throws(ItemsJSONFault) -> Question {
    let members = try object(
      json, "question", ["form", "choices", "unit", "least", "most", "whole"])
    let form = try text(members["form"], "question.form")
    let own: Set<String>
    let question: Question
    switch form {
    case "choice":
      (own, question) = (["choices"], Question(.choice(try choices(members["choices"]))))
    case "several":
      (own, question) = (["choices"], Question(.several(try choices(members["choices"]))))
    case "number":
      own = ["unit", "least", "most", "whole"]
      question = Question(
        .number(
          Question.NumberRange(
            unit: try members["unit"].map { (json) throws(ItemsJSONFault) in
              try text(json, "question.unit")
            }, least: try decimal(members["least"], "question.least"),
            most: try decimal(members["most"], "question.most"),
            isWhole: try flag(members["whole"], "question.whole") ?? false)))
    case "text": (own, question) = ([], Question(.text))
    case "yesOrNo": (own, question) = ([], Question(.yesOrNo))
    case "date": (own, question) = ([], Question(.date))
    default:
      throw wrong("question.form is none of choice, several, number, text, yesOrNo and date")
    }
    for name in members.keys.sorted() where name != "form" && !own.contains(name) {
      throw wrong("a question of the form \(form) has no member “\(name)”")
    }
    return question
  }

  private func choices(_ json: JSONValue?) throws(ItemsJSONFault) -> [Question.Choice] {
    guard let elements = json?.elements else { throw wrong("question.choices is no array") }
    guard elements.count <= OrderItems.choicesAtMost else {
      throw wrong(
        "it offers \(elements.count) choices; at most \(OrderItems.choicesAtMost) are possible")
    }
    var choices: [Question.Choice] = []
    for element in elements {
      let members = try object(element, "question.choices[]", ["id", "wording"])
      choices.append(
        Question.Choice(
          name: try choiceName(members["id"]),
          wording: try text(members["wording"], "question.choices[].wording")))
    }
    return choices
  }

  private func choiceName(_ json: JSONValue?) throws(ItemsJSONFault) -> ItemName {
    let id = try text(json, "question.choices[].id")
    guard let name = ItemName(choice: id) else {
      throw wrong(
        "“\(id.prefix(80).description)” is no id of a choice: it has letters, digits, _, - and ., 64 characters at most"
      )
    }
    return name
  }

  // MARK: shots

  private func shot(_ json: JSONValue?) throws(ItemsJSONFault) -> WantedShot {
    let members = try object(
      json, "shot",
      [
        "least", "most", "station", "bearing", "distance", "hold", "scale", "point", "set",
        "example", "strict",
      ])
    var shot = WantedShot(least: try whole(members["least"], "shot.least") ?? 1)
    shot.most = try whole(members["most"], "shot.most")
    if let station = members["station"] { shot.station = try self.station(station) }
    if let bearing = members["bearing"] {
      let parts = try object(bearing, "shot.bearing", ["degreesTrue", "toleranceDegrees"])
      guard let degrees = try decimal(parts["degreesTrue"], "shot.bearing.degreesTrue"),
        let tolerance = try decimal(parts["toleranceDegrees"], "shot.bearing.toleranceDegrees")
      else { throw wrong("shot.bearing lacks degreesTrue or toleranceDegrees") }
      shot.bearing = WantedShot.Bearing(degreesTrue: degrees, toleranceDegrees: tolerance)
    }
    if let distance = members["distance"] { shot.distance = try choice(distance, "shot.distance") }
    if let hold = members["hold"] { shot.hold = try choice(hold, "shot.hold") }
    shot.needsScale = try flag(members["scale"], "shot.scale") ?? false
    shot.isStrict = try flag(members["strict"], "shot.strict") ?? false
    if let point = members["point"] {
      guard let id = Identifier(try text(point, "shot.point")) else {
        throw wrong("shot.point is no identifier of a photo point")
      }
      shot.point = id
    }
    shot.example = try members["example"].map { (json) throws(ItemsJSONFault) in
      try text(json, "shot.example")
    }
    if let set = members["set"] {
      let parts = try object(set, "shot.set", ["kind", "sectors"])
      let kind: FrameSetKind = try choice(parts["kind"], "shot.set.kind")
      shot.set = NeededSet(
        kind: kind, sectors: try whole(parts["sectors"], "shot.set.sectors") ?? kind.usualSectors)
    }
    return shot
  }

  private func station(_ json: JSONValue) throws(ItemsJSONFault) -> WantedShot.Station {
    let members = try object(json, "shot.station", ["point", "radiusMetres", "section", "parcel"])
    switch members.keys.sorted() {
    case ["section"]: return .section(try text(members["section"], "shot.station.section"))
    case ["parcel"]: return .parcel(try text(members["parcel"], "shot.station.parcel"))
    case ["point", "radiusMetres"]:
      guard let numbers = members["point"]?.elements, numbers.count == 2,
        case .number(let longitude) = numbers[0], case .number(let latitude) = numbers[1],
        let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
        let radius = try decimal(members["radiusMetres"], "shot.station.radiusMetres")
      else {
        throw wrong("shot.station.point is not a longitude and a latitude, in degrees")
      }
      return .point(place, radiusMetres: radius)
    default:
      throw wrong("shot.station has a point with radiusMetres, or a section, or a parcel")
    }
  }

  // MARK: conditions

  private func condition(_ json: JSONValue, depth: Int) throws(ItemsJSONFault) -> ItemCondition {
    guard depth <= ItemCondition.depthAtMost else {
      throw wrong("its condition has more than \(ItemCondition.depthAtMost) levels")
    }
    guard case .object(let members) = json, members.count == 1, let (name, value) = members.first
    else {
      throw wrong(
        "a condition is an object with one member: equals, oneOf, less, more, all, any or not")
    }
    switch name {
    case "not": return .not(try condition(value, depth: depth + 1))
    case "all": return .all(try conditions(value, depth: depth + 1))
    case "any": return .any(try conditions(value, depth: depth + 1))
    case "equals", "oneOf", "less", "more": return try comparison(name, value)
    default: throw wrong("“\(name.prefix(80).description)” is no condition")
    }
  }

  private func conditions(
    _ json: JSONValue, depth: Int
  ) throws(ItemsJSONFault) -> [ItemCondition] {
    guard let elements = json.elements else { throw wrong("all and any have an array") }
    guard elements.count <= ItemCondition.comparisonsAtMost else {
      throw wrong(
        "its condition has \(elements.count) comparisons; at most \(ItemCondition.comparisonsAtMost) are possible"
      )
    }
    var parts: [ItemCondition] = []
    for element in elements { parts.append(try condition(element, depth: depth)) }
    return parts
  }

  private func comparison(
    _ name: String, _ json: JSONValue
  ) throws(ItemsJSONFault) -> ItemCondition {
    guard let parts = json.elements, parts.count == 2, let id = parts[0].text else {
      throw wrong("a comparison is an array of an item's id and a value")
    }
    guard let item = above.first(where: { $0.name.description == id }) else {
      throw wrong(
        "its condition refers to \(id.prefix(80).description), which is no item above it")
    }
    guard let question = item.question else {
      throw wrong("its condition refers to \(id), which is no question")
    }
    if name == "oneOf" {
      guard let elements = parts[1].elements else { throw wrong("oneOf has an array of choices") }
      var names: Set<ItemName> = []
      for element in elements { names.insert(try choiceName(element)) }
      return .isOneOf(item.name, names)
    }
    guard let value = Self.value(parts[1], question) else {
      throw wrong("its condition compares \(id) with an answer that it cannot have")
    }
    return switch name {
    case "equals": .equals(item.name, value)
    case "less": .less(item.name, than: value)
    default: .more(item.name, than: value)
    }
  }

  /// Returns the value that JSON means as an answer to a question; nil if it means none.
  static func value(_ json: JSONValue, _ question: Question) -> AnswerValue? {
    value(json, form: ItemsJSONWriter.form(question.form))
  }

  /// Returns the value that JSON means in a form of answers; nil if it means none.
  static func value(_ json: JSONValue, form: String) -> AnswerValue? {
    switch form {
    case "choice": return json.text.flatMap(ItemName.init(choice:)).map(AnswerValue.choice)
    case "several":
      guard let elements = json.elements, elements.count <= OrderItems.choicesAtMost else {
        return nil
      }
      let names = elements.compactMap { $0.text.flatMap(ItemName.init(choice:)) }
      return names.count == elements.count ? .several(Set(names)) : nil
    case "number": if case .number(let number) = json { return .number(number) } else { return nil }
    case "text": return json.text.map(AnswerValue.text)
    case "yesOrNo": return json.flag.map(AnswerValue.yes)
    case "date": return json.text.flatMap(CivilDate.init(iso8601:)).map(AnswerValue.date)
    default: return nil
    }
  }

  // MARK: members

  private func object(
    _ json: JSONValue?, _ what: String, _ known: [String]
  ) throws(ItemsJSONFault) -> [String: JSONValue] {
    guard case .object(let members)? = json else { throw wrong("\(what) is no object") }
    for name in members.keys.sorted() where !known.contains(name) {
      throw wrong("\(what) has a member “\(name.prefix(80).description)”, which is not known")
    }
    return members.filter { $0.value != .null }
  }

  private func text(_ json: JSONValue?, _ what: String) throws(ItemsJSONFault) -> String {
    guard let json else { throw wrong("\(what) is missing") }
    guard let text = json.text else { throw wrong("\(what) is not text") }
    return text
  }

  private func flag(_ json: JSONValue?, _ what: String) throws(ItemsJSONFault) -> Bool? {
    guard let json else { return nil }
    guard let flag = json.flag else { throw wrong("\(what) is neither true nor false") }
    return flag
  }

  private func whole(_ json: JSONValue?, _ what: String) throws(ItemsJSONFault) -> Int? {
    guard let json else { return nil }
    guard let number = json.wholeNumber else { throw wrong("\(what) is no whole number") }
    return number
  }

  private func decimal(_ json: JSONValue?, _ what: String) throws(ItemsJSONFault) -> Double? {
    guard let json else { return nil }
    guard case .number(let number) = json else { throw wrong("\(what) is no number") }
    return number
  }

  private func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ json: JSONValue?, _ what: String
  ) throws(ItemsJSONFault) -> Value {
    guard let value = Value(rawValue: try text(json, what)) else {
      throw wrong(
        "\(what) is none of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
  }
}
