/// Which handler answers which method and path.
///
/// Patterns begin with a slash. `{name}` stands for one segment, `{name...}` at the end for all that
/// follow; a written segment wins over a name, so that `/orders/new` and `/orders/{id}` can live
/// together.
public struct Routes: Sendable {
  /// Answers a request, or throws; see `ProblemConvertible`.
  public typealias Handler = @Sendable (WebRequest) async throws -> WebResponse
  /// Says a problem with what an address asked for in the words of programs that know no others.
  public typealias Refusal = @Sendable (_ problem: Problem, _ path: String) -> WebResponse

  /// A handler and how its requests are checked.
  struct Endpoint: Sendable {
    let handler: Handler
    let isMachine: Bool
    /// As it was written: the one name of it that figures and logs know.
    let pattern: String
    /// The pattern's names, in the order of its segments.
    let names: [String]
    /// How its problems are said; nil as everybody else's.
    var refusal: Refusal?
  }

  struct Entry: Sendable {
    let method: String
    let segments: [Substring]
    let endpoint: Endpoint
  }

  /// What is meant for such a program and is no route: a mistyped address, or another method.
  struct Strays: Sendable {
    /// As logs have them.
    let pattern: String
    let folders: Set<String>
    let filePrefix: String
    /// Nil where nobody has such programs here: then only the address may hold a secret.
    let refusal: Refusal?
  }

  private(set) var entries: [Entry] = []
  private(set) var strays: Strays?

  /// No routes yet.
  public init() {}

  /// A page or whatever else is only looked at; `HEAD` is answered, too.
  public mutating func get(
    _ pattern: String, machine: Bool = false, _ handler: @escaping Handler
  ) {
    add("GET", pattern, machine, handler)
  }

  /// A change. Unless `machine`, the request must come from a page of this server and carry the form
  /// token: in the field `csrf` of a form of at most 1 MiB, in the first field of a form that carries
  /// a file, or in the header `X-Form-Token`; the last two leave the rest of the body to the handler.
  /// A machine route does not look at cookies.
  public mutating func post(
    _ pattern: String, machine: Bool = false, _ handler: @escaping Handler
  ) {
    add("POST", pattern, machine, handler)
  }

  /// A thing under a name that the sender chose; checked like `post`.
  public mutating func put(
    _ pattern: String, machine: Bool = false, _ handler: @escaping Handler
  ) {
    add("PUT", pattern, machine, handler)
  }

  /// A removal; checked like `post`.
  public mutating func delete(
    _ pattern: String, machine: Bool = false, _ handler: @escaping Handler
  ) {
    add("DELETE", pattern, machine, handler)
  }

  /// A change to a part of a thing; checked like `post`.
  public mutating func patch(
    _ pattern: String, machine: Bool = false, _ handler: @escaping Handler
  ) {
    add("PATCH", pattern, machine, handler)
  }

  /// What can be done with a thing, for programs that ask before they do it. It changes nothing.
  public mutating func options(_ pattern: String, _ handler: @escaping Handler) {
    add("OPTIONS", pattern, true, handler)
  }

  /// An address that is built into programs which nobody can change: it takes `GET` and `POST` as a machine
  /// route does, and whatever goes wrong on the way to its handler is said in their words. Such an address
  /// may hold a secret: logs have its pattern in its place.
  public mutating func program(
    _ pattern: String, refusing refusal: @escaping Refusal, _ handler: @escaping Handler
  ) {
    for method in ["GET", "POST"] { add(method, pattern, true, handler, refusal) }
  }

  /// What is meant for the programs of `program` and is none of their addresses: somewhere in it is one of their folders,
  /// or its last part begins as their files do. It is answered in their words. A first part that is none of this
  /// server's may be a mistyped secret: logs have `pattern` in the place of such an address, too.
  /// - Parameter refusal: nil where such programs are not served: they are answered as everybody else is.
  public mutating func strayPrograms(
    folders: Set<String>, filePrefix: String, pattern: String, refusing refusal: Refusal?
  ) {
    strays = Strays(pattern: pattern, folders: folders, filePrefix: filePrefix, refusal: refusal)
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
