import Evidence
import Foundation
import Store
import Sync

/// A base map of an agency: a file of tiles, or a service whose tiles the office fetches.
package struct BaseLayer: Sendable {
  /// The place where a layer's tiles come from.
  package enum Source: Sendable {
    /// A file that belongs to the agency, or to all agencies of the office.
    case archive(TileArchive, isShared: Bool)
    /// A service.
    case service(ServiceTiles)
  }

  /// The name in addresses and on devices.
  package var name: String
  package var source: Source
  /// The mark by which field units know the state of the layer: 32 hexadecimal digits.
  package var mark: String

  /// The title on screen.
  package var title: String {
    switch source {
    case .archive(let archive, _): archive.title
    case .service(let tiles): tiles.service.title
    }
  }

  /// The words that credit the makers; nil if there are none.
  package var attribution: String? {
    switch source {
    case .archive(let archive, _): archive.attribution
    case .service(let tiles): tiles.service.attribution
    }
  }

  /// The zooms with tiles.
  package var zooms: ClosedRange<Int> {
    switch source {
    case .archive(let archive, _): archive.zooms
    case .service(let tiles): tiles.service.zooms
    }
  }

  /// The service; nil for a file.
  package var service: MapService? {
    if case .service(let tiles) = source { return tiles.service }
    return nil
  }

  /// The layer as field units are told of it; nil if they may not keep it, or its name is not
  /// allowed in messages.
  package var offer: MapListMessage.Map? {
    guard MapListMessage.isName(name), service?.isOffered ?? true else { return nil }
    var mediaType = service?.mediaType ?? "image/png"
    if case .archive(let archive, _) = source { mediaType = archive.mediaType }
    return MapListMessage.Map(
      name: name, title: String(title.prefix(200)),
      attribution: attribution.map { String($0.prefix(1000)) }, mediaType: mediaType, zooms: zooms,
      mark: mark)
  }

  /// Returns a tile; nil if there is none.
  package func tile(at place: TileExtract.Place) async throws -> LayerTile? {
    switch source {
    case .archive(let archive, _):
      try archive.tile(zoom: place.zoom, x: place.x, y: place.y).map {
        LayerTile(bytes: Array($0), mediaType: archive.mediaType)
      }
    case .service(let tiles): try await tiles.tile(at: place)
    }
  }

  /// Returns the tiles in some areas, for a field unit.
  /// - Returns: nil if they have more than `TileExtract.maximumBytes` together.
  /// - Throws: `MapServiceError` if one of them cannot be fetched: a part with holes would stay on
  ///   the device.
  package func extract(_ areas: [TileExtract.Area]) async throws -> TileExtract? {
    guard case .service(let service) = source else {
      if case .archive(let archive, _) = source { return try archive.extract(areas) }
      return nil
    }
    let places = areas.filter { zooms.contains($0.zoom) }.flatMap { area in
      area.columns.flatMap { x in
        area.rows.map { y in TileExtract.Place(zoom: area.zoom, x: x, y: y) }
      }
    }
    return try await Self.gathered(places) { place in
      try await service.tile(at: place).map { .init(place: place, bytes: $0.bytes) }
    }
  }

  /// The most tiles of one extract that are asked for at once.
  static let tilesAtOnce = 8

  /// Gathers the tiles of some places, a few at once: twenty devices that ask for the whole of
  /// their parts at the same time would otherwise fill the queue, and the memory.
  /// - Returns: nil as soon as the tiles have more than `bytesAtMost` together; then no further one
  ///   is asked for.
  static func gathered(
    _ places: [TileExtract.Place], bytesAtMost: Int = TileExtract.maximumBytes,
    _ tile: @escaping @Sendable (TileExtract.Place) async throws -> TileExtract.Tile?
  ) async throws -> TileExtract? {
    try await withThrowingTaskGroup(of: TileExtract.Tile?.self) { group in
      defer { group.cancelAll() }
      var waiting = places[...]
      for place in waiting.prefix(tilesAtOnce) { group.addTask { try await tile(place) } }
      waiting = waiting.dropFirst(tilesAtOnce)
      var tiles: [TileExtract.Tile] = []
      var bytes = 0
      while let next = try await group.next() {
        if let found = next {
          bytes += found.bytes.count
          guard bytes <= bytesAtMost else { return nil }
          tiles.append(found)
        }
        if let place = waiting.popFirst() { group.addTask { try await tile(place) } }
      }
      return TileExtract(tiles: tiles.sorted { $0.place < $1.place })
    }
  }
}

extension TileExtract.Place {
  /// Reads a zoom, a column and a row, which come from an address; nil if they are no place.
  package init?(checking numbers: [Int]) {
    guard numbers.count == 3, (0...30).contains(numbers[0]),
      (0..<(1 << numbers[0])).contains(numbers[1]), (0..<(1 << numbers[0])).contains(numbers[2])
    else { return nil }
    self.init(zoom: numbers[0], x: numbers[1], y: numbers[2])
  }
}
