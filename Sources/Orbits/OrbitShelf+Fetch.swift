import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Store
import TimeAndText

extension OrbitShelf {
  /// The time until the address is asked again after a success, or after a useless file, seconds.
  /// After any other failure `retrySeconds` pass.
  private static let daySeconds = 86_400.0
  private static let retrySeconds = 1800.0

  /// Fetches from the configured address once a day, as long as there is a network, until the
  /// surrounding task is cancelled. Without an address it only waits.
  public func fetchForever() async throws {
    while true {
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: await fetchIfDue()))
    }
  }

  /// Fetches from the configured address if that is due.
  /// - Returns: seconds until it may be due again.
  package func fetchIfDue() async -> Double {
    guard let address else { return Self.daySeconds }
    read(near: await time())
    let last = Memory(path: memory, address: address)
    let now = clock.deviceTime
    if let fetched = last?.fetched {
      let age =
        (Double(now.millisecondsSince1970) - Double(fetched.millisecondsSince1970)) / 1000
      // A time later than now comes from a clock that was set back since, and does not count.
      if (0..<Self.daySeconds).contains(age) {
        note(StoredOrbits.FetchStatus(address: address, fetched: fetched))
        return Self.daySeconds - age
      }
    }
    do {
      // If the file was removed, it is fetched again.
      let isHere = stored.files.contains { $0.name.hasPrefix("fetched.") }
      let tag = try await fetch(address, known: isHere ? last?.tag : nil)
      try Memory(fetched: now, tag: tag).write(to: memory, address: address)
      note(StoredOrbits.FetchStatus(address: address, fetched: now))
      return Self.daySeconds
    } catch {
      note(
        StoredOrbits.FetchStatus(
          address: address, fetched: last?.fetched, problem: Self.words(error)))
      // Otherwise the same 32 MB would be fetched and refused all day long.
      return error is OrbitRefusal ? Self.daySeconds : Self.retrySeconds
    }
  }

  /// Fetches the file, and stores it.
  /// - Returns: the ETag of the file that is here now; nil if it has none.
  private func fetch(_ address: String, known tag: String?) async throws -> String? {
    var configuration = HTTPClient.Configuration()
    configuration.timeout = HTTPClient.Configuration.Timeout(
      connect: .seconds(10), read: .seconds(60))
    // The address was checked, but the target of a redirect was not.
    configuration.redirectConfiguration = .disallow
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    do {
      let found = try await fetch(address, known: tag, with: client)
      try? await client.shutdown()
      return found
    } catch {
      try? await client.shutdown()
      throw error
    }
  }

  private func fetch(
    _ address: String, known tag: String?, with client: HTTPClient
  ) async throws -> String? {
    var request = HTTPClientRequest(url: address)
    if let tag { request.headers.add(name: "If-None-Match", value: tag) }
    let response = try await client.execute(request, timeout: .minutes(10))
    if response.status == .notModified, tag != nil { return tag }
    guard response.status == .ok else { throw FetchFailure(status: Int(response.status.code)) }
    var body = try await response.body.collect(upTo: Self.maximumBytes)
    try keep(
      body.readBytes(length: body.readableBytes) ?? [], from: .address, near: await time())
    return response.headers.first(name: "ETag")
  }

  private static func words(_ error: any Error) -> Wording {
    switch error {
    case let error as any Worded: error.wording
    case let error as FetchFailure: "it answers \(error.status)"
    case is NIOTooManyBytesError: OrbitRefusal.tooLarge(megabytes: maximumBytes >> 20).wording
    default: "there is no network, or nothing answers there"
    }
  }
}

/// The answer is no file.
private struct FetchFailure: Error {
  var status: Int
}

/// The memory of the last fetch from an address, kept over restarts as three lines.
private struct Memory {
  var fetched: DeviceTime
  var tag: String?

  init(fetched: DeviceTime, tag: String?) {
    self.fetched = fetched
    self.tag = tag
  }

  /// Reads the memory; nil if nothing is remembered of this address.
  init?(path: String, address: String) {
    guard let bytes = FileManager.default.contents(atPath: path), bytes.count < 8192 else {
      return nil
    }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count >= 3, lines[0] == address, let fetched = DeviceTime(rfc3339: lines[1]) else {
      return nil
    }
    self.init(fetched: fetched, tag: lines[2].isEmpty ? nil : lines[2])
  }

  func write(to path: String, address: String) throws {
    let line = (tag ?? "").filter { !$0.isNewline }.prefix(1024)
    try DurableFile.makeFolder((path as NSString).deletingLastPathComponent)
    try DurableFile.replace(
      path, with: Array("\(address)\n\(fetched.rfc3339)\n\(line)\n".utf8))
  }
}
