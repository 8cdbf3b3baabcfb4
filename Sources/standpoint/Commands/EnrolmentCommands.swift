import ArgumentParser
import Enrolment
import Evidence
import Exports
import Foundation
import Imports
import Inspection
import Office
import Sync
import Telling
import TimeAndText

extension OfficeCommand.UserGroup {
  /// Adds people from a file.
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add people from a CSV file, all or none.",
      discussion: """
        The first line names the columns: login,name,role,password. Only login is required; the
        role is inspector unless given; inspectors need no password (see office user invite).
        Example: standpoint office user import people.csv --agency north
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The file: CSV in UTF-8.") var file: String
    @Option(help: "The agency.") var agency: String
    @Flag(help: "Only check the file; add nobody.") var dryRun = false

    func run() async throws {
      guard let bytes = FileManager.default.contents(atPath: file) else {
        throw ExitStatus.explained(.badInput, "\(file) cannot be read")
      }
      let report = try await PeopleImport(of: try await data.office()).take(
        Array(bytes), in: agency, by: OfficeCommand.terminal, isCarriedOut: !dryRun)
      for fault in report.faults {
        Terminal.complain(
          fault.line.map { "\(file):\($0): \(fault.words)" } ?? "\(file): \(fault.words)")
      }
      guard report.faults.isEmpty else {
        Terminal.complain("nobody was added")
        throw ExitStatus.badInput
      }
      if common.isJSON {
        Terminal.say(
          .members([
            ("agency", .string(agency)), ("new", .integer(report.new.count)),
            ("unchanged", .integer(report.unchanged)), ("taken", .bool(report.isTaken)),
          ]))
      } else {
        for row in report.new {
          Terminal.say("\(dryRun ? "would add" : "added") \(row.role.rawValue) \(row.login)")
        }
        Terminal.complain("\(report.new.count) new, \(report.unchanged) unchanged")
      }
    }
  }

  /// Invites an inspector to sign a device in.
  struct Invite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a one-time code with which an inspector signs a device in.",
      discussion: """
        With --office the QR code is drawn, too. The code works once, for 24 hours; a new one ends
        the earlier one.
        Example: standpoint office user invite ines --office https://office.example
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The inspector's login.") var login: String
    @Option(help: "The office's address, as the device reaches it.") var office: String?
    @Option(
      help: ArgumentHelp(
        "The office's own TLS certificate (PEM), if devices do not trust it.", valueName: "file"))
    var tlsCert: String?

    func validate() throws {
      if let office, !InvitationTicket.isAddress(office) {
        throw ValidationError("--office \(office) is no address such as https://office.example.")
      }
    }

    func run() async throws {
      let server = try await data.office()
      let tls = try ServingOptions.fingerprint(ofCertificate: tlsCert)
      let (code, expires) = try await Invitations(of: server).invite(
        login, by: OfficeCommand.terminal)
      let ticket = office.map {
        InvitationTicket(
          office: $0, code: code, fingerprint: server.fingerprint, tlsFingerprint: tls)
      }
      if common.isJSON {
        Terminal.say(
          .members([
            ("login", .string(login)), ("code", .string(code.grouped)),
            ("expires", .string(expires.rfc3339)), ("ticket", .text(ticket?.text)),
          ]))
        return
      }
      Terminal.say("\(code.grouped)  \(login), until \(expires.rfc3339)")
      if let ticket { Terminal.say(TerminalCode.drawing(ticket.text)) }
    }
  }
}

/// QR codes on a terminal.
enum TerminalCode {
  /// Returns a QR code as text, two modules in each character, dark on light in any terminal.
  static func drawing(_ text: String) -> String {
    guard let code = QRCode(text) else { return text }
    let margin = QRCode.quietModules
    let range = -margin..<(code.side + margin)
    var lines: [String] = []
    for y in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
      let cells = range.map { x in
        switch (code.isDark(x: x, y: y), code.isDark(x: x, y: y + 1)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      // Black on white, whatever the terminal's own colours are.
      lines.append("\u{1B}[30;107m" + cells.joined() + "\u{1B}[0m")
    }
    return lines.joined(separator: "\n")
  }
}
