import Evidence
import Foundation
import Office
import Positioning
import Web

extension ConsoleRoutes {
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
