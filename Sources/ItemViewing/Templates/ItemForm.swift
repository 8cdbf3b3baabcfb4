import Foundation
import Geodesy
import Inspection
import TimeAndText
import Web

/// The fields in which one item of a template is written, as they stand in a form.
package struct ItemForm: Sendable {
  /// The kind of the item.
  package let kind: ItemKind
  /// The texts of the fields, by their names.
  package private(set) var fields: [String: String]
  /// A condition of more than one comparison, which the form cannot show and leaves as it is.
  package private(set) var keptCondition: ItemCondition?

  /// A fault in a field, in words.
  package struct Fault: Error, Sendable {
    /// The words.
    package let wording: Wording

    init(_ wording: Wording) { self.wording = wording }
  }

  /// True if the item can have a picture that shows what is wanted.
  package var takesExample: Bool { kind == .shot || kind == .set }

  /// The names of the fields.
  static let names = [
    "name", "wording", "hint", "required", "choices", "unit", "least", "most", "whole", "bearing",
    "tolerance", "distance", "hold", "scale", "strict", "latitude", "longitude", "radius",
    "section", "parcel", "example", "no-example",
    "set-kind", "sectors", "round", "if-item", "if-sign", "if-value",
  ]

  /// Creates the empty fields for a new item.
  package init(new kind: ItemKind) {
    self.kind = kind
    fields = kind == .words ? [:] : ["required": "yes"]
    if kind == .shot { fields["least"] = "1" }
  }

  /// Creates the fields from a sent form.
  /// - Parameter kept: the condition that the item has in the template; nil for none.
  package init?(_ form: WebForm, kept: ItemCondition?) {
    guard let kind = form["kind"].flatMap(ItemKind.init(rawValue:)) else { return nil }
    self.kind = kind
    fields = Self.names.reduce(into: [:]) { $0[$1] = form[$1] }
    keptCondition = form["if-kept"] == nil ? nil : kept
  }

  /// Notes the example picture that came with the form.
  package mutating func take(example digest: String) {
    (fields["example"], fields["no-example"]) = (digest, nil)
  }

  /// Creates the fields of an item.
  package init(_ item: OrderItem) {
    kind = ItemKind(item.content)
    fields = ["name": item.name.description, "wording": item.wording]
    fields["hint"] = item.hint
    fields["required"] = item.isRequired ? "yes" : nil
    write(item.content)
    guard let condition = item.condition else { return }
    if let simple = Self.simple(condition) {
      (fields["if-item"], fields["if-sign"], fields["if-value"]) = simple
    } else {
      keptCondition = condition
    }
  }

  private mutating func write(_ content: OrderItem.Content) {
    switch content {
    case .question(let question):
      if !question.choices.isEmpty {
        // One choice is one line: a line's end within a wording becomes a blank.
        fields["choices"] = question.choices.map { choice in
          let wording = choice.wording.split(whereSeparator: \.isNewline).joined(separator: " ")
          return "\(choice.name) | \(wording)"
        }.joined(separator: "\n")
      }
      if case .number(let range) = question.form {
        fields["unit"] = range.unit
        fields["least"] = range.least.map(Question.decimalText)
        fields["most"] = range.most.map(Question.decimalText)
        fields["whole"] = range.isWhole ? "yes" : nil
      }
    case .shot(let shot): write(shot)
    case .track(let track): fields["round"] = track == .roundParcel ? "yes" : nil
    case .note, .words: break
    }
  }

  private mutating func write(_ shot: WantedShot) {
    if let set = shot.set {
      (fields["set-kind"], fields["sectors"]) = (set.kind.rawValue, "\(set.sectors)")
    }
    fields["least"] = "\(shot.least)"
    fields["most"] = shot.most.map { "\($0)" }
    fields["bearing"] = shot.bearing.map { Question.decimalText($0.degreesTrue) }
    fields["tolerance"] = shot.bearing.map { Question.decimalText($0.toleranceDegrees) }
    fields["distance"] = shot.distance?.rawValue
    fields["hold"] = shot.hold?.rawValue
    fields["scale"] = shot.needsScale ? "yes" : nil
    fields["strict"] = shot.isStrict ? "yes" : nil
    fields["example"] = shot.example
    switch shot.station {
    case .point(let place, let radius):
      fields["latitude"] = Question.decimalText(place.latitudeDegrees)
      fields["longitude"] = Question.decimalText(place.longitudeDegrees)
      fields["radius"] = Question.decimalText(radius)
    case .section(let name): fields["section"] = name
    case .parcel(let identifier): fields["parcel"] = identifier
    case nil: break
    }
  }

  /// Returns a condition as item, sign and value; nil if it has more than one comparison.
  private static func simple(_ condition: ItemCondition) -> (String, String, String)? {
    switch condition {
    case .equals(let name, let value):
      if case .several = value { return nil }
      return (name.description, "is", value.programText)
    case .isOneOf(let name, let choices):
      guard choices.count == 1, let choice = choices.first else { return nil }
      return (name.description, "is", choice.description)
    case .less(let name, let value): return (name.description, "less", value.programText)
    case .more(let name, let value): return (name.description, "more", value.programText)
    case .not(let part):
      guard let (name, sign, value) = simple(part), sign == "is" else { return nil }
      return (name, "not", value)
    case .all, .any: return nil
    }
  }
}

