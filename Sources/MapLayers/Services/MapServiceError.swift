import TimeAndText

/// The reasons for which a map service cannot be used, in words for an administrator.
package enum MapServiceError: Error, Hashable, Sendable, Worded {
  /// The address cannot be one of a map service.
  case malformedAddress(Wording)
  /// No connection could be made, or it was cut.
  case unreachable(host: String, reason: Wording)
  /// The answer did not come in time.
  case tooSlow(host: String, seconds: Int)
  /// The service asks for a user and a password, or refuses those that it got.
  case passwordRefused(host: String, wasGiven: Bool)
  /// Another server than the service's own asks for a password, which it does not get.
  case passwordElsewhere(host: String, own: String)
  /// The service answers with a status that is no success.
  case status(host: String, code: Int)
  /// The service sends on to another host, or with a password to another origin, which nobody has
  /// allowed.
  case redirected(host: String, to: String)
  /// The answer is larger than allowed.
  case tooLarge(host: String, bytesAtMost: Int)
  /// The service explains in its own words why it sends no picture.
  case exception(host: String, words: String)
  /// The answer is something else than a picture.
  case notPicture(host: String, kind: Wording)
  /// The picture has the wrong size.
  case wrongSize(host: String, width: Int, height: Int)
  /// The answer is no description of such a service.
  case notCapabilities(host: String, reason: Wording)
  /// The layer is not offered, or not in a usable projection.
  case noSuchLayer(Wording)
  /// The service has failed several times, and is not asked for a while.
  case paused(seconds: Int, reason: Wording)
  /// Too many tiles are waited for.
  case busy(host: String)

  package var wording: Wording {
    switch self {
    case .malformedAddress(let words): words
    case .unreachable(let host, let reason): "\(host) cannot be reached: \(reason)"
    case .tooSlow(let host, let seconds): "\(host) did not answer within \(seconds) s"
    case .passwordRefused(let host, true):
      "\(host) refuses the user or the password: check both"
    case .passwordRefused(let host, false): "\(host) asks for a user and a password: enter both"
    case .passwordElsewhere(let host, let own):
      "\(host) asks for a password, which is sent to \(own) alone: enter its address if you"
        + " trust it"
    case .status(let host, let code):
      "\(host) answers with the status \(code): check the address"
    case .redirected(let host, let other):
      "\(host) redirects to \(other), which is not followed: enter that address if you trust it"
    case .tooLarge(let host, let bytes):
      "\(host) sends more than \(bytes >> 20) MB at once: check the address"
    case .exception(let host, let words): "\(host) says: \(words)"
    case .notPicture(let host, let kind):
      "\(host) sends \(kind) instead of a picture (png, jpg or webp): check the address and the layer"
    case .wrongSize(let host, let width, let height):
      "\(host) sends a picture of \(width) × \(height) pixels: a tile has 256 × 256 or 512 × 512"
    case .notCapabilities(let host, let reason):
      "\(host) does not describe itself as such a service: \(reason)"
    case .noSuchLayer(let words): words
    case .paused(let seconds, let reason):
      "the map service has failed and is asked again in \(seconds) s: \(reason)"
    case .busy(let host): "too many tiles of \(host) are being fetched: try again in a moment"
    }
  }

  /// True if asking again soon is useless, because a person has to change something first.
  var needsPerson: Bool {
    switch self {
    case .passwordRefused, .passwordElsewhere, .redirected, .malformedAddress, .noSuchLayer: true
    default: false
    }
  }

  /// True if the service as a whole is in trouble, and not one picture alone.
  var concernsService: Bool {
    switch self {
    case .unreachable, .tooSlow, .passwordRefused, .passwordElsewhere, .redirected: true
    case .status(_, let code): code >= 500 || code == 429
    default: false
    }
  }
}
