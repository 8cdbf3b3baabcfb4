import Inspection
import Positioning
import Store
import Synchronization
import Web

extension OfficeServer {
  /// Lets somebody in who knows the password. The answer to a wrong login and to a wrong password is
  /// the same, and takes the same time.
  /// - Parameter line: `NetworkLine.name` of whoever asks.
  /// - Throws: `OfficeRefusal`: sign-in-refused, sign-in-wait.
  public func authenticate(
    login: String, password: String, line: String = NetworkLine.unknown
  ) async throws -> Account {
    try await authenticate(login: login, readings: [password], line: line)
  }

  /// The same, where what was sent can be read as several passwords: one try, whichever of them is the right one.
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
      if await passwords.verify(password, against: usable?.password) { right = password }
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

  /// Writes into the log what was counted of refused sign-ins, as far as it is due.
  /// - Parameter isLast: whether the program ends: all of it is due then.
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

  /// What is kept of a password that came from an older office is over its SHA-1: now that the password is here it is
  /// over the password itself. Where that cannot be written it is done the next time.
  private func strengthen(_ stored: String, of account: Account, with password: String) async {
    guard PasswordHash(stored)?.isOverSHA1 == true,
      let text = try? await passwords.hash(password)
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
