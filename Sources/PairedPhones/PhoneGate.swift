import FieldUnit
import Foundation
import Inspection
import Store
import Synchronization
import TimeAndText
import Web

/// Lets the browser of the device itself through, and paired phones; everybody else sees the page that
/// pairs a phone, and nothing more.
package final class PhoneGate: Sendable {
  /// The days for which a phone's browser keeps its session.
  static let sessionSeconds = 400 * 86_400

  let server: FieldServer
  let book: PhoneBook
  let clock: any Timepiece
  private let limiter = Mutex(AttemptLimiter())

  /// Creates a gate.
  /// - Parameter clock: this machine's clock. A replay's pages have a clock of their own, which codes do
  ///   not follow.
  package init(server: FieldServer, clock: any Timepiece) {
    (self.server, self.clock) = (server, clock)
    book = PhoneBook(dataDirectory: server.configuration.dataDirectory)
  }

  /// The addresses that need no session: the pairing page, and files of the program with nothing of any
  /// person in them.
  private static func isOpen(_ pattern: String) -> Bool {
    pattern == PairPages.path || pattern == PairPages.whoPath || pattern.hasPrefix("/assets/")
      || ["/manifest.webmanifest", "/service-worker.js", "/not-running", "/theme", "/language"]
        .contains(pattern)
  }

  /// Puts the gate before every address of a table.
  package func guardAll(_ routes: inout Routes) {
    routes.guardAll { [self] request, pattern, handler in
      if request.isOfThisMachine || Self.isOpen(pattern) { return try await handler(request) }
      guard let phone = try phone(of: request) else { return try Self.closed(request) }
      var known = request
      known.letInAs = phone.id
      let response = try await handler(known)
      // A stream outlives its request: it ends with its phone's session.
      return response.ending(with: Self.over) { [self] in
        do {
          return try self.phone(of: request)?.id != phone.id
        } catch {
          server.log.note("a phone's page: \(error)")
          return true
        }
      }
    }
  }

  /// The part of a page that an ended phone shows last.
  private static var over: HTML {
    "<p data-live-over><a class=\"button\" href=\"\(PairPages.path)\">\(Texts.current("Pair this phone"))</a></p>"
  }

  private static func closed(_ request: WebRequest) throws -> WebResponse {
    guard request.method == "GET", !request.prefersJSON,
      request.header("accept")?.contains("text/event-stream") != true
    else { throw PhoneRefusal.notPaired }
    return .redirect(PairPages.path)
  }

  /// Returns the phone that a request comes from; nil if it is none, was ended, or belongs to another
  /// inspector than the one who is signed in.
  func phone(of request: WebRequest) throws -> PairedPhone? {
    guard let token = request.sessionToken, let person = try server.desk.signedIn()?.person else {
      return nil
    }
    let register = try book.register()
    guard let phone = register.phone(tokenDigest: Token.digest(token), of: person) else {
      return nil
    }
    let now = clock.deviceTime
    do {
      var heard = register
      if heard.hear(phone.id, at: now) { try book.change { _ = $0.hear(phone.id, at: now) } }
    } catch {
      // A full disk must not keep a phone from looking, and from making room.
      server.log.note("phones: \(error)")
    }
    return phone
  }

  /// Pairs a phone by its code.
  /// - Parameter line: the network line from which the code comes; guesses are slowed by it. Paired phones
  ///   are not asked.
  /// - Returns: the token of the phone's session.
  /// - Throws: `PhoneRefusal`; `FieldUnitError` and `StoreError`.
  func pair(_ typed: String, name: String, line: String) throws -> String {
    let now = Double(clock.elapsed.milliseconds) / 1000
    if let wait = limiter.withLock({ $0.wait(for: line, at: now) }) {
      throw PhoneRefusal.slow(seconds: wait.rounded(.up))
    }
    guard let person = try server.desk.signedIn()?.person else { throw PhoneRefusal.nobody }
    guard let code = PairingCode(typed) else { throw PhoneRefusal.noCode }
    let token = Token.make()
    let time = clock.deviceTime
    do {
      _ = try book.change { register in
        try register.redeem(
          digest: Token.digest(code.text), for: person,
          name: name.trimmingCharacters(in: .whitespacesAndNewlines),
          phone: Identifier(at: time), tokenDigest: Token.digest(token), at: time)
      }
      limiter.withLock { $0.succeeded(line) }
      server.bell.ring()
      return token
    } catch let refusal as PairingRefusal {
      if refusal != .name, refusal != .full { limiter.withLock { $0.failed(line, at: now) } }
      server.log.note("a phone was not paired: \(refusal.wording)")
      server.bell.ring()
      throw PhoneRefusal.code(refusal)
    }
  }

  /// Makes a code for an inspector, in the place of the last one.
  /// - Throws: `FieldUnitError` and `StoreError`.
  package static func makeCode(
    in book: PhoneBook, for person: Person, lens: LensOffset? = nil, at now: DeviceTime
  ) throws -> PairingCode {
    var random = SystemRandomNumberGenerator()
    let code = PairingCode(using: &random)
    try book.change {
      $0.issue(digest: Token.digest(code.text), for: person, lens: lens, at: now)
    }
    return code
  }
}

/// A refusal of the pages for phones.
enum PhoneRefusal: Error, ProblemConvertible {
  /// The browser is no paired phone.
  case notPaired
  /// Nobody is signed in on the device.
  case nobody
  /// The text is no code.
  case noCode
  /// Too many wrong codes came from this line.
  case slow(seconds: Double)
  /// The code pairs no phone.
  case code(PairingRefusal)
  /// This is done on the device itself.
  case onDevice
  /// The distance between antenna and lens is none.
  case lens

  var wording: Wording {
    switch self {
    case .notPaired: "this phone is not paired with the field unit: open its page and enter a code"
    case .nobody: "nobody is signed in on the field unit: sign in there first"
    case .noCode: "this is no code: it has 26 letters and digits"
    case .slow(let seconds):
      "too many wrong codes came from here: wait \(Int(seconds)) s, and try again"
    case .code(let refusal): refusal.wording
    case .onDevice: "do this on the field unit itself"
    case .lens:
      "the distance between antenna and lens is a number of metres from 0 to \(Int(LensOffset.metresAtMost)): 1.5"
    }
  }

  var status: Int {
    switch self {
    case .notPaired: 401
    case .onDevice: 403
    case .slow: 429
    case .nobody, .noCode, .code, .lens: 422
    }
  }

  var problem: Problem {
    let code =
      switch self {
      case .notPaired: "phone-not-paired"
      case .onDevice: "only-on-device"
      case .slow: "phone-wait"
      case .nobody, .noCode, .code: "code-refused"
      case .lens: "lens"
      }
    return Problem(
      status: status, code: code, title: "That did not work", detail: wording.description,
      shown: Texts.current(wording))
  }
}
