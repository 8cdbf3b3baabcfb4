import ArgumentParser
import Attesting
import Enrolment
import Evidence
import FieldPages
import FieldUnit
import Foundation
import Inspection
import KeyRenewal
import LogPublishing
import Matching
import Office
import OfficePages
import Orbits
import Predecessor
import Receivers
import Sync
import Telling
import TimeAndText
import Web

/// Runs the office, and looks after its people and tasks.
struct OfficeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "office", abstract: "Run the office, and look after its people and tasks.",
    discussion: """
      First start: standpoint office
      An empty office prints an address and a code, and is set up in the browser.
      """,
    subcommands: [
      Serve.self, AgencyGroup.self, UserGroup.self, TaskGroup.self, TemplateGroup.self,
      ParcelGroup.self, MapGroup.self,
      Check.self,
      Log.self, OfficeKeysCommand.self, TimestampGroup.self, WitnessGroup.self,
      Backup.self, Restore.self, PhotoCopyGroup.self, Seed.self, ImportEGNSS4CAP.self,
    ],
    defaultSubcommand: Serve.self)

  /// The name that the log gives for actions at a terminal of the office's machine.
  static let terminal = "terminal"

  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve", abstract: "Run the office (the default).")
    @OptionGroup var data: OfficeDataOptions
    @OptionGroup var serving: ServingOptions
    @OptionGroup var logging: LogOptions
    @Option(help: "The address and port for pages and field units.") var listen = "127.0.0.1:8480"
    @Option(
      help: ArgumentHelp(
        "New uploads and deliveries are refused if fewer MiB are free on the data's disk.",
        valueName: "MiB"))
    var diskReserve = 1024
    @Option(
      help: ArgumentHelp(
        "The address of orbits with which receivers' skies are compared, fetched once a day"
          + " (STANDPOINT_ORBITS).",
        valueName: "url"))
    var orbits: String?
    @Flag(help: "Also serve the EGNSS4CAP and EGNSS4ALL apps (see office agency phones).")
    var egnss4cap = false

    func validate() throws {
      guard (0...(1 << 40)).contains(diskReserve) else {
        throw ValidationError("--disk-reserve \(diskReserve) is not a number of MiB.")
      }
    }

    func run() async throws {
      ProcessMemory.beginSparingly()
      let log = logging.log
      let reserveBytes = diskReserve << 20
      let orbits = try OrbitsAddress.given(orbits)
      let office = try await data.office(servesPhones: egnss4cap) { configuration in
        configuration.log = log
        configuration.diskReserveBytes = reserveBytes
      }
      do {
        try await office.settleKeys()
      } catch {
        // An office whose disk is full must start all the same.
        log("keys: what an earlier renewal has left is not finished: \(error)")
      }
      let web = try self.web(of: office)
      let firstRun = FirstRun(of: office)
      let matcher = PictureMatcher.ofThisProgram()
      let server = WebServer(
        configuration: web,
        routes: office.routes(
          firstRun: firstRun, tlsFingerprint: try serving.certificateFingerprint(),
          matcher: matcher),
        problemPage: office.problemPage, log: log, onRequest: onRequest(of: office))
      let serving = serving
      let begins = try await Beginning(of: office, firstRun)
      try await Serving.untilInterrupted { group in
        group.addTask { try await office.operation.keepHouse() }
        group.addTask {
          await DeviceAttestations(core: office.core).settle()
          try await PublicLog(core: office.core).keepSigning()
        }
        group.addTask { try await office.core.orbitShelf(from: orbits).fetchForever() }
        group.addTask { try await LogStamping(core: office.core).keepStamping() }
        group.addTask { try await LogWitnesses(core: office.core).keepAsking() }
        group.addTask { try await office.examiner.keepExamining() }
        group.addTask {
          try await RepeatComparing(office: office, matcher: matcher).keepComparing()
        }
        group.addTask {
          try await server.run { port in
            Terminal.say("office at \(serving.url(web, port: port))")
            Terminal.say("fingerprint \(office.fingerprint)")
            if let words = begins?.words(at: serving.url(web, port: port)) {
              Terminal.complain(words)
            }
          }
        }
      }
      await matcher.end()
    }

    private func web(of office: OfficeServer) throws -> WebConfiguration {
      var web = try serving.configuration(
        listen: listen, secret: office.core.formSecret, serverName: "standpoint office")
      // Hundreds of phones may send at once, each photo piece by piece: a request that waits for
      // bytes costs little.
      if egnss4cap {
        web.requestsAtMost = 700
        web.receiveBufferBytes = 256 << 10
      }
      return web
    }

    private func onRequest(of office: OfficeServer) -> @Sendable (RequestRecord) -> Void {
      let format = logging.logRequests ? logging.logFormat : nil
      return { record in
        office.core.counters.requests.note(record)
        if let format { Terminal.complain(format.line(of: record)) }
      }
    }
  }

  struct AgencyGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "agency", abstract: "Agencies.",
      subcommands: [
        Add.self, List.self, Title.self, Policy.self, Cells.self, Quota.self, Phones.self,
      ])

    struct Add: AsyncParsableCommand {
      static let configuration = CommandConfiguration(abstract: "Add an agency.")
      @OptionGroup var data: OfficeDataOptions
      @Argument(help: "Its name: letters, digits, dots, hyphens. It cannot be changed later.")
      var name: String
      @Option(help: "Its title on screen.") var title: String?

      func run() async throws {
        let agency = try await data.office().people.addAgency(
          name, title: title, by: OfficeCommand.terminal)
        Terminal.say("added agency \(agency.name)")
      }
    }

    struct Title: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Change an agency's title on screen.",
        discussion: "Example: standpoint office agency title north 'Agency of the North'")
      @OptionGroup var data: OfficeDataOptions
      @Argument(help: "The agency's name.") var name: String
      @Argument(help: "The new title.") var title: String

      func run() async throws {
        try await data.office().people.setTitle(title, ofAgency: name, by: OfficeCommand.terminal)
        Terminal.say("agency \(name) is called \(title)")
      }
    }

    struct List: AsyncParsableCommand {
      static let configuration = CommandConfiguration(abstract: "List all agencies.")
      @OptionGroup var common: CommonOptions
      @OptionGroup var data: OfficeDataOptions

      func run() async throws {
        for agency in try await data.office().people.agencies() {
          if common.isJSON {
            Terminal.say(.object(["name": .string(agency.name), "title": .string(agency.title)]))
          } else {
            Terminal.say("\(agency.name)  \(agency.title)")
          }
        }
      }
    }
  }

  struct UserGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "user", abstract: "People.",
      subcommands: [
        Add.self, Import.self, Invite.self, List.self, Disable.self, Enable.self, SetPassword.self,
      ])

    struct Add: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Add a person.",
        discussion: """
          The password is asked for, or read from standard input.
          Example: standpoint office user add ines --role inspector --agency north --name "Ines Novak"
          """)
      @OptionGroup var data: OfficeDataOptions
      @Argument(help: "The login.") var login: String
      @Option(help: "inspector, officer, administrator or super-administrator.") var role: String
      @Option(help: "The agency; none for a super-administrator.") var agency: String?
      @Option(help: "The full name.") var name: String?
      @Flag(help: "Read the password from standard input instead of asking for it.")
      var passwordStdin = false

      func run() async throws {
        guard let role = Role(rawValue: role) else {
          throw ValidationError(
            "--role \(self.role) is unknown; choose one of \(Role.allCases.map(\.rawValue).joined(separator: ", "))."
          )
        }
        try await data.office().people.addAccount(
          Account(login: login, agency: agency, role: role, name: name),
          password: try Password.read(fromStandardInput: passwordStdin), by: OfficeCommand.terminal)
        Terminal.say("added \(role.rawValue) \(login)")
      }
    }

    struct List: AsyncParsableCommand {
      static let configuration = CommandConfiguration(abstract: "List all people.")
      @OptionGroup var common: CommonOptions
      @OptionGroup var data: OfficeDataOptions
      @Option(help: "Only people of this agency.") var agency: String?

      func run() async throws {
        let office = try await data.office()
        if let agency { try await office.people.requireAgency(agency) }
        for account in try await office.people.accounts(ofAgency: agency) {
          if common.isJSON {
            Terminal.say(
              .members([
                ("login", .string(account.login)), ("agency", .text(account.agency)),
                ("role", .string(account.role.rawValue)), ("name", .text(account.name)),
                ("disabled", .text(account.disabled?.rfc3339)),
              ]))
          } else {
            Terminal.say(
              "\(account.login)  \(account.role.rawValue)  \(account.agency ?? "-")"
                + "  \(account.name ?? "")" + (account.disabled == nil ? "" : "  DISABLED"))
          }
        }
      }
    }

    struct Disable: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Stop a person from signing in; all their sessions end.")
      @OptionGroup var data: OfficeDataOptions
      @Argument(help: "The login or the full name, or the beginning of either.") var login: String

      func run() async throws {
        let office = try await data.office()
        let login = try await Meant.login(self.login, at: office)
        try await office.people.setDisabled(true, login: login, by: OfficeCommand.terminal)
        Terminal.say("disabled \(login)")
      }
    }

    struct Enable: AsyncParsableCommand {
      static let configuration = CommandConfiguration(abstract: "Let a person sign in again.")
      @OptionGroup var data: OfficeDataOptions
      @Argument(help: "The login or the full name, or the beginning of either.") var login: String

      func run() async throws {
        let office = try await data.office()
        let login = try await Meant.login(self.login, at: office)
        try await office.people.setDisabled(false, login: login, by: OfficeCommand.terminal)
        Terminal.say("enabled \(login)")
      }
    }

    struct SetPassword: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Set a person's password; all their sessions end.")
      @OptionGroup var data: OfficeDataOptions
      @Argument(help: "The login or the full name, or the beginning of either.") var login: String
      @Flag(help: "Read the password from standard input instead of asking for it.")
      var passwordStdin = false

      func run() async throws {
        let office = try await data.office()
        let login = try await Meant.login(self.login, at: office)
        try await office.people.setPassword(
          try Password.read(
            fromStandardInput: passwordStdin, prompt: "New password of \(login): "),
          of: login, by: OfficeCommand.terminal)
        Terminal.say("password of \(login) set")
      }
    }
  }

  struct TaskGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "task", abstract: "Tasks.", subcommands: [Import.self, List.self])

    struct List: AsyncParsableCommand {
      static let configuration = CommandConfiguration(abstract: "List an agency's tasks.")
      @OptionGroup var common: CommonOptions
      @OptionGroup var data: OfficeDataOptions
      @Option(help: "The agency.") var agency: String

      func run() async throws {
        let office = try await data.office()
        try await office.people.requireAgency(agency)
        for task in try await office.review.tasks(in: agency) {
          let photos = try await office.review.view(of: task.id, in: agency).photos.count
          let now = office.clock.deviceTime
          if common.isJSON {
            Terminal.say(.members(TaskLine.members(task, photos: photos, at: now)))
          } else {
            Terminal.say(TaskLine.text(task, photos: photos, at: now))
          }
        }
      }
    }
  }

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Compare the database with the photo store.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions

    func run() async throws {
      let differences = try await data.office().operation.differences()
      for difference in differences {
        if common.isJSON {
          Terminal.say(
            .object([
              "subject": .string(difference.subject), "message": .string(difference.message),
            ]))
        } else {
          Terminal.say("\(difference.subject): \(difference.message)")
        }
      }
      guard differences.isEmpty else {
        Terminal.complain("\(differences.count) differences")
        throw ExitStatus.refused
      }
      Terminal.complain("database and photo store agree")
    }
  }
}

