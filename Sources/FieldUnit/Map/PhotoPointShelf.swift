import Evidence
import Foundation
import Imagery
import Inspection
import NIOHTTP1
import Store
import Sync
import Synchronization
import TimeAndText

/// A link to an office that keeps photo points. An older office has none.
package protocol PhotoPointLink: OfficeLink {
  /// Fetches the list of photo points.
  /// - Parameter tag: the digest of the list that is here; nil if none is.
  /// - Returns: the bytes of the list; nil if they are those that are here.
  func photoPoints(known tag: String?, token: String) async throws -> [UInt8]?
  /// Fetches a picture that a point rests on.
  /// - Returns: the bytes, and the SHA-256 of the original as the office has it.
  func picture(
    _ name: PhotoPoint.PictureKind, of id: Identifier, token: String
  ) async throws -> (bytes: [UInt8], original: String?)
  /// Tells the office of a point that was made here.
  /// - Returns: the point as the office keeps it.
  func make(_ message: NewPhotoPointMessage, token: String) async throws -> PhotoPointMessage
}

extension HTTPOfficeLink: PhotoPointLink {
  private static let path = "/api/v1/photo-points"

  package func photoPoints(known tag: String?, token: String) async throws -> [UInt8]? {
    try await list(
      Self.path, orThrow: .malformedMessage("its photo points were changed on their way"),
      known: tag,
      token: token)
  }

  package func picture(
    _ name: PhotoPoint.PictureKind, of id: Identifier, token: String
  ) async throws -> (bytes: [UInt8], original: String?) {
    let answer = try await picture("\(Self.path)/\(id)/\(name.rawValue).jpg", token: token)
    return (answer.bytes, answer.headers.first(name: "Standpoint-Original"))
  }

  package func make(
    _ message: NewPhotoPointMessage, token: String
  ) async throws -> PhotoPointMessage {
    try await answer(
      PhotoPointMessage.self, .POST, Self.path, token: token,
      message: try WireJSON.bytes(message))
  }
}

