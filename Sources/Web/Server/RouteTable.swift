/// Finds the route of a path in a tree of segments, from the left: a written segment is tried
/// before a name, and a name before a rest. The cost grows with the path's length, whatever the
/// number of routes.
struct RouteTable: Sendable {
  enum Match: Sendable {
    case found(Routes.Endpoint, parameters: [String: String])
    case otherMethods([String])
    case nothing
    case malformed
  }

  private struct Node: Sendable {
    var literals: [String: Int] = [:]
    var parameter: Int?
    var endpoints: [String: Routes.Endpoint] = [:]
    var restEndpoints: [String: Routes.Endpoint] = [:]
  }

  static let segmentsAtMost = 32
  /// The fewest bytes of a path's first part that may be a secret; a mistyped one may lack some of it.
  private static let secretBytesAtLeast = 12
  private var nodes = [Node()]
  private let strays: Routes.Strays?

  init(_ routes: Routes) {
    strays = routes.strays
    for entry in routes.entries { insert(entry) }
  }

  private mutating func insert(_ entry: Routes.Entry) {
    var place = 0
    for segment in entry.segments {
      switch Self.name(of: segment) {
      case (_, isRest: true)?:
        precondition(
          nodes[place].restEndpoints.updateValue(entry.endpoint, forKey: entry.method) == nil,
          "two routes for \(entry.method) /\(entry.segments.joined(separator: "/"))")
        return
      case (_, isRest: false)?:
        place = child(of: place, nodes[place].parameter) { $0.parameter = $1 }
      case nil:
        let text = String(segment)
        place = child(of: place, nodes[place].literals[text]) { $0.literals[text] = $1 }
      }
    }
    precondition(
      nodes[place].endpoints.updateValue(entry.endpoint, forKey: entry.method) == nil,
      "two routes for \(entry.method) /\(entry.segments.joined(separator: "/"))")
  }

  private mutating func child(
    of place: Int, _ existing: Int?, _ link: (inout Node, Int) -> Void
  ) -> Int {
    if let existing { return existing }
    nodes.append(Node())
    link(&nodes[place], nodes.count - 1)
    return nodes.count - 1
  }

  /// Finds the route. `path` is percent-encoded and without a query. `HEAD` finds the routes of `GET`.
  func match(method: String, path: String) -> Match {
    guard path.hasPrefix("/") else { return .malformed }
    var decoded: [String] = []
    for segment in Self.segments(of: path) {
      guard let text = PercentCoding.decode(segment, plusIsSpace: false) else { return .malformed }
      // Handlers may use a segment as a file name: it must never lead out of a folder.
      guard text != ".", text != "..", !text.contains("/"), !text.contains("\\") else {
        return .nothing
      }
      decoded.append(text)
    }
    guard decoded.count <= Self.segmentsAtMost else { return .nothing }
    var methods: Set<String> = []
    let method = method == "HEAD" ? "GET" : method
    if let match = find(method, decoded[...], at: 0, values: [], &methods) { return match }
    if methods.contains("GET") { methods.insert("HEAD") }
    return methods.isEmpty ? .nothing : .otherMethods(methods.sorted())
  }

  /// Returns the pattern under which a path without a route is logged, and its answer, if the path
  /// may be meant for programs with secret addresses; nil if it is not, or if none are declared.
  /// - Returns: `refusal` is nil if only the address may hold a secret.
  func stray(path: String) -> (pattern: String, refusal: Routes.Refusal?)? {
    guard let strays else { return nil }
    // A badly encoded part is taken as it came: a malformed path may hold a secret as well.
    let parts = path.split(separator: "/").map {
      PercentCoding.decode($0, plusIsSpace: false) ?? String($0)
    }
    guard let first = parts.first, let last = parts.last,
      strays.folders.contains(first) || nodes[0].literals[first] == nil
    else { return nil }
    let isTheirs =
      last.hasPrefix(strays.filePrefix) || parts.contains { strays.folders.contains($0) }
    if isTheirs { return (strays.pattern, strays.refusal) }
    // No secret is shorter. The paths that strangers probe mostly are, and logs may show those.
    let maybeSecret = first.utf8.count >= Self.secretBytesAtLeast || !path.hasPrefix("/")
    return maybeSecret ? (strays.pattern, nil) : nil
  }

  private func find(
    _ method: String, _ rest: ArraySlice<String>, at place: Int, values: [String],
    _ methods: inout Set<String>
  ) -> Match? {
    let node = nodes[place]
    guard let segment = rest.first else {
      methods.formUnion(node.endpoints.keys)
      return node.endpoints[method].map { Self.found($0, values) }
    }
    let following = rest.dropFirst()
    if let next = node.literals[segment],
      let match = find(method, following, at: next, values: values, &methods)
    {
      return match
    }
    if let next = node.parameter, !segment.isEmpty,
      let match = find(method, following, at: next, values: values + [segment], &methods)
    {
      return match
    }
    guard !rest.contains("") else { return nil }
    methods.formUnion(node.restEndpoints.keys)
    return node.restEndpoints[method].map {
      Self.found($0, values + [rest.joined(separator: "/")])
    }
  }

  private static func found(_ endpoint: Routes.Endpoint, _ values: [String]) -> Match {
    .found(endpoint, parameters: Dictionary(uniqueKeysWithValues: zip(endpoint.names, values)))
  }

  /// Returns the segments between the slashes; none for `/`.
  static func segments(of path: String) -> [Substring] {
    path == "/" ? [] : path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }

  /// Returns the name in `{name}` or `{name...}`; nil for a written segment.
  static func name(of segment: Substring) -> (name: String, isRest: Bool)? {
    guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return nil }
    let name = segment.dropFirst().dropLast()
    return name.hasSuffix("...") ? (String(name.dropLast(3)), true) : (String(name), false)
  }
}
