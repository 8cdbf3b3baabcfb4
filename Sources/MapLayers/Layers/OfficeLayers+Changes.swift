import Foundation
import Geodesy
import Store
import Sync
import TimeAndText

// Changes of an agency's layers. Only its administrators make them, and whoever has the office's
// machine.
extension OfficeLayers {
  /// The most layers that an agency may have.
  package static let layersAtMost = MapListMessage.maximumMaps
  /// The largest file of tiles that a page takes, bytes; a command takes any.
  package static let archiveBytesAtMost = 8 << 30

  /// Adds a service, whose layer may be chosen later, and gives it a name.
  /// - Returns: the service with its name.
  /// - Throws: `MapLayerError`; `StoreError` if the choice cannot be stored.
  package func add(_ service: MapService, to agency: String) throws -> MapService {
    let files = Set(try layers(of: agency).map(\.name))
    return try book.change(of: agency) { choices in
      guard choices.services.count < Self.layersAtMost else { throw MapLayerError.tooMany }
      var service = service
      let host = URLComponents(string: service.address)?.host ?? "map"
      service.name = MapService.name(
        for: service.title.isEmpty ? host : service.title,
        taken: files.union(choices.services.map(\.name)))
      if service.title.isEmpty { service.title = host }
      choices.services.append(service)
      return service
    }
  }

  /// Returns a service with its settings.
  /// - Throws: `MapLayerError.unknown` if the agency has none of this name.
  package func service(_ name: String, of agency: String) throws -> MapService {
    guard let found = try book.choices(of: agency).services.first(where: { $0.name == name })
    else { throw MapLayerError.unknown(name) }
    return found
  }

  /// Changes a service's settings; its name stays.
  /// - Throws: `MapLayerError.unknown`; the errors of `body`, and then nothing has changed.
  @discardableResult
  package func change(
    _ name: String, of agency: String, _ body: (inout MapService) throws -> Void
  ) throws -> MapService {
    try book.change(of: agency) { choices in
      guard let index = choices.services.firstIndex(where: { $0.name == name }) else {
        throw MapLayerError.unknown(name)
      }
      var service = choices.services[index]
      try body(&service)
      service.name = name
      choices.services[index] = service
      return service
    }
  }

  /// Makes a layer the first, which maps and documents show at the beginning.
  /// - Throws: `MapLayerError.unknown` if the agency has no such layer.
  package func prefer(_ name: String, of agency: String) throws {
    guard try layers(of: agency).contains(where: { $0.name == name }) else {
      throw MapLayerError.unknown(name)
    }
    try book.change(of: agency) { choices in
      choices.order = [name] + choices.order.filter { $0 != name }
    }
  }

  /// Removes a layer with everything that the office keeps of it.
  /// - Throws: `MapLayerError.unknown`; `.shared` for a file that belongs to all agencies.
  package func remove(_ name: String, of agency: String) throws {
    let isService = try book.choices(of: agency).services.contains { $0.name == name }
    let own = BaseMaps(folder: filesFolder(of: agency)) { _ in }
    guard isService || own.mark(name) != nil else {
      throw try layer(name, of: agency) == nil
        ? MapLayerError.unknown(name) : MapLayerError.shared(name)
    }
    try book.change(of: agency) { choices in
      choices.order.removeAll { $0 == name }
      choices.services.removeAll { $0.name == name }
    }
    if isService { return try forget(name, of: agency) }
    for ending in ["", "-journal"] {
      try DurableFile.remove("\(filesFolder(of: agency))/\(name).mbtiles\(ending)")
    }
  }

  // MARK: files

  private static let arrivalEnding = ".arriving"
  /// The time after which a file that nothing was written to will not arrive any more, seconds.
  static let arrivalSeconds = 86_400.0

  /// Returns the path for a file that arrives, which `take` puts in its place. What is left of
  /// uploads that were cut off more than a day ago goes.
  package func arrivalPath(for agency: String, id: String) throws -> String {
    let folder = filesFolder(of: agency)
    try DurableFile.makeFolder(folder)
    try removeLeftovers(in: folder)
    return "\(folder)/.\(id)\(Self.arrivalEnding)"
  }

