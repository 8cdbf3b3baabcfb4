import Evidence
import Foundation
import Imagery
import Inspection
import Office
import Positioning
import Store
import Sync
import TimeAndText

/// A photo that is ready to be kept; its picture is stored under its name already.
struct PreparedPhoto {
  /// The photo as it will be kept.
  let staged: StagedPhoto
  /// The photo here that is the same one, from the phone itself or from an earlier import; nil for
  /// a new photo.
  let same: Identifier?
}

/// A photo of the older office whose picture was found.
private struct FoundPhoto {
  let row: OlderRow
  let user: CarriedUser
  let task: PhotosTask
  /// The number of its task there; nil for none.
  let olderTask: Int64?
  /// The values by which a later import knows the row again.
  let marks: [String]
  /// The name of the photo in the report.
  let shown: String
  let bytes: [UInt8]
  let widthPixels: Int
  let heightPixels: Int
  /// The SHA-256 of the bytes.
  let digest: String
  /// The time at which it was taken; nil if the row has no such time.
  let taken: DeviceTime?
  /// The time at which it arrived there; nil if the row has no such time.
  let uploaded: DeviceTime?

  /// The digest that the app has sent with the photo; nil if it has sent none.
  var sentDigest: String? { row.text("digest")?.lowercased() }
}

/// The columns of the table `photo`, with their names in the apps' own JSON. All other columns were
/// added by the older office.
enum OlderPhotoColumns {
  static let wireNames: [String: String] = {
    var names = [
      "note": "note", "lat": "lat", "lng": "lng", "centroidLat": "centroidLat",
      "centroidLng": "centroidLng", "altitude": "altitude", "bearing": "bearing",
      "magnetic_azimuth": "magnetic_azimuth", "photo_heading": "photo_heading",
      "photo_angle": "photo_angle", "roll": "roll", "pitch": "pitch", "orientation": "orientation",
      "horizontal_view_angle": "horizontalViewAngle", "vertical_view_angle": "verticalViewAngle",
      "accuracy": "accuracy", "device_manufacture": "deviceManufacture",
      "device_model": "deviceModel", "device_platform": "devicePlatform",
      "device_version": "deviceVersion", "sats_info": "satsInfo",
      "extra_sat_count": "extraSatCount", "nmea_msg": "NMEAMessage", "network_info": "networkInfo",
      "digest": "digest", "provider": "provider", "osnma_enabled": "osnmaEnabled",
      "osnma_validated": "osnmaValidated", "validated_sats": "validatedSats",
    ]
    for kind in ["Lat", "Lng", "Alt", "Time"] {
      for signal in ["GpsL1", "GpsL5", "GpsIf", "GalE1", "GalE5", "GalIf"] {
        names["efk\(kind)\(signal)"] = "efk\(kind)\(signal)"
      }
    }
    return names
  }()

  /// Returns the fields that the app sent, as far as the older office has kept them: every value
  /// digit by digit, as text.
  static func fields(_ row: OlderRow, created: String?) -> JSONValue {
    var fields: [String: JSONValue] = [:]
    for (column, name) in wireNames { fields[name] = row.raw(column).map { .string($0) } }
    fields["created"] = created.map { .string($0) }
    return .object(fields)
  }

  /// Returns the columns that the older office added, and the times as it kept them, as a JSON
  /// object.
  static func facts(_ row: OlderRow) -> String {
    let facts = row.known.filter { wireNames[$0.key] == nil }.mapValues { JSONValue.string($0) }
    return String(decoding: JSONValue.object(facts).canonicalBytes, as: UTF8.self)
  }
}

extension CarryOver {
  /// Carries over the photos that belong to no task of the dump.
  func carryPhotos(_ stage: DumpStage, _ folder: PictureFolder) async throws {
    var last: Int64 = -1
    while true {
      let rows = try stage.rows(
        of: OlderTable.photo.rawValue, withoutAny: OlderTable.task.rawValue, after: last,
        limit: Self.photosAtOnce)
      guard let end = rows.last?.number else { return }
      var photos: [PreparedPhoto] = []
      do {
        for staged in rows {
          guard let row = try usable(OlderRow(staged), .photos) else { continue }
          let none = PhotosTask(id: nil, agency: nil)
          let named = row.parent.flatMap { $0 > 0 ? $0 : nil }
          if let prepared = try await prepare(row, none, of: named, folder) {
            photos.append(prepared)
          }
        }
        for (agency, own) in Dictionary(grouping: photos, by: \.staged.agency) {
          try await keep(own, in: agency)
        }
      } catch {
        await forget(photos)
        throw error
      }
      last = end
    }
  }

