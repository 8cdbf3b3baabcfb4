import Evidence
import Foundation
import Geodesy
import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

extension PhoneScripts {
  /// Answers comm_get_photo: one photo with its picture.
  func getPhoto(
    _ form: PHPForm, _ caller: PhoneCaller, _ request: WebRequest
  ) async throws -> WebResponse {
    let id = try await office.database.read(in: caller.agency) { session in
      guard let number = Self.number(form["photo_id"]) else { return nil as Identifier? }
      return try session.phones.phoneSubject(.photo, number: number).flatMap(Identifier.init(_:))
    }
    guard let id,
      let received = try await StoreError.found({
        try await office.database.read(in: caller.agency) { try $0.photos.photo(id) }
      }), received.deletedReason == nil, received.hidden == nil
    else { throw PhoneRefusal.wrongPhoto }
    try await requireOwner(received.photo.inspector, form, caller)
    return try await answer("photo", [received], isList: false, caller, request)
  }

  /// The most bytes of all pictures in one answer.
  private static let pictureBytesAtMost = 200 << 20

  /// Answers comm_task_photos, which no app calls any more: all photos of a task, or an inspector's
  /// photos without one.
  func taskPhotos(
    _ form: PHPForm, _ caller: PhoneCaller, _ request: WebRequest
  ) async throws -> WebResponse {
    var photos: [ReceivedPhoto] = []
    if !form["task_id"].isEmpty {
      let (id, login) = try await task(form["task_id"], caller)
      try await requireOwner(login, form, caller)
      photos = try await office.database.read(in: caller.agency) { try $0.photos.list(.task(id)) }
        .filter { $0.deletedReason == nil }
    } else if !form["user_id"].isEmpty {
      let user = try await user(form, caller)
      photos = try await office.database.read(in: caller.agency) {
        try $0.photos.standalone(isHidden: false, inspector: user.login, limit: 500, offset: 0)
      }
    }
    guard photos.reduce(0, { $0 + $1.photo.bytes }) <= Self.pictureBytesAtMost else {
      throw PhoneRefusal.tooManyPhotos
    }
    // Each photo counts as if it was asked for alone, because the answer lies on disk until the
    // phone has it.
    if let login = photos.first?.photo.inspector {
      takeRequests(photos.count - 1, of: login, caller)
    }
    return try await answer("photos", photos, isList: true, caller, request)
  }

  /// Returns an answer with pictures. They are written piece by piece into a file, which is then
  /// sent: otherwise a few hundred phones that fetch one picture each would take a gigabyte of
  /// memory.
  private func answer(
    _ name: String, _ photos: [ReceivedPhoto], isList: Bool, _ caller: PhoneCaller,
    _ request: WebRequest
  ) async throws -> WebResponse {
    try office.core.requireDisk()
    let (file, handle) = try desk.answerFile()
    defer { try? handle.close() }
    func write(_ text: String) throws { try handle.write(contentsOf: Data(text.utf8)) }
    try write("{\"status\":\"ok\",\"error_msg\":null,\"\(name)\":\(isList ? "[" : "")")
    for (index, received) in photos.enumerated() {
      if index > 0 { try write(",") }
      let phone = try await office.database.read(in: caller.agency) {
        try $0.phones.phonePhoto(received.photo.id)
      }
      let members = members(of: received, phone, caller, isNewer: Self.isNewer(request))
      // The picture comes after the first five members.
      let (before, behind) = (members.prefix(5), members.dropFirst(5))
      func text(_ members: ArraySlice<(name: String, value: PHPJSON)>) -> String {
        String(decoding: PHPJSON.object(Array(members)).bytes.dropFirst().dropLast(), as: UTF8.self)
      }
      try write("{\(text(before)),\"photo\":\"")
      try writePicture(of: received.photo, to: handle)
      try write("\",\(text(behind))}")
    }
    try write(isList ? "]}" : "}")
    try handle.close()
    return .phone(file, named: name)
  }

  /// Returns true for the newer apps, which ask under another folder or under none, and read more
  /// members.
  private static func isNewer(_ request: WebRequest) -> Bool {
    !request.path.contains("/ws/")
  }

  private func members(
    of received: ReceivedPhoto, _ phone: PhonePhoto?, _ caller: PhoneCaller, isNewer: Bool
  ) -> [(name: String, value: PHPJSON)] {
    let photo = received.photo
    let fields = phone.map { PhoneFields(text: $0.fields) }
    var members: [(name: String, value: PHPJSON)] = [
      ("note", .optional(photo.note)),
      ("lat", Self.digits(fields?.number("lat") ?? photo.position.coordinate.latitudeDegrees)),
      ("lng", Self.digits(fields?.number("lng") ?? photo.position.coordinate.longitudeDegrees)),
      (
        "photo_heading",
        Self.digits(
          fields?.number("photo_heading") ?? photo.orientation?.headingDegreesMagnetic
            ?? photo.orientation?.azimuthDegreesTrue)
      ),
      ("created", .text(caller.times.text(photo.deviceTime))),
      // A photo that a field unit has sealed has no digest of the app: the file's own digest takes
      // its place, which is never null.
      ("digest", .text(phone?.digest ?? photo.fileDigest)),
    ]
    if isNewer {
      func word(_ name: String) -> PHPJSON {
        if let number = fields?.number(name) { return Self.digits(number) }
        return .optional(fields?.text(name))
      }
      members += [
        ("provider", word("provider")), ("osnma_enabled", word("osnmaEnabled")),
        ("osnma_validated", word("osnmaValidated")), ("validated_sats", word("validatedSats")),
      ]
    }
    return members
  }

  /// Writes a picture as base64 without line ends, its slashes escaped. A picture that is not here
  /// is an empty text, as in the original.
  private func writePicture(of photo: Photo, to handle: FileHandle) throws {
    let name = EvidenceName.file(.capture, photo.id)
    func write(_ bytes: Data) throws {
      let text = bytes.base64EncodedString().replacingOccurrences(of: "/", with: "\\/")
      try handle.write(contentsOf: Data(text.utf8))
    }
    guard let path = office.photos.path(of: name) else {
      return try write(Data(try office.photos.bytes(of: name) ?? []))
    }
    guard let picture = FileHandle(forReadingAtPath: path) else { return }
    defer { try? picture.close() }
    // Each piece is a multiple of three bytes, so that nothing is padded before the end.
    while let piece = try picture.read(upToCount: 48 << 10), !piece.isEmpty { try write(piece) }
  }
}
