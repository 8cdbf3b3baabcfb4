/// The table of all handlers by method and path.
///
/// Patterns begin with a slash. `{name}` matches one segment, `{name...}` at the end all that
/// follow; a written segment wins over a name, so that `/orders/new` and `/orders/{id}` can exist
/// together.
public struct Routes: Sendable {
  /// A function that answers a request, or throws; see `ProblemConvertible`.
  public typealias Handler = @Sendable (WebRequest) async throws -> WebResponse
  /// A function that answers a problem with a request to `path`, for programs that understand only
  /// answers of their own kind.
  public typealias Refusal = @Sendable (_ problem: Problem, _ path: String) -> WebResponse

  /// A handler and how its requests are checked.
  struct Endpoint: Sendable {
    fileprivate(set) var handler: Handler
    let isMachine: Bool
    /// The pattern as it was written: the only name of the endpoint in figures and logs.
    let pattern: String
    /// The pattern's names, in the order of its segments.
    let names: [String]
    /// The function that answers its problems; nil for the ordinary answer.
    var refusal: Refusal?
  }

  struct Entry: Sendable {
    let method: String
    let segments: [Substring]
    fileprivate(set) var endpoint: Endpoint
  }

  /// Requests that are meant for the programs of `program` and match no route: a mistyped address,
  /// or another method.
  struct Strays: Sendable {
    /// The pattern that logs show instead of the path.
    let pattern: String
    let folders: Set<String>
    let filePrefix: String
    /// The function that answers such requests; nil if no such programs are served: then only the
    /// address may hold a secret.
    let refusal: Refusal?
  }

  private(set) var entries: [Entry] = []
  private(set) var strays: Strays?

  /// Creates a table without routes.
  public init() {}

  /// Adds a page, or anything else that is only looked at; `HEAD` is answered, too.
  public mutating func get(
    _ pattern: String, machine: Bool = false, _ handler: @escaping Handler
  ) {
    add("GET", pattern, machine, handler)
  }

  /// Adds a change. Unless `machine` is true, the request must come from a page of this server and
  /// carry the form token: in the field `csrf` of a form of at most 1 MiB, in the first field of a
  /// form that carries a file, or in the header `X-Form-Token`; the last two leave the rest of the
  /// body to the handler. A machine route does not look at cookies.
  public mutating func post(
    _ pattern: String, machine: Bool = false, _ handler: @escaping Handler
  ) {
    add("POST", pattern, machine, handler)
  }

  /// Adds the storing of a thing under a name that the sender chose; checked like `post`.
  public mutating func put(
    _ pattern: String, machine: Bool = false, _ handler: @escaping Handler
  ) {
    add("PUT", pattern, machine, handler)
  }

  /// Adds a removal; checked like `post`.
  public mutating func delete(
    _ pattern: String, machine: Bool = false, _ handler: @escaping Handler
  ) {
    add("DELETE", pattern, machine, handler)
  }

  /// Adds a change to a part of a thing; checked like `post`.
  public mutating func patch(
    _ pattern: String, machine: Bool = false, _ handler: @escaping Handler
  ) {
    add("PATCH", pattern, machine, handler)
  }

  /// Adds the answer about what can be done with a thing, for programs that ask before they do it.
  /// It changes nothing.
  public mutating func options(_ pattern: String, _ handler: @escaping Handler) {
    add("OPTIONS", pattern, true, handler)
  }

  /// Adds an address that is built into programs which cannot be changed. It takes `GET` and `POST`
  /// as a machine route does, and `refusal` answers every problem in those programs' words. Such an
  /// address may hold a secret: logs show its pattern instead.
  public mutating func program(
    _ pattern: String, refusing refusal: @escaping Refusal, _ handler: @escaping Handler
  ) {
    for method in ["GET", "POST"] { add(method, pattern, true, handler, refusal) }
  }

  /// Sets the answer to requests that are meant for the programs of `program` but match none of
  /// their addresses: a part of the path is one of `folders`, or the last part begins with
  /// `filePrefix`. They are answered in those programs' words. A path whose first part is none of
  /// this server's may be a mistyped secret: logs show `pattern` instead of such a path, too.
  /// - Parameter refusal: nil if such programs are not served: their requests are answered like all
  ///   others.
  public mutating func strayPrograms(
    folders: Set<String>, filePrefix: String, pattern: String, refusing refusal: Refusal?
  ) {
    strays = Strays(pattern: pattern, folders: folders, filePrefix: filePrefix, refusal: refusal)
  }

  /// Puts a guard before every address that is in the table now. The guard answers itself, or with what
  /// the address's own handler answers.
  public mutating func guardAll(
    _ answer:
      @escaping @Sendable (
        WebRequest, _ pattern: String, _ handler: Handler
      ) async throws -> WebResponse
  ) {
    for place in entries.indices {
      let (handler, pattern) = (entries[place].endpoint.handler, entries[place].endpoint.pattern)
      entries[place].endpoint.handler = { try await answer($0, pattern, handler) }
    }
  }

  private mutating func add(
    _ method: String, _ pattern: String, _ isMachine: Bool, _ handler: @escaping Handler,
    _ refusal: Refusal? = nil
  ) {
    precondition(pattern.hasPrefix("/"), "a route's pattern begins with a slash: \(pattern)")
    let segments = RouteTable.segments(of: pattern)
    let names = segments.compactMap { RouteTable.name(of: $0)?.name }
    precondition(Set(names).count == names.count, "a route names a segment twice: \(pattern)")
    precondition(
      !segments.dropLast().contains { RouteTable.name(of: $0)?.isRest == true },
      "only a route's last segment can stand for the rest: \(pattern)")
    entries.append(
      Entry(
        method: method, segments: segments,
        endpoint: Endpoint(
          handler: handler, isMachine: isMachine, pattern: pattern, names: names,
          refusal: refusal)))
  }
}
