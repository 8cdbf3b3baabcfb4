import Foundation
import TimeAndText

extension Texts {
  /// The texts in Czech.
  public static let czech = Texts(
    language: "cs", form: .czech, file: PackageResources.cs_json)

  /// The texts of all languages, English first. Each language has a file in this folder.
  public static let languages = offered(in: ProcessInfo.processInfo.environment)

  /// Returns the languages and, for tests of the pages (`STANDPOINT_PSEUDO=1`), the pseudo-language.
  static func offered(in environment: [String: String]) -> [Texts] {
    [english, czech] + (environment["STANDPOINT_PSEUDO"] == "1" ? [long] : [])
  }

  /// Creates the texts of a language from its file.
  private init(language: String, form: WrittenForm, file: [UInt8]) {
    // An unreadable file leaves everything in English; a test makes sure that all files can be read.
    let translations = try? JSONDecoder().decode([String: String].self, from: Data(file))
    self.init(language: language, form: form, translations: translations ?? [:])
  }

  /// The name of the language in the language itself.
  public var ownName: String {
    switch language {
    case "cs": "Čeština"
    case Self.long.language: LongText.of("English")
    default: "English"
    }
  }

  /// Returns the texts of the language with this tag; nil if there is none.
  static func named(_ tag: String) -> Texts? { languages.first { $0.language == tag } }

  /// Returns the texts of the available language that an `Accept-Language` field prefers most
  /// (RFC 9110, 12.5.4); English if none is available.
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
  /// The texts in the language chosen in this browser, otherwise in the one that it asks for.
  var texts: Texts {
    cookies[cookieNames.language].flatMap(Texts.named)
      ?? Texts.preferred(by: headers["accept-language"])
  }
}

extension Routes {
  static let languagePath = "/language"

  /// Adds the path to which a page posts the choice of a language; it leads back to the page.
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
