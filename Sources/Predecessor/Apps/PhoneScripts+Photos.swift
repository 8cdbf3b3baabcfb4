import Evidence
import Foundation
import Imagery
import Inspection
import Office
import Positioning
import Store
import Sync
import Web

/// A photo that has come in: its fields, and its picture on the disk.
private struct ArrivedPhoto: Sendable {
  let id: Identifier
  let json: JSONValue
  let text: String
  let file: SpoolFile
  let bytes: Int
  let digest: String
}

extension PhoneScripts {
  /// comm_photo: one photo, of a task or of none.
  func photo(_ request: WebRequest, _ caller: PhoneCaller) async throws -> PHPJSON {
    try await desk.reading.reading { try await photo(request, caller, $0) }
  }

  private func photo(
    _ request: WebRequest, _ caller: PhoneCaller, _ turn: ReadingTurns.Turn
  ) async throws -> PHPJSON {
    let (form, photos) = try await receive(request, field: "photo", caller, turn)
    guard let photos, !photos.isEmpty else {
      // Where a body is cut off by a proxy the field is empty, too: an "ok" would lose the photo.
      throw PhoneRefusal.photoMissing
    }
    let user = try await user(form, caller)
    let task = await editableTask(form["task_id"], caller)
    let arrived = try arrived(photos, for: task, unreadable: .photoUnreadable)
    guard arrived.count == 1, let one = arrived.first else { throw PhoneRefusal.photoUnreadable }
    let number = try await take(one, of: user, task: task, caller)
    return Self.ok([("photo_id", .number(number))])
  }

  /// comm_update: photos, if any, and then a status, if any. Today's app sends `open` by it, and nothing else: what it
  /// does not send stays as it is.
  func update(_ request: WebRequest, _ caller: PhoneCaller) async throws -> PHPJSON {
    try await desk.reading.reading { try await update(request, caller, $0) }
  }

  private func update(
    _ request: WebRequest, _ caller: PhoneCaller, _ turn: ReadingTurns.Turn
  ) async throws -> PHPJSON {
    let (form, photos) = try await receive(request, field: "photos", caller, turn)
    let user = try await user(form, caller)
    if let photos, !photos.isEmpty, !photos.isEmptyArray {
      let task = await editableTask(form["task_id"], caller)
      for one in try arrived(photos, for: task, unreadable: .photosUnreadable) {
        _ = try await take(one, of: user, task: task, caller)
      }
    } else if form["status"] == PhoneStatus.open.word {
      return try await working { try await noteOpened(form, user, caller) }
    }
    guard !form["task_id"].isEmpty, !form["status"].isEmpty else { return Self.ok() }
    return try await working {
      let (id, login) = try await self.task(form["task_id"], caller)
      guard login == user.login else { throw PhoneRefusal.unknownTask }
      try await setStatus(form["status"], note: form["note"], of: id, login, caller)
      return Self.ok()
    }
  }

  /// The Android app asks for no tasks until each task that was opened is told of, however long ago that was: one that
  /// is gone by now, or another's, is told of as any other, and nothing is changed.
  private func noteOpened(
    _ form: PHPForm, _ user: PhoneUser, _ caller: PhoneCaller
  ) async throws -> PHPJSON {
    do {
      let (id, login) = try await task(form["task_id"], caller)
      if login == user.login { try await setStatus(form["status"], note: "", of: id, login, caller) }
    } catch let refusal as PhoneRefusal where refusal == .unknownTask {
      // As the original has it. It tells nobody whether there is such a task.
    }
    return Self.ok()
  }

  /// The task that a form names, if any; whether it can be added to is asked when all of the photo is here. A number
  /// that stands for nothing is not editable, as the original has it. Nobody is told so of a photo that is here already:
  /// a phone may know its task by the number that an older office gave it.
  private typealias NamedTask = Result<Identifier?, any Error>

  private func editableTask(_ text: String, _ caller: PhoneCaller) async -> NamedTask {
    guard !text.isEmpty else { return .success(nil) }
    do {
      return await .success(try task(text, caller).id)
    } catch let refusal as PhoneRefusal where refusal == .unknownTask {
      return .failure(PhoneRefusal.notEditable)
    } catch {
      return .failure(error)
    }
  }

  // MARK: bytes

