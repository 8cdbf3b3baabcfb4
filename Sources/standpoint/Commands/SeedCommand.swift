import ArgumentParser
import Enrolment
import Evidence
import Foundation
import Office

extension OfficeCommand {
  struct Seed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Fill an empty office with made-up data, for trials and measurements.",
      discussion: """
        Makes an agency with forty inspectors, two officers (officer, officer2) and an administrator
        (administrator), tasks in all states, and made-up photos: they are marked as simulated and
        have no seals. Parcels and tracks are made on request. The password of all accounts is
        printed at the end.

        Example: standpoint office seed --data try --photos 2000; standpoint office --data try
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Option(help: "How many photos.") var photos = 2000
    @Option(help: "How many tasks (default: one for ten photos).") var tasks: Int?
    @Option(help: "How many parcels of the register, around the tasks.") var parcels = 0
    @Option(help: "How many points, in tracks of 1800.") var trackPoints = 0
    @Option(help: "Over how many years the photos are spread, 1 to 50.") var years = 1
    @Option(help: "How many items each order asks for, 0 to 50.") var items = 0
    @Option(help: "The same number gives the same data.") var seed: UInt64 = 1
    @Flag(help: "Read everybody's password from standard input instead of making one.")
    var passwordStdin = false

    func validate() throws {
      guard [photos, tasks ?? 0, parcels, trackPoints].allSatisfy((0...10_000_000).contains) else {
        throw ValidationError(
          "--photos, --tasks, --parcels and --track-points must be 0 to 10000000.")
      }
      guard (0...50).contains(items) else { throw ValidationError("--items must be 0 to 50.") }
      guard (1...50).contains(years) else { throw ValidationError("--years must be 1 to 50.") }
    }

    func run() async throws {
      // A large cache: the seed writes at random places all over the file, and each page that does not stay in
      // memory is written again and again.
      let memoryKiB = Int(clamping: ProcessInfo.processInfo.physicalMemory / 1024)
      let office = try await data.office {
        $0.databaseCacheKiB = min(max(memoryKiB / 4, 600_000), 4_000_000)
      }
      let password =
        passwordStdin
        ? try Password.read(fromStandardInput: true)
        : "made-up-" + UUID().uuidString.lowercased().prefix(8)
      var size = OfficeSeed.Size(photos: photos, tasks: tasks ?? max(1, photos / 10))
      (size.parcels, size.trackPoints, size.years) = (parcels, trackPoints, years)
      size.items = items
      var seed = OfficeSeed(office, size, seed: seed)
      var told = 0
      try await seed.run(password: password) { done, all in
        // At most ten lines, on a terminal or not.
        guard done * 10 / max(all, 1) > told else { return }
        told = done * 10 / max(all, 1)
        Terminal.complain("\(told * 10) %")
      }
      if common.isJSON {
        Terminal.say(
          .object([
            "agency": .string(OfficeSeed.agency), "officer": .string("officer"),
            "administrator": .string("administrator"), "password": .string(password),
          ]))
      } else {
        Terminal.say(
          "agency \(OfficeSeed.agency): sign in as officer or administrator, password \(password)")
      }
    }
  }
}
