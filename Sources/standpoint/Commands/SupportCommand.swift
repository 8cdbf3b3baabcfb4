import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Inspection
import Receivers
import Telling
import TimeAndText
import Upkeep

/// Writes a support bundle for the person who is asked for help.
struct SupportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "support",
    abstract: "Write this field unit's log and settings into a ZIP for support.",
    discussion: """
      Without keys, passwords, tokens, photos, positions or names; README.txt in it lists its files.
      The running field unit knows more about its receiver: its page About makes the same file.

      Example: standpoint support -o support.zip
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var data: DataOptions
  @Option(name: .shortAndLong, help: "The ZIP to write.") var output: String

  func run() async throws {
    guard FileManager.default.fileExists(atPath: data.directory.path) else {
      throw ValidationError(
        "\(data.directory.path) is not there: give the data directory with --data.")
    }
    // The sign-in is not read, so that this works even if the database is the trouble.
    let configuration = FieldUnitConfiguration(
      dataDirectory: data.directory,
      person: Person(agency: "local", login: "inspector", role: .inspector),
      software: "standpoint \(Program.version)")
    let bundle = SupportBundle(
      configuration: configuration, clock: MachineClock(),
      office: Fallback.value("office"), camera: nil,
      receiver: ["not asked: see the page About of the running field unit"], delivery: nil)
    do {
      try bundle.write(to: output)
    } catch EvidenceError.unwritable(_, let reason) {
      throw FieldUnitError.unwritable(path: output, reason: reason)
    }
    if common.isJSON {
      Terminal.say(
        .members([
          ("file", .string(output)), ("parts", .array(bundle.parts.map { .string($0.path) })),
        ]))
    } else {
      Terminal.say("\(output): \(bundle.parts.map(\.path).joined(separator: ", "))")
    }
  }
}
