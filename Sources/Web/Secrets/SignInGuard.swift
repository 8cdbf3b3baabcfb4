/// Slows down the guessing of passwords, without locking out people who know theirs.
///
/// A limit for each login alone would let every stranger make its owner wait; a limit for each
/// address alone would let many addresses guess one login. So there are three limits: for a login
/// from one line (see `NetworkLine`), for one line whatever the login, and for a login from all
/// lines together. The last two do not apply to a login from a line where it has signed in before.
/// Times are seconds of any clock that counts forward.
public struct SignInGuard: Sendable {
  /// The number of failures of one line, whatever the login, that are free within
  /// `AttemptLimiter.windowSeconds`.
  public static let failuresPerLineAtMost = 20
  /// The number of failures of one login, whatever the line, that are free within the window.
  public static let failuresPerLoginAtMost = 100
  /// The number of lines remembered for each login, where it has signed in; the newest stay.
  static let knownLinesAtMost = 8
  /// The number of logins whose lines are remembered. Beyond it all are forgotten, and the limits
  /// apply to every login again.
  private static let knownLoginsAtMost = 100_000

  private var tries = AttemptLimiter()
  private var lines = AttemptLimiter(failuresAtMost: failuresPerLineAtMost)
  private var logins = AttemptLimiter(failuresAtMost: failuresPerLoginAtMost)
  private var known: [String: [String]] = [:]

  /// Creates a guard that has seen no tries yet.
  public init() {}

  /// Begins a try, if it may be made now. The try counts as failed until `succeeded` is called:
  /// otherwise a thousand tries at once would all be free.
  /// - Parameter line: the client's `NetworkLine.name`.
  /// - Returns: nil if the try may be made; otherwise the seconds to wait, and nothing is counted.
  public mutating func begin(login: String, line: String, at seconds: Double) -> Double? {
    let key = Self.key(login, line)
    var waits = [tries.wait(for: key, at: seconds)]
    if !isKnown(login, line) {
      waits += [lines.wait(for: line, at: seconds), logins.wait(for: login, at: seconds)]
    }
    if let wait = waits.compactMap({ $0 }).max() { return wait }
    tries.failed(key, at: seconds)
    lines.failed(line, at: seconds)
    logins.failed(login, at: seconds)
    return nil
  }

  /// Notes that the try begun last for this login from this line has succeeded.
  public mutating func succeeded(login: String, line: String) {
    tries.succeeded(Self.key(login, line))
    lines.forgive(line)
    logins.forgive(login)
    var places = known[login] ?? []
    guard places.last != line else { return }
    places.removeAll { $0 == line }
    places.append(line)
    if known.count >= Self.knownLoginsAtMost, known[login] == nil { known = [:] }
    known[login] = places.suffix(Self.knownLinesAtMost)
  }

  /// Takes back the try begun last for this login from this line, which was no guess. Unlike a
  /// success it forgives none of the failures before it.
  public mutating func takeBack(login: String, line: String) {
    tries.forgive(Self.key(login, line))
    lines.forgive(line)
    logins.forgive(login)
  }

  private func isKnown(_ login: String, _ line: String) -> Bool {
    known[login]?.contains(line) == true
  }

  /// Returns the key of a login from a line. The blank divides them clearly, since no line's name
  /// holds one.
  private static func key(_ login: String, _ line: String) -> String { "\(line) \(login)" }
}
