import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Inspection
import Joining
import KeyTokens
import Receivers
import Store
import Sync
import TimeAndText

/// Signs an inspector in at an office.
struct LoginCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign an inspector in; needs the network once.",
    discussion: """
      The office certifies this device's key. The field unit then remembers the inspector until
      logout, also for days without a network.

      With the code that an administrator shows, there is no password:
      standpoint login --office https://office.example --code K7PM-3XQ9

      Example: standpoint login --office https://office.example --user ines
      """)

  @OptionGroup var data: DataOptions
  @Option(help: "The office's address (STANDPOINT_OFFICE).") var office: String?
  @Option(help: "The inspector's login; not with --code.") var user: String?
  @Option(
    help: ArgumentHelp(
      "The one-time code, or the whole text of the QR code, which names the office, too.",
      valueName: "code"))
  var code: String?
  @Flag(help: "Read the password from standard input instead of asking for it.")
  var passwordStdin = false
  @Option(
    help:
      "The office's fingerprint; the password is sent only to that office. The office prints it.")
  var pin: String?
  @Option(
    help: ArgumentHelp(
      "A PEM file: the TLS certificate of an office that the system does not trust.",
      valueName: "file"))
  var tlsCertificate: String?

  func validate() throws {
    guard (user == nil) != (code == nil) else {
      throw ValidationError("Give either --user LOGIN or --code CODE.")
    }
    if code != nil, passwordStdin {
      throw ValidationError("A code needs no password: leave out --password-stdin.")
    }
  }

  func run() async throws {
    let clock = MachineClock()
    let desk = try data.desk(clock: clock)
    if let code { return try await signIn(by: code, at: desk, clock: clock) }
    guard let address = office ?? Fallback.value("office"), let user else {
      throw ValidationError("Give --office URL, or set STANDPOINT_OFFICE.")
    }
    if let signedIn = try desk.signedIn() {
      guard signedIn.person.login == user else {
        throw ExitStatus.explained(
          .refused, "\(signedIn.person.login) is signed in here: standpoint logout first")
      }
    }
    let chosen = try desk.chosenOffice(at: address)
    let pem = try givenCertificate() ?? chosen?.certificate
    let link = try desk.link(to: address, trusting: pem)
    do {
      let signIn = try await desk.signIn(
        login: user, password: try Password.read(fromStandardInput: passwordStdin), over: link,
        pin: pin ?? chosen?.fingerprint, tlsCertificate: pem)
      Terminal.say(
        "signed in: \(signIn.name ?? user) of \(signIn.person.agency), office \(signIn.office)")
      await fetchTasks(of: signIn, over: link, clock: clock)
      await link.close()
    } catch {
      await link.close()
      throw error
    }
  }

  private func givenCertificate() throws -> String? {
    try tlsCertificate.map { path in
      guard let data = FileManager.default.contents(atPath: path) else {
        throw DeliveryError.unusablePin(reason: "\(path) cannot be read")
      }
      return String(decoding: data, as: UTF8.self)
    }
  }

  /// Signs in by a one-time code.
  private func signIn(
    by text: String, at desk: SignInDesk, clock: MachineClock
  ) async throws {
    if let signedIn = try desk.signedIn() {
      throw ExitStatus.explained(
        .refused, "\(signedIn.person.login) is signed in here: standpoint logout first")
    }
    let certificate = try givenCertificate()
    let ticket = try ticket(of: text, at: desk, hasCertificate: certificate != nil)
    let invitation = try await Invitation.find(
      ticket,
      knownCertificate: try certificate ?? desk.knownCertificate(ofOffice: ticket.office))
    let signIn = try await invitation.accept(at: desk, dataDirectory: data.directory)
    Terminal.say(
      "signed in: \(signIn.name ?? signIn.person.login) of \(signIn.person.agency), office \(signIn.office)"
    )
    let link = try desk.link(to: signIn.office)
    await fetchTasks(of: signIn, over: link, clock: clock)
    await link.close()
  }

  /// Returns the ticket of a code. The signs by which the office is recognised hold as they do for
  /// a password: those that are given now, those of the QR code, and, for a typed code, those that
  /// were checked when the office was selected on this device.
  private func ticket(
    of text: String, at desk: SignInDesk, hasCertificate: Bool
  ) throws -> InvitationTicket {
    var ticket: InvitationTicket
    if let whole = InvitationTicket(text: text) {
      ticket = whole
      // A certificate that is given now is the only one that holds.
      if hasCertificate { ticket.tlsFingerprint = nil }
    } else {
      guard let code = OneTimeCode(text) else {
        throw ValidationError("--code \(text) is no code of eight characters, such as K7PM-3XQ9.")
      }
      guard let address = office ?? Fallback.value("office") else {
        throw ValidationError("Give --office URL, or the whole text of the QR code.")
      }
      ticket = InvitationTicket(
        office: address, code: code,
        fingerprint: pin == nil ? try desk.chosenOffice(at: address)?.fingerprint : nil)
    }
    guard let pin else { return ticket }
    let wanted = ChosenOffice.fingerprint(pin) ?? pin
    guard [nil, wanted].contains(ticket.fingerprint) else {
      throw ValidationError(
        "--pin is not the fingerprint in the QR code: ask your office which one is right.")
    }
    ticket.fingerprint = wanted
    return ticket
  }
}

