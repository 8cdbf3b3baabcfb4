import Evidence
import Geodesy
import Inspection
import TestSupport
import Testing
import TimeAndText

@testable import Sync

@Suite("The items of an order as JSON")
struct ItemsJSONTests {
  /// Items of every kind, with everything that one can have.
  private static let full = """
    [
      {"id": "read", "kind": "words", "wording": "Mind the ditch.", "required": false},
      {"id": "crop", "kind": "question", "wording": "Which crop?", "hint": "Look for ears.",
       "required": true, "question": {"form": "choice", "choices": [
        {"id": "115", "wording": "Winter wheat"}, {"id": "other", "wording": "Another"}]}},
      {"id": "species", "kind": "question", "wording": "Which species?", "required": true,
       "question": {"form": "several", "choices": [
        {"id": "sage", "wording": "Sage"}, {"id": "daisy", "wording": "قرنفل"}]}},
      {"id": "height", "kind": "question", "wording": "How high?", "required": true, "question":
       {"form": "number", "unit": "cm", "least": 0.5, "most": 300, "whole": true}},
      {"id": "sown", "kind": "question", "wording": "Sown?", "required": true,
       "question": {"form": "date"}},
      {"id": "wet", "kind": "question", "wording": "Wet?", "required": true,
       "question": {"form": "yesOrNo"}},
      {"id": "why", "kind": "question", "wording": "Why?", "required": false,
       "question": {"form": "text"}, "when": {"all": [
        {"oneOf": ["crop", ["115", "other"]]}, {"equals": ["species", ["daisy", "sage"]]},
        {"any": [{"less": ["height", 10]}, {"more": ["sown", "2026-05-01"]}]},
        {"not": {"equals": ["wet", true]}}]}},
      {"id": "roof", "kind": "shot", "wording": "The new roof", "required": true, "shot":
       {"least": 2, "most": 4, "station": {"point": [-179.5, 49.25], "radiusMetres": 20.5},
        "bearing": {"degreesTrue": 90, "toleranceDegrees": 15}, "distance": "far",
        "hold": "across", "scale": true, "point": "01a21982-19d4-7a8b-9a1c-1f0d88e471ff",
        "strict": true}},
      {"id": "sides", "kind": "shot", "wording": "All sides", "required": true, "shot":
       {"least": 1, "set": {"kind": "around", "sectors": 36}, "station": {"section": "A"}}},
      {"id": "next", "kind": "shot", "wording": "Next door", "required": true, "shot":
       {"least": 1, "station": {"parcel": "P-2"}}, "when": {"equals": ["why", "wind"]}},
      {"id": "way", "kind": "track", "wording": "Round it", "required": true, "track": "roundParcel"},
      {"id": "remark", "kind": "note", "wording": "What else?", "required": false}
    ]
    """

  private static func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  @Test("items of every kind are the same after reading and writing")
  func roundTrip() throws {
    let json = try Self.json(Self.full)
    let items = try ItemsJSON.items(json)
    #expect(items.items.count == 12)
    #expect(ItemsJSON.json(items) == json)
    #expect(try ItemsJSON.items(ItemsJSON.json(items)) == items)
    #expect(try ItemsJSON.items(.array([])).items.isEmpty)
    let roof = try #require(items.items.first { $0.name.description == "roof" })
    guard case .shot(let shot) = roof.content, case .point(let place, 20.5) = shot.station else {
      Issue.record("the roof is no shot at a point")
      return
    }
    #expect(place.longitudeDegrees == -179.5 && place.latitudeDegrees == 49.25)
  }

  @Test("what may be left out has a meaning without it")
  func leftOut() throws {
    let items = try ItemsJSON.items(
      Self.json(
        """
        [{"id": "a", "kind": "shot", "wording": "A", "shot": {}, "hint": null},
         {"id": "b", "kind": "words", "wording": "B"},
         {"id": "c", "kind": "shot", "wording": "C", "shot": {"set": {"kind": "turn"}}}]
        """))
    #expect(items.items.map(\.isRequired) == [true, false, true])
    #expect(items.items[0].content == .shot(WantedShot()))
    #expect(items.items[2].content == .shot(WantedShot(set: NeededSet(kind: .turn, sectors: 4))))
  }

