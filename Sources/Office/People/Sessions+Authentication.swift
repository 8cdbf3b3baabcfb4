import Inspection
import Store
import Synchronization
import TimeAndText
import Web

extension Sessions {
  /// Signs a person in by the password. A wrong login and a wrong password get the same answer, in
  /// the same time.
  /// - Parameter line: the `NetworkLine.name` of the caller.
  /// - Throws: `OfficeRefusal`: sign-in-refused, sign-in-wait.
  public func authenticate(
    login: String, password: String, line: String = NetworkLine.unknown
  ) async throws -> Account {
    try await authenticate(login: login, readings: [password], line: line)
  }

  /// Signs a person in if what was sent can be read as several passwords: it is one try, whichever
  /// of them is right.
  /// - Throws: `OfficeRefusal`: sign-in-refused, sign-in-wait.
  package func authenticate(login: String, readings: [String], line: String) async throws -> Account
  {
    let key = String(login.prefix(64)).lowercased()
    if let wait = signIns.withLock({ $0.begin(login: key, line: line, at: elapsedSeconds) }) {
      let seconds = Int(wait) + 1
      let known = try await database.readRegistry { try $0.account(login) }
      try await noteRefusal(of: key, agency: known?.account.agency, line: line, isWait: true)
      throw OfficeRefusal(
        .signInWait, "too many wrong passwords: try again in \(seconds) s",
        retrySeconds: seconds)
    }
    let found = try await database.readRegistry { try $0.account(login) }
    let usable = found.flatMap { $0.account.disabled == nil ? $0 : nil }
    var right: String?
    for password in readings where right == nil {
      if await core.passwords.verify(password, against: usable?.password) { right = password }
    }
    guard let right, let usable else {
      try await noteRefusal(of: key, agency: found?.account.agency, line: line, isWait: false)
      throw OfficeRefusal(.signInRefused, "login or password is wrong: check both, then try again")
    }
    signIns.withLock { $0.succeeded(login: key, line: line) }
    await strengthen(usable.password, of: usable.account, with: right)
    return usable.account
  }

  private var elapsedSeconds: Double { clock.elapsed.seconds(since: ElapsedTime(milliseconds: 0)) }

  private func noteRefusal(of login: String, agency: String?, line: String, isWait: Bool)
    async throws
  {
    refusals.withLock {
      $0.note(login: login, agency: agency, line: line, isWait: isWait, at: elapsedSeconds)
    }
    try await logRefusals()
  }

  /// Logs the counted refusals of sign-ins that are due.
  /// - Parameter isLast: true if the program ends: all of them are due then.
  func logRefusals(isLast: Bool = false) async throws {
    let due = refusals.withLock { $0.due(at: elapsedSeconds, isLast: isLast) }
    guard !due.isEmpty else { return }
    try await database.writeRegistry { registry in
      for summary in due {
        try registry.log(
          log(
            "sign-in-refused", on: summary.subject, by: summary.subject, agency: summary.agency,
            detail: summary.detail))
      }
    }
  }

  /// Replaces a stored password from an older office. Its hash is over the password's SHA-1; the
  /// new one is over the password itself, which is known at the sign-in. If the new one cannot be
  /// written, the next sign-in tries again.
  private func strengthen(_ stored: String, of account: Account, with password: String) async {
    guard PasswordHash(stored)?.isOverSHA1 == true,
      let text = try? await core.passwords.hash(password)
    else { return }
    do {
      try await database.writeRegistry { registry in
        // A password that was set meanwhile stays.
        guard try registry.replacePassword(stored, of: account.login, with: text) else { return }
        try registry.log(
          log(
            "password-strengthened", on: account.login, by: account.login, agency: account.agency))
      }
    } catch {
      configuration.log("the password of \(account.login) is stored as it was: \(error)")
    }
  }
}
