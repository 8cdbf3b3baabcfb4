/// An error that may be shown to whoever asked. What does not conform is logged and answered as
/// `internal` without details: a path or a statement in an error's text is nobody's business.
public protocol ProblemConvertible {
  /// The problem that the caller is told about.
  var problem: Problem { get }
}
