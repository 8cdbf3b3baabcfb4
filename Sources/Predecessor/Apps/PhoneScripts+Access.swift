import Foundation
import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

/// The origin of a request: the agency's service that it came to, and the caller's address.
struct PhoneCaller: Sendable {
  /// The agency's rules.
  let service: PhoneService
  /// The address at the other end of the connection; nil if the system does not tell it.
  let address: String?

  var agency: String { service.agency }
  /// The reader and writer of times for this agency.
  var times: PHPTime { PHPTime(zone: service.zone) }
  /// The network for which a login of this caller holds, as text.
  var network: String {
    PhoneNetwork(around: address, bits4: service.networkBits4, bits6: service.networkBits6).text
  }
}

/// An inspector who has logged in on a phone.
struct PhoneUser: Sendable {
  /// The inspector's login.
  let login: String
  /// The inspector's number, as the app sent it.
  let number: String
}

// The apps send no token, and some of their calls name no user. In place of a token count the
// agency's own address or credentials, its networks, numbers that cannot be guessed, and a recent
// login from the same network by the owner of the thing.
extension PhoneScripts {
  var seconds: Double { office.clock.elapsed.seconds(since: ElapsedTime(milliseconds: 0)) }

  func caller(of request: WebRequest) async throws -> PhoneCaller {
    let asker = request.line
    let mayGuess = desk.mayGuess(from: asker, at: seconds)
    let service: PhoneService?
    if let secret = request.parameters["service"] {
      service = try await office.database.readRegistry {
        try $0.phones.phoneService(prefixDigest: Token.digest(secret))
      }
      if service == nil { desk.takeGuess(from: asker, at: seconds) }
    } else {
      service = try await serviceOfCredentials(request, asker)
    }
    guard let service else {
      throw mayGuess ? PhoneRefusal.unknownService : PhoneRefusal.tooOften
    }
    let caller = PhoneCaller(service: service, address: request.remoteAddress)
    // A network that guesses too often must not learn whether a guess was right. Networks from
    // which inspectors have logged in are not made to wait: many phones may share one address.
    if !mayGuess, try await !hasLogin(caller) { throw PhoneRefusal.tooOften }
    guard
      service.networks.isEmpty
        || service.networks.contains(where: {
          PhoneNetwork(rule: $0)?.contains(request.remoteAddress) == true
        })
    else { throw PhoneRefusal.networkForbidden }
    return caller
  }

  /// Returns true if any inspector of the agency has logged in from this network within the time
  /// that a login holds.
  func hasLogin(_ caller: PhoneCaller) async throws -> Bool {
    let since = office.clock.deviceTime.advanced(bySeconds: -caller.service.loginSeconds)
    return try await office.database.read(
      in: caller.agency, { try $0.phones.hasPhoneLogin(network: caller.network, since: since) })
  }

  /// Returns the service that the request's credentials open; nil if there are none, or they are
  /// wrong. The apps write name and password with a line end after them.
  private func serviceOfCredentials(
    _ request: WebRequest, _ asker: String
  ) async throws -> PhoneService? {
    let parts = (request.header("Authorization") ?? "").split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "basic", parts[1].utf8.count <= 1024,
      let bytes = Data(base64Encoded: String(parts[1]), options: .ignoreUnknownCharacters),
      let text = String(data: bytes, encoding: .utf8)
    else { return nil }
    let pair = PHPForm.trimmed(text).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard pair.count == 2 else { return nil }
    let service = try await office.database.readRegistry {
      try $0.phones.phoneService(basicLogin: String(pair[0]))
    }
    let stored = service?.basicPassword
    // The proof contains the stored password, so that a new password makes the old proof worthless.
    let proof = stored.map { Token.digest("\(pair[0])\n\(pair[1])\n\($0)") }
    if let proof, desk.isProven(proof) { return service }
    // The guess is counted before the password is checked, which takes long: of many simultaneous
    // guesses no more go on than are allowed.
    guard desk.takeGuess(from: asker, at: seconds),
      service.map({ desk.takeLogin(from: asker, $0, at: seconds) }) ?? true
    else { throw PhoneRefusal.tooOften }
    // An unknown name has to take as long as a known one.
    guard await office.core.passwords.verify(String(pair[1]), against: stored), let proof else {
      return nil
    }
    desk.giveGuessBack(to: asker, at: seconds)
    desk.prove(proof)
    return service
  }

  // MARK: users

  /// Returns the user whose number a form brings.
  /// - Throws: `PhoneRefusal` if the form names none, or the user has not logged in from this
  ///   network within the time that a login holds.
  func user(_ form: PHPForm, _ caller: PhoneCaller) async throws -> PhoneUser {
    let text = form["user_id"]
    guard !text.isEmpty else { throw PhoneRefusal.missingUser }
    guard let number = Self.number(text),
      let login = try await office.database.read(
        in: caller.agency, { try $0.phones.phoneSubject(.user, number: number) })
    else { throw PhoneRefusal.loginEnded }
    try await requireLogin(of: login, caller)
    return PhoneUser(login: login, number: text)
  }

