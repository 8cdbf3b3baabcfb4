import Evidence
import Inspection
import Sync
import Synchronization
import TimeAndText
import Web

/// Signs people in, and knows who is signed in.
package final class Sessions: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  let people: People
  let signIns = Mutex(SignInGuard())
  let refusals = Mutex(RefusalTally())

  init(core: OfficeCore, people: People) {
    self.core = core
    self.people = people
  }
}

extension Sessions {
  /// Begins a session, and returns its token, which the office does not store.
  /// - Parameter key: the thumbprint of the device's key; nil for a browser's session.
  public func beginSession(for account: Account, key: String? = nil) async throws -> String {
    let token = Token.make()
    let now = clock.deviceTime
    try await database.writeRegistry { registry in
      try registry.removeExpiredSessions(at: now)
      try registry.insertSession(
        digest: Token.digest(token), account: account, key: key, at: now,
        expires: now.advanced(bySeconds: sessionSeconds(isDevice: key != nil)))
      try registry.log(
        log(
          "signed-in", on: account.login, by: account.login, agency: account.agency, detail: key))
    }
    return token
  }

  /// Returns the visitor of a session; nil for a token without a valid session, or of a disabled
  /// login.
  package func visitorIfSignedIn(withToken token: String?) async throws -> Visitor? {
    do {
      return try await visitor(withToken: token)
    } catch let refusal as OfficeRefusal
      where [.sessionMissing, .sessionExpired, .accountDisabled].contains(refusal.kind)
    {
      return nil
    }
  }

  /// Returns the visitor that a token belongs to. A browser's session is extended by use.
  /// - Throws: `OfficeRefusal` (session-missing, session-expired, account-disabled).
  public func visitor(withToken token: String?) async throws -> Visitor {
    guard let token else { throw OfficeRefusal(.sessionMissing, "sign in first") }
    let digest = Token.digest(token)
    let now = clock.deviceTime
    guard let session = try await database.session(digest: digest) else {
      throw OfficeRefusal(
        .sessionExpired, "this session is no longer known: sign in again, nothing is lost")
    }
    guard session.account.disabled == nil else {
      throw OfficeRefusal(
        session.key == nil ? .sessionExpired : .accountDisabled,
        "the login \(session.account.login) is disabled: ask your office; nothing is lost")
    }
    guard session.expires > now else {
      throw OfficeRefusal(
        .sessionExpired,
        "this session ended at \(session.expires.rfc3339): sign in again,"
          + " nothing is lost")
    }
    // Extended after a quarter of its length, and only if no other transaction is writing: pages
    // that only read must not write at every request, nor wait for a writer. A device's session is
    // short, and renewed with its key.
    let length = sessionSeconds(isDevice: session.key != nil)
    let left = session.expires.gnssTime.seconds(since: now.gnssTime)
    if session.key == nil, left < length * 0.75 {
      try await database.refreshSession(
        digest: digest, at: now, expires: now.advanced(bySeconds: length))
    }
    return Visitor(account: session.account, key: session.key)
  }

  /// Ends a session.
  public func endSession(token: String) async throws {
    try await database.writeRegistry { try $0.endSession(digest: Token.digest(token)) }
  }

  private func sessionSeconds(isDevice: Bool) -> Double {
    isDevice ? configuration.deviceSessionSeconds : configuration.browserSessionSeconds
  }
}
