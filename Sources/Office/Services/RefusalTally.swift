/// Counts refused sign-ins, so that a stranger who guesses writes one entry a minute into the log and not thousands.
///
/// The first refusal is told at once; those that follow it within a minute are told together when that is over.
struct RefusalTally: Sendable {
  /// So much time lies between two entries of one agency, seconds.
  static let entrySeconds = 60.0
  /// So many logins and addresses are named in an entry.
  private static let namesAtMost = 5

  /// One entry for the log.
  struct Summary: Hashable, Sendable {
    /// The agency of the logins; nil where there is no such login, or it belongs to none.
    var agency: String?
    /// The login, or how many there were.
    var subject: String
    /// How often, for whom, and from where.
    var detail: String
  }

  private struct Count: Sendable {
    var refused = 0
    var waits = 0
    var logins: Set<String> = []
    var lines: Set<String> = []
    var written: Double?

    var isEmpty: Bool { refused + waits == 0 }
  }

  private var counts: [String?: Count] = [:]

  /// Notes one refusal.
  /// - Parameters:
  ///   - isWait: whether the password was not even looked at.
  ///   - seconds: elapsed time.
  mutating func note(
    login: String, agency: String?, line: String, isWait: Bool, at seconds: Double
  ) {
    var count = counts[agency] ?? Count()
    if isWait { count.waits += 1 } else { count.refused += 1 }
    // More than these are only counted; a stranger must not fill the memory with names.
    if count.logins.count < 1000 { count.logins.insert(login) }
    if count.lines.count < 1000 { count.lines.insert(line) }
    counts[agency] = count
  }

  /// The entries to write now.
  /// - Parameter isLast: whether nobody asks again: everything is told then.
  mutating func due(at seconds: Double, isLast: Bool = false) -> [Summary] {
    var summaries: [Summary] = []
    for (agency, count) in counts where !count.isEmpty {
      if !isLast, let written = count.written, seconds - written < Self.entrySeconds { continue }
      summaries.append(Self.summary(of: count, agency))
      var fresh = Count()
      fresh.written = seconds
      counts[agency] = fresh
    }
    return summaries.sorted { ($0.agency ?? "") < ($1.agency ?? "") }
  }

  private static func summary(of count: Count, _ agency: String?) -> Summary {
    var parts = ["\(count.refused) refused"]
    if count.waits > 0 { parts.append("\(count.waits) told to wait") }
    if count.logins.count > 1 { parts.append("for \(names(count.logins))") }
    parts.append("from \(names(count.lines))")
    return Summary(
      agency: agency,
      subject: count.logins.count == 1
        ? count.logins.first ?? "" : "\(count.logins.count) logins",
      detail: parts.joined(separator: ", "))
  }

  private static func names(_ names: Set<String>) -> String {
    let shown = names.sorted().prefix(namesAtMost).joined(separator: " ")
    return names.count > namesAtMost ? "\(shown) and \(names.count - namesAtMost) more" : shown
  }
}
