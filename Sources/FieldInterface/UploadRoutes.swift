import Evidence
import Foundation
import Inspection
import Office
import Sync
import TimeAndText
import Web

/// The uploads by tus 1.0 (https://tus.io/protocols/resumable-upload): creation,
/// creation-with-upload, checksum, expiration, termination. An upload's address ends with its
/// file's SHA-256, so that a device that has lost the address finds it again; each device has its
/// own uploads.
struct UploadRoutes {
  let office: OfficeServer

  private static let path = "/api/v1/uploads"
  private static let version = "1.0.0"
  private static let chunkType = "application/offset+octet-stream"

  func add(to routes: inout Routes) {
    for pattern in [Self.path, Self.path + "/{digest}"] {
      routes.options(pattern) { _ in
        tus(.empty(204)).setting(header: "Tus-Version", to: Self.version)
          .setting(
            header: "Tus-Extension",
            to: "creation,creation-with-upload,checksum,expiration,termination"
          )
          .setting(header: "Tus-Checksum-Algorithm", to: "sha256,sha1")
          .setting(
            header: "Tus-Max-Size", to: String(office.configuration.maximumFileBytes))
      }
    }
    routes.post(Self.path, machine: true) { request in
      try await answering(request) { try await create(request) }
    }
    routes.get(Self.path + "/{digest}") { request in
      try await answering(request) {
        let state = try await state(of: try file(request))
        return answer(200, state).setting(header: "Upload-Length", to: String(state.length))
      }
    }
    routes.patch(Self.path + "/{digest}", machine: true) { request in
      try await answering(request) { try await append(request) }
    }
    routes.delete(Self.path + "/{digest}", machine: true) { request in
      try await answering(request) {
        let file = try await file(request)
        _ = try state(of: file)
        try office.room.discardReceived(file)
        return tus(.empty(204))
      }
    }
  }

  // MARK: requests

  private func create(_ request: WebRequest) async throws -> WebResponse {
    let visitor = try await office.requests.device(request)
    guard let key = visitor.key, let agency = visitor.account.agency else {
      throw OfficeRefusal(.roleForbidden, "this address is for field units")
    }
    guard let length = request.header("Upload-Length").flatMap(Int.init(_:)), length >= 0 else {
      throw OfficeRefusal(.inputInvalid, "Upload-Length must be the file's length")
    }
    guard length <= office.configuration.maximumFileBytes else {
      let megabytes = office.configuration.maximumFileBytes / 1_048_576
      throw OfficeRefusal(.fileTooLarge, "a file has at most \(megabytes) MB here")
    }
    guard let digest = digest(inMetadata: request.header("Upload-Metadata") ?? "") else {
      throw OfficeRefusal(
        .inputInvalid, "Upload-Metadata must hold the file's SHA-256 as digest, in Base64")
    }
    let file = ReceivedFile(key: key, digest: digest)
    var known = try office.photos.received(upTo: file)
    if let other = known, other.length != length, other.offset > 0 {
      guard try !office.photos.holdsReceived(file) else {
        throw UploadRefusal.otherLength(other.length)
      }
      // The two lengths cannot both be right, and only the right one can have this digest: the
      // earlier upload is discarded.
      try office.room.discardReceived(file)
      known = nil
    }
    guard
      try known != nil
        || office.photos.receivedCount(ofKey: key) < office.configuration.maximumOpenUploads
    else { throw UploadRefusal.tooManyOpen(office.configuration.maximumOpenUploads) }
    let state: UploadState
    if let known, known.offset > 0 || known.length == 0 {
      // Bytes that are here already are not sent again: the body of this request is left unread.
      state = known
    } else if request.header("Content-Type") == Self.chunkType || length == 0 {
      state = try await chunk(request, file, length: length, at: 0, in: agency)
    } else {
      try await office.room.requireRoom(for: file, length: length, in: agency)
      defer { office.room.noteReceived(file) }
      try office.photos.resume(file, length: length).close()
      state = UploadState(offset: 0, length: length)
    }
    return answer(201, state)
      .setting(header: "Location", to: "\(Self.path)/\(digest)")
  }

