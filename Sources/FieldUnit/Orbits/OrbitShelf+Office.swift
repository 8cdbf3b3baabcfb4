import Evidence
import Foundation
import NIOHTTP1
import Positioning
import Store
import Sync

/// The way to an office that has orbits for its field units. An office that is older has none.
protocol OrbitLink: OfficeLink {
  /// The files that it has.
  func orbits(token: String) async throws -> OrbitListMessage
  /// The bytes of one of them.
  func orbits(_ file: OrbitListMessage.File, token: String) async throws -> [UInt8]
}

extension HTTPOfficeLink: OrbitLink {
  func orbits(token: String) async throws -> OrbitListMessage {
    let answer = try await exchange(.GET, "/api/v1/orbits", token: token)
    do {
      return try WireJSON.message(OrbitListMessage.self, answer.bytes)
    } catch {
      throw DeliveryError.notAnOffice(address: address, reason: "\(error)")
    }
  }

  func orbits(_ file: OrbitListMessage.File, token: String) async throws -> [UInt8] {
    try await exchange(
      .GET, "/api/v1/orbits/\(file.name)", token: token, accepted: "application/octet-stream"
    ).bytes
  }
}

extension OrbitShelf {
  /// Fetches what the office has and is not here yet, and lets go of what it no longer has. Each file is
  /// read before it is kept; one that is of no use leaves the others alone.
  /// - Throws: `DeliveryError` where the office cannot be asked; nothing is lost by it.
  func bring(from unit: InspectorUnit, over link: any OrbitLink) async throws {
    let office = try OfficeConversation(of: unit, over: link)
    let list = try await office.asking { try await link.orbits(token: $0) }
    guard list.schema == OrbitListMessage.schema else {
      throw SyncError.unknownSchema(found: list.schema, expected: OrbitListMessage.schema)
    }
    let files = list.files.filter(\.isSound).prefix(OrbitListMessage.maximumFiles)
    for file in files where digest(of: file.name) != file.digest && !isUseless(file.digest) {
      let bytes = try await office.asking { try await link.orbits(file, token: $0) }
      // What was changed on its way comes again with the next delivery.
      guard Digest.hexadecimal(bytes) == file.digest else { continue }
      do {
        try keep(bytes, from: .office(name: file.name), near: clock.deviceTime)
      } catch is OrbitRefusal {
        // What is here of the office keeps its place.
        noteUseless(file.digest)
      }
    }
    let offered = Set(files.map { Self.officePrefix + $0.name })
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasPrefix(Self.officePrefix) && !offered.contains(name) {
      try? DurableFile.remove(folder + "/" + name)
    }
  }

  private func digest(of name: String) -> String? {
    Digest.hexadecimal(file: folder + "/" + Self.officePrefix + name)
  }
}

extension FieldServer {
  /// After a delivery, and beside everything else: the office's orbits. What comes of it harms nothing.
  func bringOrbits() {
    guard let signIn = try? desk.signedIn(), let unit = try? unit(),
      let link = try? link(to: signIn.office) as? any OrbitLink, orbits.beginBringing()
    else { return }
    Task(priority: .utility) {
      do {
        try await orbits.bring(from: unit, over: link)
        orbits.endBringing(isDone: true)
      } catch DeliveryError.olderOffice {
        orbits.endBringing(isDone: true)
      } catch {
        orbits.endBringing(isDone: false)
      }
    }
  }
}
