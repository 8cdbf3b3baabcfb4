import Foundation
import Geodesy
import Inspection
import Store
import Sync
import Synchronization

extension FieldServer {
  /// Fetches the office's base maps around the tasks. A failure is only logged.
  func bringMaps() async {
    do {
      guard let signIn = try desk.signedIn(), let unit = try unit(),
        let link = try link(to: signIn.office) as? any MapLink, maps.begin()
      else { return }
      await maps.bringIfDue(from: unit, over: link) { [weak self] in
        self?.isIdle(for: unit.person) ?? false
      }
    } catch {
      log.note("base maps: \(error)")
    }
  }

  /// Returns true if nothing goes on that fetching orbits and tiles would slow down: a capture or a
  /// delivery.
  func isIdle(for person: Person) -> Bool {
    if case .running = cameraDesk.status { return false }
    do {
      return try !isDeliveryUnderWay && desk.signedIn()?.person == person
    } catch {
      // If that is unknown, the fetch can wait.
      return false
    }
  }
}
