import Foundation
import Synchronization

/// The base maps in a folder, each a file `NAME.mbtiles`. The folder is read whenever a page with a map is
/// asked for: a new map needs no restart.
public final class BaseMaps: Sendable {
  /// The path of the folder with the maps.
  public let folder: String
  private let log: @Sendable (String) -> Void
  /// The maps opened so far, by name; a map is dropped as soon as its file is gone.
  private let known = Mutex<[String: Opened]>([:])
  /// The marks of the unusable files that the page has already reported, by name.
  private let told = Mutex<[String: String]>([:])

  /// A map's file as it was opened. Opening one may take seconds: a request for another map does not wait.
  private final class Opened: Sendable {
    /// The file's mark and its archive, no archive if the file cannot be used; nil until it is opened.
    let last = Mutex<(mark: String, archive: TileArchive?)?>(nil)
  }

  /// Creates the list of a folder's maps.
  /// - Parameters:
  ///   - folder: the folder's path; the folder may be missing.
  ///   - log: called with the name of a map that cannot be used and why, once for each state of its file.
  public init(folder: String, log: @escaping @Sendable (String) -> Void) {
    self.folder = folder
    self.log = log
  }

  /// Returns all usable maps, by name.
  public func all() -> [TileArchive] { names().compactMap(archive) }

  /// Returns the names of the maps that cannot be used.
  public func broken() -> [String] { names().filter { Self.isName($0) && archive($0) == nil } }

  /// Returns the unusable maps not reported yet in the present state of their files, and marks them
  /// as reported.
  public func untold(of broken: [String]) -> [String] {
    told.withLock { told in
      broken.filter { name in
        let mark = mark(name)
        defer { told[name] = mark }
        return told[name] != mark
      }
    }
  }

  private func names() -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let names = files.filter { $0.hasSuffix(".mbtiles") }.sorted().map {
      String($0.dropLast(".mbtiles".count))
    }
    let present = Set(names)
    known.withLock { known in known = known.filter { present.contains($0.key) } }
    told.withLock { told in told = told.filter { present.contains($0.key) } }
    return names
  }

  /// Returns the map of a name; nil if there is none of that name, or it cannot be used.
  public func archive(_ name: String) -> TileArchive? {
    guard Self.isName(name), var mark = mark(name) else { return nil }
    // A journal next to the map may be removed while the map's file stays as it is: the mark must
    // change then.
    if TileArchive.hasJournal(path(name)) { mark += " journal" }
    let opened = known.withLock { known in
      if let opened = known[name] { return opened }
      let opened = Opened()
      known[name] = opened
      return opened
    }
    return opened.last.withLock { last in
      if let last, last.mark == mark { return last.archive }
      do {
        let archive = try TileArchive(path: path(name))
        last = (mark, archive)
        return archive
      } catch {
        // Logged once for each state of the file.
        log("base map \(name): \(error)")
        last = (mark, nil)
        return nil
      }
    }
  }

  /// Returns a word that changes with a map's file: its size and time; nil if there is none of that name.
  public func mark(_ name: String) -> String? {
    guard Self.isName(name),
      let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
    else { return nil }
    let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    return "\(attributes[.size] ?? 0) \(time)"
  }

  /// Returns the facts that a map page's script needs about each map, for its element's `data-layers`.
  /// - Parameter path: the address below which tiles are served; name, zoom, column and row follow.
  public func layers(below path: String) -> [[String: String]] {
    all().map { archive in
      let name = archive.name.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
      return [
        "name": archive.title, "url": "\(path)/\(name)/{z}/{x}/{y}",
        "attribution": archive.attribution ?? "", "least": "\(archive.zooms.lowerBound)",
        "most": "\(archive.zooms.upperBound)",
      ]
    }
  }

  /// The characters that are never escaped in an address (RFC 3986, 2.3).
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  private func path(_ name: String) -> String { "\(folder)/\(name).mbtiles" }

  /// Returns true if a name, which comes from an address, cannot lead out of the folder.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200 && !name.contains("/") && !name.contains("\0")
      && !name.hasPrefix(".")
  }
}
