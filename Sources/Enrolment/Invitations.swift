import Evidence
import Foundation
import Inspection
import Office
import Store
import Sync
import Synchronization
import TimeAndText
import Web

/// Invites inspectors to sign a device in, by a one-time code in the place of a password.
package final class Invitations: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  private let people: People
  private let devices: Devices
  private let tries = Mutex(SignInGuard())

  /// The name under which the tries of all codes are counted together.
  private static let counted = "invitation"

  /// Creates the service of an office.
  package init(of office: OfficeServer) {
    core = office.core
    people = office.people
    devices = office.devices
  }

  private var shelf: InvitationShelf {
    InvitationShelf(
      folder: configuration.folder.appendingPathComponent("invitations").path,
      secret: core.formSecret)
  }
}

extension Invitations {
  /// An invitation that can still be used.
  package struct Open: Hashable, Sendable {
    /// The inspector's login.
    package var login: String
    /// The time from which its code can no longer be used.
    package var expires: DeviceTime
  }

  /// Invites an inspector. An earlier invitation of the same inspector ends.
  /// - Parameters:
  ///   - agency: the inspector's agency; nil if the person who invites may invite for any.
  ///   - by: the login of the person who invites.
  /// - Returns: the code, which is not stored, and its end.
  /// - Throws: `OfficeRefusal` (unknown, role-forbidden, account-disabled).
  package func invite(
    _ login: String, of agency: String? = nil, by: String
  ) async throws -> (code: OneTimeCode, expires: DeviceTime) {
    let account = try await inspector(login, of: agency)
    guard let agency = account.agency else { throw Self.noInspector(login) }
    try removeForgotten()
    for kept in try shelf.all() where kept.login == login && !kept.isUsed { try shelf.remove(kept) }
    var random = SystemRandomNumberGenerator()
    let code = OneTimeCode.make(using: &random)
    let expires = clock.deviceTime.advanced(bySeconds: OneTimeCode.lifetimeSeconds)
    try shelf.keep(
      InvitationShelf.Kept(
        mark: shelf.mark(of: code), login: login, agency: agency, expires: expires))
    try await database.writeRegistry { registry in
      try registry.log(
        log(
          "device-invited", on: login, by: by, agency: agency,
          detail: "until \(expires.rfc3339)"))
    }
    return (code, expires)
  }

  /// Returns the invitations of an agency that can still be used, by login.
  package func open(of agency: String) throws -> [Open] {
    let now = clock.deviceTime
    return try shelf.all().filter { $0.agency == agency && !$0.isUsed && $0.expires > now }
      .map { Open(login: $0.login, expires: $0.expires) }.sorted { $0.login < $1.login }
  }

  /// Ends an inspector's invitation; one that has ended already is no fault.
  package func withdraw(_ login: String, of agency: String, by: String) async throws {
    for kept in try shelf.all()
    where kept.login == login && kept.agency == agency && !kept.isUsed {
      try shelf.remove(kept)
      try await database.writeRegistry { registry in
        try registry.log(log("invitation-withdrawn", on: login, by: by, agency: agency))
      }
    }
  }

  /// Returns whose a code is; the code can still be used afterwards.
  /// - Parameter line: the `NetworkLine.name` of the caller.
  /// - Throws: `OfficeRefusal` (invitation-refused, sign-in-wait, account-disabled).
  package func holder(of question: InvitationQuestion, line: String) async throws
    -> InvitationAnswer
  {
    guard question.schema == InvitationQuestion.schema else {
      throw SyncError.unknownSchema(found: question.schema, expected: InvitationQuestion.schema)
    }
    let kept = try find(question.code, line: line)
    // Looking at a known code is no guess. It forgives none either: otherwise whoever has one code
    // could guess others without end, by looking at it in between.
    tries.withLock { $0.takeBack(login: Self.counted, line: line) }
    let account = try await holder(of: kept)
    return InvitationAnswer(
      agency: kept.agency, title: try await people.agencyTitle(kept.agency), login: account.login,
      name: account.name, expires: kept.expires.rfc3339)
  }

