import Evidence
import Foundation
import MapLayers
import NIOHTTP1
import Orbits
import Store
import Sync
import TimeAndText

/// A link to an office that has orbits for its field units. An older office has none.
package protocol OrbitLink: OfficeLink {
  /// Asks the office for the list of its files.
  func orbits(token: String) async throws -> OrbitListMessage
  /// Fetches the bytes of one file.
  func orbits(_ file: OrbitListMessage.File, token: String) async throws -> [UInt8]
}

extension HTTPOfficeLink: OrbitLink {
  package func orbits(token: String) async throws -> OrbitListMessage {
    let answer = try await exchange(.GET, "/api/v1/orbits", token: token)
    do {
      return try WireJSON.message(OrbitListMessage.self, answer.bytes)
    } catch {
      throw DeliveryError.notAnOffice(address: address, reason: "\(error)")
    }
  }

  package func orbits(_ file: OrbitListMessage.File, token: String) async throws -> [UInt8] {
    try await exchange(
      .GET, "/api/v1/orbits/\(file.name)", token: token, accepted: "application/octet-stream"
    ).bytes
  }
}

extension OrbitShelf {
  /// Returns an address from which orbits may be fetched, without surrounding blanks.
  /// - Throws: `FieldUnitError.malformedSetting`, also for plain HTTP to another machine than this
  ///   one.
  public static func checkedAddress(_ text: String) throws(FieldUnitError) -> String {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    guard let url = URLComponents(string: trimmed), let host = url.host, !host.isEmpty,
      url.user == nil, url.password == nil, url.fragment == nil,
      let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme)
    else {
      throw FieldUnitError.malformedSetting(
        name: "the address of orbits", reason: "it looks like https://orbits.example/gnss.tle")
    }
    guard scheme == "https" || ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) else {
      throw FieldUnitError.malformedSetting(
        name: "the address of orbits",
        reason: "over http anyone in between could change them; use https")
    }
    return trimmed
  }

  /// Creates the shelf of a field unit; it has read nothing.
  /// - Parameter time: returns the time of now for orbits; nil uses the device's time.
  package convenience init(
    configuration: FieldUnitConfiguration, clock: any Timepiece,
    hasRoom: @escaping @Sendable () -> Bool = { true },
    time: (@Sendable () async -> DeviceTime)? = nil
  ) {
    self.init(
      folder: configuration.dataDirectory.appendingPathComponent("orbits").path,
      memories: DataFolder(dataDirectory: configuration.dataDirectory).root,
      address: configuration.orbitsAddress, clock: clock, hasRoom: hasRoom, time: time)
  }

  /// Fetches the office's files that are not here yet, and removes those that it has not had for a
  /// day. Each file is read before it is stored; a useless file leaves the others alone.
  /// - Parameter mayGoOn: asked before each file; if it returns false, the fetching ends and goes
  ///   on another time.
  /// - Returns: true if nothing is left to be done for now.
  /// - Throws: `DeliveryError` if the office cannot be asked; nothing is lost then.
  @discardableResult
  package func bring(
    from unit: InspectorUnit, over link: any OrbitLink,
    while mayGoOn: @Sendable () -> Bool = { true }
  ) async throws -> Bool {
    let office = try OfficeConversation(of: unit, over: link)
    let list = try await office.asking { try await link.orbits(token: $0) }
    guard list.schema == OrbitListMessage.schema else {
      throw SyncError.unknownSchema(found: list.schema, expected: OrbitListMessage.schema)
    }
    let files = list.files.filter(\.isSound).prefix(OrbitListMessage.maximumFiles)
    letGo(allBut: files.map(\.name))
    for file in files where digest(of: file.name) != file.digest && !isUseless(file.digest) {
      guard mayGoOn() else { return false }
      // A day of photos needs its room; missing files are fetched once there is enough.
      guard hasRoom() else { return true }
      let bytes = try await office.asking { try await link.orbits(file, token: $0) }
      // A file that was changed on its way is fetched again after the next delivery.
      guard Digest.hexadecimal(bytes) == file.digest else { continue }
      do {
        try keep(bytes, from: .office(name: file.name), near: await time())
      } catch let refusal as OrbitRefusal {
        // The earlier file from the office, if there is one, stays.
        noteUseless(file.digest, for: refusal)
      }
      // Reading a day of broadcasts takes seconds: other tasks come first.
      await Task.yield()
    }
    return true
  }

  /// Removes files that the office's lists have lacked for a day; if the disk is short, or if there
  /// are too many, also those that this list lacks.
  private func letGo(allBut names: [String]) {
    let offered = Set(names.map { Self.officePrefix + $0 })
    let missing = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
      $0.hasPrefix(Self.officePrefix) && !offered.contains($0)
    }
    var missed = MissedNames(path: self.missed)
    let gone = missed.note(missing, at: clock.deviceTime)
    let isShort = !hasRoom() || missing.count > OrbitListMessage.maximumFiles
    for name in missing where isShort || gone.contains(name) {
      try? DurableFile.remove(folder + "/" + name)
    }
  }

  private func digest(of name: String) -> String? {
    Digest.hexadecimal(file: folder + "/" + Self.officePrefix + name)
  }
}
