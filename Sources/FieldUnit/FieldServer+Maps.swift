import Foundation
import Geodesy
import Inspection
import MapLayers
import Store
import Sync
import Synchronization
import Web

extension FieldServer {
  /// Fetches the office's base maps at a person's request, in the background.
  package func bringMapsAsked() {
    Task(priority: .utility) { await bringMaps(isAsked: true) }
  }

  /// Fetches the office's base maps around the tasks and in the chosen areas. A failure is only
  /// logged.
  func bringMaps(isAsked: Bool = false) async {
    do {
      guard let signIn = try desk.signedIn(), let unit = try unit(),
        let link = try link(to: signIn.office) as? any MapLink
      else { return }
      var isFirst = true
      while isFirst || maps.isChanged {
        guard maps.begin(isAsked: isAsked || !isFirst) else { return }
        isFirst = false
        await maps.bringIfDue(from: unit, over: link) { [weak self] in
          self?.isIdle(for: unit.person) ?? false
        }
        bell.ring()
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
