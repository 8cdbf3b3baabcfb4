import Foundation
import Geodesy
import Inspection
import Sync
import TimeAndText

/// A part of the world that an inspector has chosen, of which a device keeps maps.
package struct OfflineArea: Hashable, Sendable {
  /// The most characters of a title.
  package static let titleCharactersAtMost = 100
  /// The most areas of a device.
  package static let countAtMost = 20

  package let id: Identifier
  /// The inspector's name for it.
  package var title: String
  package let box: CoordinateBox
  /// The finest zoom that is wanted, one of `TilePlan.areaZooms`.
  package let finest: Int
  /// The names of the office's maps that are wanted; empty for all.
  package var maps: Set<String>
  /// True if the inspector has stopped the fetching.
  package var isStopped = false

  /// Creates an area.
  /// - Throws: `OfflineAreaError`.
  package init(
    id: Identifier, title: String, box: CoordinateBox, finest: Int, maps: Set<String>
  ) throws(OfflineAreaError) {
    guard TilePlan.areaZooms.contains(finest) else { throw .noSuchDetail }
    guard TilePlan.cells(of: box, finest: finest) != nil else { throw .tooLarge }
    let words = title.trimmingCharacters(in: .whitespacesAndNewlines)
    self.id = id
    self.title = String(words.prefix(Self.titleCharactersAtMost))
    (self.box, self.finest, self.maps) = (box, finest, maps)
  }

  /// Returns true if a map of the office is wanted here.
  package func includes(_ map: String) -> Bool { maps.isEmpty || maps.contains(map) }

  /// Returns the cells of a map with these zooms.
  package func cells(zooms: ClosedRange<Int>) -> [TilePlan.Cell] {
    (TilePlan.cells(of: box, finest: finest) ?? []).filter { $0.zooms.overlaps(zooms) }
  }

  /// Returns true if one of some cells belongs to the area at its finest level. Coarse cells show half
  /// the world, and say nothing.
  func holds(any cells: some Sequence<TilePlan.Cell>) -> Bool {
    let own = TilePlan.cells(of: box, finest: finest) ?? []
    let level = own.map(\.level).max() ?? 0
    let wanted = Set(own.filter { $0.level == level })
    return cells.contains { wanted.contains($0) }
  }
}

/// The reasons for which an area cannot be kept.
package enum OfflineAreaError: Error, Hashable, Sendable, Worded {
  /// The area has more tiles than a service may be asked for.
  case tooLarge
  /// The detail is none of those that can be chosen.
  case noSuchDetail
  /// There are as many areas as there may be.
  case tooMany
  /// The device has no such area.
  case unknown

  package var wording: Wording {
    switch self {
    case .tooLarge: "this area is too large: zoom in, or choose less detail"
    case .noSuchDetail: "choose how much detail you need"
    case .tooMany: "you have \(OfflineArea.countAtMost) areas, which is the limit: delete one first"
    case .unknown: "there is no such area on this device"
    }
  }
}