  /// Requires that the user whom a form names has logged in, while the form is still arriving. This
  /// does not count as a request yet.
  func requireKnown(_ text: String, _ caller: PhoneCaller) async throws {
    let text = PHPForm.trimmed(text)
    // A form without a user is refused at its end.
    guard !text.isEmpty else { return }
    let since = office.clock.deviceTime.advanced(bySeconds: -caller.service.loginSeconds)
    let isKnown = try await office.database.read(in: caller.agency) { session in
      guard let number = Self.number(text),
        let login = try session.phones.phoneSubject(.user, number: number)
      else { return false }
      return try session.phones.hasPhoneLogin(of: login, network: caller.network, since: since)
    }
    guard isKnown else { throw PhoneRefusal.loginEnded }
  }

  /// Requires that the owner of a thing has logged in from the network of this request, and counts
  /// the request.
  func requireLogin(of login: String, _ caller: PhoneCaller) async throws {
    let (now, network) = (office.clock.deviceTime, caller.network)
    let since = now.advanced(bySeconds: -caller.service.loginSeconds)
    guard
      try await office.database.read(
        in: caller.agency,
        { try $0.phones.hasPhoneLogin(of: login, network: network, since: since) })
    else { throw PhoneRefusal.loginEnded }
    desk.noteHeard(login, from: network, of: caller.agency, at: now)
    guard desk.takeRequest(of: login, caller.service, at: seconds) else {
      throw PhoneRefusal.tooOften
    }
  }

  /// Takes further requests from the allowance for an answer that costs as much as many: this
  /// answer is given, and the next ones wait.
  func takeRequests(_ count: Int, of login: String, _ caller: PhoneCaller) {
    desk.chargeRequests(count, of: login, caller.service, at: seconds)
  }

  /// Requires that a user whom the form names in addition to a thing is the thing's owner. If the
  /// form names no user, the owner must have logged in.
  func requireOwner(_ login: String, _ form: PHPForm, _ caller: PhoneCaller) async throws {
    guard form["user_id"].isEmpty else {
      guard try await user(form, caller).login == login else { throw PhoneRefusal.unknownTask }
      return
    }
    try await requireLogin(of: login, caller)
  }

  /// Returns one of the office's numbers; nil for a text that is none, or that writes a number in
  /// another way than the office does.
  static func number(_ text: String) -> Int64? {
    guard let number = Int64(text), number > 0, "\(number)" == text else { return nil }
    return number
  }

  // MARK: comm_login

  func login(_ request: WebRequest, _ caller: PhoneCaller) async throws -> PHPJSON {
    let bytes = try await body(of: request, limit: 16 << 10)
    let asker = NetworkLine.name(of: caller.address)
    guard desk.takeLogin(from: asker, caller.service, at: seconds) else {
      throw PhoneRefusal.tooOften
    }
    let account = try await account(bytes, caller)
    let time = office.clock.deviceTime
    return try await working {
      let number = try await office.database.write(in: caller.agency) { session in
        try session.phones.notePhoneLogin(of: account.login, network: caller.network, at: time)
        try session.log.add(
          office.log(
            "phone-login", on: account.login, by: account.login, agency: caller.agency,
            detail: caller.address))
        return try session.phones.makePhoneNumber(.user, of: account.login)
      }
      // The apps want a name and a surname, while an account may have only one name. iOS accepts
      // null for neither.
      let words = account.title.split(separator: " ")
      let first = words.dropLast().joined(separator: " ")
      return Self.ok([
        (
          "user",
          .object([
            ("id", .text("\(number)")),
            ("name", .text(words.count > 1 ? first : account.title)),
            ("surname", .text(words.count > 1 ? String(words.last ?? "") : "")),
            ("identification_number", .null), ("email", .null), ("vat", .null),
          ])
        )
      ])
    }
  }

  /// Returns the inspector's account of a login form. Android encodes a password, and iOS sends it
  /// as it is, so a plus or a percent sign in it has two meanings. If the two readings differ, both
  /// are tried, because one of them is the password that the inspector has typed; this counts as
  /// one try.
  private func account(_ bytes: [UInt8], _ caller: PhoneCaller) async throws -> Account {
    let form = PHPForm(bytes, readsRaw: false)
    let raw = PHPForm(bytes, last: "pswd", readsRaw: true)
    let login = form["login"]
    var readings = [form["pswd"]]
    // The only character of a login that is ever encoded is "@", and then only the decoded reading
    // has the right login.
    if raw["login"] == login, raw["pswd"] != readings[0] { readings.append(raw["pswd"]) }
    readings.removeAll(where: \.isEmpty)
    guard !login.isEmpty, !readings.isEmpty else { throw PhoneRefusal.badLogin }
    do {
      let account = try await office.sessions.authenticate(
        login: login, readings: readings, line: NetworkLine.name(of: caller.address))
      guard account.agency == caller.agency, account.role == .inspector else {
        throw PhoneRefusal.badLogin
      }
      return account
    } catch let refusal as OfficeRefusal where refusal.kind == .signInRefused {
      throw PhoneRefusal.badLogin
    } catch let refusal as OfficeRefusal where refusal.kind == .signInWait {
      throw PhoneRefusal(refusal.detail)
    }
  }
}
