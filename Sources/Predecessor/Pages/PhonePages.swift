import Foundation
import Guide
import Inspection
import Office
import OfficeFrame
import OfficePages
import Store
import Sync
import TimeAndText
import Web

/// The pages on which an agency's administrators set how phones are let in, as the command
/// `office agency phones` does.
struct PhonePages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.phones
  let service: PredecessorService

  /// The state that the page shows in addition to the saved service.
  struct PhonePageState {
    /// The faults of settings that cannot be saved, each shown at the field that it is about.
    var faults: [PhoneSetting: String] = [:]
    /// The form that was sent and not taken, whose values are shown in the fields again; nil if
    /// there is none.
    var given: WebForm?
    /// A refusal that is about no single field; nil if there is none.
    var refusal: String?
    var status = 200
    /// The secret part of a new address, which only this page ever shows; nil if there is none.
    var prefix: String?
    /// The new credentials, if their password was drawn, which only this page ever shows; nil if
    /// there are none.
    var credentials: (login: String, password: String)?
  }

  func add(to routes: inout Routes) {
    routes.get("/phones") { request in
      try await administering(request) { try await phones($0) }
    }
    routes.post("/phones/address") { request in
      try await administering(request) { try await drawAddress($0) }
    }
    routes.post("/phones/address/remove") { request in
      try await administering(request) { try await removeAddress($0) }
    }
    routes.post("/phones/credentials") { request in
      try await administering(request) { try await setCredentials($0) }
    }
    routes.post("/phones/credentials/remove") { request in
      try await administering(request) { try await removeCredentials($0) }
    }
    routes.post("/phones/rules") { request in
      try await administering(request) { try await setRules($0) }
    }
    routes.post("/phones/off") { request in
      try await administering(request) { try await turnOff($0) }
    }
    routes.post("/phones/inspectors/{login}/end") { request in
      try await administering(request) { try await endLogins($0) }
    }
  }

  private func administering(
    _ request: WebRequest, _ body: (Reader) async throws -> WebResponse
  ) async throws -> WebResponse {
    try await reading(request) { reader in
      try requireRole(.administrator, reader)
      return try await body(reader)
    }
  }

  // MARK: the actions

  private func drawAddress(_ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    var change = PhoneServiceChange()
    change.prefix = .drawn
    change.zone = form["zone"]
    return try await lay(change, form, reader) { outcome in
      try await phones(reader, PhonePageState(prefix: outcome.prefix))
    }
  }

  private func removeAddress(_ reader: Reader) async throws -> WebResponse {
    var change = PhoneServiceChange()
    change.prefix = .removed
    return try await lay(change, try await reader.request.form(), reader)
  }

  private func setCredentials(_ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    let login = form["basicLogin"] ?? ""
    var change = PhoneServiceChange()
    if let password = form.exact("basicPassword"), !password.isEmpty {
      change.credentials = .set(login: login, password: password)
    } else {
      change.credentials = .drawn(login: login)
    }
    return try await lay(change, form, reader) { outcome in
      guard let password = outcome.password else { return .redirect("/phones?done=phones") }
      return try await phones(reader, PhonePageState(credentials: (login, password)))
    }
  }

  private func removeCredentials(_ reader: Reader) async throws -> WebResponse {
    var change = PhoneServiceChange()
    change.credentials = .removed
    return try await lay(change, try await reader.request.form(), reader)
  }

  private func setRules(_ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    return try await lay(Self.rules(from: form), form, reader)
  }

  private func turnOff(_ reader: Reader) async throws -> WebResponse {
    let seen = try Self.seen(try await reader.request.form())
    do {
      try await office.phones.removePhoneService(
        of: reader.agency, seen: seen, by: reader.visitor.account.login)
    } catch let refusal as OfficeRefusal where refusal.kind == .preconditionFailed {
      return try await phones(reader, Self.state(of: refusal, t))
    }
    return .redirect("/phones?done=phonesOff")
  }

  private func endLogins(_ reader: Reader) async throws -> WebResponse {
    try await office.phones.endPhoneLogins(
      of: reader.request.parameters["login"] ?? "", in: reader.agency,
      by: reader.visitor.account.login)
    return .redirect("/phones?done=phonesEnded")
  }

  // MARK: changes

  /// Saves a change, or shows the page again with each fault at its field.
  private func lay(
    _ change: PhoneServiceChange, _ form: WebForm, _ reader: Reader,
    then answer: ((service: PhoneService, prefix: String?, password: String?)) async throws ->
      WebResponse = { _ in .redirect("/phones?done=phones") }
  ) async throws -> WebResponse {
    let seen = try Self.seen(form)
    let faults = change.faults()
    guard faults.isEmpty else {
      var state = PhonePageState(given: form, status: 422)
      for fault in faults { state.faults[fault.setting] = t(fault.refusal.wording) }
      return try await phones(reader, state)
    }
    do {
      return try await answer(
        try await office.phones.changePhoneService(
          of: reader.agency, change, seen: seen, by: reader.visitor.account.login))
    } catch let refusal as OfficeRefusal {
      switch refusal.kind {
      case .preconditionFailed, .inputInvalid:
        return try await phones(reader, Self.state(of: refusal, t))
      case .loginTaken:
        var state = PhonePageState(given: form, status: refusal.kind.status)
        state.faults[.credentials] = t(refusal.wording)
        return try await phones(reader, state)
      default: throw refusal
      }
    }
  }

  private static func state(of refusal: OfficeRefusal, _ t: Texts) -> PhonePageState {
    PhonePageState(refusal: t(refusal.wording), status: refusal.kind.status)
  }

  /// Returns when the state that the administrator looked at was saved, milliseconds since 1970; 0
  /// if there was none.
  private static func seen(_ form: WebForm) throws(OfficeRefusal) -> Int64 {
    guard let seen = form["seen"].flatMap({ Int64($0) }) else {
      throw OfficeRefusal(.inputInvalid, "the form does not say what it changes")
    }
    return seen
  }

  /// Returns the change that the form of the rules asks for. An empty field stands for the default;
  /// a text that is no number becomes a value that is refused.
  private static func rules(from form: WebForm) -> PhoneServiceChange {
    let standard = PhoneService(agency: "", changed: DeviceTime(millisecondsSince1970: 0))
    func number(_ name: String, _ otherwise: Double) -> Double {
      // Half of Europe writes a comma in decimals.
      form[name].map { Double($0.replacing(",", with: ".")) ?? .nan } ?? otherwise
    }
    func whole(_ name: String, _ otherwise: Int) -> Int {
      form[name].map { Int($0) ?? -1 } ?? otherwise
    }
    var change = PhoneServiceChange()
    change.networks = PhoneServiceChange.networks(from: form["networks"] ?? "")
    change.requests = (
      number("requestsPerSecond", standard.requestsPerSecond),
      number("requestBurst", standard.requestBurst)
    )
    change.logins = (
      number("loginsPerSecond", standard.loginsPerSecond),
      number("loginBurst", standard.loginBurst)
    )
    change.loginHours = number("loginHours", standard.loginSeconds / 3600)
    change.networkBits = (
      whole("networkBits4", standard.networkBits4), whole("networkBits6", standard.networkBits6)
    )
    change.zone = form["zone"] ?? standard.zone
    return change
  }
}