  /// A form without a photo is shorter.
  private static let smallBodyBytes = 16 << 10
  /// Of everything but the picture: satellites, sentences of the receiver, networks.
  private static let photoFieldBytesAtMost = 512 << 10
  /// The same of all photos of a form, and how many they may be.
  private static let photosFieldBytesAtMost = 2 << 20
  private static let photosAtMost = 40

  /// Reads a body while it comes, what is behind its first piece in its turn.
  private func receive(
    _ request: WebRequest, field: String, _ caller: PhoneCaller, _ turn: ReadingTurns.Turn
  ) async throws -> (form: PHPForm, photos: PhotoObjectReader?) {
    let office = office
    office.arrivals.note(at: office.clock.elapsed)
    defer { office.arrivals.note(at: office.clock.elapsed) }
    var missing = request.contentLength ?? .max
    // Before the first byte is on the disk; how many come is known at the end. A status alone needs no room.
    if missing > Self.smallBodyBytes { try office.requireDisk() }
    let most = service.maximumPictureBytes
    let folder = desk.folder
    let isOne = field == "photo"
    let reader = PhoneBodyReader(photoFields: [field]) {
      PhotoObjectReader(
        fieldBytesAtMost: isOne ? Self.photoFieldBytesAtMost : Self.photosFieldBytesAtMost,
        elementsAtMost: isOne ? 1 : Self.photosAtMost
      ) {
        let id = Identifier(at: office.clock.deviceTime)
        return PictureSpool(file: SpoolFile(path: "\(folder)/\(id)"), bytesAtMost: most)
      }
    }
    var isKnown = false
    // Base64, line ends, and each of both percent-encoded.
    try await request.streamBytes(
      limit: 2 * most + (4 << 20), goOn: {
        // The iOS app names its user first, Android anywhere: who has no login fills no disk.
        if missing > 0, !isKnown, let user = reader.values["user_id"] {
          try await requireKnown(user, caller)
          isKnown = true
        }
        if missing > 0 { await turn.next() }
      }
    ) { piece in
      missing -= piece.count
      reader.append(piece)
      guard !reader.isTooLarge, reader.photos?.isTooLarge != true else {
        throw PhoneRefusal.tooLarge
      }
    }
    reader.finish()
    guard !reader.isTooLarge else { throw PhoneRefusal.tooLarge }
    turn.hold()
    return (reader.form.filled(with: request.query), reader.photos)
  }

  /// - Throws: `PhoneRefusal` where the text is no photo, or a picture cannot be taken.
  private func arrived(
    _ photos: PhotoObjectReader, for task: NamedTask, unreadable: PhoneRefusal
  ) throws -> [ArrivedPhoto] {
    do {
      return try arrived(photos, unreadable: unreadable)
    } catch {
      // The original looks at the task first.
      _ = try task.get()
      throw error
    }
  }

  private func arrived(
    _ photos: PhotoObjectReader, unreadable: PhoneRefusal
  ) throws -> [ArrivedPhoto] {
    guard photos.isComplete, !photos.isTooLarge, !photos.elements.isEmpty else { throw unreadable }
    return try photos.elements.map { element in
      guard let json = try? JSONValue(parsing: element.fields), case .object = json else {
        throw unreadable
      }
      guard let picture = element.picture else { throw PhoneRefusal.photoMissing }
      switch picture.flaw {
      case .notBase64: throw PhoneRefusal.photoNotJPEG
      case .tooLarge: throw PhoneRefusal.photoTooLarge
      case .unwritable(let reason):
        throw StoreError.unwritable(path: picture.file.path, reason: reason)
      case nil: break
      }
      guard picture.bytes > 0,
        let id = Identifier(URL(fileURLWithPath: picture.file.path).lastPathComponent)
      else { throw PhoneRefusal.photoMissing }
      return ArrivedPhoto(
        id: id, json: json, text: String(decoding: element.fields, as: UTF8.self),
        file: picture.file, bytes: picture.bytes, digest: picture.digest)
    }
  }

  // MARK: a photo

