/// A problem as both web interfaces answer it: RFC 9457, with a stable code.
public struct Problem: Hashable, Sendable {
  /// HTTP's status.
  public var status: Int
  /// A stable word for programs.
  public var code: String
  /// What happened, in one sentence for people.
  public var detail: String

  /// A problem from its parts.
  public init(status: Int, code: String, detail: String) {
    self.status = status
    self.code = code
    self.detail = detail
  }
}
