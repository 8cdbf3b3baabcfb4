/// Slows down whoever guesses passwords, without locking out those who know theirs.
///
/// A limit for each login alone hands every stranger the means to make its owner wait; a limit for each address alone
/// lets a crowd of addresses guess one login. So there are three: for a login from one line, for one line whatever the
/// login, and for a login from all lines together. The last two do not hold for a login from a line where it has signed
/// in before. Time comes in as seconds of any clock that counts forward.
public struct SignInGuard: Sendable {
  /// So many failures of one line are free within `AttemptLimiter.windowSeconds`, whatever the login.
  public static let failuresPerLineAtMost = 20
  /// So many failures of one login are free within the window, whatever the line.
  public static let failuresPerLoginAtMost = 100
  /// Of so many lines is remembered that a login has signed in there; the newest stay.
  static let knownLinesAtMost = 8
  /// For so many logins; beyond that all are forgotten, and the limits hold for everybody again.
  private static let knownLoginsAtMost = 100_000

  private var tries = AttemptLimiter()
  private var lines = AttemptLimiter(failuresAtMost: failuresPerLineAtMost)
  private var logins = AttemptLimiter(failuresAtMost: failuresPerLoginAtMost)
  private var known: [String: [String]] = [:]

  /// A guard that has seen nobody yet.
  public init() {}

  /// Begins a try, if it may be made now. It counts as failed until `succeeded` says otherwise: else a thousand tries
  /// at once would all be free.
  /// - Parameter line: `NetworkLine.name` of whoever asks.
  /// - Returns: nil where the try may be made; else the seconds to wait, and nothing is counted.
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

  /// The try that was begun last for this login from this line has succeeded.
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

  private func isKnown(_ login: String, _ line: String) -> Bool {
    known[login]?.contains(line) == true
  }

  /// No line's name holds a blank.
  private static func key(_ login: String, _ line: String) -> String { "\(line) \(login)" }
}
