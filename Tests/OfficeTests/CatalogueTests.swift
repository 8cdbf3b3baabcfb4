import Evidence
import Foundation
import Inspection
import OfficeScenes
import Positioning
import TestSupport
import Testing
import TimeAndText
import Web

/// Every text of the pages stands in one file, so that a language is one file, too.
@Suite("The catalogue of texts")
struct CatalogueTests {
  /// Returns the literals that pages hand to their texts.
  private static func literals(in source: String) -> Set<String> {
    var found: Set<String> = []
    for match in source.matches(of: #/\bt(?:\.html)?\(\s*"((?:[^"\\]|\\.)*)"/#) {
      found.insert(String(match.1).replacing("\\\"", with: "\""))
    }
    return found
  }

  /// The modules of which pages show words. The others' refusals are for terminals and programs.
  private static let speaking = [
    "TimeAndText", "Positioning", "Inspection", "ContentBoxes", "Transparency", "Timestamps",
    "Evidence",
    "Verification", "Sync",
    "Imports",
    "Receivers", "Store", "Orbits", "KeyTokens", "OfficeKeyring", "KeyRenewal", "BackupArchives",
    "Web", "Guide", "MapLayers",
    "FieldInterface",
    "FieldUnit", "Joining",
    "FieldPages", "PairedPhones", "Office", "Upkeep", "Enrolment", "OfficeFrame", "BulkActs",
    "OrderFiles",
    "OfficePages",
    "Predecessor",
    "Composing",
    "SetCapture", "FieldExporting", "OfficeExporting", "LogPublishing", "ItemViewing",
  ]

  /// Refusals that only programs and terminals are told: they stay English.
  private static let unshown = [
    "KeyTokens/TokenURI", "Store/SQLiteFile", "Sync/CellFile", "Office/OfficeRestore",
    "Receivers/GpsdProcess",
    "Receivers/LogFeeder", "SetCapture/RecordedWalk",
    "Office/Operation/Operation+Backup",
    "Office/Operation/BackupLayout", "Office/Operation/Operation+Differences", "Enrolment/Seed/",
    "Office/Files/", "Office/Deliveries/Uploads",
    "Office/Deliveries/Deliveries", "Office/Deliveries/Intake.swift",
    "Office/Refusals/OfficeRefusal+Delivery", "Office/Refusals/UploadRefusal",
    "OfficePages/Map/", "Office/Core/EntityTag",
    "FieldInterface/MapRoutes", "FieldInterface/OrbitRoutes",
    "FieldInterface/UploadRoutes", "FieldInterface/OperationRoutes",
  ]

  /// Returns the sentences of refusals, reasons and states, which the modules beneath the pages
  /// say.
  private static func templates() throws -> Set<String> {
    var found: Set<String> = []
    for (name, text) in try sources(of: speaking)
    where !unshown.contains(where: name.hasPrefix) {
      found.formUnion(WordingScan.templates(in: text, file: name))
    }
    return found
  }

  /// Returns all sources of modules, by name; those of the modules with pages if none are named.
  private static func sources(
    of modules: [String] = [
      "FieldUnit", "FieldPages", "PairedPhones", "Guide", "Composing", "Office", "OfficeFrame",
      "BulkActs",
      "OrderFiles",
      "OfficePages", "Predecessor",
      "SetCapture", "SetViewing", "ItemViewing", "FieldExporting", "OfficeExporting", "Web",
    ]
  ) throws -> [(name: String, text: String)] {
    try modules.flatMap { side in
      let folder = Repository.root.appendingPathComponent("Sources/\(side)")
      let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      return try (names ?? []).filter { $0.hasSuffix(".swift") }.sorted().map { name in
        (
          "\(side)/\(name)",
          try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        )
      }
    }
  }

  /// The words that pages show and that are not literals there.
  private static var words: [String] {
    TaskState.allCases.map(\.title) + Role.allCases.map(\.rawValue)
      + [EvidenceVerdict.intact, .doubtful, .incomplete, .altered].map(\.rawValue)
      + ["note"] + CentroidMethod.allCases.map(\.rawValue) + [PhotoPosition.Method.fix.name]
      + CaptureRule.allCases.flatMap { [$0.title, $0.advice].compactMap(\.self) }
      + CaptureRule.Topic.allCases.map(\.title)
      + ["Accept", "Return", "Decline", "Withdraw", "Reopen"]
      // Words that stand in a sentence of their own module, and names of settings.
      + Role.allCases.map { $0.rawValue + "s" }
      + [FixMode.none, .twoDimensional, .threeDimensional].map(\.name)
      + (0...8).compactMap(FixQuality.init(rawValue:)).map(\.name) + ["transition", "deletion"]
      + ["photo", "track", "task", "batch", "unfinished track", "sealed record", "no receiver"]
  }

