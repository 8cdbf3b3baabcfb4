import Foundation
import TimeAndText
import XMLReading

/// The refusal of an object store, and its meaning for the person who asked.
struct StoreAnswer: Sendable {
  /// The store's words for troubles that pass: the same request may go well later.
  private static let passing: Set<String> = [
    "SlowDown", "InternalError", "ServiceUnavailable", "RequestTimeout", "Throttling",
    "OperationAborted",
  ]
  private static let passingStatus: Set<Int> = [408, 429, 500, 502, 503, 504]
  /// Signatures count for fifteen minutes.
  private static let skewSecondsAtMost = 15 * 60.0

  let status: Int
  /// The store's own word for the reason; nil if it gives none.
  let code: String?
  /// The region that the store names; nil if it names none.
  let region: String?
  let type: String
  /// The store's clock; nil if it does not tell it.
  let date: DeviceTime?

  init(status: Int, headers: (String) -> String?, body: [UInt8]) {
    self.status = status
    type = headers("content-type") ?? ""
    date = headers("date").flatMap(Self.time)
    let members = Self.members(body)
    code = members["Code"]
    region = headers("x-amz-bucket-region") ?? members["Region"]
  }

  /// Returns the elements of a small document that hold text alone, the first of each name.
  static func members(_ body: [UInt8]) -> [String: String] {
    var members: [String: String] = [:]
    var text = ""
    do {
      try XMLEvents.read(body) { event in
        switch event {
        case .begins: text = ""
        case .text(let words): text += words
        case .ends(let name):
          if members[name] == nil { members[name] = text }
          text = ""
        }
      }
    } catch {
      // It is no document of a store; its status is all that it says.
      return [:]
    }
    return members
  }

  /// True if the same request may go well later.
  var isPassing: Bool {
    Self.passingStatus.contains(status) || code.map(Self.passing.contains) ?? false
  }

  /// Returns the failure for the person who asked.
  func failure(_ address: ObjectAddress, at now: DeviceTime) -> ObjectFailure {
    let offSeconds = date.map { now.gnssTime.seconds(since: $0.gnssTime) }
    if code == "RequestTimeTooSkewed"
      || (400...403).contains(status) && abs(offSeconds ?? 0) > Self.skewSecondsAtMost
    {
      return ObjectFailure(.wrongClock, clockWords(offSeconds))
    }
    switch code {
    case "InvalidAccessKeyId", "InvalidToken", "ExpiredToken":
      return ObjectFailure(
        .refusedCredentials, "the object store does not know this access key, or it has expired")
    case "SignatureDoesNotMatch":
      return ObjectFailure(
        .refusedCredentials,
        "the object store does not accept the signature: check the secret key, and the region (\(address.region))"
      )
    case "NoSuchBucket":
      return ObjectFailure(.noBucket, "the object store has no bucket \(address.bucket)")
    case "QuotaExceeded", "XMinioStorageFull", "InsufficientStorage":
      return ObjectFailure(.full, "the object store has no room left")
    default: break
    }
    if let region, region != address.region {
      return ObjectFailure(
        .otherRegion,
        "the bucket \(address.bucket) is in the region \(Self.shown(region)): say region=\(Self.shown(region))"
      )
    }
    if code == nil, type.contains("html") {
      return ObjectFailure(
        .notAStore,
        "what answers at \(address.host) is no object store: it sends a web page (status \(status))"
      )
    }
    return plain(address)
  }

  private func plain(_ address: ObjectAddress) -> ObjectFailure {
    let words = code.map { " (\(Self.shown($0)), status \(status))" } ?? " (status \(status))"
    switch status {
    case 301, 302, 307, 308:
      return ObjectFailure(
        .otherRegion, "the object store sends elsewhere: check endpoint= and region=" + words)
    case 401, 403:
      return ObjectFailure(
        .forbidden,
        "these credentials may not do this in the bucket \(address.bucket)" + words)
    case 404 where code == nil:
      return ObjectFailure(.noBucket, "the object store has no bucket \(address.bucket)" + words)
    case 507: return ObjectFailure(.full, "the object store has no room left" + words)
    case _ where isPassing:
      return ObjectFailure(.unavailable, "the object store cannot do it just now" + words)
    default: return ObjectFailure(.refused, "the object store refuses" + words)
    }
  }

  private func clockWords(_ offSeconds: Double?) -> String {
    let minutes = offSeconds.map { Int((abs($0) / 60).rounded()) }
    let off =
      minutes.map {
        " (\($0) minutes \((offSeconds ?? 0) > 0 ? "fast" : "slow") against the store's)"
      }
      ?? ""
    return "this machine's clock is too wrong for the object store\(off): set it by NTP"
  }

  /// Returns a word from outside as it may be shown: short, and of letters, digits and hyphens alone.
  private static func shown(_ word: String) -> String {
    String(
      word.unicodeScalars.prefix(60).map {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
          ? Character($0) : "?"
      })
  }

  /// Reads the date of an answer: `Fri, 24 May 2013 00:00:00 GMT`.
  private static func time(_ text: String) -> DeviceTime? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let words = text.split(separator: " ")
    guard words.count == 6, let month = months.firstIndex(of: String(words[2])) else { return nil }
    let number = month + 1
    return DeviceTime(
      rfc3339: "\(words[3])-\(number < 10 ? "0" : "")\(number)-\(words[1])T\(words[4])Z")
  }
}
