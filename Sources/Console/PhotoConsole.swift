import Evidence
import Imagery
import Inspection
import Office
import OfficeExporting
import Store
import Sync
import TimeAndText
import Web

/// The photos of tasks, those without one, and the files of each photo.
struct PhotoConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    routes.get(Self.path + "/tasks/{id}/photos", machine: true) { request in
      try await asking(request) { try await listOfTask($0) }
    }
    routes.get(Self.path + "/photos", machine: true) { request in
      try await asking(request, query: ConsoleQuery.standalone + ConsoleQuery.paging) {
        try await list($0)
      }
    }
    let one = Self.path + "/photos/{id}"
    routes.get(one, machine: true) { request in
      try await asking(request) { try await json(ConsolePhoto(try photo($0))) }
    }
    routes.get(one + "/photo.jpg", machine: true) { request in
      try await asking(request) { try await picture($0) }
    }
    routes.get(one + "/preview.jpg", machine: true) { request in
      try await asking(request) { try await preview($0) }
    }
    routes.get(one + "/seal", machine: true) { request in
      try await asking(request) { try await sealBytes($0) }
    }
    routes.get(one + "/raw", machine: true) { request in
      try await asking(request) { try await rawWindow($0) }
    }
  }

  // MARK: lists

  private func listOfTask(_ asker: Asker) async throws -> WebResponse {
    let id = try identifier(asker)
    let (task, photos) = try await office.database.read(in: asker.agency) { session in
      (try session.tasks.task(id), try session.photos.list(.task(id)))
    }
    return try json(
      ConsolePhotoList(
        photos: photos.map(ConsolePhoto.init), shown: Review.mark(of: task, photos)))
  }

  private func list(_ asker: Asker) async throws -> WebResponse {
    let (place, limit) = (try asker.query.place(in: "photos", keys: 2), try asker.query.limit())
    let isHidden = try asker.query.flag("hidden")
    let inspector = try asker.query.text("inspector", upTo: 64)
    let page = try await office.database.read(in: asker.agency) {
      try $0.photos.standalone(
        isHidden: isHidden, inspector: inspector, after: place, limit: limit)
    }
    return try json(
      ConsolePhotoList(
        photos: page.photos.map(ConsolePhoto.init),
        next: page.next.map { ListCursor.text($0, in: "photos") }))
  }

  // MARK: files

  private func picture(_ asker: Asker) async throws -> WebResponse {
    let photo = try await photo(asker).photo
    return try file(
      EvidenceName.file(.capture, photo.id), digest: photo.fileDigest, "image/jpeg",
      asker.request)
  }

  private func preview(_ asker: Asker) async throws -> WebResponse {
    let photo = try await photo(asker).photo
    do {
      return bytes(try office.exports.picture(.preview, of: photo), "image/jpeg", asker.request)
    } catch let error as ImageryError {
      throw OfficeRefusal(
        .unknown, "there is no preview, for the picture cannot be shown: \(error)")
    }
  }

  private func sealBytes(_ asker: Asker) async throws -> WebResponse {
    await bytes(try seal(asker).bytes, "application/json", asker.request)
  }

  private func rawWindow(_ asker: Asker) async throws -> WebResponse {
    let link = try await seal(asker).seal.link
    guard let digest = link.raw else {
      throw OfficeRefusal(.unknown, "this photo has no raw window")
    }
    return try file(EvidenceName.raw(link.id), digest: digest, "application/gzip", asker.request)
  }

  private func seal(_ asker: Asker) async throws -> SealFile {
    let photo = try await photo(asker).photo
    let seal = try await office.database.read(in: asker.agency) {
      try $0.seals.seal(of: photo.id, .capture)
    }
    guard let seal else { throw OfficeRefusal(.unknown, "the photo's record is not here") }
    return seal
  }

  /// Returns a file with the digest from its seal, and not one computed from the bytes on this
  /// office's disk: a comparison thus also finds damage done there.
  private func file(
    _ name: String, digest: String, _ mediaType: String, _ request: WebRequest
  ) throws -> WebResponse {
    let tag = EntityTag(digest)
    let response: WebResponse
    if let path = office.photos.path(of: name) {
      guard try office.photos.holds(name) else { throw Self.missing }
      response = .file(path: path, mediaType: mediaType, eTag: digest)
    } else {
      guard let bytes = try office.photos.bytes(of: name) else { throw Self.missing }
      if tag.isKnown(by: request) {
        return .empty(304).setting(header: "ETag", to: tag.field)
      }
      response = .bytes(bytes, mediaType: mediaType)
    }
    guard let digest = Digest.base64(ofHexadecimal: digest) else { return response }
    return response.setting(header: "ETag", to: tag.field)
      .setting(header: "Repr-Digest", to: "sha-256=:\(digest):")
  }

  private static let missing = OfficeRefusal(
    .unknown, "the file is not here: the photo was deleted before it was sent, or see office check")
}
