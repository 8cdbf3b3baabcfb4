/// Counts refused sign-ins, so that a stranger who guesses passwords writes one entry a minute into
/// the log and not thousands.
///
/// The first refusal is logged at once; those that follow within a minute are logged together at
/// its end.
struct RefusalTally: Sendable {
  /// The seconds between two entries of one agency.
  static let entrySeconds = 60.0
  /// The greatest number of logins and addresses that an entry names.
  private static let namesAtMost = 5

  /// An entry for the log.
  struct Summary: Hashable, Sendable {
    /// The agency of the logins; nil if there are no such logins, or they belong to no agency.
    var agency: String?
    /// The login, or the number of logins.
    var subject: String
    /// The numbers of refusals, the logins and the addresses.
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
  ///   - isWait: true if the try had to wait and the password was not looked at.
  ///   - seconds: the elapsed time, seconds.
  mutating func note(
    login: String, agency: String?, line: String, isWait: Bool, at seconds: Double
  ) {
    var count = counts[agency] ?? Count()
    if isWait { count.waits += 1 } else { count.refused += 1 }
    // Only 1,000 names are remembered: a stranger must not fill the memory with them.
    if count.logins.count < 1000 { count.logins.insert(login) }
    if count.lines.count < 1000 { count.lines.insert(line) }
    counts[agency] = count
  }

  /// Returns the entries to write now.
  /// - Parameter isLast: true if there will be no further call: all refusals are due then.
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
