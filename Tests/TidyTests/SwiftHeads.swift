/// The heads of declarations among the tokens of a Swift source.
struct SwiftHeads {
  /// A declaration up to its body.
  struct Head {
    let kind: SwiftDeclarations.Kind
    let name: String
    let isFilePrivate: Bool
    var refined: [String] = []
  }

  private static let modifiers: Set = [
    "class", "convenience", "distributed", "dynamic", "fileprivate", "final", "indirect", "infix",
    "internal", "lazy", "mutating", "nonisolated", "nonmutating", "open", "optional", "override",
    "package", "postfix", "prefix", "private", "public", "required", "static", "unowned", "weak",
  ]
  /// Words before a type that do not end it.
  private static let prefixesOfType: Set = [
    "any", "borrowing", "consuming", "each", "inout", "isolated", "nonisolated", "repeat",
    "sending", "some", "~",
  ]
  /// Words and signs after which a type goes on.
  private static let joints: Set = [".", "&", "->"]

  let tokens: [SwiftToken]

  /// Returns the head whose keyword stands at `index`; nil if none does, or if it is that of a
  /// stored property outside a protocol.
  func head(at index: Int, isInProtocol: Bool) -> Head? {
    guard text(index - 1) != ".", text(index - 1) != "import" else { return nil }
    let name: String? =
      switch text(index) {
      case "func": functionName(at: index + 1)
      case "init" where ["(", "<", "?", "!"].contains(text(index + 1)): "init"
      case "subscript" where ["(", "<"].contains(text(index + 1)): "subscript"
      case "deinit": "deinit"
      case "var": propertyName(at: index + 1, isInProtocol: isInProtocol)
      case "struct", "enum", "extension", "protocol", "typealias": typeName(at: index + 1)
      case "class" where !isModifier(index): typeName(at: index + 1)
      case "actor" where beginsStatement(index) && !["as", "is"].contains(text(index + 1)):
        typeName(at: index + 1)
      default: nil
      }
    guard let name else { return nil }
    let kind = kind(ofKeyword: text(index))
    return Head(
      kind: kind, name: name, isFilePrivate: isFilePrivate(index),
      refined: kind == .protocolType ? refined(from: index + 1) : [])
  }

  private func kind(ofKeyword keyword: String) -> SwiftDeclarations.Kind {
    switch keyword {
    case "func": .function
    case "init": .initialiser
    case "subscript": .subscription
    case "deinit": .deinitialiser
    case "var": .property
    case "extension": .typeExtension
    case "protocol": .protocolType
    case "typealias": .alias
    default: .type
    }
  }

  /// Returns the text of a token; empty before the first one and after the last.
  private func text(_ index: Int) -> String {
    tokens.indices.contains(index) ? tokens[index].text : ""
  }

