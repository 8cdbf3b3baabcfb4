/// The rule that a function ends on the screen on which it began.
struct Functions {
  static let linesAtMost = 60

  /// Measures functions, initialisers, deinitialisers, subscripts and computed properties from the
  /// line of the keyword to the line of the closing brace. A nested one counts by itself, too.
  static func complaints(path: String, source: String) -> [String] {
    let declarations = SwiftDeclarations(source: source)
    guard declarations.isBalanced else {
      return ["\(path): its brackets do not pair up, as `SwiftText` reads it"]
    }
    return declarations.all.compactMap { declaration in
      guard declaration.isExecutable, let lines = declaration.length, lines > linesAtMost
      else { return nil }
      return "\(path):\(declaration.line): \(declaration.fullName) has \(lines) lines; "
        + "at most \(linesAtMost)"
    }
  }
}

extension SwiftDeclarations.Declaration {
  fileprivate var isExecutable: Bool {
    switch kind {
    case .function, .initialiser, .deinitialiser, .subscription, .property: true
    case .type, .protocolType, .typeExtension, .alias: false
    }
  }
}
