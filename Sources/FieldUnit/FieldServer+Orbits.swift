import Evidence
import Foundation
import NIOHTTP1
import Orbits
import Positioning
import Store
import Sync
import TimeAndText

extension FieldServer {
  /// Fetches the office's orbits. A failure harms nothing else.
  func bringOrbits() async {
    let unit: InspectorUnit
    let link: any OrbitLink
    do {
      guard let signIn = try desk.signedIn(), let found = try self.unit(),
        let reached = try self.link(to: signIn.office) as? any OrbitLink, orbits.beginBringing()
      else { return }
      (unit, link) = (found, reached)
    } catch {
      log.note("orbits: \(error)")
      return
    }
    do {
      let isDone = try await orbits.bring(from: unit, over: link) { [weak self] in
        self?.isIdle(for: unit.person) ?? false
      }
      orbits.endBringing(isDone: isDone)
    } catch DeliveryError.olderOffice {
      orbits.endBringing(isDone: true)
    } catch {
      orbits.endBringing(isDone: false)
    }
  }

  /// Returns the time of now for the sky: the receiver's if its last fix is fresh and has a date,
  /// otherwise the device's.
  static func skyTime(
    of follower: ReceiverFollower?, _ clock: any Timepiece, maximumAgeSeconds: Double
  ) async -> DeviceTime {
    guard let judged = await follower?.lastFix,
      clock.elapsed.seconds(since: judged.arrival) <= maximumAgeSeconds,
      let milliseconds = judged.fix.time.millisecondsSince1970
    else { return clock.deviceTime }
    return DeviceTime(millisecondsSince1970: milliseconds)
  }
}
