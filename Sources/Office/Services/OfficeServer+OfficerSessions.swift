import Inspection
import Positioning

extension OfficeServer {
  /// Lets an officer's or administrator's program in, by the password and under the lock-out of the
  /// pages; it is a session like a browser's.
  /// - Returns: who it is, the session's token, and until when it holds without being used.
  /// - Throws: `OfficeRefusal`: sign-in-refused, sign-in-wait, role-forbidden.
  func beginOfficerSession(
    login: String, password: String
  ) async throws -> (account: Account, agency: String, token: String, expires: DeviceTime) {
    let account = try await authenticate(login: login, password: password)
    guard let agency = account.agency, account.role == .officer || account.role == .administrator
    else {
      throw OfficeRefusal(
        .roleForbidden,
        "\(account.login) is \(word: account.role.rawValue): this is for an agency's officers and"
          + " administrators")
    }
    let token = try beginSession(for: account)
    return (
      account, agency, token,
      clock.deviceTime.advanced(bySeconds: configuration.browserSessionSeconds)
    )
  }
}
