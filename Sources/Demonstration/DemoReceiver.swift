import Foundation
import Geodesy
import Positioning
import Receivers
import TimeAndText

/// The receiver of a demonstration that goes on: its walker stands in the first parcel, walks a
/// little, and stands again, so that a visitor sees on the pages how the gate works.
package struct DemoReceiver: Sendable {
  let feeder: LogFeeder
  let clock: ReplayClock
  let scene: DemoScene
  let seed: UInt64

  /// Creates the receiver of a demonstration whose log is over.
  package init(feeder: LogFeeder, clock: ReplayClock, scene: DemoScene, seed: UInt64) {
    (self.feeder, self.clock, self.scene, self.seed) = (feeder, clock, scene, seed)
  }

  /// Plays one walk after the other, until the task is cancelled.
  package func goOn() async throws {
    guard let corner = scene.firstParcel.first else { return }
    let plane = LocalPlane(origin: corner)
    let others = scene.firstParcel.map(plane.project)
    let middle = PlanePoint(
      eastMetres: others.reduce(0) { $0 + $1.eastMetres } / Double(others.count),
      northMetres: others.reduce(0) { $0 + $1.northMetres } / Double(others.count))
    var round: UInt64 = 0
    while true {
      round += 1
      let now = clock.deviceTime
      let start = DeviceTime(
        millisecondsSince1970: (now.millisecondsSince1970 / 1000 + 1) * 1000)
      let walk = WalkSimulator(
        origin: plane.coordinate(of: middle), start: start,
        legs: [
          .stand(seconds: 120),
          .walk(to: PlanePoint(eastMetres: 12, northMetres: 6), metresPerSecond: 1.2),
          .stand(seconds: 90),
          .walk(to: PlanePoint(eastMetres: 0, northMetres: 0), metresPerSecond: 1.2),
        ], seed: seed &+ round)
      for (second, epoch) in walk.epochs().enumerated() {
        let moment =
          start.millisecondsSince1970 - clock.start.millisecondsSince1970 + Int64(second) * 1000
        try await clock.sleep(until: ElapsedTime(milliseconds: moment))
        await feeder.play(epoch)
      }
    }
  }
}