extension LoginCommand {
  /// Fetches the tasks at once, so that the inspector can go. The sign-in holds without them.
  private func fetchTasks(
    of signIn: SignIn, over link: HTTPOfficeLink, clock: MachineClock
  ) async {
    do {
      let unit = try InspectorUnit.make(
        configuration: FieldUnitConfiguration(
          dataDirectory: data.directory, person: signIn.person,
          software: "standpoint \(Program.version)"), clock: clock)
      let outcome = try await unit.delivery.fetchTasks(over: link)
      Terminal.say("tasks: \(outcome.newTasks) new, \(outcome.changedTasks) changed")
    } catch {
      Terminal.complain(
        "standpoint: the tasks did not come: \(error). standpoint deliver fetches them")
    }
  }
}

/// Signs the inspector out.
struct LogoutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout",
    abstract: "Sign out. What is waiting stays sealed and queued for that inspector.")

  @OptionGroup var data: DataOptions
  @Flag(help: "Do not ask if something is waiting.") var yes = false

  func run() async throws {
    let desk = try data.desk(clock: MachineClock())
    guard let signedIn = try desk.signedIn() else {
      Terminal.complain("nobody is signed in")
      return
    }
    let waiting = try data.unit().outbox().count
    if waiting > 0, !yes {
      guard
        Question.ask(
          "\(waiting) entries are waiting for delivery. They stay queued under"
            + " \(signedIn.person.login). Sign out?")
      else { return }
    }
    var link: HTTPOfficeLink?
    do {
      link = try desk.link(to: signedIn.office)
    } catch {
      Terminal.complain("standpoint: the office could not be told about the sign-out: \(error)")
    }
    try await desk.signOut(over: link)
    await link?.close()
    Terminal.say(
      "signed out: \(signedIn.person.login)"
        + (waiting > 0 ? ", \(waiting) entries stay queued" : ""))
  }
}