/// The office's data directory, for commands that have an `--agency` of their own.
struct OfficeDataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The data directory (default: ~/.local/share/standpoint; STANDPOINT_DATA).",
      valueName: "dir"))
  var data: String?

  var configuration: OfficeConfiguration { Self.configuration(DataOptions.directory(data)) }

  private static func configuration(_ directory: URL) -> OfficeConfiguration {
    OfficeConfiguration(dataDirectory: directory, software: "standpoint \(Program.version)")
  }

  /// Returns the office of a data directory, with the services that this program adds to it.
  static func office(inDirectory directory: URL) async throws -> OfficeServer {
    try await office(configuration(directory), MachineClock(), servesPhones: false).0
  }

  /// Returns the office together with the predecessor's service, which answers no phone here.
  func officeAndPhones() async throws -> (OfficeServer, PredecessorService) {
    try await Self.office(configuration, MachineClock(), servesPhones: false)
  }

  func office(
    clock: any Timepiece = MachineClock(), servesPhones: Bool = false,
    _ configure: (inout OfficeConfiguration) -> Void = { _ in }
  ) async throws -> OfficeServer {
    var configuration = configuration
    configure(&configuration)
    return try await Self.office(configuration, clock, servesPhones: servesPhones).0
  }

  private static func office(
    _ configuration: OfficeConfiguration, _ clock: any Timepiece, servesPhones: Bool
  ) async throws -> (OfficeServer, PredecessorService) {
    let phones = PredecessorService(for: configuration, clock: clock, isServed: servesPhones)
    let office = try await OfficeServer.make(
      configuration: configuration, clock: clock, services: [phones])
    return (office, phones)
  }
}
