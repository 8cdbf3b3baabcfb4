import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing

/// Receivers that people carried about: do the gate's defaults tell walking from standing?
@Suite("Recordings from the field", .enabled(if: Recordings.areHere, Recordings.absence))
struct FieldRecordingsTests {
  private func judged(_ name: String) throws -> [(fix: Fix, state: GateVerdict.State)] {
    var gate = StandstillGate()
    return fixes(try Recordings.bytes("field/\(name).nmea")).map { ($0, gate.accept($0).state) }
  }

  private func shareStill(_ name: String) throws -> Double {
    let states = try judged(name).map(\.state)
    let first = try #require(states.firstIndex(of: .still))
    let share =
      Double(states[first...].filter { $0 == .still }.count) / Double(states.count - first)
    print("\(name): still from epoch \(first), then \(share)")
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
    var steady = 0
    var open: [String] = []
    for index in all.indices {
      // Ten seconds before and up to the epoch, without a hole, at 0.5 m/s or more throughout.
      guard index >= 10, all[index].fix.time.seconds(since: all[index - 10].fix.time) == 10,
        let from = all[index - 10].fix.coordinate, let middle = all[index - 5].fix.coordinate,
        let to = all[index].fix.coordinate,
        Geodesic.distanceMetres(from: from, to: middle) >= 2.5,
        Geodesic.distanceMetres(from: middle, to: to) >= 2.5
      else { continue }
      steady += 1
      if all[index].state == .still { open.append(all[index].fix.time.timeOfDay) }
    }
    print("open-walk: still in \(open.count) of \(steady) epochs of steady walking")
    #expect(steady > 30)
    #expect(open.isEmpty, "\(open.count) of \(steady): \(open)")
  }
}
