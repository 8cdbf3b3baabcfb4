import Foundation
import Geodesy
import Inspection
import TimeAndText
import Web

/// The parts of pages that lead to the photos of an item: the way to its station, and the direction
/// in which it wants the lens.
package struct ShotParts: Sendable {
  let t: Texts

  /// Creates the parts in a language.
  package init(t: Texts) { self.t = t }

  /// Returns the ring that shows the wanted direction over the picture; nil without one. Without a
  /// script, its words stay as they are.
  package func ring(_ shot: WantedShot) -> HTML? {
    shot.bearing.map { bearing in
      let (degrees, tolerance) = (bearing.degreesTrue, bearing.toleranceDegrees)
      return """
        <p class="camera-bearing" data-camera-bearing data-degrees="\(DecimalText.fixed(degrees, places: 1))" data-tolerance="\(DecimalText.fixed(tolerance, places: 1))">\
        <svg viewBox="-50 -50 100 100" aria-hidden="true"><circle r="40"/><g data-camera-wanted hidden><path d="\(sector(tolerance))"/></g><path class="lens" d="M0-50 8-34-8-34Z"/></svg>\
        <span data-camera-bearing-words>\(direction(bearing))</span></p>
        """
    }
  }

  /// Returns a direction with its tolerance in words.
  func direction(_ bearing: WantedShot.Bearing) -> String {
    t(
      "looking to {1}° ± {2}°", t.decimal(bearing.degreesTrue, places: 0),
      t.decimal(bearing.toleranceDegrees, places: 0))
  }

  /// Returns the outline of the part of a ring that looks to the top with a tolerance.
  private func sector(_ toleranceDegrees: Double) -> String {
    // A whole ring has no ends, so it is drawn a little shorter.
    let half = min(toleranceDegrees, 179.9)
    let ends = [-half, half].map { turn -> String in
      let angle = turn * .pi / 180
      return [40 * sin(angle), -40 * cos(angle)].map { DecimalText.fixed($0, places: 2) }
        .joined(separator: " ")
    }
    return "M\(ends[0])A40 40 0 \(half > 90 ? 1 : 0) 1 \(ends[1])"
  }

  /// Returns what a photo misses of an item's wishes, in words; nil if it misses nothing.
  package func misses(_ photo: Photo, of shot: WantedShot) -> HTML? {
    let misses = shot.misses(photo)
    guard !misses.isEmpty else { return nil }
    let words = misses.map { miss in
      switch miss {
      case .station(let distance, _):
        t("{1} from the station", t.form.distance(metres: distance))
      case .area(let distance):
        t("{1} outside the wanted land", t.form.distance(metres: distance))
      case .bearing(let off, _):
        t("looks {1}° past the wanted direction", t.decimal(off, places: 0))
      }
    }
    return "\(words.map { " <span class=\"is-outside\">⚠ \($0)</span>" as HTML })"
  }

  /// Returns the stations that are left, in walking order; nil if there are fewer than two.
  /// - Parameter here: the present place of the inspector; nil if it is not known.
  func walk(
    _ order: OrderItems, _ standing: ItemStanding, task: Identifier, from here: Coordinate?
  ) -> HTML? {
    let stations = order.shotsToTake(standing, from: here).compactMap { item in
      item.shot?.region.map { (item, $0) }
    }
    guard stations.count > 1 else { return nil }
    let rows = stations.map { item, region -> HTML in
      let way = here.map { here in
        let distance = region.distanceMetres(to: here)
        return distance > 0 ? t.form.distance(metres: distance) : "● \(t("you are here"))"
      }
      return """
        <li><a href="\(Self.camera(task, item.name))">\(item.wording)</a>\(way.map { " <span class=\"muted\">\($0)</span>" as HTML })</li>
        """
    }
    return """
      <details open><summary>\(t("Stations, in walking order"))</summary><ol>\(rows)</ol></details>
      """
  }

  /// Returns the address of the camera for an item.
  static func camera(_ task: Identifier, _ item: ItemName) -> String {
    "/camera?task=\(task.description)&item=\(item.description)"
  }
}
