import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Inspection
import Positioning
import Receivers
import Store

/// Compares what both sides hold.
struct ReconcileCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reconcile",
    abstract: "Compares what this device has delivered with what the office holds.",
    discussion: """
      By itself once a day, with a delivery. What the office does not hold any
      more, because a disk has died or it was restored from an older backup,
      waits again and is sent with the next delivery. Exit status 0 when the
      office holds all of it, 1 when it does not, 3 when it could not be reached.

      Example: standpoint reconcile
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var data: DataOptions

  func run() async throws {
    let unit = try data.unit()
    let desk = try data.desk(clock: MachineClock())
    guard let signIn = try desk.signedIn() else { throw DeliveryError.notSignedIn }
    let link = try desk.link(to: signIn.office)
    let result: Reconciliation
    do {
      result = try await unit.reconcile(over: link) { Terminal.progress("\($0)") }
      Terminal.endProgress()
      await link.close()
    } catch {
      Terminal.endProgress()
      await link.close()
      throw error
    }
    if common.isJSON {
      Terminal.say(
        .object([
          "checked": .integer(result.checked), "held": .integer(result.held),
          "sentAgain": .integer(result.sentAgain),
          "lost": .array(result.lost.map { .string($0.description) }),
          "different": .array(result.different.map { .string($0.description) }),
          "deviceIsOlder": .bool(result.isDeviceOlder),
        ]))
    } else {
      Terminal.say(result.summary)
    }
    guard result.held == result.checked, !result.isDeviceOlder else { throw ExitStatus.refused }
  }
}

/// What an inspector sets for this device.
struct SettingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "What you have set on this field unit.",
    discussion: """
      removeDeliveredAfterDays: after how many days delivered photos leave this
      device, 0 to 3650, or never (the default). They leave only when their task
      is decided, and when the office has read them again and found them whole.
      Your agency may want it sooner.

      Example: standpoint settings set removeDeliveredAfterDays 30
      """,
    subcommands: [List.self, Get.self, Set.self, Reset.self], defaultSubcommand: List.self)

  /// The settings there are.
  enum Name: String, ExpressibleByArgument, CaseIterable {
    case removeDeliveredAfterDays
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "All settings with their values.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions

    func run() async throws {
      let rule = try data.unit().removalRule()
      if common.isJSON {
        Terminal.say(
          .members([
            ("name", .string(Name.removeDeliveredAfterDays.rawValue)),
            ("value", .string(rule.ownDays.map(String.init) ?? "never")),
            ("agency", .string(rule.agencyDays.map(String.init) ?? "never")),
          ]))
      } else {
        Terminal.say(
          "removeDeliveredAfterDays \(rule.ownDays.map(String.init) ?? "never")"
            + " (your agency: \(rule.agencyDays.map(String.init) ?? "never"))")
      }
    }
  }

  struct Get: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The value of one setting.")
    @OptionGroup var data: DataOptions
    @Argument var name: Name

    func run() async throws {
      Terminal.say(try data.unit().removalRule().ownDays.map(String.init) ?? "never")
    }
  }

  struct Set: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sets one setting.")
    @OptionGroup var data: DataOptions
    @Argument var name: Name
    @Argument(help: "Days from 0 to 3650, or never.") var value: String

    func run() async throws {
      try data.unit().setRemovalDays(try RemovalDays(value).days)
    }
  }

  struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Brings the defaults back, of one setting or of all.")
    @OptionGroup var data: DataOptions
    @Argument var name: Name?

    func run() async throws { try data.unit().setRemovalDays(nil) }
  }
}