  private func append(_ request: WebRequest) async throws -> WebResponse {
    let visitor = try await office.requests.device(request)
    let file = try await file(request, of: visitor)
    guard request.header("Content-Type") == Self.chunkType else {
      throw WebProblem.unsupportedMediaType
    }
    guard let offset = request.header("Upload-Offset").flatMap(Int.init(_:)), offset >= 0 else {
      throw OfficeRefusal(.inputInvalid, "Upload-Offset must say where the chunk begins")
    }
    let known = try state(of: file)
    guard known.offset < known.length else { throw UploadRefusal.otherOffset(known.offset) }
    return answer(
      204,
      try await chunk(
        request, file, length: known.length, at: offset, in: visitor.account.agency ?? ""))
  }

  private func chunk(
    _ request: WebRequest, _ file: ReceivedFile, length: Int, at offset: Int,
    in agency: String
  ) async throws -> UploadState {
    try await office.room.requireRoom(for: file, length: length, in: agency)
    defer { office.room.noteReceived(file) }
    var checksum: ChunkChecksum?
    if let field = request.header("Upload-Checksum") {
      guard let read = ChunkChecksum(field: field) else {
        throw OfficeRefusal(.inputInvalid, "Upload-Checksum must be sha256 or sha1, and Base64")
      }
      checksum = read
    }
    return try await office.uploads.receive(file, length: length, at: offset, checksum: checksum) {
      body in
      try await request.streamBytes(limit: length - offset) { try body($0) }
    }
  }

  // MARK: answers

  private func file(_ request: WebRequest, of visitor: Visitor? = nil) async throws -> ReceivedFile
  {
    var visitor = visitor
    if visitor == nil { visitor = try await office.requests.device(request) }
    guard let key = visitor?.key,
      let digest = request.parameters["digest"], Digest.isDigest(digest)
    else { throw OfficeRefusal(.unknown, "its address does not end with a SHA-256") }
    return ReceivedFile(key: key, digest: digest)
  }

  private func state(of file: ReceivedFile) throws -> UploadState {
    guard let state = try office.photos.received(upTo: file) else {
      throw OfficeRefusal(.unknown, "nothing of this file is here: begin it anew")
    }
    return state
  }

  private func answer(_ status: Int, _ state: UploadState) -> WebResponse {
    let expires = office.clock.deviceTime.advanced(bySeconds: Uploads.uploadLifetimeSeconds)
    return tus(.empty(status)).setting(header: "Upload-Offset", to: String(state.offset))
      .setting(
        header: "Upload-Expires",
        to: HTTPDate.text(
          Date(timeIntervalSince1970: Double(expires.millisecondsSince1970) / 1000)))
  }

  private func tus(_ response: WebResponse) -> WebResponse {
    response.setting(header: "Tus-Resumable", to: Self.version)
  }

  /// Returns the value of `digest` among `key base64,key base64`; nil if it is missing or no
  /// SHA-256.
  private func digest(inMetadata field: String) -> String? {
    for pair in field.split(separator: ",") {
      let parts = pair.split(separator: " ")
      if parts.count == 2, parts[0] == "digest", let data = Data(base64Encoded: String(parts[1])) {
        let text = String(decoding: data, as: UTF8.self)
        return Digest.isDigest(text) ? text : nil
      }
    }
    return nil
  }

  /// Answers a request of this protocol version. Every answer names the version, even a problem.
  private func answering(
    _ request: WebRequest, _ body: () async throws -> WebResponse
  ) async throws -> WebResponse {
    guard request.header("Tus-Resumable") == Self.version else {
      return tus(.empty(412)).setting(header: "Tus-Version", to: Self.version)
    }
    do {
      return try await office.requests.answering(body)
    } catch let refusal as OfficeRefusal {
      return tus(.problem(refusal.problem))
    } catch let problem as WebProblem {
      return tus(.problem(problem.problem))
    }
  }
}