  /// Prepares a photo and stores its picture; nil if the photo is here already, or is left out.
  /// - Parameter olderTask: the number of its task there; nil for none.
  func prepare(
    _ row: OlderRow, _ task: PhotosTask, of olderTask: Int64?, _ folder: PictureFolder
  ) async throws -> PreparedPhoto? {
    let shown = "photo \(row.number)"
    try report(.photos, summary.counts[.photos]?.rows ?? 0, photosInAll)
    if row.flag("flg_deleted") {
      count(.photos) { $0.deleted += 1 }
      try await compareDeleted(row, shown)
      return nil
    }
    guard let user = row.integer("user_id").flatMap({ users[$0] }) else {
      try leave(
        .userUnknown, .photos, row, shown,
        why: "its user \(row.raw("user_id") ?? "") was not carried over")
      return nil
    }
    let marks = [row.text("created") ?? "", row.text("digest") ?? ""].filter { !$0.isEmpty }
    let known = try await office.database.read(in: user.agency) {
      try $0.phones.carriedOver(.photo, number: row.number, source: options.source)
    }
    if let known {
      guard isSame(known, marks) else {
        try leave(
          .numberTaken, .photos, row, shown,
          why: "another photo \(row.number) was carried over from \(options.source) before")
        return nil
      }
      count(.photos) { $0.here += 1 }
      let place = PhotosTask(id: task.agency == user.agency ? task.id : nil, agency: task.agency)
      // Each import repeats the remarks, because the report of the first one may be lost.
      try noteDamage(row, shown)
      try remark(row, place, of: olderTask, shown, isTimed: row.time("created", utc) != nil)
      try await compare(row, place, shown, known, in: user.agency)
      return nil
    }
    guard let (bytes, picture) = try readPicture(row, of: user, shown, folder) else { return nil }
    let place = PhotosTask(
      id: task.agency == user.agency ? task.id : nil, agency: task.agency, decision: task.decision)
    return try await prepare(
      FoundPhoto(
        row: row, user: user, task: place, olderTask: olderTask, marks: marks, shown: shown,
        bytes: bytes, widthPixels: picture.widthPixels, heightPixels: picture.heightPixels,
        digest: Digest.hexadecimal(bytes), taken: row.time("created", utc),
        uploaded: row.time("timestamp", utc)))
  }

  /// Returns the bytes and the measures of a photo's picture; nil, with a line in the report, if
  /// the photo is left out.
  private func readPicture(
    _ row: OlderRow, of user: CarriedUser, _ shown: String, _ folder: PictureFolder
  ) throws -> (bytes: [UInt8], picture: JPEGPicture)? {
    let bytes: [UInt8]
    do {
      bytes = try folder.picture(
        at: PictureFolder.places(of: row, agency: user.agencyNumber, user: user.number))
    } catch let flaw as PictureFolder.Flaw {
      switch flaw {
      case .missing(let why): try leave(.pictureMissing, .photos, row, shown, why: why)
      case .unusable(let why): try leave(.pictureUnusable, .photos, row, shown, why: why)
      }
      return nil
    }
    guard let picture = try? JPEGPicture.inspect(bytes) else {
      try leave(.pictureUnusable, .photos, row, shown, why: "its file is no JPEG that can be read")
      return nil
    }
    return (bytes, picture)
  }

  /// Prepares a photo whose picture was found, and stores the picture; nil if the photo is left out.
  private func prepare(_ found: FoundPhoto) async throws -> PreparedPhoto? {
    let (row, user) = (found.row, found.user)
    let created = createdText(of: found)
    let fields = PhoneFields(
      OlderPhotoColumns.fields(
        row,
        created: created ?? (found.taken == nil ? nil : row.text("created").map { "\($0)Z" })))
    guard let received = receivedPhoto(found, fields) else {
      try leave(
        .placeMissing, .photos, row, found.shown,
        why:
          "lat is \(row.raw("lat") ?? "NULL") and lng \(row.raw("lng") ?? "NULL"), which is no place"
      )
      return nil
    }
    if found.sentDigest != nil {
      summary.digests.brought += 1
      if created != nil { summary.digests.held += 1 }
    }
    let same = try await office.database.read(in: user.agency) {
      try $0.phones.phonePhoto(
        ofInspector: user.login, fileDigest: found.digest, orDigest: found.sentDigest,
        created: created)
    }
    try noteDamage(row, found.shown)
    try remark(found, isHere: same != nil)
    let staged = stagedPhoto(found, received, fields, created: created, same: same)
    if !options.isCheck, same == nil {
      try await place(found.bytes, of: received.photo, in: user.agency)
    }
    return PreparedPhoto(staged: staged, same: same)
  }

