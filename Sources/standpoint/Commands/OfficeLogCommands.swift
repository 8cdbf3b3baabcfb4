import ArgumentParser
import Evidence
import Foundation
import LogPublishing
import Office
import Telling
import TimeAndText
import Transparency

extension OfficeCommand {
  struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the office's log for auditors, or prove what is in it.",
      discussion: """
        Without a further word it writes all agencies' entries, one line each, and the office's
        signature at the end. Keep several exports: each later one must begin with the earlier ones,
        line by line. A checkpoint says the same in three lines, which you can publish: whoever keeps
        one notices when the log is rewritten.

        Example: standpoint office log -o office.log; standpoint verify office.log --trust authority.pem
        """,
      subcommands: [Write.self, MakeCheckpoint.self, Prove.self, Key.self],
      defaultSubcommand: Write.self)
  }
}

extension OfficeCommand.Log {
  struct Write: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write the log, signed.")
    @OptionGroup var data: OfficeDataOptions
    @Option(name: .shortAndLong, help: "The file to write; - is standard output.") var output:
      String

    func run() async throws {
      let office = try await data.office()
      try await OutputFile.write(to: output) { sink in
        try await PublicLog(core: office.core).export { try sink(Data($0)) }
      }
    }
  }

  struct MakeCheckpoint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "checkpoint",
      abstract: "Sign how many entries the log has, and the hash of all.",
      discussion: """
        The form is C2SP's tlog-checkpoint. A running office signs one each day; anybody may fetch
        them at /checkpoints.

        Example: standpoint office log checkpoint > today.checkpoint
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions

    func run() async throws {
      let office = try await data.office()
      guard let note = try await PublicLog(core: office.core).makeCheckpoint() else {
        throw OfficeRefusal(.unknown, "the log has no entry yet: there is nothing to sign")
      }
      guard common.isJSON else {
        Terminal.say(note.note.trimmingCharacters(in: .newlines))
        return
      }
      let checkpoint = try Checkpoint(text: note.text)
      Terminal.say(
        .members([
          ("origin", .string(checkpoint.origin)), ("size", .integer(checkpoint.size)),
          ("root", .string(checkpoint.root.base64)), ("note", .string(note.note)),
        ]))
    }
  }

  struct Prove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Prove that an entry is in the log, or that a checkpoint begins with an earlier one.",
      discussion: """
        The number of an entry is that in the exported log. The tree's entry is the SHA-256 of its
        line, without the line end. The forms are C2SP's tlog-proof and tlog-witness.

        Examples: standpoint office log prove --entry 12
                  standpoint office log prove --from 100 --size 250
        """)
    @OptionGroup var data: OfficeDataOptions
    @Option(help: ArgumentHelp("Prove that this entry is in the log.", valueName: "number"))
    var entry: Int?
    @Option(
      help: ArgumentHelp("Prove that the log begins with so many entries.", valueName: "size"))
    var from: Int?
    @Option(help: "The checkpoint, by its number of entries (default: the last one).")
    var size: Int?

    func validate() throws {
      guard (entry == nil) != (from == nil) else {
        throw ValidationError("give --entry NUMBER or --from SIZE.")
      }
      guard [entry, from, size].allSatisfy({ ($0 ?? 1) >= 1 }) else {
        throw ValidationError("--entry, --from and --size are 1 or more.")
      }
    }

    func run() async throws {
      let log = PublicLog(core: try await data.office().core)
      let proof =
        if let entry {
          try await log.proof(ofEntry: entry, size: size)
        } else {
          try await log.proof(from: from ?? 1, to: size)
        }
      Terminal.say(proof.trimmingCharacters(in: .newlines))
    }
  }

  struct Key: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the key by which anybody checks the checkpoints.")
    @OptionGroup var data: OfficeDataOptions

    func run() async throws {
      Terminal.say(try PublicLog(core: try await data.office().core).key().text)
    }
  }
}
