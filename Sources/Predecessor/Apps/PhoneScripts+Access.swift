import Foundation
import Inspection
import Office
import Positioning
import Store
import Sync
import Web

/// From where somebody asks, and of which agency's service.
struct PhoneCaller: Sendable {
  /// The agency's rules.
  let service: PhoneService
  /// The other end of the connection.
  let address: String?

  var agency: String { service.agency }
  /// How times are read and written for it.
  var times: PHPTime { PHPTime(zone: service.zone) }
  /// The network that a login holds for.
  var network: String {
    PhoneNetwork(around: address, bits4: service.networkBits4, bits6: service.networkBits6).text
  }
}

/// Somebody who has logged in on a phone.
struct PhoneUser: Sendable {
  /// Their login.
  let login: String
  /// Their number, as the app sent it.
  let number: String
}

// The apps send no token, and some of their calls name nobody at all. What stands in the place of one: the agency's
// own address or credentials, its networks, numbers that nobody guesses, and a login from the same network not long
// ago by whom the thing belongs to.
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
    // A right guess is told from a wrong one by nobody who guesses too often. Where people have logged in from they are
    // not made to wait for it: many may have one address.
    if !mayGuess, try await !hasLogin(caller) { throw PhoneRefusal.tooOften }
    guard
      service.networks.isEmpty
        || service.networks.contains(where: {
          PhoneNetwork(rule: $0)?.contains(request.remoteAddress) == true
        })
    else { throw PhoneRefusal.networkForbidden }
    return caller
  }

  /// Whether anybody of the agency has logged in from this network not long ago.
  func hasLogin(_ caller: PhoneCaller) async throws -> Bool {
    let since = office.clock.deviceTime.advanced(bySeconds: -caller.service.loginSeconds)
    return try await office.database.read(
      in: caller.agency, { try $0.phones.hasPhoneLogin(network: caller.network, since: since) })
  }

  /// The apps write name and password with a line end behind them.
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
    // With what is stored, so that a new password makes the old one worthless.
    let proof = stored.map { Token.digest("\(pair[0])\n\(pair[1])\n\($0)") }
    if let proof, desk.isProven(proof) { return service }
    // Before the password is looked at, which takes long: of many at once no more go on than may.
    guard desk.takeGuess(from: asker, at: seconds),
      service.map({ desk.takeLogin(from: asker, $0, at: seconds) }) ?? true
    else { throw PhoneRefusal.tooOften }
    // An unknown name takes as long as a known one.
    guard await office.passwords.verify(String(pair[1]), against: stored), let proof else {
      return nil
    }
    desk.giveGuessBack(to: asker, at: seconds)
    desk.prove(proof)
    return service
  }

  // MARK: who

  /// Whose number a form brings, if they have logged in from this network not long ago.
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

  /// The user whom a form names, of which more is to come, must have logged in; it is no request yet.
  func requireKnown(_ text: String, _ caller: PhoneCaller) async throws {
    let text = PHPForm.trimmed(text)
    // A form without a user is told so at its end.
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

  /// The owner of a thing must have logged in from where it is asked for.
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

  /// Takes further requests for an answer that costs as much as many: this one is given, and the next ones wait.
  func takeRequests(_ count: Int, of login: String, _ caller: PhoneCaller) {
    desk.chargeRequests(count, of: login, caller.service, at: seconds)
  }

  /// Where a form names a user beside a thing, it must be the thing's.
  func requireOwner(_ login: String, _ form: PHPForm, _ caller: PhoneCaller) async throws {
    guard form["user_id"].isEmpty else {
      guard try await user(form, caller).login == login else { throw PhoneRefusal.unknownTask }
      return
    }
    try await requireLogin(of: login, caller)
  }

  /// A number of ours: digits, and nothing that another text would be, too.
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
      // The apps ask for two names, of which an account may have one. Neither may be null for iOS.
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

  /// Android encodes a password, iOS sends it as it is: what a plus or a percent sign in it means is known only once it
  /// was tried. Both readings are tried where they differ, of which one is what the person has typed; it is one try.
  private func account(_ bytes: [UInt8], _ caller: PhoneCaller) async throws -> Account {
    let form = PHPForm(bytes, readsRaw: false)
    let raw = PHPForm(bytes, last: "pswd", readsRaw: true)
    let login = form["login"]
    var readings = [form["pswd"]]
    // No login has a sign that is encoded but "@", which only the decoded reading has right then.
    if raw["login"] == login, raw["pswd"] != readings[0] { readings.append(raw["pswd"]) }
    readings.removeAll(where: \.isEmpty)
    guard !login.isEmpty, !readings.isEmpty else { throw PhoneRefusal.badLogin }
    do {
      let account = try await office.authenticate(
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
