import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

/// Recordings of receivers that people carried about: the gate's defaults tell walking from
/// standing.
@Suite("Recordings from the field", .enabled(if: Recordings.areHere, Recordings.absence))
struct FieldRecordingsTests {
  private func judged(_ name: String) throws -> [(fix: Fix, state: GateVerdict.State)] {
    var gate = StandstillGate()
    return fixes(try Recordings.bytes("field/\(name).nmea")).map { ($0, gate.accept($0).state) }
  }

  private func shareStill(_ name: String) throws -> Double {
    let states = try judged(name).map(\.state)
    // The first window is left out, in which the gate settles.
    let later = states[Int(GatePolicy().windowSeconds)...]
    let share = Double(later.filter { $0 == .still }.count) / Double(later.count)
    print("\(name): \(share)")
    return share
  }

  @Test("Standing in the open, the gate stays open")
  func openStationary() throws {
    let share = try shareStill("open-stationary")
    #expect(share >= 0.95, "\(share)")
  }

  @Test("Standing beside buildings, it is open most of the time")
  func occluded() throws {
    let share = try shareStill("occluded-stationary-rtk")
    #expect(share >= 0.85, "\(share)")
  }

  @Test("Walking steadily, it is never open")
  func walking() throws {
    let all = try judged("open-walk")
    // Steady epochs are those of any ten seconds without a hole in which 5 m or more were made, as
    // `docs/gate.md` counts them.
    var steady = Set<Int>()
    for start in all.indices.dropLast(10) {
      let end = start + 10
      guard all[end].fix.time.seconds(since: all[start].fix.time) == 10,
        let from = all[start].fix.coordinate, let to = all[end].fix.coordinate,
        Geodesic.distanceMetres(from: from, to: to) >= 5
      else { continue }
      steady.formUnion(start...end)
    }
    let open = steady.filter { all[$0].state == .still }.map { all[$0].fix.time.timeOfDay }
    print("open-walk: still in \(open.count) of \(steady.count) epochs of steady walking")
    #expect(steady.count == 101)
    #expect(open.isEmpty, "\(open)")
  }
}