  /// Signs a field unit in by a code, which is used up by that. If the sign-in comes to nothing,
  /// the code can be used again.
  /// - Throws: `OfficeRefusal` (invitation-refused, sign-in-wait, account-disabled,
  ///   enrolment-malformed, key-elsewhere, key-revoked).
  package func signIn(_ request: InvitedSignInRequest, line: String) async throws -> SignInAnswer {
    guard request.schema == InvitedSignInRequest.schema else {
      throw SyncError.unknownSchema(found: request.schema, expected: InvitedSignInRequest.schema)
    }
    let kept = try find(request.code, line: line)
    do {
      let answer = try await use(kept, for: request)
      tries.withLock { $0.succeeded(login: Self.counted, line: line) }
      return answer
    } catch {
      tries.withLock { $0.takeBack(login: Self.counted, line: line) }
      throw error
    }
  }

  private func use(
    _ kept: InvitationShelf.Kept, for request: InvitedSignInRequest
  ) async throws -> SignInAnswer {
    let account = try await holder(of: kept)
    guard try shelf.use(kept) else { throw Self.used }
    do {
      return try await devices.signIn(
        account, enrolment: request.enrolment, software: request.software)
    } catch {
      try shelf.giveBack(kept)
      throw error
    }
  }

  // MARK: finding

  private static let used = OfficeRefusal(
    .invitationRefused,
    "this code was used already: each one signs in one device. Ask your office for a new one")

  private static func noInspector(_ login: String) -> OfficeRefusal {
    OfficeRefusal(.unknown, "there is no inspector \(login)")
  }

  /// Finds a code's invitation, also one that cannot be used any more. Each try of this line counts
  /// as a wrong code, until the caller says that it was none.
  private func find(_ text: String, line: String) throws -> InvitationShelf.Kept {
    let seconds = clock.elapsed.seconds(since: ElapsedTime(milliseconds: 0))
    if let wait = tries.withLock({ $0.begin(login: Self.counted, line: line, at: seconds) }) {
      let seconds = Int(wait) + 1
      throw OfficeRefusal(
        .signInWait, "too many wrong codes: try again in \(seconds) s", retrySeconds: seconds)
    }
    guard let code = OneTimeCode(text), let kept = try shelf.find(code) else {
      throw OfficeRefusal(
        .invitationRefused,
        "this office does not know the code: check its eight characters and the office's address")
    }
    return kept
  }

  /// Returns the inspector of an invitation that can still be used.
  private func holder(of kept: InvitationShelf.Kept) async throws -> Account {
    guard !kept.isUsed else { throw Self.used }
    guard kept.expires > clock.deviceTime else {
      throw OfficeRefusal(
        .invitationRefused,
        "this code ended at \(kept.expires.rfc3339): ask your office for a new one")
    }
    return try await inspector(kept.login, of: kept.agency)
  }

  private func inspector(_ login: String, of agency: String?) async throws -> Account {
    let found = try await database.readRegistry { try $0.account(login) }?.account
    guard let account = found, agency == nil || account.agency == agency else {
      throw Self.noInspector(login)
    }
    guard account.role == .inspector else {
      throw OfficeRefusal(
        .roleForbidden,
        "\(account.login) has the role \(word: account.role.rawValue): field units are for inspectors"
      )
    }
    guard account.disabled == nil else {
      throw OfficeRefusal(
        .accountDisabled, "the login \(account.login) is disabled: enable it first")
    }
    return account
  }

  /// Removes the invitations of which nothing has to be said any more.
  private func removeForgotten() throws {
    let oldest = clock.deviceTime.advanced(bySeconds: -OneTimeCode.rememberedSeconds)
    for kept in try shelf.all() where kept.expires < oldest { try shelf.remove(kept) }
  }
}
