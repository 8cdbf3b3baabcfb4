import TimeAndText

/// The words of one language. The English sentence itself is the key, so that the code of a page
/// can be read without a second file, and a sentence without a translation appears in English.
public struct Texts: SpokenLanguage {
  /// The language's BCP 47 tag, for `<html lang>`.
  public let language: String
  /// The way in which the language writes decimals and days.
  public let form: WrittenForm
  private let translations: [String: String]
  private let isLong: Bool

  /// Creates a catalogue: English sentence to the sentence of `language`, with the same placeholders.
  public init(
    language: String, form: WrittenForm = .international, translations: [String: String]
  ) {
    self.language = language
    self.form = form
    self.translations = translations
    isLong = false
  }

  /// The pseudo-language, English and longer than any language; see `LongText`.
  static let long = Texts(longAs: "en-x-long")

  private init(longAs language: String) {
    self.language = language
    form = .international
    translations = [:]
    isLong = true
  }

  /// The texts for the request that is being answered; English outside of requests.
  @TaskLocal public static var current = Texts.english

  /// English, as it is written in the sources.
  public static let english = Texts(language: "en", translations: [:])

  /// Returns the sentence in this language, with `{1}`, `{2}`, … replaced by the values. A
  /// placeholder without a value stays as it is: it is visible, and nothing breaks.
  public func callAsFunction(_ english: String, _ values: any CustomStringConvertible...) -> String
  {
    Self.fill(template(english), values.map(\.description))
  }

  /// Returns the sentence in this language as markup: values that are `HTML` stay markup, and all
  /// else is escaped.
  public func html(_ english: String, _ values: any CustomStringConvertible...) -> HTML {
    let pieces = values.map { ($0 as? HTML)?.text ?? HTML(escaping: $0.description).text }
    return HTML(raw: Self.fill(HTML(escaping: template(english)).text, pieces))
  }

  /// Returns a sentence of the modules beneath in this language.
  public func callAsFunction(_ wording: Wording) -> String { wording.text(in: form, template) }

  /// Returns `value` with `places` (0…9) decimals, as this language writes it.
  public func decimal(_ value: Double, places: Int) -> String {
    form.decimal(value, places: places)
  }

  /// Returns a number of bytes for people, in B, kB, MB or GB of powers of 1000.
  public func size(bytes: Int) -> String {
    let units: [(Double, String)] = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")]
    let value = Double(max(0, bytes))
    guard let (unit, name) = units.first(where: { value >= $0.0 }) else { return "\(bytes) B" }
    return "\(decimal(value / unit, places: 1)) \(name)"
  }

  /// Returns a moment to the second, in UTC: for titles and other text in which nothing is made
  /// local.
  public func moment(_ time: DeviceTime) -> String { form.moment(time) }

  /// Returns a moment to the second as an element. It reads UTC, and says so; the library's script
  /// writes it in the browser's own zone, and shows UTC when it is pointed at.
  public func time(_ time: DeviceTime) -> HTML {
    "<time datetime=\"\(time.rfc3339)\">\(moment(time))</time>"
  }

  /// Returns the day of a moment as an element, which is made local as by `time`.
  public func day(of time: DeviceTime) -> HTML {
    "<time datetime=\"\(time.rfc3339)\" data-only=\"day\">\(form.day(time.date))</time>"
  }

  /// Returns the hour and minute of a moment as an element, which is made local as by `time`.
  public func clock(of time: DeviceTime) -> HTML {
    let words = "\(time.rfc3339.dropFirst(11).prefix(5)) UTC"
    return "<time datetime=\"\(time.rfc3339)\" data-only=\"clock\">\(words)</time>"
  }

  /// Returns the sentence in this language with its placeholders, for callers that fill them otherwise.
  public func template(_ english: String) -> String {
    isLong ? LongText.of(english) : translations[english] ?? english
  }

  /// Returns the title of a problem in this language.
  public func title(of problem: Problem) -> String { template(problem.title) }

  /// Returns the description of a problem in this language, for people.
  public func detail(of problem: Problem) -> String { problem.shown ?? template(problem.detail) }

  // A single pass from left to right: a value that itself contains "{2}" is not looked at again.
  private static func fill(_ sentence: String, _ values: [String]) -> String {
    guard !values.isEmpty, sentence.contains("{") else { return sentence }
    var filled = ""
    var rest = sentence[...]
    while let opening = rest.firstIndex(of: "{") {
      filled += rest[..<opening]
      let afterOpening = rest.index(after: opening)
      if let closing = rest[afterOpening...].firstIndex(of: "}"),
        let number = Int(rest[afterOpening..<closing]), values.indices.contains(number - 1)
      {
        filled += values[number - 1]
        rest = rest[rest.index(after: closing)...]
      } else {
        filled.append("{")
        rest = rest[afterOpening...]
      }
    }
    return filled + rest
  }
}