  /// Keeps a photo, durably, before anybody says so.
  /// - Returns: its number; that of the one that is here already where it was sent before.
  private func take(
    _ arrived: ArrivedPhoto, of user: PhoneUser, task: NamedTask, _ caller: PhoneCaller
  ) async throws -> Int64 {
    // Its structure is read from all of its bytes: of large ones one at a time.
    let outcome =
      arrived.bytes > Self.largePictureBytes
      ? try await desk.turns.holding("large picture") {
        try await working { try await stage(arrived, of: user, task: task, caller) }
      } : try await working { try await stage(arrived, of: user, task: task, caller) }
    switch outcome {
    case .known(let number): return number
    case .staged(let staged):
      let id = staged.received.photo.id
      do {
        let kept = try await desk.commits.commit(staged) { await self.commit($0) }
        // Another sending of the same was quicker.
        if !kept.isNew { await removeFile(of: id, in: caller.agency) }
        withExtendedLifetime(arrived.file) {}
        office.counters.noteDelivery()
        office.arrivals.announce()
        return kept.number
      } catch {
        await removeFile(of: id, in: caller.agency)
        throw error
      }
    }
  }

  private static let largePictureBytes = 4 << 20

  private enum Staging: Sendable {
    case known(Int64)
    case staged(StagedPhoto)
  }

  /// The file of a photo that has not come to be. Where nobody can tell whether it has, it stays.
  func removeFile(of id: Identifier, in agency: String) async {
    do {
      guard try await office.database.read(in: agency, { try $0.phones.phonePhoto(id) == nil }),
        let path = office.photos.path(of: EvidenceName.file(.capture, id))
      else { return }
      try DurableFile.remove(path)
    } catch {
      office.configuration.log("phones: the file of photo \(id) stays: \(error)")
    }
  }

  private func stage(
    _ arrived: ArrivedPhoto, of user: PhoneUser, task: NamedTask, _ caller: PhoneCaller
  ) async throws -> Staging {
    let fields = PhoneFields(arrived.json)
    let known = try await office.database.read(in: caller.agency) { session in
      try session.phones.phonePhoto(
        ofInspector: user.login, fileDigest: arrived.digest, created: fields.created,
        digest: fields.digest, task: (try? task.get()) ?? nil)
    }
    // Before its task is looked at: what was sent once may be sent again after the task is closed.
    if let known {
      return .known(
        try await office.database.write(in: caller.agency) {
          try $0.phones.makePhoneNumber(.photo, of: known.description)
        })
    }
    let task = try task.get()
    if let task {
      try await office.database.read(in: caller.agency) {
        try requireEditable(task, user.login, $0)
      }
    }
    let received = try received(arrived, fields, of: user, task: task, caller)
    try await office.requireRoom(for: arrived.bytes, in: caller.agency)
    try office.photos.adopt(
      file: arrived.file.path, as: EvidenceName.file(.capture, arrived.id))
    let expected = AppDigest.make(
      pictureDigest: arrived.digest, created: fields.json["created"]?.text, user: user.number)
    return .staged(
      StagedPhoto(
        received: received,
        phone: PhonePhoto(
          photo: arrived.id, inspector: user.login, number: 0, userNumber: user.number,
          created: fields.created, digest: fields.digest,
          digestHolds: fields.digest.map { PHPForm.trimmed($0).lowercased() == expected },
          fields: arrived.text, received: office.clock.deviceTime), agency: caller.agency))
  }

  /// The photo as the office keeps it.
  private func received(
    _ arrived: ArrivedPhoto, _ fields: PhoneFields, of user: PhoneUser, task: Identifier?,
    _ caller: PhoneCaller
  ) throws -> ReceivedPhoto {
    guard fields.position != nil else { throw PhoneRefusal.photoNowhere }
    let bytes = try DurableFile.read(arrived.file.path)
    guard let picture = try? JPEGPicture.inspect(bytes) else { throw PhoneRefusal.photoNotJPEG }
    let now = office.clock.deviceTime
    guard
      let received = ReceivedPhoto(
        phone: fields,
        picture: PhonePicture(
          id: arrived.id, digest: arrived.digest, bytes: arrived.bytes,
          widthPixels: picture.widthPixels, heightPixels: picture.heightPixels),
        of: Person(agency: caller.agency, login: user.login, role: .inspector), task: task,
        // Without a time that can be read it has that of its arrival; the check of times says so.
        taken: fields.created.flatMap(caller.times.instant) ?? now, arrived: now)
    else { throw PhoneRefusal.photoUnreadable }
    return received
  }
}
