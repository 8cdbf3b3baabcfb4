import Evidence
import Foundation
import Imagery
import Inspection
import Store
import Sync
import Synchronization
import TimeAndText

/// A link to an office that has the earlier photos around an inspector's tasks. An older office has
/// none.
package protocol EarlierPhotoLink: OfficeLink {
  /// Fetches the list of earlier photos.
  /// - Parameter tag: the digest of the list that is here; nil if none is.
  /// - Returns: the bytes of the list; nil if they are those that are here.
  func earlierPhotos(known tag: String?, token: String) async throws -> [UInt8]?
  /// Fetches the small picture of a photo in the list.
  func smallPicture(ofPhoto id: Identifier, token: String) async throws -> [UInt8]
}

extension HTTPOfficeLink: EarlierPhotoLink {
  private static let path = "/api/v1/earlier-photos"

  package func earlierPhotos(known tag: String?, token: String) async throws -> [UInt8]? {
    try await list(
      Self.path, orThrow: .malformedMessage("its earlier photos were changed on their way"),
      known: tag,
      token: token)
  }

  package func smallPicture(ofPhoto id: Identifier, token: String) async throws -> [UInt8] {
    try await picture("\(Self.path)/\(id)/small.jpg", token: token).bytes
  }
}

/// The earlier photos of the agency around each inspector's tasks on this device: counts, dates and
/// small pictures, to be seen without a network. They come after deliveries, and nobody sees
/// another's.
package final class EarlierPhotoShelf: Sendable {
  /// The most bytes that the pictures of one inspector take together.
  package static let bytesAtMost = 64 << 20
  /// The most pixels of a picture's longer side.
  private static let sideAtMost = 640

  private let space: ShelfSpace

  /// Creates a shelf.
  /// - Parameter folder: the folder of everybody's files; it need not exist.
  package init(
    folder: String, bytesAtMost: Int = EarlierPhotoShelf.bytesAtMost,
    hasRoom: @escaping @Sendable () -> Bool, log: @escaping @Sendable (String) -> Void
  ) {
    space = ShelfSpace(
      of: "earlier photos", folder: folder, bytesAtMost: bytesAtMost, hasRoom: hasRoom, log: log)
  }

  private func listPath(of person: Person) -> String { space.folder(of: person) + "/list.json" }

  private func path(of id: String, _ person: Person) -> String {
    "\(space.folder(of: person))/\(id).jpg"
  }

  /// Returns the clusters that are here for a person, each photo with its picture on this device. If
  /// the list cannot be read, the log says so, and it is fetched anew after the next delivery.
  package func clusters(of person: Person) -> [EarlierPhotosMessage.Cluster] {
    list(of: person)?.message.clusters ?? []
  }

  /// Returns the path of a photo's small picture; nil if it is not here.
  package func path(ofPhoto id: Identifier, of person: Person) -> String? {
    let path = path(of: id.description, person)
    return FileStatus(ofPath: path) == nil ? nil : path
  }

  private func list(of person: Person) -> (bytes: [UInt8], message: EarlierPhotosMessage)? {
    let path = listPath(of: person)
    guard FileStatus(ofPath: path) != nil else { return nil }
    do {
      let bytes = try DurableFile.read(path)
      return (bytes, try EarlierPhotosMessage.read(bytes))
    } catch {
      space.log.say("\(path) cannot be read, and is fetched anew: \(error)")
      space.keep(nil)
      return nil
    }
  }

  /// Fetches the list and the pictures that are missing, if the tasks have changed or the last fetch
  /// is a while ago. A failure is only logged; everything that is here stays.
  package func bring(from unit: InspectorUnit, over link: any EarlierPhotoLink) async {
    do {
      let fetch = try SurroundingsFetch(of: unit)
      if space.isSoon(fetch) { return }
      let office = try OfficeConversation(of: unit, over: link)
      try space.requireRoom(in: space.folder(of: unit.person))
      let known = list(of: unit.person)
      let tag = known.map { Digest.hexadecimal($0.bytes) }
      if let bytes = try await office.asking({
        try await link.earlierPhotos(known: tag, token: $0)
      }) {
        _ = try EarlierPhotosMessage.read(bytes)
        try DurableFile.makeFolder(space.folder(of: unit.person))
        try DurableFile.replace(listPath(of: unit.person), with: bytes)
      }
      let isComplete = try await bringPictures(unit.person, office, link)
      space.keep(fetch)
      if isComplete { space.log.allIsWell() }
    } catch DeliveryError.olderOffice {
      // It has no earlier photos for devices: nothing is wrong.
    } catch {
      space.log.say("\(error)")
    }
  }

  /// Fetches the pictures that are missing, those nearest to a task first, and removes those that are
  /// not in the list any more.
  /// - Returns: true if no picture failed.
  private func bringPictures(
    _ person: Person, _ office: OfficeConversation, _ link: any EarlierPhotoLink
  ) async throws -> Bool {
    let wanted = clusters(of: person).flatMap(\.photos).compactMap { Identifier($0.id) }
    let folder = space.folder(of: person)
    let names = Set(wanted.map { "\($0).jpg" })
    var taken = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name != "list.json" {
      let path = "\(folder)/\(name)"
      if names.contains(name) {
        taken += FileStatus(ofPath: path)?.bytes ?? 0
      } else {
        try DurableFile.remove(path)
      }
    }
    var isComplete = true
    for id in wanted where path(ofPhoto: id, of: person) == nil {
      try space.requireRoom(in: folder)
      do {
        let bytes = try await office.asking { try await link.smallPicture(ofPhoto: id, token: $0) }
        let size = try JPEGPicture.inspect(bytes)
        guard max(size.widthPixels, size.heightPixels) <= Self.sideAtMost else {
          throw SyncError.malformedMessage("it has more than \(Self.sideAtMost) pixels a side")
        }
        taken += bytes.count
        guard taken <= space.bytesAtMost else {
          space.sayFull()
          return false
        }
        try DurableFile.replace(path(of: id.description, person), with: bytes)
      } catch DeliveryError.refused(_, let detail) {
        isComplete = false
        space.log.say("the picture of photo \(id) does not come: \(detail)")
      } catch let error as SyncError {
        isComplete = false
        space.log.say("the picture of photo \(id) is not taken: \(error)")
      } catch let error as ImageryError {
        isComplete = false
        space.log.say("the picture of photo \(id) is not taken: \(error)")
      }
    }
    return isComplete
  }
}
