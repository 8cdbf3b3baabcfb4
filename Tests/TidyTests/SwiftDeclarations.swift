/// The declarations of one Swift source that the rules of this folder count and measure.
///
/// A search by lines would take a closure among the parameters for a body, and `if let x {` for a
/// property. So the tokens are walked once with a stack of open brackets: a declaration stands only
/// directly inside a brace or at the top of the file, and its body is the next brace at its own
/// depth. Both branches of an `#if` are read.
struct SwiftDeclarations {
  enum Kind {
    case function, initialiser, deinitialiser, subscription, property
    case type, protocolType, typeExtension, alias
  }

  /// The kind of declaration that the innermost brace belongs to.
  enum Place {
    case file, type, protocolType, code
  }

  struct Declaration {
    let kind: Kind
    /// The name as written, without generic parameters: `seal`, `init`, `==`, `Photo`,
    /// `Photo.Side`.
    let name: String
    /// The types around it, the outermost first.
    let outer: [String]
    let place: Place
    /// The line of its keyword, counted from 1: attributes above it do not count.
    let line: Int
    /// The line of the closing brace; nil if it has no body.
    fileprivate(set) var lastLine: Int?
    /// True if it can be named in its own file only.
    let isFilePrivate: Bool
    /// The protocols that a protocol refines, as written.
    let refined: [String]

    /// The name with those of the types around it: `Photo.Side.init`.
    var fullName: String { (outer + [name]).joined(separator: ".") }
    /// The lines from the keyword to the closing brace; nil if it has no body.
    var length: Int? { lastLine.map { $0 - line + 1 } }
  }

  /// Every type, protocol, extension and alias; every function, initialiser, deinitialiser and
  /// subscript; and of the properties the computed ones and those that a protocol asks for.
  private(set) var all: [Declaration] = []
  /// False if brackets do not pair up; the declarations are then not to be relied on.
  private(set) var isBalanced = true

  /// An open bracket and the declaration whose body it opens; nil for any other.
  private struct Bracket {
    let sign: String
    var declaration: Int?
    var place = Place.code
    var types: [String] = []
  }

  private static let closing = [")": "(", "]": "[", "}": "{"]

  private var brackets: [Bracket] = []
  /// The declaration that waits for its body, and the depth at which the body opens.
  private var pending: (declaration: Int, depth: Int)?

  init(source: String) {
    self.init(code: SwiftText(source).codeOnly)
  }

  /// Reads a source as `SwiftText.codeOnly` leaves it.
  init(code: String) {
    let heads = SwiftHeads(tokens: SwiftToken.tokens(ofCode: code))
    for (index, token) in heads.tokens.enumerated() {
      switch token.text {
      case "(", "[":
        brackets.append(Bracket(sign: token.text))
      case "{":
        openBrace()
      case ")", "]", "}":
        close(token)
      default:
        if isInBrace, let head = heads.head(at: index, isInProtocol: place == .protocolType) {
          declare(head, at: token)
        }
      }
    }
    if !brackets.isEmpty { isBalanced = false }
  }

  private var isInBrace: Bool { brackets.last.map { $0.sign == "{" } ?? true }
  private var place: Place { brackets.last?.place ?? .file }

  private mutating func declare(_ head: SwiftHeads.Head, at token: SwiftToken) {
    all.append(
      Declaration(
        kind: head.kind, name: head.name, outer: types, place: place, line: token.line,
        lastLine: nil, isFilePrivate: head.isFilePrivate, refined: head.refined))
    // A protocol asks for members, and a brace after one of them says only `get`.
    let hasBody = head.kind != .alias && place != .protocolType
    pending = hasBody ? (all.count - 1, brackets.count) : nil
  }

  /// The types around the next declaration, the outermost first.
  private var types: [String] { brackets.last { $0.sign == "{" }?.types ?? [] }

  private mutating func openBrace() {
    var brace = Bracket(sign: "{", types: types)
    if let (declaration, depth) = pending, depth == brackets.count {
      brace.declaration = declaration
      switch all[declaration].kind {
      case .type, .typeExtension:
        brace.place = .type
        brace.types.append(all[declaration].name)
      case .protocolType:
        brace.place = .protocolType
        brace.types.append(all[declaration].name)
      default:
        brace.place = .code
      }
      pending = nil
    }
    brackets.append(brace)
  }

  private mutating func close(_ token: SwiftToken) {
    guard let bracket = brackets.popLast(), bracket.sign == Self.closing[token.text] else {
      isBalanced = false
      return
    }
    if let declaration = bracket.declaration { all[declaration].lastLine = token.line }
    if let (_, depth) = pending, depth > brackets.count { pending = nil }
  }
}
