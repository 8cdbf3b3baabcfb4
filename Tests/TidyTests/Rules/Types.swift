/// The rule that one reader can hold a type in mind: it is not stretched over a folder, and is no
/// bag of functions.
struct Types {
  static let filesAtMost = 10
  static let functionsAtMost = 80

  /// The files and functions of one type, counted over its module.
  private struct Extent {
    var paths: Set<String> = []
    var functions = 0
  }

  /// Counts each type of a module with its extensions, by its full name. Functions, initialisers
  /// and subscripts count for the innermost type around them; local types are not counted.
  static func complaints(module: String, files: [(path: String, source: String)]) -> [String] {
    var extents: [String: Extent] = [:]
    for (path, source) in files {
      let declarations = SwiftDeclarations(source: source).all.filter { $0.place != .code }
      let own = Set(declarations.filter(isPrivateType).map(\.name))
      for declaration in declarations {
        guard let name = typeName(of: declaration, module: module, path: path, own: own)
        else { continue }
        extents[name, default: Extent()].paths.insert(path)
        if declaration.isFunction { extents[name, default: Extent()].functions += 1 }
      }
    }
    return extents.sorted { $0.key < $1.key }.flatMap { name, extent in
      complaints(name: name, extent: extent)
    }
  }

  private static func complaints(name: String, extent: Extent) -> [String] {
    var complaints: [String] = []
    if extent.paths.count > filesAtMost {
      complaints.append(
        "\(name) is stretched over \(extent.paths.count) files; at most \(filesAtMost)")
    }
    if extent.functions > functionsAtMost {
      complaints.append("\(name) has \(extent.functions) functions; at most \(functionsAtMost)")
    }
    return complaints
  }

  /// Returns the type that a declaration is, extends, or is directly in, such as
  /// `Office.Photo.Side`; nil for others.
  private static func typeName(
    of declaration: SwiftDeclarations.Declaration, module: String, path: String, own: Set<String>
  ) -> String? {
    let names: [String]
    switch declaration.kind {
    case .type, .protocolType, .typeExtension:
      names = declaration.outer + [declaration.name]
    case .function, .initialiser,
      .subscription where declaration.place == .type:
      names = declaration.outer
    default:
      return nil
    }
    let name = names.joined(separator: ".")
    let first = name.prefix { $0 != "." }
    let fullName = first == module ? name : "\(module).\(name)"
    // Two files may each have a private type of one name.
    return own.contains(String(first)) ? "\(fullName) (\(path))" : fullName
  }

  private static func isPrivateType(_ declaration: SwiftDeclarations.Declaration) -> Bool {
    declaration.place == .file && declaration.isFilePrivate
      && [.type, .protocolType].contains(declaration.kind)
  }
}

extension SwiftDeclarations.Declaration {
  fileprivate var isFunction: Bool {
    [.function, .initialiser, .subscription].contains(kind)
  }
}