  @Test(
    "the schema takes what the code writes, and refuses what the code refuses",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func schema() async throws {
    let good = [try Self.json(Self.full), .array([])]
    let bad = try Self.malformed.map { try Self.json("[\($0.0)]") }
    let cases = JSONValue.array((good + bad).map { .array([.string("items"), $0]) })
    let answers = try await PythonTools.validate(cases: cases.canonicalBytes)
    #expect(answers.count == good.count + bad.count)
    for answer in answers.prefix(good.count) { #expect(answer == "ok") }
    for (answer, (text, _)) in zip(answers.dropFirst(good.count), Self.malformed) {
      #expect(answer != "ok", "\(text)")
    }
  }

  /// Items that are refused by their form alone, with words of the refusal.
  private static let malformed: [(String, String)] = [
    ("7", "item is no object"), ("{}", "id is missing"),
    (#"{"id": "a b", "kind": "note", "wording": "x"}"#, "is no id"),
    (#"{"id": 7, "kind": "note", "wording": "x"}"#, "id is not text"),
    (#"{"id": "a", "kind": "video", "wording": "x"}"#, "its kind is none of"),
    (#"{"id": "a", "kind": "note"}"#, "wording is missing"),
    (#"{"id": "a", "kind": "note", "wording": "x", "later": 1}"#, "“later”, which is not known"),
    (#"{"id": "a", "kind": "note", "wording": "x", "required": "no"}"#, "neither true nor false"),
    (#"{"id": "a", "kind": "note", "wording": "x", "track": "free"}"#, "its kind is note"),
    (#"{"id": "a", "kind": "track", "wording": "x"}"#, "track is missing"),
    (#"{"id": "a", "kind": "track", "wording": "x", "track": "home"}"#, "roundParcel, free"),
    (#"{"id": "a", "kind": "question", "wording": "x"}"#, "question is no object"),
    (
      #"{"id": "a", "kind": "question", "wording": "x", "question": {"form": "map"}}"#,
      "question.form is none of"
    ),
    (
      #"{"id": "a", "kind": "question", "wording": "x", "question": {"form": "text", "least": 1}}"#,
      "has no member “least”"
    ),
    (
      #"{"id": "a", "kind": "question", "wording": "x", "question": {"form": "choice"}}"#,
      "question.choices is no array"
    ),
    (
      #"""
      {"id": "a", "kind": "question", "wording": "x", "question":
       {"form": "several", "choices": [{"id": "a b", "wording": "x"}]}}
      """#, "is no id of a choice"
    ),
    (
      #"{"id": "a", "kind": "shot", "wording": "x", "shot": {"least": 1.5}}"#,
      "shot.least is no whole number"
    ),
    (
      #"{"id": "a", "kind": "shot", "wording": "x", "shot": {"least": 51}}"#,
      "asks for 51 photos"
    ),
    (
      #"{"id": "a", "kind": "shot", "wording": "x", "shot": {"station": {"point": [181, 0], "radiusMetres": 9}}}"#,
      "not a longitude and a latitude"
    ),
    (
      #"{"id": "a", "kind": "shot", "wording": "x", "shot": {"station": {"point": [1, 0]}}}"#,
      "a point with radiusMetres, or a section, or a parcel"
    ),
    (
      #"{"id": "a", "kind": "shot", "wording": "x", "shot": {"bearing": {"degreesTrue": 5}}}"#,
      "lacks degreesTrue or toleranceDegrees"
    ),
    (
      #"{"id": "a", "kind": "shot", "wording": "x", "shot": {"point": "../7"}}"#,
      "no identifier of a photo point"
    ),
    (
      #"{"id": "a", "kind": "shot", "wording": "x", "shot": {"set": {"kind": "ring"}}}"#,
      "around, turn"
    ),
    (
      #"{"id": "a", "kind": "note", "wording": "x", "when": {"equals": ["b", 1], "less": ["b", 1]}}"#,
      "an object with one member"
    ),
    (#"{"id": "a", "kind": "note", "wording": "x", "when": {"js": "1"}}"#, "“js” is no condition"),
    (#"{"id": "a", "kind": "note", "wording": "x", "when": {"any": 1}}"#, "have an array"),
    (
      #"{"id": "a", "kind": "note", "wording": "x", "when": {"equals": ["b"]}}"#,
      "an item's id and a value"
    ),
  ]

  @Test("an item that is not understood is named by its number, and nothing is taken")
  func refused() throws {
    for (text, words) in Self.malformed {
      let json = try Self.json(#"[{"id": "first", "kind": "note", "wording": "x"}, \#(text)]"#)
      let fault = #expect(throws: ItemsJSONFault.self) { try ItemsJSON.items(json) }
      let said = fault.map { "\($0)" } ?? ""
      #expect(said.hasPrefix("item 2: ") && said.contains(words), "\(text): \(said)")
    }
  }

  @Test("conditions that cannot be, too many items and too deep ones are refused")
  func hostile() throws {
    let asked = #"{"id": "q", "kind": "question", "wording": "?", "question": {"form": "number"}}"#
    func words(_ condition: String, above: String = asked + ", ") throws -> String {
      let json = try Self.json(
        #"[\#(above){"id": "a", "kind": "note", "wording": "x", "when": \#(condition)}]"#)
      do {
        return "\(try ItemsJSON.items(json).items.count) items"
      } catch {
        return "\(error)"
      }
    }
    #expect(try words(#"{"less": ["q", 3]}"#) == "2 items")
    #expect(try words(#"{"less": ["q", "3"]}"#).contains("an answer that it cannot have"))
    #expect(try words(#"{"less": ["a", 3]}"#).contains("which is no item above it"))
    #expect(try words(#"{"oneOf": ["q", []]}"#).contains("an answer that it cannot have"))
    #expect(try words(#"{"oneOf": ["q", ["x"]]}"#).contains("an answer that it cannot have"))
    let note = #"{"id": "q", "kind": "note", "wording": "?"}, "#
    #expect(try words(#"{"less": ["q", 3]}"#, above: note).contains("which is no question"))
    let deep =
      String(repeating: #"{"not": "#, count: 40) + #"{"any": []}"#
      + String(repeating: "}", count: 40)
    #expect(try words(deep).contains("more than 16 levels"))
    let comparison = #"{"less": ["q", 3]}"#
    let row = #"{"any": ["# + Array(repeating: comparison, count: 120).joined(separator: ",") + "]}"
    #expect(try words(#"{"all": [\#(row), \#(row)]}"#).contains("240 comparisons"))
    let one = JSONValue.object([
      "id": .string("a"), "kind": .string("note"), "wording": .string("x"),
    ])
    let many = #expect(throws: ItemsJSONFault.self) {
      try ItemsJSON.items(.array(Array(repeating: one, count: 10_000)))
    }
    #expect(many.map { "\($0)" } == "an order has at most 500 items, not 10000")
    let twice = #expect(throws: ItemsJSONFault.self) { try ItemsJSON.items(.array([one, one])) }
    #expect(twice.map { "\($0)" }?.contains("another item has the same name") == true)
    let longWords = String(repeating: "x", count: 10_000)
    let long = #expect(throws: ItemsJSONFault.self) {
      try ItemsJSON.items(
        Self.json(#"[{"id": "a", "kind": "note", "wording": "\#(longWords)"}]"#))
    }
    #expect(long.map { "\($0)" }?.contains("10000 characters") == true)
  }
}
