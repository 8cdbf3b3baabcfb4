import Evidence
import Office
import Web

extension WebResponse {
  /// Returns an answer for a field unit with its tag; an empty one if the device has it already.
  func tagged(_ tag: EntityTag, for request: WebRequest) -> WebResponse {
    (tag.isKnown(by: request) ? WebResponse.empty(304) : self)
      .setting(header: "ETag", to: tag.field)
      .setting(header: "Cache-Control", to: "private, no-cache")
  }

  /// Returns a list whose tag is its digest.
  static func list(_ bytes: [UInt8], for request: WebRequest) -> WebResponse {
    WebResponse.json(bytes).tagged(EntityTag(Digest.hexadecimal(bytes)), for: request)
  }

  /// Returns a picture whose tag is its digest.
  static func picture(_ bytes: [UInt8], for request: WebRequest) -> WebResponse {
    WebResponse.bytes(bytes, mediaType: "image/jpeg", fileName: nil, isAttachment: false)
      .tagged(EntityTag(Digest.hexadecimal(bytes)), for: request)
  }
}
