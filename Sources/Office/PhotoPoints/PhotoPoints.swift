import Evidence
import Foundation
import Geodesy
import Imagery
import Inspection
import Store
import Sync
import TimeAndText

/// Keeps the photo points of agencies, with their series, and gives field units those near their
/// tasks.
package struct PhotoPoints: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
}

/// The entries for a new photo point.
package struct PhotoPointOrder: Sendable {
  /// The point's identifier.
  package var id: Identifier
  /// The reference photo.
  package var photo: Identifier
  /// The photo of the ground; nil if there is none.
  package var footing: Identifier?
  /// The name; nil for none.
  package var name: String?
  /// The identifier of the parcel; nil if it belongs to none.
  package var parcel: String?
  /// The place of the thing that is photographed; nil if nobody has set it.
  package var subject: Coordinate?
  /// The time at which it was made.
  package var made: DeviceTime

  /// Creates the entries for a photo point.
  package init(id: Identifier, photo: Identifier, name: String?, made: DeviceTime) {
    (self.id, self.photo, self.name, self.made) = (id, photo, name, made)
  }
}

/// A photo point with its repeats, the oldest first.
package struct PhotoSeries: Sendable {
  /// The point.
  package var point: PhotoPoint
  /// The reference photo; nil if this office has no such photo, as for an archive picture.
  package var reference: ReceivedPhoto?
  /// The repeats with their photos.
  package var repeats: [(photo: ReceivedPhoto, repetition: ReceivedRepeat)]
}

extension PhotoPoints {
  /// The tries for a code that no other point has.
  private static let codeTries = 20

  /// Makes a photo point from a sealed photo that the office holds. A repeated call with the same
  /// identifier changes nothing.
  /// - Parameter own: the inspector, if the maker is one: they make points from their own photos.
  /// - Throws: `InspectionError.photoPoint`, `StoreError.unknown`.
  package func make(
    _ order: PhotoPointOrder, by maker: String, own: String?, in agency: String
  ) async throws -> PhotoPoint {
    let name = try PhotoPointRule.name(order.name)
    let parcel = try PhotoPointRule.parcel(order.parcel)
    return try await database.write(in: agency) { session in
      if let known = try session.points.point(order.id) { return known }
      let photo = try reference(order.photo, own: own, session)
      var point = try PhotoPoint(id: order.id, of: photo, maker: maker, made: order.made)
      point.name = name
      point.parcel =
        try parcel
        ?? photo.task.flatMap {
          try session.tasks.task($0).parcel?.identifier
        }
      point.footing = try order.footing.map {
        let footing = try reference($0, own: own, session)
        return PhotoPoint.Picture(photo: footing.id, digest: footing.fileDigest)
      }
      point.subject = order.subject
      return try insert(point, by: maker, session)
    }
  }

  /// Adds a new point under a code that no other point has.
  func insert(_ point: PhotoPoint, by login: String, in agency: String) async throws -> PhotoPoint {
    try await database.write(in: agency) { try insert(point, by: login, $0) }
  }

  private func insert(
    _ point: PhotoPoint, by login: String, _ session: any AgencyTransaction
  ) throws -> PhotoPoint {
    // One point that devices refuse would keep its whole list from them.
    guard (try? PhotoPointMessage(point).point(in: session.agency)) != nil else {
      throw OfficeRefusal(
        .inputInvalid,
        "the photo's record has a value that no photo point may have: choose another photo")
    }
    var (point, random) = (point, SystemRandomNumberGenerator())
    for _ in 0..<Self.codeTries {
      point.code = PhotoPointCode(using: &random)
      if try session.points.insert(point) {
        try session.log.add(
          log("point-made", on: point.id.description, by: login, agency: session.agency))
        return point
      }
    }
    throw OfficeRefusal(
      .inputInvalid, "this photo point cannot be made: its identifier belongs to another one")
  }

