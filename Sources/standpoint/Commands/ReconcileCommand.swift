import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Inspection
import Positioning
import Receivers
import Store

/// Compares what this device has delivered with what the office holds.
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