  @Test(
    "Sources/Web/Languages/en.json holds every text of both sides' pages and of their frame, and nothing else"
  )
  func complete() throws {
    var texts = Set(Self.words)
    // Exports are no pages, but documents for people, whose words are in the same catalogue.
    for source in try Self.sources() + Self.sources(of: ["Exports"]) {
      texts.formUnion(Self.literals(in: source.text))
    }
    let templates = try Self.templates()
    // Each kind is found: a scan that finds nothing would never complain.
    for known in [
      "no fix for {1} s", "the task is {1}: its order can no longer be changed",
      "lost: {1}, next try in {2} s", "the receiver was changed to {1}: begin again",
      "{1} of {2} sentences are damaged", "The form has expired", "withdrawn",
      "only {1} may do this (the task would be {2}); your role is {3}", "no {1} {2}",
      "its bytes are not those that were sealed", "not a seal: {1}",
      "the identifier {1} was in line {2} already: each parcel has its own", "audio or video",
      "the PIN was sent", "the chain forks: place {1} was taken already",
    ] {
      #expect(templates.contains(known), "\(known)")
    }
    texts.formUnion(templates)
    #expect(texts.count > 500)
    let lines = texts.sorted().map { text in
      let json = String(decoding: JSONValue.string(text).canonicalBytes, as: UTF8.self)
      return "  \(json): \(json)"
    }
    let catalogue = "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    #expect(try Golden.difference(catalogue, from: "Sources/Web/Languages/en.json") == nil)
    #expect(
      (try? JSONValue(parsing: Array(catalogue.utf8))) != nil, "the catalogue is no JSON")
  }

  @Test("a source's sentences are read as the compiler reads them")
  func scan() {
    let source = #"""
      throw OfficeRefusal(
        .unknown, // "not this"
        "a \(one(of: "x")) said \"no\" to {file}"
          + " and \(two ? "yes" : ")")", code: "stable-word")
      let words: Wording =
        isOne
        ? "1 of \(all) is" : "\(some) of \(all) are"
      let other = "no sentence of ours"
      guard isGood else {throw(wrong("it is wrong"))}
      return
      wrong("it is {wrong} again") ?? reader.wrong("not ours")
      """#
    #expect(
      WordingScan.templates(in: source, file: "Any.swift")
        == [
          "a {1} said \"no\" to {file} and {2}", "1 of {1} is", "{1} of {2} are", "it is wrong",
          "it is {wrong} again",
        ])
  }

  @Test("no page says words outside the catalogue")
  func everythingIsInIt() throws {
    // Text between tags that is no interpolation: only signs, units, names and commands for a
    // terminal may stand there.
    let allowed: Set = [
      "PDF", "KML", "CSV", "SHA-256", "N", "m", "Standpoint", "gpsd", "sudo apt install gpsd",
      "standpoint field",
      "USB",
      "Bluetooth",
    ]
    for (file, source) in try Self.sources() {
      for match in source.matches(of: #/>([A-Za-z][A-Za-z ]+)</#) {
        let text = String(match.1).trimmingCharacters(in: .whitespaces)
        #expect(allowed.contains(text), "\(file): \(text)")
      }
    }
  }

  /// Turns of phrase that were met on the pages and that nobody says.
  private static let unspoken = [
    "laid down", "lay down", "worth", "take away", "taken away", "not yours", "needed for",
    "beside each other", "look of the pages", "let phones in", "may come at once",
    "over the one before", "must hold", "stands there", "are none", "is no text", "who is one",
    "neither there nor here", "counts for nothing", "rests on nothing", "cleared away", "anew",
    "ask the office now", "review from the first", "of its own accord", "in vain",
  ]

  @Test("no sentence has a turn of phrase that nobody says")
  func plainWords() throws {
    let file = Repository.root.appendingPathComponent("Sources/Web/Languages/en.json")
    let english = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
    func found(in sentence: String) -> [String] {
      Self.unspoken.filter { sentence.lowercased().contains($0) }
    }
    #expect(found(in: "Nothing was laid down yet.") == ["laid down"])
    for sentence in english.keys.sorted() {
      #expect(found(in: sentence).isEmpty, "\(sentence): \(found(in: sentence))")
    }
    let czech = try JSONDecoder().decode(
      [String: String].self,
      from: Data(
        contentsOf: Repository.root.appendingPathComponent("Sources/Web/Languages/cs.json")))
    // One word for one thing: referent, úřad, díl půdního bloku.
    for (key, sentence) in czech {
      for word in ["úředník", "úřednic", "kancelář", "parcela", "parcely", "parcelu", "pracovník"] {
        #expect(!sentence.lowercased().contains(word), "\(key): \(sentence)")
      }
    }
  }

  @Test("every other language says all of it, with the same placeholders")
  func languages() throws {
    func catalogue(_ name: String) throws -> [String: String] {
      let file = Repository.root.appendingPathComponent("Sources/Web/Languages/\(name).json")
      return try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
    }
    func placeholders(_ text: String) -> [String] {
      text.matches(of: #/\{[0-9]+\}/#).map { String($0.0) }.sorted()
    }
    let english = try catalogue("en")
    for texts in Texts.languages where texts.language != "en" {
      let other = try catalogue(texts.language)
      let missing = english.keys.filter { other[$0] == nil }.sorted()
      let surplus = other.keys.filter { english[$0] == nil }.sorted()
      #expect(missing.isEmpty, "\(texts.language) lacks: \(missing)")
      #expect(surplus.isEmpty, "\(texts.language) has what no page says: \(surplus)")
      for (key, value) in other.sorted(by: { $0.key < $1.key }) {
        #expect(placeholders(value) == placeholders(key), "\(texts.language): \(key)")
      }
      #expect(texts("Tasks") == other["Tasks"], "the program has another state of the file")
    }
  }
}
