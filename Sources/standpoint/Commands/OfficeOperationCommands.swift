import ArgumentParser
import Evidence
import Foundation
import Office
import Predecessor
import Receivers
import Web

/// The options for the log that the office writes on standard error.
struct LogOptions: ParsableArguments {
  @Option(help: "How the log is written: text for people, json for programs.")
  var logFormat = LogFormat.text
  @Flag(help: "One line of the log for each request, without queries, cookies, tokens or bodies.")
  var logRequests = false

  /// The function that writes one line about anything but a request.
  var log: @Sendable (String) -> Void {
    let format = logFormat
    return { Terminal.complain(format.line(of: $0, at: Date())) }
  }
}

extension LogFormat: ExpressibleByArgument {}

extension OfficeCommand {
  struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Writes the whole office into one file, while it runs.",
      discussion: """
        The file holds the office's private keys: whoever has it can be this office.
        Only its owner can read it; keep it encrypted, and on another machine. It is an
        ordinary tar, with a list of SHA-256 at its end.

        Exit 1 where files are missing or damaged that the database names: the backup
        holds what there is, and says what there is not.

        Example: standpoint office backup /mnt/backup/office-2026-06-01.tar
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The file to write; one that is there gives way when the new one is whole.")
    var file: String

    func run() async throws {
      let outcome = try await data.office().backup(to: file, progress: ArchiveTelling.progress)
      try ArchiveTelling.finish(
        backup: file, files: outcome.files, bytes: outcome.bytes, differences: outcome.differences,
        isJSON: common.isJSON)
    }
  }

  struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Brings an office back from a backup, into a data directory that has none.",
      discussion: """
        Everything is compared with the backup's list before anything is there; a backup
        that was cut off or changed leaves nothing behind (exit 2). Then database and
        files are held against each other, as office check does it (exit 1 on any
        difference: the office is there, and had it already when it was backed up).

        What came in since the backup is sent again by the field units.

        Example: standpoint office restore office-2026-06-01.tar --data /var/lib/standpoint
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The backup.") var file: String

    func run() async throws {
      let outcome = try await OfficeRestore.run(
        file, configuration: data.configuration, clock: MachineClock(),
        services: [PredecessorService(for: data.configuration, clock: MachineClock())],
        progress: ArchiveTelling.progress)
      Terminal.endProgress()
      for difference in outcome.differences {
        Terminal.complain("\(difference.subject): \(difference.message)")
      }
      if common.isJSON {
        Terminal.say(
          .members([
            ("files", .integer(outcome.files)), ("bytes", .integer(outcome.bytes)),
            ("fingerprint", .string(outcome.fingerprint)),
            ("differences", .integer(outcome.differences.count)),
          ]))
      } else {
        Terminal.say("\(outcome.files) files, \(outcome.bytes) bytes restored")
        Terminal.say("fingerprint \(outcome.fingerprint)")
      }
      guard outcome.differences.isEmpty else { throw ExitStatus.refused }
    }
  }
}

extension OfficeCommand.AgencyGroup {
  /// Shows or changes how many bytes an agency's deliveries may take.
  struct Quota: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Shows or changes how many bytes an agency's deliveries may take.",
      discussion: """
        Above it uploads are refused with quota-full, and stay queued on their devices;
        all else goes on.

        Example: standpoint office agency quota north --bytes 500000000000
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The agency's name.") var name: String
    @Option(help: "How many bytes of photos, raw windows and tracks; none for any number.")
    var bytes: String?

    func validate() throws {
      if let bytes, bytes != "none", Int(bytes).map({ $0 < 0 }) ?? true {
        throw ValidationError("--bytes \(bytes) is neither a number of bytes nor none.")
      }
    }

    func run() async throws {
      let office = try await data.office()
      if let bytes {
        try await office.setQuota(bytes: Int(bytes), of: name, by: OfficeCommand.terminal)
      }
      let storage = try await office.storage(of: name)
      if common.isJSON {
        Terminal.say(
          .members([
            ("agency", .string(name)), ("storedBytes", .integer(storage.storedBytes)),
            ("quotaBytes", storage.quotaBytes.map { .integer($0) }),
          ]))
      } else {
        Terminal.say(
          "\(name): \(storage.storedBytes) bytes delivered, quota "
            + (storage.quotaBytes.map { "\($0) bytes" } ?? "none"))
      }
    }
  }
}
