import Inspection
import Store
import Sync
import TimeAndText

extension Sessions {
  /// Signs an officer's or administrator's program in, by the password and under the same limits as
  /// the pages. The session is like a browser's.
  /// - Returns: the account, and the session's token.
  /// - Throws: `OfficeRefusal`: sign-in-refused, sign-in-wait, role-forbidden.
  package func beginOfficerSession(
    login: String, password: String, line: String
  ) async throws -> (account: Account, token: String) {
    let account = try await authenticate(login: login, password: password, line: line)
    guard account.role != .inspector else {
      throw OfficeRefusal(
        .roleForbidden,
        "\(account.login) has the role \(word: account.role.rawValue): this is for officers and administrators"
      )
    }
    return (account, try await beginSession(for: account))
  }

  /// The time when a session that begins now ends, if it is not used.
  package var sessionEnd: DeviceTime {
    clock.deviceTime.advanced(bySeconds: configuration.browserSessionSeconds)
  }

  /// Changes a person's own password.
  ///
  /// The old password is required: a stranger at an unlocked screen, or with a session's token,
  /// does not know it. All of the person's sessions end.
  /// - Returns: the token of a new session, with which the caller goes on.
  /// - Throws: `OfficeRefusal`: sign-in-refused, sign-in-wait, input-invalid.
  package func changePassword(
    of account: Account, from old: String, to new: String, line: String
  ) async throws -> String {
    _ = try await authenticate(login: account.login, password: old, line: line)
    try await people.setPassword(new, of: account.login, by: account.login)
    return try await beginSession(for: account)
  }

  /// Ends all sessions of a person, on all devices.
  /// - Returns: the token of a new session, with which the caller goes on.
  package func endSessionsElsewhere(of account: Account) async throws -> String {
    try await database.writeRegistry { registry in
      try registry.endSessions(of: account.login)
      try registry.log(
        log("sessions-ended", on: account.login, by: account.login, agency: account.agency))
    }
    return try await beginSession(for: account)
  }

  /// Returns the valid sessions of a person, the most recently used first.
  package func openSessions(of account: Account) async throws -> [OpenSession] {
    try await database.readRegistry { try $0.sessions(of: account.login, at: clock.deviceTime) }
  }

  /// Ends one of a person's own sessions; a session that has ended already is no fault.
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