  private func reference(
    _ id: Identifier, own: String?, _ session: any AgencyTransaction
  ) throws -> Photo {
    let received = try session.photos.photo(id)
    guard own == nil || received.photo.inspector == own else {
      throw StoreError.unknown(what: "photo", id: id.description)
    }
    guard received.deletedReason == nil, received.hidden == nil else {
      throw InspectionError.photoPoint(.gone)
    }
    return received.photo
  }

  /// Returns a photo point.
  /// - Throws: `StoreError.unknown`.
  package func point(_ id: Identifier, in agency: String) async throws -> PhotoPoint {
    guard let point = try await database.read(in: agency, { try $0.points.point(id) }) else {
      throw StoreError.unknown(what: "photo point", id: id.description)
    }
    return point
  }

  /// Changes a photo point's name, subject and parcel.
  /// - Throws: `InspectionError.photoPoint`, `StoreError.unknown`.
  package func change(
    _ id: Identifier, name: String?, parcel: String?, subject: Coordinate?, by login: String,
    in agency: String
  ) async throws {
    let (name, parcel) = (try PhotoPointRule.name(name), try PhotoPointRule.parcel(parcel))
    try await database.write(in: agency) { session in
      guard var point = try session.points.point(id) else {
        throw StoreError.unknown(what: "photo point", id: id.description)
      }
      let before = point
      (point.name, point.parcel, point.subject) = (name, parcel, subject)
      if point == before { return }
      try session.points.change(point)
      try session.log.add(log("point-changed", on: id.description, by: login, agency: agency))
    }
  }

  /// Returns a page of the agency's photo points, the newest first.
  package func page(
    named name: String?, isWithdrawn: Bool = false, after place: ListPlace?, limit: Int,
    in agency: String
  ) async throws -> (points: [PhotoPoint], next: ListPlace?) {
    try await database.read(in: agency) {
      try $0.points.page(named: name, isWithdrawn: isWithdrawn, after: place, limit: limit)
    }
  }

  /// Withdraws a photo point from devices and from new orders, or brings it back. Its series, and
  /// the tasks that name it, stay.
  /// - Throws: `StoreError.unknown`.
  package func set(
    isWithdrawn: Bool, _ id: Identifier, by login: String, in agency: String
  ) async throws {
    let now = clock.deviceTime
    try await database.write(in: agency) { session in
      guard let point = try session.points.point(id) else {
        throw StoreError.unknown(what: "photo point", id: id.description)
      }
      guard (point.withdrawn != nil) != isWithdrawn else { return }
      try session.points.set(withdrawn: isWithdrawn ? now : nil, ofPoint: id)
      let action = isWithdrawn ? "point-withdrawn" : "point-brought-back"
      try session.log.add(log(action, on: id.description, by: login, agency: agency))
    }
  }

  /// Returns a photo point with its series.
  /// - Throws: `StoreError.unknown`.
  package func series(of id: Identifier, in agency: String) async throws -> PhotoSeries {
    try await database.read(in: agency) { session in
      guard let point = try session.points.point(id) else {
        throw StoreError.unknown(what: "photo point", id: id.description)
      }
      let reference = try StoreError.found { try session.photos.photo(point.reference.photo) }
      let repeats = try session.points.repeats(ofPoint: id).map {
        (photo: try session.photos.photo($0.photo), repetition: $0)
      }
      return PhotoSeries(
        point: point, reference: reference,
        repeats: repeats.filter { $0.photo.deletedReason == nil })
    }
  }

