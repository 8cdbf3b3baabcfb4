import Inspection
import Positioning
import Store
import Sync

extension OfficeServer {
  /// Lets an officer's or administrator's program in, by the password and under the lock-out of the
  /// pages; it is a session like a browser's.
  /// - Returns: who it is, and the session's token.
  /// - Throws: `OfficeRefusal`: sign-in-refused, sign-in-wait, role-forbidden.
  package func beginOfficerSession(
    login: String, password: String, line: String
  ) async throws -> (account: Account, token: String) {
    let account = try await authenticate(login: login, password: password, line: line)
    guard account.role != .inspector else {
      throw OfficeRefusal(
        .roleForbidden,
        "\(account.login) is \(word: account.role.rawValue): this is for officers and administrators"
      )
    }
    return (account, try await beginSession(for: account))
  }

  /// Until when a session that begins now holds, if it is not used.
  package var sessionEnd: DeviceTime {
    clock.deviceTime.advanced(bySeconds: configuration.browserSessionSeconds)
  }

  /// Somebody changes their own password.
  ///
  /// The old one is asked for: whoever finds a screen unlocked, or a session's token, does not know it. All
  /// sessions end with it.
  /// - Returns: the token of a new session, for whoever asks to go on under.
  /// - Throws: `OfficeRefusal`: sign-in-refused, sign-in-wait, input-invalid.
  package func changePassword(
    of account: Account, from old: String, to new: String, line: String
  ) async throws -> String {
    _ = try await authenticate(login: account.login, password: old, line: line)
    try await setPassword(new, of: account.login, by: account.login)
    return try await beginSession(for: account)
  }

  /// Ends all sessions of somebody, wherever they are signed in.
  /// - Returns: the token of a new session, for whoever asks to go on under.
  package func endSessionsElsewhere(of account: Account) async throws -> String {
    try await database.writeRegistry { registry in
      try registry.endSessions(of: account.login)
      try registry.log(
        log("sessions-ended", on: account.login, by: account.login, agency: account.agency))
    }
    return try await beginSession(for: account)
  }

  /// Where somebody is signed in, the session used last first.
  package func openSessions(of account: Account) async throws -> [OpenSession] {
    try await database.readRegistry { try $0.sessions(of: account.login, at: clock.deviceTime) }
  }

  /// Ends one of somebody's own sessions; one that has ended already is no fault.
  package func endSession(marked mark: String, of account: Account) async throws {
    try await database.writeRegistry { registry in
      for session in try registry.sessions(of: account.login, at: clock.deviceTime)
      where session.mark == mark {
        try registry.endSession(digest: session.digest)
        try registry.log(
          log("session-ended", on: account.login, by: account.login, agency: account.agency))
      }
    }
  }
}
