/// The rule that a protocol is small enough to implement, with what it refines counted in.
struct Ports {
  static let membersAtMost = 25

  private struct Port {
    let path: String
    let line: Int
    let refined: [String]
    var members = 0
  }

  /// Counts the functions, properties, initialisers and subscripts that each protocol asks for, and
  /// those of the module's protocols that it refines, each once.
  static func complaints(module: String, files: [(path: String, source: String)]) -> [String] {
    var ports: [String: Port] = [:]
    for (path, source) in files {
      for declaration in SwiftDeclarations(source: source).all {
        if declaration.kind == .protocolType {
          ports[declaration.fullName] = Port(
            path: path, line: declaration.line, refined: declaration.refined)
        } else if declaration.place == .protocolType, declaration.kind != .alias {
          ports[declaration.outer.joined(separator: ".")]?.members += 1
        }
      }
    }
    return ports.sorted { ($0.value.path, $0.value.line) < ($1.value.path, $1.value.line) }
      .compactMap { name, port in
        let names = closure(of: name, in: ports, module: module)
        let members = names.reduce(0) { $0 + (ports[$1]?.members ?? 0) }
        guard members > membersAtMost else { return nil }
        let others = names.subtracting([name]).sorted()
        let share =
          others.isEmpty
          ? "" : " with those of \(others.joined(separator: ", "))"
        return "\(port.path):\(port.line): \(name) has \(members) members\(share); "
          + "at most \(membersAtMost)"
      }
  }

  /// Returns a protocol and all that it refines, directly or not.
  private static func closure(
    of name: String, in ports: [String: Port], module: String
  ) -> Set<String> {
    var found: Set<String> = []
    var waiting = [name]
    while let next = waiting.popLast() {
      // `Office.Reads` and `Reads` are one inside Office.
      let prefix = "\(module)."
      let known = next.hasPrefix(prefix) ? String(next.dropFirst(prefix.count)) : next
      guard let port = ports[known], found.insert(known).inserted else { continue }
      waiting += port.refined
    }
    return found
  }
}
