import ArgumentParser
import Evidence
import Foundation
import Inspection
import Office
import Positioning

extension OfficeCommand.AgencyGroup {
  /// An agency's capture policy.
  struct Policy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Shows or changes what an agency lays down for its field units.",
      discussion: """
        It is signed, and comes to the field units with their tasks. Radio
        surroundings are the mobile cells and Wi-Fi access points heard when a photo
        is taken: personal data, so tell your inspectors before you turn them on.

        Example: standpoint office agency policy north --surroundings on
        """)

    /// A switch on the command line.
    enum Switch: String, ExpressibleByArgument, CaseIterable {
      case on
      case off
    }

    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The agency's name.") var name: String
    @Option(help: "Whether photos tell which cells and access points were heard.")
    var surroundings: Switch?
    @Option(help: "Whether a task's photos are delivered as soon as they are taken.")
    var deliverAhead: Switch?
    @Option(help: "After how many days delivered photos leave the device: 0 to 3650, or never.")
    var removeDelivered: String?

    func run() async throws {
      let office = try data.office()
      try OfficeCommand.requireAgency(name, of: office)
      var policy = try office.policy(of: name)
      let days = try removeDelivered.map(RemovalDays.init)
      if surroundings != nil || deliverAhead != nil || days != nil {
        policy = try office.setPolicy(of: name, by: OfficeCommand.terminal) {
          if let surroundings { $0.readsSurroundings = surroundings == .on }
          if let deliverAhead { $0.deliversAhead = deliverAhead == .on }
          if let days { $0.removesDeliveredAfterDays = days.days }
        }
      }
      if common.isJSON {
        Terminal.say(
          .members([
            ("agency", .string(name)), ("revision", .integer(policy?.policy.revision ?? 0)),
            ("issued", (policy?.policy.issued.rfc3339).map { .string($0) }),
            ("surroundings", .bool(policy?.policy.readsSurroundings ?? false)),
            ("deliverAhead", .bool(policy?.policy.deliversAhead ?? false)),
            (
              "removeDeliveredAfterDays",
              (policy?.policy.removesDeliveredAfterDays).map { .integer($0) }
            ),
          ]))
      } else if let policy = policy?.policy {
        Terminal.say("revision \(policy.revision), \(policy.issued.rfc3339): \(policy.summary)")
      } else {
        Terminal.say("\(name) has laid down nothing yet: radio surroundings off")
      }
    }
  }
}

/// Days as they stand on a command line; `never` is none.
struct RemovalDays {
  let days: Int?

  init(_ text: String) throws {
    if text == "never" {
      days = nil
      return
    }
    guard let number = Int(text), CapturePolicy.removalDays.contains(number) else {
      throw ValidationError("\(text) is no number of days from 0 to 3650, and not never.")
    }
    days = number
  }
}