  /// Returns the app's own text of the time at which a photo was taken; nil if it is lost.
  ///
  /// The text over which its digest was made is found again if it has one of the forms that the
  /// apps write; otherwise the digest cannot be checked.
  private func createdText(of found: FoundPhoto) -> String? {
    found.sentDigest.flatMap {
      LostTime.text(
        ofDigest: $0, pictureDigest: found.digest, user: "\(found.user.number)",
        second: found.taken, zone: (zones[found.user.agency] ?? utc).zone)
    }
  }

  /// Returns a photo as the office keeps it; nil if its fields name no place.
  private func receivedPhoto(_ found: FoundPhoto, _ fields: PhoneFields) -> ReceivedPhoto? {
    let user = found.user
    let taken = found.taken ?? found.uploaded ?? now
    return ReceivedPhoto(
      phone: fields,
      picture: PhonePicture(
        id: identifier(found.row, user, found.digest, at: taken), digest: found.digest,
        bytes: found.bytes.count, widthPixels: found.widthPixels,
        heightPixels: found.heightPixels),
      of: Person(agency: user.agency, login: user.login, role: .inspector), task: found.task.id,
      taken: taken, arrived: found.uploaded ?? now)
  }

  /// Returns a photo as it will be kept.
  /// - Parameter same: the photo here that is the same one; nil for a new photo.
  private func stagedPhoto(
    _ found: FoundPhoto, _ received: ReceivedPhoto, _ fields: PhoneFields, created: String?,
    same: Identifier?
  ) -> StagedPhoto {
    let (row, user) = (found.row, found.user)
    let carried = CarriedOver(
      agency: user.agency, inspector: user.login, source: options.source, kind: .photo,
      number: row.number, subject: (same ?? received.photo.id).description, marks: found.marks,
      facts: OlderPhotoColumns.facts(row), time: now)
    return StagedPhoto(
      received: received,
      phone: PhonePhoto(
        photo: received.photo.id, inspector: user.login, number: 0, userNumber: "\(user.number)",
        created: created, digest: found.sentDigest, digestHolds: created == nil ? nil : true,
        fields: String(decoding: fields.json.canonicalBytes, as: UTF8.self),
        received: found.uploaded ?? now), agency: user.agency, carriedOver: carried, person: person)
  }

  /// Reports a photo that is here and has been given to another task there since.
  private func compare(
    _ row: OlderRow, _ task: PhotosTask, _ shown: String, _ known: CarriedOver, in agency: String
  ) async throws {
    guard let id = Identifier(known.subject), let there = task.id,
      let here = try await office.database.read(
        in: agency,
        { session in
          try StoreError.found { try session.photos.photo(id) }
        }), here.photo.task != there
    else { return }
    try note(
      .photoDiffers, row, shown,
      why:
        "it is of the task \(row.parent ?? 0) there, and of \(here.photo.task == nil ? "none" : "another") here"
    )
  }

  private func compareDeleted(_ row: OlderRow, _ shown: String) async throws {
    guard let user = row.integer("user_id").flatMap({ users[$0] }),
      let known = try await office.database.read(
        in: user.agency,
        { try $0.phones.carriedOver(.photo, number: row.number, source: options.source) }),
      let id = Identifier(known.subject),
      let here = try await office.database.read(
        in: user.agency,
        { session in
          try StoreError.found { try session.photos.photo(id) }
        }), here.hidden == nil, here.deletedReason == nil
    else { return }
    try note(.photoDiffers, row, shown, why: "it was deleted there since, and is here")
  }

  /// Reports what is worth a look of a photo whose picture was found.
  /// - Parameter isHere: true if the same photo is here already.
  private func remark(_ found: FoundPhoto, isHere: Bool) throws {
    let (row, task, shown) = (found.row, found.task, found.shown)
    guard !isHere else {
      try note(
        .photoTwice, row, shown,
        why: "this inspector's photo of the same bytes or digest is here: it is one photo")
      return
    }
    try remark(row, task, of: found.olderTask, shown, isTimed: found.taken != nil)
    if let decision = task.decision {
      try note(
        .photoLate, row, shown, why: "its task is \(decision.rawValue) here since before it came")
    }
  }

