import Foundation
import Geodesy
import Store
import Sync
import TimeAndText

extension MapShelf {
  /// The file that remembers since when the office's lists lack maps that are here.
  private var missed: String { folder + "-missed" }

  /// Removes maps that the office's lists have lacked for a day; if the disk is short, also those
  /// that this list lacks. A map that covers a task of this device stays as long as there is such a
  /// task: the inspector there needs the map more than the office needs its order.
  func letGo(allBut names: [String], round boxes: [DegreeBox]) {
    let offered = Set(names.map(path(of:)))
    var missing: [String: [String]] = [:]
    for file in files() {
      let path = folder + "/" + file
      guard
        let ending = [Self.ending, Self.ending + Self.besideEnding].first(where: file.hasSuffix),
        // A file that a person has put there under such a name stays.
        ending != Self.ending || (try? FetchedTiles(path: path)) != nil
      else { continue }
      let map = "\(folder)/\(file.dropLast(ending.count))\(Self.ending)"
      if !offered.contains(map) { missing[map, default: []].append(path) }
    }
    func name(_ map: String) -> String { String(map.dropFirst(folder.count + 1)) }
    var missed = MissedNames(path: self.missed)
    let gone = missed.note(missing.keys.map(name), at: clock.deviceTime)
    let isShort = !hasRoom() || missing.count > MapListMessage.maximumMaps
    for (map, paths) in missing where isShort || gone.contains(name(map)) {
      guard !isNeeded(map, round: boxes) else { continue }
      for path in paths { try? remove(path) }
    }
  }

  /// Returns true if a task lies on a map. Coarse tiles show half the world, so only the finest
  /// level counts, by which people find their way.
  private func isNeeded(_ path: String, round boxes: [DegreeBox]) -> Bool {
    guard let map = try? FetchedTiles(path: path) else { return false }
    defer { map.close() }
    // A map that cannot be read just now is not destroyed for that.
    guard let cells = try? map.cells(), let areas = try? areas() else { return true }
    let file = (path as NSString).lastPathComponent
    let name = String(file.dropFirst(Self.prefix.count).dropLast(Self.ending.count))
    if areas.contains(where: { $0.includes(name) && $0.holds(any: cells.keys) }) { return true }
    let wanted = TilePlan.cells(around: boxes, zooms: 0...TilePlan.finestZoom)
    guard let here = cells.keys.map(\.level).max(), let level = wanted.map(\.level).max() else {
      return false
    }
    return wanted.contains { cell in
      cell.level == min(here, level) && cells[cell] != nil
        && (try? !map.tiles(of: cell).isEmpty) != false
    }
  }
}