/// Fetches tasks and drains the outbox.
struct DeliverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deliver", abstract: "Deliver what is waiting, and fetch tasks.",
    discussion: """
      Exit status 0 if nothing is waiting any more, 1 if the office refused something, 3 if it could
      not be reached; then everything stays queued.
      """, aliases: ["sync"])

  @OptionGroup var common: CommonOptions
  @OptionGroup var data: DataOptions
  @Flag(help: "Keep running, with a minute between tries and longer after failures.") var watch =
    false

  func run() async throws {
    let unit = try data.unit()
    let desk = try data.desk(clock: MachineClock())
    guard let signIn = try desk.signedIn() else { throw DeliveryError.notSignedIn }
    let link = try desk.link(to: signIn.office)
    do {
      if watch { try await deliverForever(unit, link) }
      let outcome = try await unit.delivery.deliver(over: link) { Terminal.progress("\($0)") }
      Terminal.endProgress()
      say(outcome)
      await bringSurroundings(unit, link)
      await link.close()
      if let refusal = outcome.refusal { throw refusal }
    } catch {
      Terminal.endProgress()
      await link.close()
      throw error
    }
  }

  /// Tells the office how far the inspector is, fetches the files of orders, tells the office of photo points that were made here, and fetches those
  /// near the tasks and the earlier photos. It is no part of the delivery: a failure is only said.
  private func bringSurroundings(_ unit: InspectorUnit, _ link: HTTPOfficeLink) async {
    let hasRoom: @Sendable () -> Bool = {
      PhotoRoom.hasRoom(at: unit.configuration.dataDirectory.path)
    }
    let log: @Sendable (String) -> Void = { Terminal.complain("standpoint: \($0)") }
    do {
      try await unit.delivery.tellProgress(over: link)
    } catch {
      log("progress: \(error)")
    }
    let folder = unit.folder
    await OrderFileShelf(folder: folder.orderFiles, hasRoom: hasRoom, log: log)
      .bring(from: unit, over: link)
    await PhotoPointShelf(folder: folder.points, hasRoom: hasRoom, log: log)
      .bring(from: unit, over: link)
    await EarlierPhotoShelf(folder: folder.earlierPhotos, hasRoom: hasRoom, log: log)
      .bring(from: unit, over: link)
  }

  private func deliverForever(_ unit: InspectorUnit, _ link: HTTPOfficeLink) async throws {
    let clock = unit.clock
    let loop = Task {
      var pace = DeliveryPace()
      while true {
        var seconds: Double
        let random = Double.random(in: 0..<1)
        do {
          let outcome = try await unit.delivery.deliver(over: link) { Terminal.progress("\($0)") }
          seconds =
            outcome.refusal == nil ? pace.succeeded(random: random) : pace.failed(random: random)
          say(outcome)
          await bringSurroundings(unit, link)
          if let refusal = outcome.refusal { Terminal.complain("standpoint: \(refusal)") }
        } catch let error as DeliveryError {
          Terminal.complain("standpoint: \(error)")
          if error.asksForSignIn { throw error }
          seconds = pace.failed(askedSeconds: error.askedSeconds, random: random)
        } catch let error as TokenError where error != .wrongPIN && error != .lockedPIN {
          Terminal.complain("standpoint: \(error)")
          seconds = pace.failed(random: random)
        }
        if pace.failures > 0 {
          do {
            try unit.delivery.planNextAttempt(at: clock.deviceTime.advanced(bySeconds: seconds))
          } catch {
            Terminal.complain("standpoint: the time of the next try cannot be saved: \(error)")
          }
        }
        try await clock.sleep(until: clock.elapsed.advanced(bySeconds: seconds))
      }
    }
    let interrupts = Interrupts { loop.cancel() }
    defer { interrupts.stop() }
    do {
      try await loop.value
    } catch is CancellationError {
      await link.close()
      throw ExitStatus.success
    }
  }

  private func say(_ outcome: DeliveryOutcome) {
    if let problem = outcome.policyProblem { Terminal.complain("standpoint: \(problem)") }
    if let result = outcome.reconciliation, result.held < result.checked || result.isDeviceOlder {
      Terminal.complain("standpoint: \(result.summary)")
    }
    guard common.isJSON else {
      Terminal.say(
        "\(outcome.delivered) delivered, \(outcome.waiting) waiting, \(outcome.failed) failed,"
          + " \(outcome.bytesSent) bytes sent; tasks: \(outcome.newTasks) new,"
          + " \(outcome.changedTasks) changed"
          + (outcome.removed > 0 ? "; \(outcome.removed) photos removed from this device" : ""))
      return
    }
    Terminal.say(
      .object([
        "delivered": .integer(outcome.delivered), "waiting": .integer(outcome.waiting),
        "failed": .integer(outcome.failed), "bytesSent": .integer(outcome.bytesSent),
        "newTasks": .integer(outcome.newTasks), "changedTasks": .integer(outcome.changedTasks),
        "removed": .integer(outcome.removed),
      ]))
  }
}

/// Reads passwords from standard input or from a terminal that does not show them, never from the
/// command line, where every other program could read them.
enum Password {
  static func read(fromStandardInput: Bool, prompt: String = "Password: ") throws -> String {
    if fromStandardInput || isatty(STDIN_FILENO) == 0 {
      guard let line = readLine(), !line.isEmpty else {
        throw ValidationError("No password came on standard input.")
      }
      return line
    }
    guard let text = getpass(prompt) else {
      throw ValidationError("No password was given.")
    }
    return String(cString: text)
  }
}
