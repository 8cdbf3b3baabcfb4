import Foundation
import XMLReading

/// The documents about lists: keys in a bucket, and parts of an object.
enum KeyList {
  /// One part of a list of keys.
  struct Page {
    /// The keys in the order of their bytes, each with the number of its object's bytes.
    var objects: [(key: String, bytes: Int)] = []
    /// True if another part follows.
    var isMore = false
    /// The word with which that part is asked for.
    var next: String?
  }

  /// Reads a part of a list of keys.
  /// - Throws: `ObjectFailure` (notAStore).
  static func page(_ body: [UInt8], below address: ObjectAddress) throws -> Page {
    var page = Page()
    var path: [String] = []
    var text = ""
    var key: String?
    var bytes: Int?
    var isList = false
    var isEncoded = false
    do {
      try XMLEvents.read(body) { event in
        switch event {
        case .begins(let name, _):
          path.append(name)
          text = ""
          isList = isList || path == ["ListBucketResult"]
        case .text(let words): text += words
        case .ends:
          switch path.dropFirst() {
          case ["Contents", "Key"]: key = text
          case ["Contents", "Size"]: bytes = Int(text)
          case ["Contents"]:
            if let key { page.objects.append((key, bytes ?? 0)) }
            (key, bytes) = (nil, nil)
          case ["EncodingType"]: isEncoded = text == "url"
          case ["IsTruncated"]: page.isMore = text == "true"
          case ["NextContinuationToken"] where !text.isEmpty: page.next = text
          default: break
          }
          path.removeLast()
          text = ""
        }
      }
    } catch {
      isList = false
    }
    guard isList else {
      throw ObjectFailure(.notAStore, "what answers at \(address.host) gives no list of keys")
    }
    page.objects = page.objects.compactMap { key, bytes in
      // Names are encoded as forms are: a blank is a plus.
      let plain =
        isEncoded ? key.replacing("+", with: " ").removingPercentEncoding ?? key : key
      guard plain.hasPrefix(address.prefix) else { return nil }
      return (String(plain.dropFirst(address.prefix.count)), bytes)
    }
    return page
  }

  /// Returns what puts parts together.
  static func completion(_ tags: [String]) -> String {
    let parts = tags.enumerated().map { number, tag in
      let escaped = tag.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      return "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(escaped)</ETag></Part>"
    }
    return "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
  }
}
