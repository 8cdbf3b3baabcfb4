import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Receivers
import Telling
import Upkeep

/// Writes the whole field unit into one file.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Back up the whole field unit into one file, while it runs: before a repair.",
    discussion: """
      The file holds what all inspectors have captured on this device, delivered or not, and the
      device's private keys: anyone who has it can pose as this device. Only its owner can read
      it; keep it encrypted, and on another machine. It is an ordinary tar, with a list of SHA-256
      at its end.

      Exit 1 if files that the database names are missing or damaged: the backup holds the others,
      and the missing ones are listed.

      Example: standpoint backup /media/stick/tablet-7.tar
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var data: DataOptions
  @Argument(help: "The file to write; an existing file is replaced when the new one is complete.")
  var file: String

  func run() async throws {
    let outcome = try FieldBackup.write(
      data.directory, to: file, software: "standpoint \(Program.version)", clock: MachineClock(),
      progress: ArchiveTelling.progress)
    Terminal.endProgress()
    Terminal.complain("anyone with \(file) can pose as this device: keep it in a safe place")
    try ArchiveTelling.finish(
      backup: file, files: outcome.files, bytes: outcome.bytes, differences: outcome.differences,
      isJSON: common.isJSON)
  }
}

/// Brings a field unit back from its backup.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore a field unit from a backup, into a data directory without one.",
    discussion: """
      Everything is compared with the backup's list first; a backup that was cut off or changed is
      not restored (exit 2). Then database, keys and files are compared with each other (exit 1 on
      any difference: the field unit is restored, and had the difference already when it was
      backed up).

      Do not use the device that was backed up any more: both devices would seal with one key, and
      the later records would stay doubtful. Photos captured there after the backup are not here.
      Compare with the office before you capture: standpoint reconcile.

      Example: standpoint restore tablet-7.tar
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var data: DataOptions
  @Argument(help: "The backup.") var file: String

  func run() async throws {
    let outcome = try await FieldRestore.run(
      file, into: data.directory, progress: ArchiveTelling.progress)
    Terminal.endProgress()
    for difference in outcome.differences { Terminal.complain(difference) }
    if common.isJSON {
      Terminal.say(
        .members([
          ("files", .integer(outcome.files)), ("bytes", .integer(outcome.bytes)),
          ("made", .text(outcome.made)), ("differences", .integer(outcome.differences.count)),
        ]))
    } else {
      Terminal.say(
        "\(outcome.files) files, \(outcome.bytes) bytes restored"
          + (outcome.made.map { ", as of \($0)" } ?? ""))
    }
    Terminal.complain(
      "do not use the device that was backed up any more: if two devices seal with one key, their"
        + " records stay doubtful. Now compare with the office: standpoint reconcile")
    guard outcome.differences.isEmpty else { throw ExitStatus.refused }
  }
}
