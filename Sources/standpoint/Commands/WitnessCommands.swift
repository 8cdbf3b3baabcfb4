import ArgumentParser
import Evidence
import LogPublishing
import Office
import Telling
import TimeAndText
import Transparency

extension OfficeCommand {
  struct WitnessGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "witness",
      abstract: "Witness other offices' logs, and have this one's witnessed.",
      discussion: """
        A witness signs a checkpoint of a log only if the log begins with the one that it signed
        before. Two offices that witness each other keep each other from rewriting a log unnoticed
        (C2SP tlog-witness). Without a further word it lists whom this office asks, and whose logs it
        watches.

        Each office gives the other one its address and two keys:
                  standpoint office log key       and    standpoint office witness key
        Then each does:
                  standpoint office witness use https://other.example.org KEY-OF-THE-WITNESS
                  standpoint office witness watch KEY-OF-THE-LOG
        """,
      subcommands: [
        ListAll.self, Key.self, Use.self, Stop.self, Watch.self, Unwatch.self, Now.self,
      ],
      defaultSubcommand: ListAll.self)
  }
}

extension OfficeCommand.WitnessGroup {
  struct ListAll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "Show whom the office asks, and whose logs it watches (the default).")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions

    func run() async throws {
      let core = try await data.office().core
      let (asked, watched) = (
        try LogWitnesses(core: core).all(), try LogWitness(core: core).logs()
      )
      if common.isJSON { return Terminal.say(Self.answer(asked, watched)) }
      if asked.isEmpty {
        Terminal.say(
          "no witness signs this office's log: standpoint office witness use URL KEY names one")
      }
      for witness in asked {
        OutsideTelling(verb: "signed").list("asks " + witness.url, witness.state)
      }
      if watched.isEmpty {
        Terminal.say("this office watches no log: standpoint office witness watch KEY names one")
      }
      for log in watched {
        let last = log.signed.map { "the first \(log.size ?? 0) entries, signed at \($0)" }
        Terminal.say("watches \(log.key)  \(last ?? "nothing signed yet")")
      }
    }

    private static func answer(_ asked: [UsedWitness], _ watched: [WatchedLog]) -> JSONValue {
      .members([
        (
          "asks",
          .array(
            asked.map { witness in
              .object(
                known: [("url", .string(witness.url)), ("key", .string(witness.key))]
                  + OutsideTelling(verb: "signed").members(witness.state))
            })
        ),
        (
          "watches",
          .array(
            watched.map { log in
              .object(known: [
                ("key", .string(log.key)), ("size", log.size.map { .integer($0) }),
                ("signed", log.signed.map { .string($0) }),
              ])
            })
        ),
      ])
    }
  }

  struct Key: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the key by which anybody checks what this office has witnessed.")
    @OptionGroup var data: OfficeDataOptions

    func run() async throws {
      Terminal.say(try LogWitness(core: try await data.office().core).key().text)
    }
  }

  struct Use: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Have this witness sign the checkpoints of the log from now on.",
      discussion: """
        Its owner must watch this log: give them the key of standpoint office log key.

        Example: standpoint office witness use https://other.example.org NAME+ID+KEY
        """)
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The beginning of its addresses: /add-checkpoint is added.") var url: String
    @Argument(help: "Its key, as NAME+ID+KEY.") var key: String

    func run() async throws {
      let core = try await data.office().core
      try LogWitnesses(core: core).use(url, key: key)
      try await Now.ask(core)
    }
  }

  struct Stop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop", abstract: "Ask this witness no more. Its signatures stay.")
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The beginning of its addresses.") var url: String

    func run() async throws {
      try LogWitnesses(core: try await data.office().core).remove(url)
      Terminal.say("\(url) is asked no more; its signatures stay")
    }
  }

  struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Witness this log: sign each checkpoint that follows the one before.",
      discussion: "Example: standpoint office witness watch NAME+ID+KEY")
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The log's key, as its office shows it with standpoint office log key.")
    var key: String

    func run() async throws {
      let witness = LogWitness(core: try await data.office().core)
      try witness.watch(key)
      Terminal.say("watching; its office needs the key of this witness:")
      Terminal.say(try witness.key().text)
    }
  }

  struct Unwatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Witness this log no more, and forget what was signed.",
      discussion: """
        If you watch it again later, any past of it counts as the first: do that only for a log whose
        office has told you why it begins anew.
        """)
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The log's name or key.") var log: String

    func run() async throws {
      try LogWitness(core: try await data.office().core).stopWatching(log)
      Terminal.say("\(log) is watched no more")
    }
  }

  struct Now: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Have the last checkpoint signed at once.",
      discussion: "Exit 1 if a witness does not sign it.")
    @OptionGroup var data: OfficeDataOptions

    func run() async throws {
      let core = try await data.office().core
      guard try !LogWitnesses(core: core).all().isEmpty else {
        throw OfficeRefusal(
          .unknown,
          "the office asks no witness: standpoint office witness use URL KEY names one")
      }
      try await Self.ask(core)
    }

    /// Signs a checkpoint, asks the witnesses, and tells how it went.
    static func ask(_ core: OfficeCore) async throws {
      try await PublicLog(core: core).makeCheckpoint()
      let witnesses = LogWitnesses(core: core)
      try await witnesses.askDue()
      try OutsideTelling(verb: "signed").outcome(
        try witnesses.all().map { ($0.url, $0.state) })
    }
  }
}