  private func isWord(_ index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].isWord
  }

  // MARK: - Names

  /// Returns `seal`, or an operator: everything up to its parameters, or to a blank before generic
  /// ones.
  private func functionName(at index: Int) -> String? {
    if isWord(index) { return bare(index) }
    var name = text(index)
    var next = index + 1
    while next < tokens.count, text(next) != "(", tokens[next].isAttached {
      name += text(next)
      next += 1
    }
    return name.isEmpty ? nil : name
  }

  /// Returns the name of a computed property, or in a protocol of any; nil for others.
  private func propertyName(at index: Int, isInProtocol: Bool) -> String? {
    guard isWord(index) else { return nil }
    if isInProtocol { return bare(index) }
    // Only a property with a type and without a value is computed: `if var x {` has neither.
    guard text(index + 1) == ":", text(endOfType(from: index + 2)) == "{" else { return nil }
    return bare(index)
  }

  /// Returns `Photo.Side` of `Photo.Side<Left>`, and `[String]` of an extension of it.
  private func typeName(at index: Int) -> String? {
    if text(index) == "[" {
      return tokens[index..<endOfGroup(from: index)].map(\.text).joined()
    }
    return isWord(index) ? dottedName(at: index).name : nil
  }

  private func dottedName(at index: Int) -> (name: String, end: Int) {
    var name = bare(index)
    var next = endOfGenerics(from: index + 1)
    while text(next) == ".", isWord(next + 1) {
      name += "." + bare(next + 1)
      next = endOfGenerics(from: next + 2)
    }
    return (name, next)
  }

  private func bare(_ index: Int) -> String {
    text(index).filter { $0 != "`" }
  }

  /// Returns the names after the colon of `protocol P: A, B & C where Self: D`.
  private func refined(from index: Int) -> [String] {
    var names: [String] = []
    var next = dottedName(at: index).end
    var isCounted = false
    var isAfterWhere = false
    while next < tokens.count, text(next) != "{" {
      if text(next) == "where" {
        isAfterWhere = true
        isCounted = false
      } else if isWord(next) {
        let (name, end) = dottedName(at: next)
        if isCounted { names.append(name) }
        next = end
        continue
      } else if text(next) == ":" {
        isCounted = !isAfterWhere || text(next - 1) == "Self"
      } else if text(next) == ",", isAfterWhere {
        isCounted = false
      }
      next += 1
    }
    return names
  }

  // MARK: - Before the keyword

  /// Returns true if `class` at `index` says that a member belongs to its type.
  private func isModifier(_ index: Int) -> Bool {
    let next = text(index + 1)
    return Self.modifiers.contains(next) || ["func", "let", "subscript", "var"].contains(next)
  }

  private func isFilePrivate(_ index: Int) -> Bool {
    var previous = index - 1
    while Self.modifiers.contains(text(previous)) {
      if ["private", "fileprivate"].contains(text(previous)) { return true }
      previous -= 1
    }
    return false
  }

  /// Returns true where `actor` can be a keyword: a statement begins and a name follows.
  private func beginsStatement(_ index: Int) -> Bool {
    guard isWord(index + 1), tokens[index + 1].line == tokens[index].line else { return false }
    let previous = text(index - 1)
    return ["", "{", "}", ";", ")"].contains(previous) || Self.modifiers.contains(previous)
      || tokens[index - 1].line < tokens[index].line || text(index - 2) == "@"
  }

  // MARK: - Types

  /// Returns the index after the type that begins at `index`.
  private func endOfType(from index: Int) -> Int {
    var next = index
    while Self.prefixesOfType.contains(text(next)) || text(next) == "@" {
      next += text(next) == "@" ? 2 : 1
      // `@isolated(any)` has its parentheses at once, `@Sendable (Int) -> Void` has a blank.
      if text(next) == "(", tokens[next].isAttached { next = endOfGroup(from: next) }
    }
    switch text(next) {
    case "(", "[": next = endOfGroup(from: next)
    case _ where isWord(next): next = endOfGenerics(from: next + 1)
    default: return next
    }
    while ["?", "!"].contains(text(next)) { next += 1 }
    let afterType = next
    while ["async", "throws", "rethrows"].contains(text(next)) {
      next += 1
      if text(next) == "(" { next = endOfGroup(from: next) }
    }
    return Self.joints.contains(text(next)) ? endOfType(from: next + 1) : afterType
  }

  /// Returns the index after the generic arguments at `index`, which may be none.
  private func endOfGenerics(from index: Int) -> Int {
    guard text(index) == "<" else { return index }
    var depth = 0
    var next = index
    repeat {
      if text(next) == "<" { depth += 1 }
      if text(next) == ">" { depth -= 1 }
      next += 1
    } while depth > 0 && next < tokens.count
    return next
  }

  /// Returns the index after the bracket that closes the one at `index`.
  private func endOfGroup(from index: Int) -> Int {
    var depth = 0
    var next = index
    repeat {
      if ["(", "[", "{"].contains(text(next)) { depth += 1 }
      if [")", "]", "}"].contains(text(next)) { depth -= 1 }
      next += 1
    } while depth > 0 && next < tokens.count
    return next
  }
}
