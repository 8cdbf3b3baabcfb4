import Foundation

extension Texts {
  /// Czech.
  public static let czech = Texts(language: "cs", file: PackageResources.cs_json)

  /// Every language that there is, English first. Each is a file beside this one.
  public static let languages = offered(in: ProcessInfo.processInfo.environment)

  /// The languages, and for whoever tests the pages (`STANDPOINT_PSEUDO=1`) one that nobody speaks.
  static func offered(in environment: [String: String]) -> [Texts] {
    [english, czech] + (environment["STANDPOINT_PSEUDO"] == "1" ? [long] : [])
  }

  /// A language from its file.
  private init(language: String, file: [UInt8]) {
    // A file that is none leaves everything in English; a test sees to it that it never is.
    let translations = try? JSONDecoder().decode([String: String].self, from: Data(file))
    self.init(language: language, translations: translations ?? [:])
  }

  /// What the language calls itself.
  public var ownName: String {
    switch language {
    case "cs": "Čeština"
    case Self.long.language: LongText.of("English")
    default: "English"
    }
  }

  /// The language by its tag; nil where there is none.
  static func named(_ tag: String) -> Texts? { languages.first { $0.language == tag } }

  /// The first of the languages that somebody asks for that there is (RFC 9110, 12.5.4), English where
  /// there is none of them.
  static func preferred(by field: String?) -> Texts {
    guard let field, field.utf8.count <= 1000 else { return english }
    let wishes = field.split(separator: ",").prefix(20).enumerated().compactMap {
      place, wish -> (tag: String, weight: Double, place: Int)? in
      let parts = wish.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let whole = parts.first?.lowercased(), let main = whole.split(separator: "-").first
      else { return nil }
      let tag = named(whole) == nil ? String(main) : whole
      let weight =
        parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      return (tag, weight, place)
    }
    let sorted = wishes.filter { $0.weight > 0 }
      .sorted { ($1.weight, $0.place) < ($0.weight, $1.place) }
    return sorted.lazy.compactMap { named($0.tag) }.first ?? english
  }
}

extension WebRequest {
  /// The words for whoever asks: what was chosen in this browser, else what it asks for.
  var texts: Texts {
    cookies[cookieNames.language].flatMap(Texts.named)
      ?? Texts.preferred(by: headers["accept-language"])
  }
}

extension Routes {
  static let languagePath = "/language"

  /// Takes the choice that stands at the foot of each page, and leads back to the page.
  public mutating func addLanguage() {
    post(Self.languagePath) { request in
      guard let tag = try await request.form()["language"], Texts.named(tag) != nil else {
        throw WebProblem.malformedRequest
      }
      let from = request.header("referer").flatMap(Self.path(ofAddress:))
      return WebResponse.redirect(from ?? "/").settingLanguage(tag)
    }
  }
}
