import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Inspection
import Receivers
import Store
import TimeAndText

/// Compares what this device has delivered with what the office holds.
struct ReconcileCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reconcile",
    abstract: "Compare what this device has delivered with what the office holds.",
    discussion: """
      This also happens automatically once a day, with a delivery. Records that the office no
      longer holds, because a disk has died or the office was restored from an older backup, are
      queued again and sent with the next delivery. Exit status 0 if the office holds everything,
      1 if it does not, 3 if it could not be reached.

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
      result = try await unit.delivery.reconcile(over: link) { Terminal.progress("\($0)") }
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