/// The photo points of this device with their pictures. They come after deliveries, as parcels and
/// maps do; points that were made here go to the office in the same turn.
package final class PhotoPointShelf: Sendable {
  /// The most bytes that all pictures of the shelf take together.
  package static let bytesAtMost = 500 << 20
  /// The most pixels of a picture's longer side.
  private static let sideAtMost = 2000
  private static let tagSetting = "photo-points-tag"

  private let maker = Maker()
  private let space: ShelfSpace

  /// Creates a shelf.
  /// - Parameter folder: the folder of everybody's pictures; it need not exist.
  package init(
    folder: String, bytesAtMost: Int = PhotoPointShelf.bytesAtMost,
    hasRoom: @escaping @Sendable () -> Bool, log: @escaping @Sendable (String) -> Void
  ) {
    space = ShelfSpace(
      of: "photo points", folder: folder, bytesAtMost: bytesAtMost, hasRoom: hasRoom, log: log)
  }

  /// Returns the path of a point's picture on this device: of the inspector's own photo, or of the
  /// one that came from the office; nil if none is here.
  package func path(
    of name: PhotoPoint.PictureKind, _ point: PhotoPoint, on unit: InspectorUnit
  ) throws -> String? {
    try Self.path(of: name, point, on: unit)
  }

  /// Returns the path of a point's picture on this device, for programs that fetch none.
  package static func path(
    of name: PhotoPoint.PictureKind, _ point: PhotoPoint, on unit: InspectorUnit
  ) throws -> String? {
    guard let picture = point.picture(name) else { return nil }
    let own = unit.path(ofPhoto: picture.photo)
    if FileStatus(ofPath: own) != nil { return own }
    let fetched = path(
      of: name, point.id, in: ShelfSpace.folder(of: unit.person, in: unit.folder.points))
    return FileStatus(ofPath: fetched) == nil ? nil : fetched
  }

  /// Returns the path of a point's small picture for lists, which is made now if necessary; nil if
  /// the picture is not here, or cannot be read.
  package func thumbnail(of point: PhotoPoint, on unit: InspectorUnit) async throws -> String? {
    guard let path = try path(of: .reference, point, on: unit) else { return nil }
    let folder = space.folder(of: unit.person)
    let small = Self.thumbnailPath(point.id, in: folder)
    if FileStatus(ofPath: small) != nil { return small }
    return try await maker.make(small, of: path, in: folder) ? small : nil
  }

  /// Makes one small picture after the other: a second core is for the receiver and the pages, and two
  /// requests for the same picture must not write one file together.
  private actor Maker {
    /// - Returns: false if the picture cannot be read.
    func make(_ small: String, of path: String, in folder: String) throws -> Bool {
      if FileStatus(ofPath: small) != nil { return true }
      do {
        let picture = try Thumbnail.jpeg(of: try DurableFile.read(path))
        try DurableFile.makeFolder(folder)
        try DurableFile.replace(small, with: picture)
      } catch is ImageryError {
        return false
      }
      return true
    }
  }

  private static func thumbnailPath(_ id: Identifier, in folder: String) -> String {
    "\(folder)/\(id).small.jpg"
  }

  private static func path(of name: PhotoPoint.PictureKind, _ id: Identifier, in folder: String)
    -> String
  {
    "\(folder)/\(id).\(name.rawValue).jpg"
  }

  // MARK: the office

  /// Tells the office of new points, and fetches the list and the pictures that are missing. A
  /// failure is only logged; everything that is here stays.
  package func bring(from unit: InspectorUnit, over link: any PhotoPointLink) async {
    do {
      let office = try OfficeConversation(of: unit, over: link)
      let told = try await tell(unit, office, link)
      let fetch = try SurroundingsFetch(of: unit)
      if space.isSoon(fetch), told.taken == 0 { return }
      try await bringList(unit, office, link)
      let isComplete = try await bringPictures(unit, office, link)
      space.keep(fetch)
      if isComplete, told.refused == 0 { space.log.allIsWell() }
    } catch DeliveryError.olderOffice {
      // It has no photo points: nothing is wrong.
    } catch {
      space.log.say("\(error)")
    }
  }

  /// Tells the office of points that were made here.
  /// - Returns: the number of points that the office took, and of those that it refused.
  private func tell(
    _ unit: InspectorUnit, _ office: OfficeConversation, _ link: any PhotoPointLink
  ) async throws -> (taken: Int, refused: Int) {
    var (taken, refused) = (0, 0)
    for point in try unit.store.read(as: unit.person, { try $0.points.waiting() }) {
      do {
        let kept = try await office.asking {
          try await link.make(NewPhotoPointMessage(point), token: $0)
        }
        let known = try kept.point(in: unit.person.agency)
        guard known.id == point.id else {
          throw SyncError.malformedMessage("it answered with another photo point")
        }
        try unit.store.write(as: unit.person) { try $0.points.confirm(known) }
        taken += 1
      } catch DeliveryError.refused(_, let detail) {
        // Its photo may still be on its way; the next turn tells the office again.
        refused += 1
        space.log.say("the office does not take photo point \(point.title) yet: \(detail)")
      }
    }
    return (taken, refused)
  }

  private func bringList(
    _ unit: InspectorUnit, _ office: OfficeConversation, _ link: any PhotoPointLink
  ) async throws {
    let tag = try unit.store.read(as: unit.person) { try $0.settings.value(of: Self.tagSetting) }
    guard let bytes = try await office.asking({ try await link.photoPoints(known: tag, token: $0) })
    else { return }
    let list = try PhotoPointListMessage.contents(bytes, in: unit.person.agency)
    try unit.store.write(as: unit.person) { session in
      try session.points.take(list.points, withdrawn: list.withdrawn)
      try session.settings.set(Self.tagSetting, to: Digest.hexadecimal(bytes))
    }
  }

  /// Fetches the pictures that are missing. One that the office cannot give is only logged.
  /// - Returns: true if no picture failed.
  private func bringPictures(
    _ unit: InspectorUnit, _ office: OfficeConversation, _ link: any PhotoPointLink
  ) async throws -> Bool {
    let folder = space.folder(of: unit.person)
    try DurableFile.makeFolder(folder)
    let opened = Set(try unit.store.read(as: unit.person) { try $0.points.used() })
    let all = try unit.points.all()
    // Points that the person has opened come first: the others wait when the shelf is full.
    let points = all.filter { opened.contains($0.id) } + all.filter { !opened.contains($0.id) }
    // Pictures of points that are gone make room first.
    let known = Set(points.map(\.id.description))
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where !known.contains(String(name.prefix(36))) { try DurableFile.remove("\(folder)/\(name)") }
    // One look at the folder: with two thousand points, a look for each picture takes minutes.
    var taken = try FileManager.default.contentsOfDirectory(atPath: folder)
      .reduce(0) { $0 + (FileStatus(ofPath: "\(folder)/\($1)")?.bytes ?? 0) }
    var isComplete = true
    for point in points {
      for name in PhotoPoint.PictureKind.allCases {
        guard let picture = point.picture(name),
          try path(of: name, point, on: unit) == nil
        else { continue }
        try space.requireRoom(in: folder)
        do {
          let bytes = try await fetch(name, picture, of: point, office, link)
          guard try makeRoom(for: bytes.count, point.id, unit, in: folder, &taken) else {
            space.sayFull()
            return false
          }
          try DurableFile.replace(Self.path(of: name, point.id, in: folder), with: bytes)
          taken += bytes.count
        } catch DeliveryError.refused(_, let detail) {
          isComplete = false
          space.log.say("a picture of photo point \(point.title) does not come: \(detail)")
        } catch let error as SyncError {
          isComplete = false
          space.log.say("a picture of photo point \(point.title) is not taken: \(error)")
        } catch let error as ImageryError {
          isComplete = false
          space.log.say("a picture of photo point \(point.title) is not taken: \(error)")
        }
      }
    }
    return isComplete
  }

  private func fetch(
    _ name: PhotoPoint.PictureKind, _ picture: PhotoPoint.Picture, of point: PhotoPoint,
    _ office: OfficeConversation, _ link: any PhotoPointLink
  ) async throws -> [UInt8] {
    let answer = try await office.asking {
      try await link.picture(name, of: point.id, token: $0)
    }
    guard answer.original == picture.digest else {
      throw SyncError.malformedMessage("it is another one")
    }
    let size = try JPEGPicture.inspect(answer.bytes)
    guard max(size.widthPixels, size.heightPixels) <= Self.sideAtMost else {
      throw SyncError.malformedMessage("it has more than \(Self.sideAtMost) pixels a side")
    }
    return answer.bytes
  }

  /// Makes room for a picture. A point that a person has opened takes the place of those that were
  /// not opened longest; any other one waits until there is room.
  /// - Parameter taken: the bytes of all pictures in the folder.
  /// - Returns: false if there is no room for it.
  private func makeRoom(
    for bytes: Int, _ id: Identifier, _ unit: InspectorUnit, in folder: String, _ taken: inout Int
  ) throws -> Bool {
    guard taken + bytes > space.bytesAtMost else { return true }
    let opened = try unit.store.read(as: unit.person) { try $0.points.used() }
    guard opened.contains(id) else { return false }
    let never = try unit.points.all().map(\.id).filter { !opened.contains($0) }
    for old in never + opened where taken + bytes > space.bytesAtMost && old != id {
      let paths =
        PhotoPoint.PictureKind.allCases.map { Self.path(of: $0, old, in: folder) }
        + [Self.thumbnailPath(old, in: folder)]
      for path in paths {
        taken -= FileStatus(ofPath: path)?.bytes ?? 0
        try DurableFile.remove(path)
      }
    }
    return taken + bytes <= space.bytesAtMost
  }
}
