import Foundation
import Geodesy
import Positioning
import Store
import Sync

extension MapShelf {
  /// Where it is remembered since when the office's lists lack maps that are here.
  private var missed: String { folder + "-missed" }

  /// Lets go of what the office's lists have lacked for a day; where the disk is short, of what this list lacks.
  /// What a task of this device lies on stays all the same, as long as there is such a task: whoever stands there
  /// needs it more than the office its order.
  func letGo(allBut names: [String], round boxes: [DegreeBox]) {
    let offered = Set(names.map(path(of:)))
    var missing: [String: [String]] = [:]
    for file in files() {
      let path = folder + "/" + file
      guard let ending = [Self.ending, Self.ending + ".new"].first(where: file.hasSuffix),
        // One that somebody has put there under such a name stays.
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

  /// Whether a task lies on it. Its coarse tiles show half the world: it is the finest that one finds one's
  /// way by.
  private func isNeeded(_ path: String, round boxes: [DegreeBox]) -> Bool {
    guard let map = try? FetchedTiles(path: path) else { return false }
    defer { map.close() }
    // What cannot be read just now is not destroyed for it.
    guard let cells = try? map.cells() else { return true }
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
