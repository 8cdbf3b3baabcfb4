/// Swift source split into what the compiler reads and what only people read.
///
/// Searching the bare text would find `print(` in a comment and miss nothing; cutting at `//` would
/// lose the rest of a line that holds an address such as `tcp://…`. So the text is walked once,
/// character by character, with a stack of what the walk is inside of. A regex literal counts as a
/// string: its quotes and brackets need no partners.
struct SwiftText {
  /// The source without comments; string literals stand as written, since an interpolation in them
  /// is code.
  let withoutComments: String
  /// The source without comments and without the words of string literals; interpolations are kept.
  let codeOnly: String

  private enum Place {
    case code
    case interpolation(openParentheses: Int)
    case lineComment
    case blockComment(depth: Int)
    case string(hashes: Int, isMultiline: Bool)
    case regex(hashes: Int)
  }

  init(_ source: String) {
    let characters = Array(source)
    var places: [Place] = [.code]
    var withStrings = ""
    var withoutStrings = ""
    var index = 0

    func starts(_ text: String, at position: Int) -> Bool {
      guard characters[position] == text.first else { return false }
      return characters[position...].starts(with: text)
    }
    func keep(_ count: Int, asCode: Bool) {
      let text = String(characters[index..<min(index + count, characters.count)])
      withStrings += text
      if asCode { withoutStrings += text }
      index += count
    }
    func keepNewline() {
      withStrings.append("\n")
      withoutStrings.append("\n")
      index += 1
    }

    while index < characters.count {
      switch places[places.count - 1] {
      case .lineComment:
        if characters[index].isNewline {
          places.removeLast()
          keepNewline()
        } else {
          index += 1
        }

      case .blockComment(let depth):
        if starts("*/", at: index) {
          places.removeLast()
          if depth > 1 { places.append(.blockComment(depth: depth - 1)) }
          index += 2
        } else if starts("/*", at: index) {
          places[places.count - 1] = .blockComment(depth: depth + 1)
          index += 2
        } else if characters[index].isNewline {
          keepNewline()
        } else {
          index += 1
        }

      case .string(let hashes, let isMultiline):
        let fence = String(repeating: "#", count: hashes)
        let quotes = isMultiline ? "\"\"\"" : "\""
        if starts(quotes + fence, at: index) {
          places.removeLast()
          keep(quotes.count + hashes, asCode: true)
        } else if starts("\\" + fence + "(", at: index) {
          places.append(.interpolation(openParentheses: 0))
          keep(2 + hashes, asCode: true)
        } else if hashes == 0, characters[index] == "\\" {
          // A backslash at the end of a line escapes it, and the line must still be counted.
          let escapesLine = index + 1 < characters.count && characters[index + 1].isNewline
          keep(escapesLine ? 1 : 2, asCode: false)
        } else if characters[index].isNewline {
          if !isMultiline { places.removeLast() }
          keepNewline()
        } else {
          keep(1, asCode: false)
        }

      case .regex(let hashes):
        let end = "/" + String(repeating: "#", count: hashes)
        if starts(end, at: index) {
          places.removeLast()
          keep(end.count, asCode: true)
        } else if characters[index].isNewline {
          keepNewline()
        } else {
          let isEscape = characters[index] == "\\" && index + 1 < characters.count
          keep(isEscape && !characters[index + 1].isNewline ? 2 : 1, asCode: false)
        }

      case .code, .interpolation:
        if starts("//", at: index) {
          places.append(.lineComment)
        } else if starts("/*", at: index) {
          places.append(.blockComment(depth: 1))
          index += 2
        } else if let (hashes, isMultiline) = Self.stringOpening(in: characters, at: index) {
          places.append(.string(hashes: hashes, isMultiline: isMultiline))
          keep(hashes + (isMultiline ? 3 : 1), asCode: true)
        } else if let hashes = Self.regexOpening(in: characters, at: index) {
          places.append(.regex(hashes: hashes))
          keep(hashes + 1, asCode: true)
        } else {
          if case .interpolation(let open) = places[places.count - 1] {
            if characters[index] == "(" {
              places[places.count - 1] = .interpolation(openParentheses: open + 1)
            } else if characters[index] == ")" {
              if open == 0 {
                places.removeLast()
              } else {
                places[places.count - 1] = .interpolation(openParentheses: open - 1)
              }
            }
          }
          keep(1, asCode: true)
        }
      }
    }
    withoutComments = withStrings
    codeOnly = withoutStrings
  }

  /// Returns the number of `#` and the kind of quote if a string literal opens at `position`.
  private static func stringOpening(
    in characters: [Character], at position: Int
  ) -> (hashes: Int, isMultiline: Bool)? {
    var next = position
    while next < characters.count, characters[next] == "#" { next += 1 }
    guard next < characters.count, characters[next] == "\"" else { return nil }
    let isMultiline =
      next + 2 < characters.count && characters[next + 1] == "\"" && characters[next + 2] == "\""
    return (next - position, isMultiline)
  }

  /// Returns the number of `#` if a regex literal opens at `position`.
  ///
  /// A bare slash divides, unless no value stands before it and another slash ends the regex in its
  /// line.
  private static func regexOpening(in characters: [Character], at position: Int) -> Int? {
    guard characters[position] == "#" || characters[position] == "/" else { return nil }
    var next = position
    while next < characters.count, characters[next] == "#" { next += 1 }
    guard next < characters.count, characters[next] == "/" else { return nil }
    if next > position { return next - position }

    let before = characters[..<position].reversed().drop(while: \.isWhitespace)
    let word = String(before.prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
    let isAfterValue =
      word.isEmpty
      ? before.first.map { ")]}\"`.".contains($0) } ?? false : !valueless.contains(word)
    let rest = characters[(next + 1)...].prefix { !$0.isNewline }
    guard !isAfterValue, rest.first?.isWhitespace == false else { return nil }
    var isEscaped = false
    for character in rest {
      if character == "/", !isEscaped { return 0 }
      isEscaped = character == "\\" && !isEscaped
    }
    return nil
  }

  /// The words after which a value begins.
  private static let valueless: Set = [
    "await", "case", "else", "if", "in", "return", "throw", "try", "where", "while",
  ]
}

extension String {
  /// The lines without their ends, numbered from 1.
  var numberedLines: [(number: Int, text: Substring)] {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated().map { ($0.offset + 1, $0.element) }
  }

  /// The number of lines as an editor counts them: a line end at the very end opens no further one.
  var lineCount: Int {
    let lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.last?.isEmpty == true ? lines.count - 1 : lines.count
  }
}
