import DeliverySimulation
import Foundation
import TestSupport
import Testing

@Suite("A hundred field units and offices on bad networks and disks", .serialized)
struct SimulationTests {
  /// `SEED=N` repeats one run.
  private static var seeds: [UInt64] {
    if let seed = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) { return [seed] }
    return Array(0..<100)
  }

  @Test("nothing is lost, doubled or called delivered that the office does not hold")
  func runs() async throws {
    // In memory: what is waited for here is not the disk.
    let memory = URL(fileURLWithPath: "/dev/shm")
    let base =
      FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    let folder = base.appendingPathComponent("standpoint-simulation-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let outcome = try await DeliverySimulation.run(seeds: Self.seeds, folder: folder)
    guard Self.seeds.count > 1 else { return }
    // A simulation in which nothing happens would prove nothing.
    #expect(outcome.deviceCrashes > 50, "\(outcome)")
    #expect(outcome.officeCrashes > 25, "\(outcome)")
    #expect(outcome.restores > 15, "\(outcome)")
    #expect(outcome.delivered > 200, "\(outcome)")
  }
}