// Reading the fields.
extension ItemForm {
  /// Returns the item that the fields describe.
  /// - Parameters:
  ///   - above: the items above it, on whose answers it may hang.
  ///   - before: the item whose fields these are; nil for a new one. What the form does not show of it stays.
  package func item(below above: [OrderItem], before: OrderItem?) throws(Fault) -> OrderItem {
    guard let name = fields["name"].flatMap(ItemName.init(_:)) else {
      throw Fault(
        "The short name begins with a letter and has letters, digits, _, - and ., 64 characters at most."
      )
    }
    return OrderItem(
      name: name, wording: fields["wording"] ?? "", hint: fields["hint"],
      isRequired: kind != .words && fields["required"] != nil,
      condition: try condition(above) ?? keptCondition, content: try content(before))
  }

  private func content(_ before: OrderItem?) throws(Fault) -> OrderItem.Content {
    switch kind {
    case .choice: .question(Question(.choice(try choices())))
    case .several: .question(Question(.several(try choices())))
    case .yesOrNo: .question(Question(.yesOrNo))
    case .text: .question(Question(.text))
    case .date: .question(Question(.date))
    case .number:
      .question(
        Question(
          .number(
            .init(
              unit: fields["unit"], least: try number("least"), most: try number("most"),
              isWhole: fields["whole"] != nil))))
    case .shot: .shot(try shot(before?.shot))
    case .set: .shot(try set(before?.shot))
    case .track: .track(fields["round"] == nil ? .free : .roundParcel)
    case .note: .note
    case .words: .words
    }
  }

