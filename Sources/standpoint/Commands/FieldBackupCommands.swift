import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Receivers

/// Writes the whole field unit into one file.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Writes the whole field unit into one file, while it runs: before a repair.",
    discussion: """
      It holds what everybody who works on this device has captured, delivered or not, and the
      device's private keys: whoever has it can be this device. Only its owner can read it; keep
      it encrypted, and on another machine. It is an ordinary tar, with a list of SHA-256 at its
      end.

      Exit 1 where files are missing or damaged that the database names: the backup holds what
      there is, and says what there is not.

      Example: standpoint backup /media/stick/tablet-7.tar
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var data: DataOptions
  @Argument(help: "The file to write; one that is there gives way when the new one is whole.")
  var file: String

  func run() async throws {
    let outcome = try FieldBackup.write(
      data.directory, to: file, software: "standpoint \(Program.version)", clock: MachineClock(),
      progress: ArchiveTelling.progress)
    Terminal.endProgress()
    Terminal.complain("whoever has \(file) can be this device: keep it in a safe place")
    try ArchiveTelling.finish(
      backup: file, files: outcome.files, bytes: outcome.bytes, differences: outcome.differences,
      isJSON: common.isJSON)
  }
}

/// Brings a field unit back from its backup.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Brings a field unit back from a backup, into a data directory that has none.",
    discussion: """
      Everything is compared with the backup's list before anything is there; a backup that was
      cut off or changed leaves nothing behind (exit 2). Then database, keys and files are held
      against each other (exit 1 on any difference: the field unit is there, and had it already
      when it was backed up).

      The device that the backup was made of must not be used beside this one: both would seal
      under one key, and what comes second is doubtful for ever. What was captured there after
      the backup is not here. Compare with the office before you capture: standpoint reconcile.

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
      "do not use the device that this backup was made of beside this one: two that seal under one"
        + " key are doubtful for ever. Now compare with the office: standpoint reconcile")
    guard outcome.differences.isEmpty else { throw ExitStatus.refused }
  }
}