  /// Returns the points that a text names by their codes or identifiers, separated by commas,
  /// semicolons or lines.
  /// - Parameter kept: the points that the order names already: they may be withdrawn.
  /// - Throws: `OfficeRefusal` (input-invalid) with the first word that names none of the agency's, or
  ///   one that is withdrawn.
  package func points(
    named text: String, keeping kept: [Identifier] = [], in agency: String
  ) async throws -> [PhotoPoint] {
    // A code is typed in two groups: the spaced text of a code is one word.
    let words = text.split { $0.isNewline || $0 == "," || $0 == ";" }.map(String.init)
      .filter { !$0.allSatisfy(\.isWhitespace) }
    guard words.count <= RepeatWish.pointsAtMost else {
      throw OfficeRefusal(
        .inputInvalid,
        "an order names at most \(RepeatWish.pointsAtMost) photo points: name the others in a further order"
      )
    }
    return try await database.read(in: agency) { session in
      try words.map { word in
        let name = word.trimmingCharacters(in: .whitespaces)
        let point =
          if let id = Identifier(name) {
            try session.points.point(id)
          } else {
            try PhotoPointCode(name).flatMap { try session.points.point(withCode: $0) }
          }
        guard let point else {
          throw OfficeRefusal(
            .inputInvalid,
            "there is no photo point \(name): enter the code on its label, or its identifier")
        }
        guard point.withdrawn == nil || kept.contains(point.id) else {
          throw OfficeRefusal(
            .inputInvalid,
            "photo point \(point.title) is withdrawn: bring it back first, on its page")
        }
        return point
      }
    }
  }

  // MARK: for field units

  /// Returns the photo points around the tasks that an inspector still works on, those nearest to a
  /// task first.
  package func points(aroundTasksOf person: Person) async throws -> PhotoPointListMessage {
    let tasks = try await database.tasks(inWorkOf: person, at: clock.deviceTime)
    let urgent = TaskNeighbourhood.urgent(tasks)
    var nearest: [Identifier: (point: PhotoPoint, metres: Double)] = [:]
    for task in urgent.prefix(TaskNeighbourhood.tasksAtMost) {
      // A point that a task names comes whatever its distance.
      if let wish = task.repeats {
        let named = try await database.read(in: person.agency) { session in
          try wish.points.compactMap { try session.points.point($0) }
        }
        for point in named { nearest[point.id] = (point, 0) }
      }
      guard let middle = task.parcel?.middle else { continue }
      // One transaction for each task: others may read in between.
      let near = try await database.read(in: person.agency) { session in
        try session.points.near(
          middle, metres: PhotoPointRule.aroundTasksMetres, limit: PhotoPointRule.onDeviceAtMost)
      }
      for found in near where found.metres < nearest[found.point.id]?.metres ?? .infinity {
        nearest[found.point.id] = found
      }
    }
    let withdrawn = try await database.read(in: person.agency) {
      try $0.points.withdrawn(madeBy: person.login, limit: PhotoPointRule.onDeviceAtMost)
    }
    let sorted = nearest.values.sorted { ($0.metres, $0.point.id) < ($1.metres, $1.point.id) }
    return PhotoPointListMessage(
      points: sorted.prefix(PhotoPointRule.onDeviceAtMost).map(\.point),
      isCut: sorted.count > PhotoPointRule.onDeviceAtMost
        || urgent.count > TaskNeighbourhood.tasksAtMost,
      // A point that one of the tasks names stays on the device.
      withdrawn: withdrawn.filter { nearest[$0] == nil })
  }

  /// Returns a picture that a photo point rests on, in the size that a camera page needs, upright and
  /// without metadata. It is made once and kept; it is no evidence.
  /// - Returns: the bytes, and the SHA-256 of the original.
  /// - Throws: `OfficeRefusal` (unknown) if the point has no such picture, or its file is missing.
  package func picture(
    _ kind: PhotoPoint.PictureKind, of id: Identifier, in agency: String
  ) async throws -> (bytes: [UInt8], digest: String) {
    let point = try await point(id, in: agency)
    guard let picture = point.picture(kind) else {
      throw OfficeRefusal(.unknown, "this photo point has no footing photo")
    }
    let name = "previews/\(picture.photo.folder)/\(picture.photo).reference"
    if let known = try photos.bytes(of: name) { return (known, picture.digest) }
    guard let bytes = try original(of: point, picture) else {
      throw OfficeRefusal(.unknown, "the photo's file is missing: run standpoint office check")
    }
    let small = try Thumbnail.jpeg(of: bytes, .reference)
    try photos.write(small, as: name)
    return (small, picture.digest)
  }
}