  private func remark(
    _ row: OlderRow, _ task: PhotosTask, of olderTask: Int64?, _ shown: String, isTimed: Bool
  ) throws {
    if !isTimed {
      try note(
        .timeUnreadable, row, shown,
        why: "created is \(row.text("created") ?? "missing"): it has the time of its arrival there")
    }
    guard let olderTask, task.id == nil else { return }
    if task.agency != nil {
      try note(
        .taskElsewhere, row, shown,
        why: "its task \(olderTask) is another agency's than its user: it has no task here")
    } else {
      try note(
        .taskMissing, row, shown,
        why: "its task \(olderTask) was not carried over: it has no task here")
    }
  }

  /// Derives a photo's identifier from its contents. If the program is killed between writing the
  /// file and the row, the next import finds the same file, and no file is left without a row.
  private func identifier(
    _ row: OlderRow, _ user: CarriedUser, _ digest: String, at time: DeviceTime
  ) -> Identifier {
    let name = "carried over\n\(user.agency)\n\(options.source)\n\(row.number)\n\(digest)"
    let seed = Digest.hexadecimal(Array(name.utf8)).prefix(16)
    var random = SeededGenerator(seed: UInt64(seed, radix: 16) ?? 0)
    return Identifier(at: time, using: &random)
  }

  /// Stores a picture's bytes durably and unchanged under their name, if they are not there yet.
  private func place(_ bytes: [UInt8], of photo: Photo, in agency: String) async throws {
    try await office.room.requireRoom(for: bytes.count, in: agency)
    let name = EvidenceName.file(.capture, photo.id)
    if let path = office.photos.path(of: name), Digest.hexadecimal(file: path) == photo.fileDigest {
      return
    }
    try office.photos.write(bytes, as: name)
  }

  /// Adds photos to the database, those of one agency all or none. `first` runs before them, in the
  /// transaction of `agency`.
  func keep(
    _ photos: [PreparedPhoto], in agency: String?,
    after first: (any AgencyTransaction) throws -> Void = { _ in }
  ) async throws {
    for photo in photos {
      count(.photos) { if photo.same == nil { $0.carried += 1 } else { $0.here += 1 } }
    }
    guard !options.isCheck else { return }
    // Photos of a task that was left out belong to their users, of whichever agency.
    for (owner, own) in Dictionary(grouping: photos, by: \.staged.agency) where owner != agency {
      try await keep(own, inOne: owner)
    }
    guard let agency else { return }
    try await keep(photos.filter { $0.staged.agency == agency }, inOne: agency, after: first)
  }

  private func keep(
    _ photos: [PreparedPhoto], inOne agency: String,
    after first: (any AgencyTransaction) throws -> Void = { _ in }
  ) async throws {
    let twice = try await office.database.write(in: agency) { session -> [Identifier] in
      try first(session)
      var twice: [Identifier] = []
      for photo in photos {
        if photo.same != nil {
          if let carried = photo.staged.carriedOver { try session.phones.insert(carried) }
        } else if try !scripts.keep(photo.staged, session).isNew {
          // The phone has just sent the photo again, or the dump has it twice.
          twice.append(photo.staged.received.photo.id)
          try keepKnown(photo.staged, session)
        }
      }
      return twice
    }
    for id in twice { await scripts.removeFile(of: id, in: agency) }
    count(.photos) {
      $0.carried -= twice.count
      $0.here += twice.count
    }
  }

  /// Records that a photo is one that is here already.
  private func keepKnown(_ staged: StagedPhoto, _ session: any AgencyTransaction) throws {
    guard var carried = staged.carriedOver,
      let known = try session.phones.phonePhoto(
        ofInspector: staged.phone.inspector, fileDigest: staged.received.photo.fileDigest,
        orDigest: staged.phone.digest, created: staged.phone.created)
    else { return }
    carried.subject = known.description
    try session.phones.insert(carried)
  }

  /// Removes the files of photos that were not kept.
  func forget(_ photos: [PreparedPhoto]) async {
    guard !options.isCheck else { return }
    for photo in photos where photo.same == nil {
      await scripts.removeFile(of: photo.staged.received.photo.id, in: photo.staged.agency)
    }
  }
}
