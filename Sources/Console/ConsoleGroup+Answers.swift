import Evidence
import Foundation
import Office
import Sync
import TimeAndText
import Web

extension ConsoleGroup {
  /// Returns an answer of JSON without a version.
  func json(_ message: some Encodable, status: Int = 200) throws -> WebResponse {
    .json(try Self.encoded(message), status: status)
  }

  /// Returns an answer of JSON with its version; 304 if the caller has that version already.
  func json(
    _ message: some Encodable, tag: EntityTag, _ request: WebRequest
  ) throws -> WebResponse {
    if request.method == "GET", tag.isKnown(by: request) { return .unchanged(tag) }
    return .json(try Self.encoded(message)).setting(header: "ETag", to: tag.field)
      .setting(header: "Cache-Control", to: "private, no-cache")
  }

  private static func encoded(_ message: some Encodable) throws -> [UInt8] {
    do {
      return try WireJSON.bytes(message)
    } catch {
      // A message that cannot be written is no mistake of the caller.
      throw WebProblem.internal
    }
  }

  /// Returns an answer of bytes, with their digest (RFC 9530) as their version.
  func bytes(
    _ bytes: [UInt8], _ mediaType: String, fileName: String? = nil, _ request: WebRequest
  ) -> WebResponse {
    let tag = EntityTag(Digest.hexadecimal(bytes))
    if tag.isKnown(by: request) { return .unchanged(tag) }
    return WebResponse.bytes(
      bytes, mediaType: mediaType, fileName: fileName, isAttachment: fileName != nil
    ).setting(header: "ETag", to: tag.field)
      .setting(header: "Repr-Digest", to: "sha-256=:\(Digest.base64(bytes)):")
  }

  /// Returns a file that is made for this answer, with its digest as ETag and Repr-Digest (RFC
  /// 9530); the file is never in memory as a whole.
  func made(
    _ name: String, _ mediaType: String, _ request: WebRequest,
    _ make: @Sendable (_ path: String, _ tick: @escaping TemporaryFile.Tick) async throws -> Void
  ) async throws -> WebResponse {
    let (file, digest) = try await TemporaryFile.made(
      ending: (name as NSString).pathExtension
    ) { path, tick in
      try await make(path, tick)
      guard let digest = Digest.hexadecimal(file: path) else {
        throw OfficeRefusal(
          .exportImpossible, "the file could not be read again from the office's disk")
      }
      return digest
    }
    let tag = EntityTag(digest)
    if request.method == "GET", tag.isKnown(by: request) { return .unchanged(tag) }
    return WebResponse.file(file, mediaType: mediaType, fileName: name)
      .setting(header: "Cache-Control", to: "private, no-cache")
      .setting(header: "ETag", to: tag.field)
      .setting(
        header: "Repr-Digest", to: "sha-256=:\(Digest.base64(ofHexadecimal: digest) ?? ""):")
  }
}

extension WebResponse {
  /// Returns the answer that nothing has changed since the version that the caller has.
  static func unchanged(_ tag: EntityTag) -> WebResponse {
    WebResponse.empty(304).setting(header: "ETag", to: tag.field)
      .setting(header: "Cache-Control", to: "private, no-cache")
  }
}
