import Evidence
import Foundation
import Inspection
import Matching
import Office
import OfficePages
import Sync
import TimeAndText
import Web

/// The demonstration's office: its people, and a program that can be stopped and started again.
package final class DemoOffice {
  /// The agency of everyone in the demonstration.
  package static let agency = "demonstration"

  /// A person of the demonstration.
  package struct Account: Sendable {
    /// The name with which the person signs in.
    package var login: String
    /// The person's role.
    package var role: Role
    var name: String
    /// The password, new in each demonstration.
    package var password: String
  }

  /// The office.
  package let server: OfficeServer
  /// The people.
  package let accounts: [Account]
  /// Compares photos for the office's pages.
  package let matcher = PictureMatcher.ofThisProgram()
  private(set) var port = 0
  private var running: Task<Void, any Error>?
  private let complain: @Sendable (String) -> Void

  /// Creates the office and its people.
  /// - Parameters:
  ///   - software: the name and version of the program.
  ///   - services: returns the services that are added to the office's own.
  ///   - complain: shows a line to whoever watches the demonstration.
  package init(
    dataDirectory: URL, software: String, clock: any Timepiece,
    services: (OfficeConfiguration) -> [any AddedService],
    complain: @escaping @Sendable (String) -> Void
  ) async throws {
    var configuration = OfficeConfiguration(dataDirectory: dataDirectory, software: software)
    configuration.isDemonstration = true
    configuration.authorityName = "Standpoint demonstration"
    self.complain = complain
    server = try await OfficeServer.make(
      configuration: configuration, clock: clock, services: services(configuration))
    // The passwords are random: no stranger shall get in while it runs, demonstration or not.
    func password() -> String { String(Token.make().prefix(16)) }
    accounts = [
      Account(login: "ines", role: .inspector, name: "Ines Nováková", password: password()),
      Account(login: "otto", role: .officer, name: "Otto Weiß", password: password()),
      Account(login: "anna", role: .administrator, name: "Anna Παππά", password: password()),
    ]
    try await server.people.addAgency(Self.agency, title: "Demonstration agency", by: "demo")
    for account in accounts {
      try await server.people.addAccount(
        Inspection.Account(
          login: account.login, agency: Self.agency, role: account.role, name: account.name),
        password: account.password, by: "demo")
    }
  }

  /// The address at which the program answers.
  package var address: String { "http://127.0.0.1:\(port)" }

  /// Returns the person of a role.
  package func account(_ role: Role) throws -> Account {
    guard let account = accounts.first(where: { $0.role == role }) else {
      throw DemoError.stepFailed("nobody is \(role.rawValue)")
    }
    return account
  }

  var officer: Person { Person(agency: Self.agency, login: "otto", role: .officer) }

  /// Starts the program; every later time at the same port.
  package func start() async throws {
    let web = WebServer(
      configuration: WebConfiguration(
        port: port, secret: server.core.formSecret, serverName: "standpoint office"),
      routes: server.routes(matcher: matcher), problemPage: server.problemPage,
      log: complain)
    let (ports, feed) = AsyncThrowingStream.makeStream(of: Int.self)
    let (server, matcher) = (server, matcher)
    running = Task {
      do {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await server.examiner.keepExamining() }
          group.addTask {
            try await RepeatComparing(office: server, matcher: matcher).keepComparing()
          }
          defer { group.cancelAll() }
          try await web.run { feed.yield($0) }
        }
        feed.finish()
      } catch {
        feed.finish(throwing: error)
      }
    }
    for try await bound in ports {
      port = bound
      return
    }
    throw DemoError.stepFailed("the office did not start")
  }

  /// Stops the program, as a power cut or a network failure would, but politely.
  package func stop() async {
    running?.cancel()
    _ = await running?.result
    running = nil
  }
}
