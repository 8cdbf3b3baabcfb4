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

    func run() async throws {
      let office = try data.office()
      try OfficeCommand.requireAgency(name, of: office)
      var policy = try office.policy(of: name)
      if let surroundings {
        policy = try office.setPolicy(of: name, by: OfficeCommand.terminal) {
          $0.readsSurroundings = surroundings == .on
        }
      }
      if common.isJSON {
        Terminal.say(
          .members([
            ("agency", .string(name)), ("revision", .integer(policy?.policy.revision ?? 0)),
            ("issued", (policy?.policy.issued.rfc3339).map { .string($0) }),
            ("surroundings", .bool(policy?.policy.readsSurroundings ?? false)),
          ]))
      } else if let policy = policy?.policy {
        Terminal.say("revision \(policy.revision), \(policy.issued.rfc3339): \(policy.summary)")
      } else {
        Terminal.say("\(name) has laid down nothing yet: radio surroundings off")
      }
    }
  }
}
