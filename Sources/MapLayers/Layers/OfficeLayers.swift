import Evidence
import Foundation
import Store
import Sync
import Synchronization
import TimeAndText

/// The base maps of an office: the files in its folder `maps`, which all agencies share, each agency's
/// own files, and each agency's map services.
package final class OfficeLayers: Sendable {
  /// The office's folder.
  private let folder: String
  let book: LayerBook
  let clock: any Timepiece
  package let fetcher: ServiceFetcher
  private let hasRoom: @Sendable () -> Bool
  let log: @Sendable (String) -> Void
  private let shared: BaseMaps
  private let state = Mutex(State())

  private struct State {
    /// The files of each agency.
    var files: [String: BaseMaps] = [:]
    /// The services that were used so far, by the paths of their caches.
    var services: [String: ServiceTiles] = [:]
  }

  /// Creates the layers of an office's folder.
  /// - Parameters:
  ///   - software: the name and version by which map services know the office.
  ///   - hasRoom: returns true if the disk has more than its reserve.
  ///   - log: called with the name of a layer that cannot be used, and why.
  package init(
    folder: String, clock: any Timepiece, fetcher: ServiceFetcher,
    hasRoom: @escaping @Sendable () -> Bool, log: @escaping @Sendable (String) -> Void
  ) {
    (self.folder, self.clock, self.fetcher) = (folder, clock, fetcher)
    (self.hasRoom, self.log) = (hasRoom, log)
    book = LayerBook(
      path: folder + "/keys/map-layers.json", lock: folder + "/maps/layers.lock")
    shared = BaseMaps(folder: folder + "/maps", log: log)
  }

  // MARK: reading

  /// Returns the usable layers of an agency; the first is shown unless a person chooses another.
  /// - Throws: `StoreError` if the agency's choices cannot be read.
  package func layers(of agency: String) throws -> [BaseLayer] {
    let choices = try book.choices(of: agency)
    let services = choices.services.filter(\.isComplete).map { layer($0, of: agency) }
    let own = files(of: agency)
    let taken = Set(choices.services.map(\.name))
    let archives = (own.all().map { ($0, own, false) } + shared.all().map { ($0, shared, true) })
      .filter { !taken.contains($0.0.name) }
    var layers = services
    for (archive, files, isShared) in archives
    where !layers.contains(where: { $0.name == archive.name }) {
      guard let mark = files.mark(archive.name) else { continue }
      layers.append(layer(archive, mark: mark, isShared: isShared))
    }
    func rank(_ layer: BaseLayer) -> Int { choices.order.firstIndex(of: layer.name) ?? .max }
    return layers.enumerated().sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }.map(\.element)
  }

  /// Returns one layer of an agency; nil if there is none of this name, or it cannot be used.
  package func layer(_ name: String, of agency: String) throws -> BaseLayer? {
    let choices = try book.choices(of: agency)
    if let service = choices.services.first(where: { $0.name == name }) {
      return service.isComplete ? layer(service, of: agency) : nil
    }
    for (files, isShared) in [(files(of: agency), false), (shared, true)] {
      // The mark is read first: if the file is replaced just now, the next answer has another mark.
      if let mark = files.mark(name), let archive = files.archive(name) {
        return layer(archive, mark: mark, isShared: isShared)
      }
    }
    return nil
  }

  /// Returns the maps that an agency's field units may keep.
  package func offers(to agency: String) throws -> [MapListMessage.Map] {
    Array(try layers(of: agency).compactMap(\.offer).prefix(MapListMessage.maximumMaps))
  }

  /// Returns the agency's services of which no layer is chosen yet.
  package func unfinished(of agency: String) throws -> [MapService] {
    try book.choices(of: agency).services.filter { !$0.isComplete }
  }

  /// Returns the names of the files that cannot be used.
  package func broken(of agency: String) -> [String] {
    files(of: agency).broken() + shared.broken()
  }

  /// Returns the facts that a map page's script needs about each layer, the first of them shown at
  /// the beginning.
  /// - Parameter path: the address below which tiles are served; name, zoom, column and row follow.
  package func facts(of agency: String, below path: String) throws -> [[String: String]] {
    try layers(of: agency).map { layer in
      let name = layer.name.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
      return [
        "name": layer.title, "url": "\(path)/\(name)/{z}/{x}/{y}",
        "attribution": layer.attribution ?? "", "least": "\(layer.zooms.lowerBound)",
        "most": "\(layer.zooms.upperBound)",
      ]
    }
  }

  /// The characters that are never escaped in an address (RFC 3986, 2.3).
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  // MARK: parts

  private func layer(_ archive: TileArchive, mark: String, isShared: Bool) -> BaseLayer {
    let digest = Digest.hexadecimal(Array("\(archive.name) \(mark)".utf8)).prefix(32)
    return BaseLayer(
      name: archive.name, source: .archive(archive, isShared: isShared), mark: String(digest))
  }

  private func layer(_ service: MapService, of agency: String) -> BaseLayer {
    BaseLayer(
      name: service.name, source: .service(tiles(of: service, in: agency)), mark: service.mark)
  }

  /// Returns the tiles of a service: of a changed service, new ones.
  package func tiles(of service: MapService, in agency: String) -> ServiceTiles {
    let path = cachePath(service.name, agency)
    return state.withLock { state in
      if let tiles = state.services[path], tiles.service == service { return tiles }
      var cache: TileCache?
      do {
        cache = try TileCache(path: path, mark: service.pictureMark)
      } catch {
        log("base map \(service.name): its tiles cannot be kept: \(error)")
      }
      let tiles = ServiceTiles(
        service: service, cache: cache, fetcher: fetcher, clock: clock, hasRoom: hasRoom)
      state.services[path] = tiles
      return tiles
    }
  }

  func forget(_ name: String, of agency: String) throws {
    let path = cachePath(name, agency)
    state.withLock { $0.services[path] = nil }
    try TileCache.remove(path)
  }

  private func files(of agency: String) -> BaseMaps {
    state.withLock { state in
      if let files = state.files[agency] { return files }
      let files = BaseMaps(folder: filesFolder(of: agency), log: log)
      state.files[agency] = files
      return files
    }
  }

  /// Names of agencies may be "..", so that they only stand behind other letters.
  func filesFolder(of agency: String) -> String { "\(folder)/maps/agency-\(agency)" }

  private func cachePath(_ name: String, _ agency: String) -> String {
    "\(folder)/map-cache/agency-\(agency)/\(name).sqlite"
  }
}
