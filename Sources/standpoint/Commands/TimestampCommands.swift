import ArgumentParser
import Evidence
import Foundation
import LogPublishing
import Office
import Telling
import TimeAndText

extension OfficeCommand {
  struct TimestampGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "timestamp", abstract: "Have the office's log stamped by a time authority.",
      discussion: """
        A time authority (RFC 3161) signs each checkpoint of the log together with its time. After
        that nobody, the office included, can make that part of the log later than it was. The
        authority learns a SHA-256, and nothing else. Deliveries never wait for it.

        Without a further word it lists the authorities, and how it went.

        Example: standpoint office timestamp use https://tsa.example.org --root tsa-root.pem
        """,
      subcommands: [ListAuthorities.self, Use.self, Stop.self, Now.self],
      defaultSubcommand: ListAuthorities.self)
  }
}

extension OfficeCommand.TimestampGroup {
  struct ListAuthorities: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Show whom the office asks, and how it went (the default).")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions

    func run() async throws {
      let all = try LogStamping(core: try await data.office().core).authorities()
      if common.isJSON {
        return Terminal.say(
          .array(
            all.map { authority, state in
              .object(
                known: [
                  ("url", .string(authority.url)), ("since", .string(authority.since)),
                  ("rootsNamed", .bool(authority.roots != nil)),
                ] + OutsideTelling(verb: "stamped").members(state))
            }))
      }
      if all.isEmpty {
        Terminal.say(
          "no time authority stamps this office's log: standpoint office timestamp use URL names one"
        )
      }
      for (authority, state) in all {
        OutsideTelling(verb: "stamped").list(authority.url, state)
        if authority.roots == nil {
          Terminal.say("  no certificate vouches for it: name one with use URL --root FILE")
        }
      }
    }
  }

  struct Use: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ask this authority from now on; it is tried at once.",
      discussion: """
        The running office asks it for each checkpoint, and again every ten minutes until it
        answers. --root names the certificates that must vouch for it; give them to those who
        verify bundles, too, for verify --trust-time.

        Example: standpoint office timestamp use https://tsa.example.org --root tsa-root.pem
        """)
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "Its address (http or https).") var url: String
    @Option(
      help: ArgumentHelp(
        "The certificates (PEM) that must vouch for it.", valueName: "file"))
    var root: String?

    func run() async throws {
      let roots = try root.map { try TimeTrust.text(ofFile: $0, option: "--root") }
      let taken = try await LogStamping(core: try await data.office().core)
        .use(url, roots: roots)
      TimeTrust.tell(taken)
    }
  }

  struct Stop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop", abstract: "Ask this authority no more. Its stamps stay.")
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "Its address.") var url: String

    func run() async throws {
      try LogStamping(core: try await data.office().core).remove(url)
      Terminal.say("\(url) is asked no more; its stamps stay")
    }
  }

  struct Now: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sign a checkpoint, and have it stamped at once.",
      discussion: """
        Exit 1 if an authority does not stamp it.

        Example: standpoint office timestamp now
        """)
    @OptionGroup var data: OfficeDataOptions

    func run() async throws {
      let office = try await data.office()
      let stamping = LogStamping(core: office.core)
      guard try !stamping.authorities().isEmpty else {
        throw OfficeRefusal(
          .unknown,
          "the office asks no time authority: standpoint office timestamp use URL names one")
      }
      guard try await PublicLog(core: office.core).makeCheckpoint() != nil else {
        throw OfficeRefusal(.unknown, "the log has no entry yet: there is nothing to stamp")
      }
      try await stamping.stampDue()
      try OutsideTelling(verb: "stamped").outcome(
        try stamping.authorities().map { ($0.authority.url, $0.state) })
    }
  }
}

/// The certificates of time authorities on the command line.
enum TimeTrust {
  /// Reads a file of certificates.
  static func text(ofFile path: String, option: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path),
      let text = String(validating: data, as: UTF8.self)
    else {
      Terminal.complain("standpoint: \(option): \(path) cannot be read, or is not text")
      throw ExitStatus.badInput
    }
    return text
  }

  /// Tells of a stamp that was just taken.
  static func tell(_ taken: LogStamping.Taken) {
    let what = taken.size.map { "stamped the first \($0) entries" } ?? "answers"
    Terminal.say("\(taken.authority) \(what) at \(taken.time.rfc3339)")
    for gap in taken.gaps { Terminal.say("note: \(gap)") }
  }
}
