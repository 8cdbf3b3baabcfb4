/// An error that the client may be told about. Any other error is logged and answered as `internal`
/// without details, since its text may hold a path or a database statement.
public protocol ProblemConvertible {
  /// The problem that the client is told about.
  var problem: Problem { get }
}
