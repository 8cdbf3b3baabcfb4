import DeliverySimulation
import Foundation

/// The program `simulate FIRST-SEED COUNT [FOLDER]`, which makes COUNT runs from a seed on. It
/// prints one line at the end, or the seed that fails.
@main
enum Simulate {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2, let first = UInt64(arguments[0]), let count = UInt64(arguments[1])
    else { return end(2, "usage: simulate FIRST-SEED COUNT [FOLDER]") }
    // A memory file system spares the waiting for a disk, whose faults are simulated anyway.
    let memory = FileManager.default.isWritableFile(atPath: "/dev/shm")
    let base =
      arguments.count > 2
      ? URL(fileURLWithPath: arguments[2])
      : memory ? URL(fileURLWithPath: "/dev/shm") : FileManager.default.temporaryDirectory
    let folder = base.appendingPathComponent("standpoint-simulation-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let began = Date()
    do {
      let outcome = try await DeliverySimulation.run(
        seeds: first..<(first + count), folder: folder
      ) { seed, _ in
        if (seed + 1) % 1000 == 0 { say("seed \(seed), \(Int(-began.timeIntervalSinceNow)) s") }
      }
      print(
        "\(count) runs from seed \(first): nothing lost, doubled or called delivered wrongly;"
          + " \(outcome.deviceCrashes) crashes of the field unit, \(outcome.officeCrashes) of the"
          + " office, \(outcome.restores) restored backups, \(outcome.fullOffices) full offices, \(outcome.calls) calls,"
          + " \(outcome.delivered) things delivered, \(Int(-began.timeIntervalSinceNow)) s")
    } catch {
      try? FileManager.default.removeItem(at: folder)
      end(1, "\(error)")
    }
  }

  private static func say(_ words: String) {
    try? FileHandle.standardError.write(contentsOf: Data((words + "\n").utf8))
  }

  private static func end(_ status: Int32, _ words: String) {
    say(words)
    exit(status)
  }
}
