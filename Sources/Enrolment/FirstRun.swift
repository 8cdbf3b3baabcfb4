import Foundation
import Inspection
import Office
import Store
import Sync
import Synchronization
import TimeAndText
import Web

/// Sets an empty office up from a browser: its first agency and first administrator.
///
/// The program prints a one-time code where only the machine's own people read it. The code opens
/// the page for as long as the office is empty and the program runs; a browser that has shown it
/// gets a token. Neither is stored.
package final class FirstRun: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  private let sessions: Sessions
  /// The code that opens the page.
  package let code: OneTimeCode
  private let token = Token.make()
  private let tries = Mutex(SignInGuard())
  private let isOver = Mutex(false)

  /// The name under which the tries are counted.
  private static let counted = "first-run"
  /// The name that the log gives to the person who set the office up.
  private static let author = "first-run"

  /// Creates the service of an office, with a new code.
  package init(of office: OfficeServer) {
    core = office.core
    sessions = office.sessions
    var random = SystemRandomNumberGenerator()
    code = OneTimeCode.make(using: &random)
  }
}

extension FirstRun {
  /// The entries of the page's form.
  package struct Entries: Sendable {
    /// The agency's title on screen.
    package var title: String
    /// The agency's stable name; nil makes one from the title.
    package var agency: String?
    /// The administrator's full name; nil if none is given.
    package var name: String?
    /// The administrator's login.
    package var login: String
    /// The administrator's password, twice.
    package var passwords: (String, String)

    /// Creates the entries.
    package init(
      title: String, agency: String?, name: String?, login: String, passwords: (String, String)
    ) {
      self.title = title
      self.agency = agency
      self.name = name
      self.login = login
      self.passwords = passwords
    }
  }

  /// Returns true while the office has neither an agency nor a person.
  package func isOpen() async throws -> Bool {
    if isOver.withLock({ $0 }) { return false }
    let isEmpty = try await database.readRegistry {
      try $0.agencies().isEmpty && $0.accounts(ofAgency: nil).isEmpty
    }
    // An office never becomes empty again.
    if !isEmpty { isOver.withLock { $0 = true } }
    return isEmpty
  }

  /// Checks a code.
  /// - Parameter line: the `NetworkLine.name` of the caller.
  /// - Returns: the token that the browser shows from now on.
  /// - Throws: `OfficeRefusal` (sign-in-refused, sign-in-wait).
  package func enter(_ text: String, line: String) throws(OfficeRefusal) -> String {
    let seconds = clock.elapsed.seconds(since: ElapsedTime(milliseconds: 0))
    if let wait = tries.withLock({ $0.begin(login: Self.counted, line: line, at: seconds) }) {
      let seconds = Int(wait) + 1
      throw OfficeRefusal(
        .signInWait, "too many wrong codes: try again in \(seconds) s", retrySeconds: seconds)
    }
    guard let given = OneTimeCode(text), Token.digest(given.characters) == digest else {
      throw OfficeRefusal(
        .signInRefused, "this is not the code that the office has printed: check it, then try again"
      )
    }
    tries.withLock { $0.succeeded(login: Self.counted, line: line) }
    return token
  }

  /// The code's digest: equal digests take equally long to compare, whatever was typed.
  private var digest: String { Token.digest(code.characters) }

  /// Returns true if a browser has shown the code.
  package func isInside(_ shown: String?) -> Bool {
    shown.map { Token.digest($0) == Token.digest(token) } ?? false
  }

  /// Makes the first agency and its administrator: both, or nothing.
  /// - Returns: the token of the administrator's session.
  /// - Throws: `OfficeRefusal` (input-invalid; login-taken if the office was set up meanwhile).
  package func setUp(_ entries: Entries) async throws -> String {
    let title = entries.title.trimmingCharacters(in: .whitespaces)
    guard !title.isEmpty, title.count <= 200 else {
      throw OfficeRefusal(.inputInvalid, "an agency's title is 1 to 200 characters")
    }
    let name = entries.agency ?? Self.shortName(of: title)
    guard People.isName(name) else {
      throw OfficeRefusal(
        .inputInvalid, "an agency's name is 1 to 64 letters, digits, dots, hyphens or underscores")
    }
    guard People.isName(entries.login) else {
      throw OfficeRefusal(
        .inputInvalid, "a login is 1 to 64 letters, digits, dots, hyphens, underscores or @")
    }
    guard entries.passwords.0 == entries.passwords.1 else {
      throw OfficeRefusal(.inputInvalid, "the two passwords differ: enter both again")
    }
    try People.requireUsable(entries.passwords.0)
    let stored = try await core.passwords.hash(entries.passwords.0)
    let account = Account(
      login: entries.login, agency: name, role: .administrator, name: entries.name)
    let now = clock.deviceTime
    try await database.writeRegistry { registry in
      guard try registry.agencies().isEmpty, try registry.accounts(ofAgency: nil).isEmpty else {
        throw OfficeRefusal(
          .loginTaken, "somebody else has just set this office up: sign in, or ask them for a login"
        )
      }
      try registry.insert(Agency(name: name, title: title, created: now))
      try registry.insert(account, password: stored, at: now)
      try registry.log(log("agency-added", on: name, by: Self.author, agency: name))
      try registry.log(
        log(
          "person-added", on: account.login, by: Self.author, agency: name,
          detail: account.role.rawValue))
    }
    isOver.withLock { $0 = true }
    return try await sessions.beginSession(for: account)
  }

  /// Returns a stable name for an agency, made from its title: small letters, digits and hyphens.
  package static func shortName(of title: String) -> String {
    let plain = title.folding(
      options: [.diacriticInsensitive, .caseInsensitive], locale: Locale(identifier: "en_US_POSIX"))
    let words = plain.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = String(words.joined(separator: "-").prefix(64))
    return name.isEmpty ? "agency" : name
  }
}
