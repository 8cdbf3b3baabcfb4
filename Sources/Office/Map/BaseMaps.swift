import Foundation
import Store
import Synchronization

/// The base maps that an administrator has put into the office's folder `maps`. They are looked for when
/// a page with a map is asked for: putting one there needs no restart.
final class BaseMaps: Sendable {
  private let folder: String
  private let log: @Sendable (String) -> Void
  /// What was opened, by name, with the file's size and time; nil for what cannot be used.
  private let known = Mutex<[String: (mark: String, archive: TileArchive?)]>([:])

  init(folder: String, log: @escaping @Sendable (String) -> Void) {
    self.folder = folder
    self.log = log
  }

  /// All of them, by name.
  func all() -> [TileArchive] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".mbtiles") }.sorted()
      .compactMap { archive(String($0.dropLast(".mbtiles".count))) }
  }

  /// One of them; nil where there is none of that name, or it cannot be used.
  func archive(_ name: String) -> TileArchive? {
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else { return nil }
    let path = "\(folder)/\(name).mbtiles"
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
      return nil
    }
    let mark = "\(attributes[.size] ?? 0) \(attributes[.modificationDate] ?? 0)"
    return known.withLock { known in
      if let before = known[name], before.mark == mark { return before.archive }
      do {
        let archive = try TileArchive(path: path)
        known[name] = (mark, archive)
        return archive
      } catch {
        // Said once for each state of the file.
        log("base map \(name): \(error)")
        known[name] = (mark, nil)
        return nil
      }
    }
  }
}
