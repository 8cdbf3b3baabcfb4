import Foundation
import Synchronization

/// The base maps that somebody has put into a folder, each a file `NAME.mbtiles`. They are looked for when a
/// page with a map is asked for: putting one there needs no restart.
public final class BaseMaps: Sendable {
  /// Where they lie.
  public let folder: String
  private let log: @Sendable (String) -> Void
  /// What was opened, by name; what is there no more is let go of.
  private let known = Mutex<[String: Opened]>([:])
  /// The marks of files that people were told cannot be used.
  private let told = Mutex<[String: String]>([:])

  /// A file as it was opened. To look into one may take seconds: whoever asks for another does not wait.
  private final class Opened: Sendable {
    /// The file's size and time, and its archive; no archive where it cannot be used.
    let last = Mutex<(mark: String, archive: TileArchive?)?>(nil)
  }

  /// - Parameters:
  ///   - folder: the folder's path; it need not be there.
  ///   - log: is told what cannot be used and why, once for each state of a file.
  public init(folder: String, log: @escaping @Sendable (String) -> Void) {
    self.folder = folder
    self.log = log
  }

  /// All of them, by name.
  public func all() -> [TileArchive] { names().compactMap(archive) }

  /// The names of those that cannot be used.
  public func broken() -> [String] { names().filter { Self.isName($0) && archive($0) == nil } }

  /// Those of them that nobody was told of since their files are as they are. They count as told from now on.
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

  /// One of them; nil where there is none of that name, or it cannot be used.
  public func archive(_ name: String) -> TileArchive? {
    guard Self.isName(name), var mark = mark(name) else { return nil }
    // What stands in its way may go, and the file is the same.
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
        // Said once for each state of the file.
        log("base map \(name): \(error)")
        last = (mark, nil)
        return nil
      }
    }
  }

  /// A word that changes with a map's file; nil where there is none of that name.
  public func mark(_ name: String) -> String? {
    guard Self.isName(name),
      let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
    else { return nil }
    let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    return "\(attributes[.size] ?? 0) \(time)"
  }

  /// What the script of a map has to know of each, as its element's `data-layers` says it.
  /// - Parameter path: where the tiles are served; the name, zoom, column and row follow.
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

  /// What stands for itself everywhere in an address (RFC 3986, 2.3).
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  private func path(_ name: String) -> String { "\(folder)/\(name).mbtiles" }

  /// A name comes out of an address: it is never a way out of the folder.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200 && !name.contains("/") && !name.contains("\0")
      && !name.hasPrefix(".")
  }
}