  /// Reads the choices, one in a line: a short name, a stroke and the wording, or the wording alone.
  private func choices() throws(Fault) -> [Question.Choice] {
    var choices: [Question.Choice] = []
    for line in (fields["choices"] ?? "").split(separator: "\n") {
      let parts = line.split(separator: "|", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard let first = parts.first, !first.isEmpty else { continue }
      let name = parts.count == 2 ? first : Self.shortName(first)
      guard let name = ItemName(choice: name) else {
        throw Fault(
          "“\(name)” is no short name of a choice: write it with letters, digits, _, - and ., then | and the wording."
        )
      }
      choices.append(Question.Choice(name: name, wording: parts.last ?? first))
    }
    return choices
  }

  /// Makes a short name of a wording: letters without their accents, and _ for everything else.
  static func shortName(_ wording: String) -> String {
    let plain = wording.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
    let signs = plain.lowercased().map { sign -> Character in
      sign.isASCII && (sign.isLetter || sign.isNumber) ? sign : "_"
    }
    return String(String(signs).prefix(ItemName.charactersAtMost))
  }

  private func number(_ name: String) throws(Fault) -> Double? {
    guard let text = fields[name] else { return nil }
    // A number of the template itself may be written with an exponent.
    guard let number = Question.number(written: text) ?? Double(text), number.isFinite else {
      throw Fault("“\(String(text.prefix(40)))” is no number.")
    }
    return number
  }

  private func whole(_ name: String) throws(Fault) -> Int? {
    guard let number = try number(name) else { return nil }
    guard let whole = Int(exactly: number) else {
      throw Fault("“\(fields[name] ?? "")” is no whole number.")
    }
    return whole
  }

  private func shot(_ before: WantedShot?) throws(Fault) -> WantedShot {
    var shot = before ?? WantedShot()
    shot.set = nil
    shot.least = try whole("least") ?? 1
    shot.most = try whole("most")
    if fields["bearing"] == nil, fields["tolerance"] != nil {
      throw Fault("A tolerance needs a direction.")
    }
    shot.bearing = try number("bearing").map { degrees throws(Fault) in
      WantedShot.Bearing(
        degreesTrue: degrees, toleranceDegrees: try number("tolerance") ?? 30)
    }
    shot.distance = fields["distance"].flatMap(WantedShot.Distance.init(rawValue:))
    shot.hold = fields["hold"].flatMap(WantedShot.Hold.init(rawValue:))
    (shot.needsScale, shot.isStrict) = (fields["scale"] != nil, fields["strict"] != nil)
    shot.example = fields["no-example"] == nil ? fields["example"] : nil
    shot.station = try station()
    return shot
  }

  private func station() throws(Fault) -> WantedShot.Station? {
    let (latitude, longitude) = (try number("latitude"), try number("longitude"))
    if (latitude == nil) != (longitude == nil) || (latitude == nil && fields["radius"] != nil) {
      throw Fault("A station needs degrees north and degrees east.")
    }
    if let latitude, let longitude {
      guard let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) else {
        throw Fault("The station is no place: degrees north, then degrees east.")
      }
      guard fields["section"] == nil, fields["parcel"] == nil else {
        throw Fault("A photo is wanted in one place: a station, a section, or a parcel.")
      }
      return .point(place, radiusMetres: try number("radius") ?? 20)
    }
    switch (fields["section"], fields["parcel"]) {
    case (let section?, nil): return .section(section)
    case (nil, let parcel?): return .parcel(parcel)
    case (nil, nil): return nil
    default: throw Fault("A photo is wanted in one place: a station, a section, or a parcel.")
    }
  }

  private func set(_ before: WantedShot?) throws(Fault) -> WantedShot {
    var shot = before ?? WantedShot()
    let kind = fields["set-kind"].flatMap(FrameSetKind.init(rawValue:)) ?? .around
    shot.set = NeededSet(kind: kind, sectors: try whole("sectors") ?? kind.usualSectors)
    shot.example = fields["no-example"] == nil ? fields["example"] : nil
    return shot
  }

  private func condition(_ above: [OrderItem]) throws(Fault) -> ItemCondition? {
    guard let name = fields["if-item"] else { return nil }
    guard let item = above.first(where: { $0.name.description == name }),
      let question = item.question
    else {
      throw Fault("“\(String(name.prefix(64)))” is no question above this item.")
    }
    guard let written = fields["if-value"] else {
      throw Fault("The condition has no value to compare with.")
    }
    let sign = fields["if-sign"] ?? "is"
    if sign == "less" || sign == "more" {
      let limit = try limit(written, of: question)
      return sign == "less" ? .less(item.name, than: limit) : .more(item.name, than: limit)
    }
    let value: AnswerValue
    do throws(AnswerFault) {
      value = try item.value(written: written)
    } catch {
      throw Fault(error.wording)
    }
    let equal: ItemCondition
    switch value {
    case .choice(let choice): equal = .isOneOf(item.name, [choice])
    case .several(let choices): equal = .isOneOf(item.name, choices)
    case .number, .text, .yes, .date: equal = .equals(item.name, value)
    }
    return sign == "not" ? .not(equal) : equal
  }

  /// Reads the limit of a comparison. It need not be a possible answer: less than 2.5 holds for whole
  /// numbers, too.
  private func limit(_ text: String, of question: Question) throws(Fault) -> AnswerValue {
    switch question.form {
    case .number:
      guard let number = Question.number(written: text) ?? Double(text), number.isFinite else {
        throw Fault("“\(String(text.prefix(40)))” is no number.")
      }
      return .number(number)
    case .date:
      guard let day = CivilDate(iso8601: text) else {
        throw Fault("“\(String(text.prefix(40)))” is no day: write it as 2026-05-31.")
      }
      return .date(day)
    case .choice, .several, .text, .yesOrNo:
      throw Fault("Only numbers and days can be less or more.")
    }
  }
}
