import Evidence
import Foundation
import Imagery
import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

/// A photo that has arrived: its fields, and its picture on disk.
private struct ArrivedPhoto: Sendable {
  let id: Identifier
  let json: JSONValue
  let text: String
  let file: SpoolFile
  let bytes: Int
  let digest: String
}

extension PhoneScripts {
  /// Answers comm_photo: one photo, for a task or without one.
  func photo(_ request: WebRequest, _ caller: PhoneCaller) async throws -> PHPJSON {
    try await desk.reading.reading { try await photo(request, caller, $0) }
  }

  private func photo(
    _ request: WebRequest, _ caller: PhoneCaller, _ turn: ReadingTurns.Turn
  ) async throws -> PHPJSON {
    let (form, photos) = try await receive(request, field: "photo", caller, turn)
    guard let photos, !photos.isEmpty else {
      // If a proxy cuts off a body, the field is empty, too: an "ok" would lose the photo.
      throw PhoneRefusal.photoMissing
    }
    let user = try await user(form, caller)
    let task = await editableTask(form["task_id"], caller)
    let arrived = try arrived(photos, for: task, unreadable: .photoUnreadable)
    guard arrived.count == 1, let one = arrived.first else { throw PhoneRefusal.photoUnreadable }
    let number = try await take(one, of: user, task: task, caller)
    return Self.ok([("photo_id", .number(number))])
  }

  /// Answers comm_update: photos, if any, and then a status, if any. Today's app sends only `open`
  /// by it. Fields that are not sent stay as they are.
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

  /// Notes that the app has opened a task. The Android app asks for no tasks until it has told of
  /// each opened task, however long ago that was. A task that is gone by now, or is another
  /// inspector's, therefore gets the same answer, and nothing is changed.
  private func noteOpened(
    _ form: PHPForm, _ user: PhoneUser, _ caller: PhoneCaller
  ) async throws -> PHPJSON {
    do {
      let (id, login) = try await task(form["task_id"], caller)
      if login == user.login {
        try await setStatus(form["status"], note: "", of: id, login, caller)
      }
    } catch let refusal as PhoneRefusal where refusal == .unknownTask {
      // The original answers "ok" here, too. The answer does not tell whether there is such a task.
    }
    return Self.ok()
  }

  /// The task that a form names, nil if it names none; or the error of a number that cannot be
  /// used. Such an error counts only when the whole photo is here, as does the check that the task
  /// is editable. A number that names no task is an error "not editable", as in the original. A
  /// photo that is here already gets no error: a phone may know its task by the number that an
  /// older office gave it.
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

  /// The length of a body up to which it holds no photo, bytes.
  private static let smallBodyBytes = 16 << 10
  /// The most bytes of a photo's fields without the picture: satellites, sentences of the receiver,
  /// networks.
  private static let photoFieldBytesAtMost = 512 << 10
  /// The most bytes of the fields of all photos in one form, without the pictures.
  private static let photosFieldBytesAtMost = 2 << 20
  /// The most photos in one form.
  private static let photosAtMost = 40

  /// Reads a body while it arrives; everything after its first piece waits for its turn.
  private func receive(
    _ request: WebRequest, field: String, _ caller: PhoneCaller, _ turn: ReadingTurns.Turn
  ) async throws -> (form: PHPForm, photos: PhotoObjectReader?) {
    let office = office
    office.core.arrivals.note(at: office.clock.elapsed)
    defer { office.core.arrivals.note(at: office.clock.elapsed) }
    var missing = request.contentLength ?? .max
    // The disk is checked before the first byte is written to it. If no length was sent, the body
    // may be of any size. A status alone needs no room.
    if missing > Self.smallBodyBytes { try office.core.requireDisk() }
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
    // The limit has room for base64 and its line ends, both percent-encoded.
    try await request.streamBytes(
      limit: 2 * most + (4 << 20),
      goOn: {
        // The iOS app names its user first, Android anywhere: a user without a login must not fill
        // the disk.
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

  /// Returns the photos of a form.
  /// - Throws: `PhoneRefusal` if the text is no photo, or a picture cannot be taken; the error of
  ///   the task, if there is one, comes first.
  private func arrived(
    _ photos: PhotoObjectReader, for task: NamedTask, unreadable: PhoneRefusal
  ) throws -> [ArrivedPhoto] {
    do {
      return try arrived(photos, unreadable: unreadable)
    } catch {
      // The original checks the task first.
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

  /// Keeps a photo durably before the phone is told so.
  /// - Returns: its number, or the number of the same photo if that was sent before.
  private func take(
    _ arrived: ArrivedPhoto, of user: PhoneUser, task: NamedTask, _ caller: PhoneCaller
  ) async throws -> Int64 {
    // The picture's structure is read from all of its bytes, so large pictures are taken one at a
    // time.
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
        // Another request has kept the same photo in the meantime.
        if !kept.isNew { await removeFile(of: id, in: caller.agency) }
        withExtendedLifetime(arrived.file) {}
        office.core.counters.noteDelivery()
        office.core.arrivals.announce()
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

  /// Removes the file of a photo that was not kept. The file stays if the database cannot tell.
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
    // The check of the task comes later: a photo that was sent once may be sent again after its
    // task is closed.
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
    try await office.room.requireRoom(for: arrived.bytes, in: caller.agency)
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

  /// Returns the photo as the office keeps it.
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
        // A photo whose time cannot be read gets the time of its arrival, and the check of times
        // says so.
        taken: fields.created.flatMap(caller.times.instant) ?? now, arrived: now)
    else { throw PhoneRefusal.photoUnreadable }
    return received
  }
}