  private func removeLeftovers(in folder: String) throws {
    let oldest = clock.deviceTime.advanced(bySeconds: -Self.arrivalSeconds)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let path = "\(folder)/\(name)"
      // SQLite may have put a journal next to the file when it was looked at.
      guard name.hasPrefix("."),
        Self.databaseEndings.contains(where: { name.hasSuffix(Self.arrivalEnding + $0) }),
        let status = FileStatus(ofPath: path),
        Int64(status.writtenSecondsSince1970) * 1000 < oldest.millisecondsSince1970
      else { continue }
      try DurableFile.remove(path)
    }
  }

  /// The endings of a database and of the files that SQLite puts next to it.
  private static let databaseEndings = ["", "-journal", "-wal", "-shm"]

  /// Takes a file of tiles that has arrived; if it cannot be used, nothing of it is left.
  /// - Parameter title: the file's name as its sender gives it.
  /// - Throws: `MapLayerError.unusable` with the reason.
  package func take(_ path: String, called title: String, for agency: String) throws -> BaseLayer {
    do {
      let archive = try TileArchive(path: path)
      let file = (title as NSString).lastPathComponent as NSString
      let plain = file.pathExtension.lowercased() == "mbtiles" ? file.deletingPathExtension : title
      var taken = Set(try layers(of: agency).map(\.name))
      taken.formUnion(try unfinished(of: agency).map(\.name))
      guard taken.count < Self.layersAtMost else { throw MapLayerError.tooMany }
      let name = MapService.name(for: plain.isEmpty ? archive.title : plain, taken: taken)
      let place = "\(filesFolder(of: agency))/\(name).mbtiles"
      try DurableFile.sync(path)
      try DurableFile.rename(path, to: place)
      try DurableFile.syncFolder(filesFolder(of: agency))
      guard let layer = try layer(name, of: agency) else { throw MapLayerError.unknown(name) }
      return layer
    } catch {
      for ending in Self.databaseEndings { try DurableFile.remove(path + ending) }
      if case StoreError.unavailable(_, let reason)? = error as? StoreError {
        throw MapLayerError.unusable(reason)
      }
      throw error
    }
  }

  // MARK: trying

  /// Asks a service for one tile before it is added; nothing is kept.
  /// - Throws: `MapServiceError` with the reason why there is no picture.
  package func sampleTile(
    of service: MapService, near middle: Coordinate?
  ) async throws -> LayerTile? {
    try await ServiceTiles(
      service: service, cache: nil, fetcher: fetcher, clock: clock, hasRoom: { false }
    ).tile(at: Self.sample(of: service.zooms, near: middle), isTest: true)
  }

  /// Asks a service for one tile, whatever is kept.
  /// - Parameter middle: a place that the agency's people look at; nil if there is none.
  /// - Throws: `MapServiceError` with the reason why there is no picture.
  package func test(
    _ service: MapService, of agency: String, near middle: Coordinate?
  ) async throws -> LayerTile? {
    try await tiles(of: service, in: agency).tile(
      at: Self.sample(of: service.zooms, near: middle), isTest: true)
  }

  /// The zoom of samples: a few fields side by side.
  private static let sampleZoom = 15

  /// Returns a place that shows what a layer looks like.
  package static func sample(
    of zooms: ClosedRange<Int>, near middle: Coordinate?
  ) -> TileExtract.Place {
    // The middle of Europe is a better guess than a corner of the Pacific.
    let europe = Coordinate(latitudeDegrees: 50, longitudeDegrees: 15)
    let wanted = middle == nil ? zooms.lowerBound : sampleZoom
    let zoom = min(max(wanted, zooms.lowerBound), zooms.upperBound)
    guard let spot = middle ?? europe else { return TileExtract.Place(zoom: zoom, x: 0, y: 0) }
    let cell = MapGrid(level: zoom).cell(of: spot)
    return TileExtract.Place(zoom: zoom, x: cell.x, y: cell.y)
  }
}

/// The reasons for which an agency's layers cannot be changed.
package enum MapLayerError: Error, Hashable, Sendable, Worded {
  /// The agency has no layer of this name.
  case unknown(String)
  /// The file belongs to all agencies.
  case shared(String)
  /// The agency has as many layers as it may have.
  case tooMany
  /// The file cannot be a base map; the reason in words.
  case unusable(String)

  package var wording: Wording {
    switch self {
    case .unknown(let name): "there is no base map \(name) here"
    case .shared(let name):
      "the base map \(name) is a file that all agencies share: remove it from the folder maps on the"
        + " office's machine"
    case .tooMany:
      "there are \(OfficeLayers.layersAtMost) base maps, which is the limit: remove one first"
    case .unusable(let reason): "this file cannot be a base map: \(reason)"
    }
  }
}
