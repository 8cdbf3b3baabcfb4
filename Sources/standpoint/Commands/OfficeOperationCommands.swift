import ArgumentParser
import Evidence
import Foundation
import Office
import Predecessor
import Receivers
import Telling
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
      abstract: "Back up the whole office into one file, while it runs.",
      discussion: """
        The file holds the office's private keys: anyone who has it can pose as this office. Only
        its owner can read it; keep it encrypted, and on another machine. It is an
        ordinary tar, with a list of SHA-256 at its end.

        Exit 1 if files that the database names are missing or damaged: the backup holds the
        others, and the missing ones are listed.

        Example: standpoint office backup /mnt/backup/office-2026-06-01.tar
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The file to write; an existing file is replaced when the new one is complete.")
    var file: String

    func run() async throws {
      let outcome = try await data.office().operation.backup(
        to: file, progress: ArchiveTelling.progress)
      try ArchiveTelling.finish(
        backup: file, files: outcome.files, bytes: outcome.bytes, differences: outcome.differences,
        isJSON: common.isJSON)
    }
  }

  struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Restore an office from a backup, into a data directory without an office.",
      discussion: """
        Everything is compared with the backup's list first; a backup that was cut off or changed
        is not restored (exit 2). Then database and files are compared with each other, as by
        office check (exit 1 on any difference: the office is restored, and had the difference
        already when it was backed up).

        The field units send again what was delivered after the backup.

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
      abstract: "Show or change the storage limit of an agency's deliveries.",
      discussion: """
        Above the limit, uploads are refused with quota-full and stay queued on their devices;
        everything else continues.

        Example: standpoint office agency quota north --bytes 500000000000
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The agency's name.") var name: String
    @Option(help: "The limit for photos, raw windows and tracks, in bytes; none for no limit.")
    var bytes: String?

    func validate() throws {
      if let bytes, bytes != "none", Int(bytes).map({ $0 < 0 }) ?? true {
        throw ValidationError("--bytes \(bytes) is neither a number of bytes nor none.")
      }
    }

    func run() async throws {
      let office = try await data.office()
      if let bytes {
        try await office.room.setQuota(bytes: Int(bytes), of: name, by: OfficeCommand.terminal)
      }
      let storage = try await office.room.storage(of: name)
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
