import Evidence
import Foundation
import NIOHTTP1
import Positioning
import Store
import Sync

/// The way to an office that has orbits for its field units. An office that is older has none.
package protocol OrbitLink: OfficeLink {
  /// The files that it has.
  func orbits(token: String) async throws -> OrbitListMessage
  /// The bytes of one of them.
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
  /// Fetches what the office has and is not here yet, and lets go of what it no longer has for a day. Each
  /// file is read before it is kept; one that is of no use leaves the others alone.
  /// - Parameter mayGoOn: asked before each file; with false it ends, and goes on another time.
  /// - Returns: whether nothing is left to be done for now.
  /// - Throws: `DeliveryError` where the office cannot be asked; nothing is lost by it.
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
      // Beside a day of photos; what is missing comes once there is room.
      guard hasRoom() else { return true }
      let bytes = try await office.asking { try await link.orbits(file, token: $0) }
      // What was changed on its way comes again with the next delivery.
      guard Digest.hexadecimal(bytes) == file.digest else { continue }
      do {
        try keep(bytes, from: .office(name: file.name), near: await time())
      } catch let refusal as OrbitRefusal {
        // What is here of the office keeps its place.
        noteUseless(file.digest, for: refusal)
      }
      // To read a day of broadcasts takes seconds: others come first.
      await Task.yield()
    }
    return true
  }

  /// Lets go of what the office's lists have lacked for a day; where the disk is short, or where there are too
  /// many, of what this list lacks.
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

extension FieldServer {
  /// The office's orbits. What comes of it harms nothing.
  func bringOrbits() async {
    let unit: InspectorUnit
    let link: any OrbitLink
    do {
      guard let signIn = try desk.signedIn(), let found = try self.unit(),
        let reached = try self.link(to: signIn.office) as? any OrbitLink, orbits.beginBringing()
      else { return }
      (unit, link) = (found, reached)
    } catch {
      log.note("orbits: \(error)")
      return
    }
    do {
      let isDone = try await orbits.bring(from: unit, over: link) { [weak self] in
        self?.isIdle(for: unit.person) ?? false
      }
      orbits.endBringing(isDone: isDone)
    } catch DeliveryError.olderOffice {
      orbits.endBringing(isDone: true)
    } catch {
      orbits.endBringing(isDone: false)
    }
  }

  /// What counts as now for the sky: the receiver's time where it says one, otherwise the device's.
  static func skyTime(
    of follower: ReceiverFollower?, _ clock: any Timepiece, maximumAgeSeconds: Double
  ) async -> DeviceTime {
    guard let judged = await follower?.lastFix,
      clock.elapsed.seconds(since: judged.arrival) <= maximumAgeSeconds,
      let milliseconds = judged.fix.time.millisecondsSince1970
    else { return clock.deviceTime }
    return DeviceTime(millisecondsSince1970: milliseconds)
  }
}
