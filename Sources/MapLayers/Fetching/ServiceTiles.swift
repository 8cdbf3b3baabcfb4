import Foundation
import NIOHTTP1
import Store
import Sync
import Synchronization
import TimeAndText

/// The tiles of one map service, from the disk or from the service.
///
/// Twenty browsers that open the same map must not ask the service twenty times, and a service that is
/// gone must not hold the office's visitors. So a tile is asked for once, however many wait for it; at
/// most `fetchesAtOnce` are under way; and a service that has failed several times is left alone for a
/// while, in which kept tiles are shown, however old.
package final class ServiceTiles: Sendable {
  /// The most questions to one service at once.
  static let fetchesAtOnce = 4
  /// The most questions that wait: about what a few large screens show.
  static let waitingAtMost = 400
  /// The failures behind which a service is left alone, and for how long at first and at most.
  static let failuresToPause = 3
  static let pauseSeconds = (first: 15.0, most: 300.0)

  /// The settings of the service.
  package let service: MapService
  private let cache: TileCache?
  private let fetcher: ServiceFetcher
  private let clock: any Timepiece
  private let hasRoom: @Sendable () -> Bool
  private let turnstile = Turnstile(width: fetchesAtOnce, waitingAtMost: waitingAtMost)
  private let state = Mutex(State())

  private struct State {
    var underWay: [TileExtract.Place: Task<Result<LayerTile?, MapServiceError>, Never>] = [:]
    var failures = 0
    var resumes: ElapsedTime?
    var trouble: Trouble?
  }

  /// The last failure of a service.
  package struct Trouble: Hashable, Sendable {
    package var error: MapServiceError
    package var time: DeviceTime
  }

  init(
    service: MapService, cache: TileCache?, fetcher: ServiceFetcher, clock: any Timepiece,
    hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.service, self.cache, self.fetcher) = (service, cache, fetcher)
    (self.clock, self.hasRoom) = (clock, hasRoom)
  }

  /// The last failure, for as long as no tile has come since; nil if all is well.
  package var trouble: Trouble? { state.withLock { $0.trouble } }

  /// Returns a tile; nil if the service has none there.
  /// - Parameter isTest: true if the service must be asked now, whatever is kept.
  package func tile(
    at place: TileExtract.Place, isTest: Bool = false
  ) async throws(MapServiceError) -> LayerTile? {
    guard let address = try service.address(of: place) else { return nil }
    let kept = kept(place)
    if !isTest, let kept, kept.fresh > clock.deviceTime { return kept.tile }
    let task = state.withLock { state in
      if let task = state.underWay[place] { return task }
      let task = Task { await fetchOnce(place, address, kept, isTest: isTest) }
      state.underWay[place] = task
      return task
    }
    switch await task.value {
    case .success(let tile): return tile
    case .failure(let error):
      // An old tile is better than none.
      if !isTest, let kept { return kept.tile }
      throw error
    }
  }

  /// Returns a tile that is kept, without asking the service; nil if none is.
  package func keptTile(at place: TileExtract.Place) -> LayerTile? { kept(place)?.tile }

  /// The mean size of a kept tile, bytes; nil if too few are kept to say.
  package var meanTileBytes: Int? {
    guard let (tiles, bytes) = try? cache?.extent(), tiles >= 20 else { return nil }
    return bytes / tiles
  }

  // A cache that cannot be read is as good as none: the service is asked.
  private func kept(_ place: TileExtract.Place) -> TileCache.Entry? {
    (try? cache?.entry(of: place)) ?? nil
  }

  // MARK: asking

  private func fetchOnce(
    _ place: TileExtract.Place, _ address: String, _ kept: TileCache.Entry?, isTest: Bool
  ) async -> Result<LayerTile?, MapServiceError> {
    let result = await fetch(place, address, kept, isTest: isTest)
    state.withLock { $0.underWay[place] = nil }
    return result
  }

  private func fetch(
    _ place: TileExtract.Place, _ address: String, _ kept: TileCache.Entry?, isTest: Bool
  ) async -> Result<LayerTile?, MapServiceError> {
    if !isTest, let pause = pause() { return .failure(pause) }
    let result = await turnstile.passing { [self] in
      await ask(place, address, kept)
    }
    guard let result else {
      return .failure(.busy(host: (try? ServiceAddress(address, kind: .wms))?.host ?? ""))
    }
    note(result)
    return result
  }

  private func ask(
    _ place: TileExtract.Place, _ address: String, _ kept: TileCache.Entry?
  ) async -> Result<LayerTile?, MapServiceError> {
    do {
      let known = kept.flatMap { entry in
        entry.tile == nil ? nil : entry.tag.map { [("If-None-Match", $0)] }
      }
      let answer = try await fetcher.get(
        address, for: service, accepting: "\(service.mediaType), image/*;q=0.8", known: known ?? [],
        bytesAtMost: ServiceFetcher.tileBytesAtMost, within: fetcher.tileSeconds)
      let tile = answer.isUnchanged ? kept?.tile : try picture(answer, address)
      let seconds = Freshness.seconds(
        cacheControl: answer.headers["Cache-Control"], age: answer.headers.first(name: "Age"))
      if let seconds {
        keep(
          tile, place, freshSeconds: seconds,
          tag: answer.headers.first(name: "ETag") ?? (answer.isUnchanged ? kept?.tag : nil))
      }
      return .success(tile)
    } catch MapServiceError.status(_, let code) where [204, 404, 410].contains(code) {
      keep(nil, place, freshSeconds: Freshness.nothingSeconds, tag: nil)
      return .success(nil)
    } catch {
      return .failure(error)
    }
  }

  /// Returns the picture of an answer.
  /// - Throws: `MapServiceError` if it is none, or has the wrong size.
  private func picture(
    _ answer: ServiceFetcher.Answer, _ address: String
  ) throws(MapServiceError) -> LayerTile {
    let host = URLComponents(string: address)?.host ?? ""
    guard let picture = TilePicture(answer.bytes) else {
      if let root = XMLTree(parsing: answer.bytes) {
        if let words = ServiceCapabilities.exception(in: root) {
          throw .exception(host: host, words: words)
        }
        let isPage = root.name.lowercased() == "html"
        throw .notPicture(host: host, kind: isPage ? "a web page" : "an XML document")
      }
      let start = String(decoding: answer.bytes.prefix(200), as: UTF8.self).lowercased()
      let isPage = ["<html", "<!doctype html"].contains(where: start.contains)
      throw .notPicture(
        host: host,
        kind: answer.bytes.isEmpty
          ? "an empty answer" : isPage ? "a web page" : "something else")
    }
    guard picture.isTile else {
      throw .wrongSize(
        host: host, width: picture.size?.width ?? 0, height: picture.size?.height ?? 0)
    }
    return LayerTile(bytes: answer.bytes, mediaType: picture.mediaType)
  }

  private func keep(
    _ tile: LayerTile?, _ place: TileExtract.Place, freshSeconds: Double, tag: String?
  ) {
    let now = clock.deviceTime
    // A cache that cannot be written costs time only: the tile is shown all the same.
    guard hasRoom() else { return }
    try? cache?.keep(
      TileCache.Entry(tile: tile, fresh: now.advanced(bySeconds: freshSeconds), tag: tag),
      of: place, at: now)
  }

  // MARK: leaving alone

  private func pause() -> MapServiceError? {
    let now = clock.elapsed
    return state.withLock { state in
      guard let resumes = state.resumes, now < resumes, let trouble = state.trouble else {
        return nil
      }
      return .paused(
        seconds: Int(resumes.seconds(since: now).rounded(.up)), reason: trouble.error.wording)
    }
  }

  private func note(_ result: Result<LayerTile?, MapServiceError>) {
    let (now, time) = (clock.elapsed, clock.deviceTime)
    state.withLock { state in
      guard case .failure(let error) = result else {
        (state.failures, state.resumes, state.trouble) = (0, nil, nil)
        return
      }
      state.trouble = Trouble(error: error, time: time)
      guard error.concernsService else { return }
      state.failures += 1
      let beyond = state.failures - Self.failuresToPause
      guard error.needsPerson || beyond >= 0 else { return }
      let seconds = Self.pauseSeconds.first * Double(1 << min(max(beyond, 0), 10))
      state.resumes = now.advanced(
        bySeconds: error.needsPerson ? Self.pauseSeconds.most : min(seconds, Self.pauseSeconds.most)
      )
    }
  }
}
