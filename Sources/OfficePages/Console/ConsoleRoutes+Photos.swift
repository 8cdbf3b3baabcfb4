import Evidence
import Imagery
import Inspection
import Office
import Positioning
import Store
import Sync
import Web

extension ConsoleRoutes {
  func addPhotos(to routes: inout Routes) {
    routes.get(Self.path + "/tasks/{id}/photos", machine: true) { request in
      try await asking(request) { asker in
        let id = try identifier(asker)
        let (task, photos) = try await office.database.read(in: asker.agency) { session in
          (try session.tasks.task(id), try session.photos.list(.task(id)))
        }
        return try json(
          ConsolePhotoList(
            photos: photos.map(ConsolePhoto.init), shown: OfficeServer.mark(of: task, photos)))
      }
    }
    routes.get(Self.path + "/photos", machine: true) { request in
      try await asking(request, query: ConsoleQuery.standalone + ConsoleQuery.paging) { asker in
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
    }
    let one = Self.path + "/photos/{id}"
    routes.get(one, machine: true) { request in
      try await asking(request) { try await json(ConsolePhoto(try photo($0))) }
    }
    routes.get(one + "/photo.jpg", machine: true) { request in
      try await asking(request) { asker in
        let photo = try await photo(asker).photo
        return try file(
          EvidenceName.file(.capture, photo.id), digest: photo.fileDigest, "image/jpeg", request)
      }
    }
    routes.get(one + "/preview.jpg", machine: true) { request in
      try await asking(request) { try await preview($0) }
    }
    routes.get(one + "/seal", machine: true) { request in
      try await asking(request) { asker in
        await bytes(try seal(asker).bytes, "application/json", request)
      }
    }
    routes.get(one + "/raw", machine: true) { request in
      try await asking(request) { asker in
        let link = try await seal(asker).seal.link
        guard let digest = link.raw else {
          throw OfficeRefusal(.unknown, "this photo has no raw window")
        }
        return try file(EvidenceName.raw(link.id), digest: digest, "application/gzip", request)
      }
    }
    addTracks(to: &routes)
  }

  private func addTracks(to routes: inout Routes) {
    routes.get(Self.path + "/tasks/{id}/tracks", machine: true) { request in
      try await asking(request) { asker in
        let id = try identifier(asker)
        let tracks = try await office.database.read(in: asker.agency) { session in
          _ = try session.tasks.task(id)
          return try session.tracks.identifiers(.task(id)).map { try session.tracks.track($0) }
        }
        return try json(ConsoleTrackList(tracks: tracks.map(ConsoleTrackRow.init)))
      }
    }
    routes.get(Self.path + "/tracks", machine: true) { request in
      try await asking(request, query: ConsoleQuery.standalone + ConsoleQuery.paging) { asker in
        let (place, limit) = (try asker.query.place(in: "tracks", keys: 2), try asker.query.limit())
        let isHidden = try asker.query.flag("hidden")
        let inspector = try asker.query.text("inspector", upTo: 64)
        let page = try await office.database.read(in: asker.agency) {
          try $0.tracks.page(isHidden: isHidden, inspector: inspector, after: place, limit: limit)
        }
        return try json(
          ConsoleTrackList(
            tracks: page.tracks.map(ConsoleTrackRow.init),
            next: page.next.map { ListCursor.text($0, in: "tracks") }))
      }
    }
    routes.get(Self.path + "/tracks/{id}", machine: true) { request in
      try await asking(request) { asker in
        let id = try identifier(asker)
        let (received, track) = try await office.database.read(in: asker.agency) { session in
          (try session.tracks.track(id), try office.track(id, session))
        }
        guard let track else {
          throw OfficeRefusal(.unknown, "the track's file is missing: run standpoint office check")
        }
        return try json(ConsoleTrack(received, track))
      }
    }
  }

  func photo(_ asker: Asker) async throws -> ReceivedPhoto {
    let id = try identifier(asker)
    return try await office.database.read(in: asker.agency) { try $0.photos.photo(id) }
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

  private func preview(_ asker: Asker) async throws -> WebResponse {
    let photo = try await photo(asker).photo
    do {
      return bytes(try office.picture(.preview, of: photo), "image/jpeg", asker.request)
    } catch let error as ImageryError {
      throw OfficeRefusal(
        .unknown, "there is no preview, for the picture cannot be shown: \(error)")
    }
  }
}
