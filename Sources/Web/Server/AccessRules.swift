/// The rules that decide from headers alone which requests this server accepts.
///
/// A page of any site can make a browser send requests to `127.0.0.1`. Two checks keep it out: a
/// name that was bent to this server's address (DNS rebinding) arrives as a foreign `Host`; and a
/// foreign page that uses this server's own address arrives with a foreign `Origin`, which it
/// cannot forge.
struct AccessRules: Sendable {
  private let origins: Set<Origin>
  private let port: Int
  private let currentHosts: (@Sendable () -> [String])?
  let scheme: String

  init(configuration: WebConfiguration, port: Int) {
    let scheme = configuration.isSecure ? "https" : "http"
    (self.port, currentHosts) = (port, configuration.currentHosts)
    var origins: Set<Origin> = []
    for host in ["localhost", "127.0.0.1", "[::1]"] {
      origins.insert(Origin(scheme: scheme, host: host, port: port))
    }
    let host = configuration.host.lowercased()
    // "Every address of this machine" is no name that a client uses.
    if host != "0.0.0.0", host != "::" {
      origins.insert(
        Origin(scheme: scheme, host: host.contains(":") ? "[\(host)]" : host, port: port))
    }
    for extra in configuration.extraHosts {
      if let origin = Self.origin(of: extra, scheme: scheme, port: port) { origins.insert(origin) }
    }
    self.origins = origins
    self.scheme = scheme
  }

  /// Returns the origin of a further name; nil if it is none.
  private static func origin(of extra: String, scheme: String, port: Int) -> Origin? {
    if let origin = Origin(url: extra) { return origin }
    guard let origin = Origin(scheme: scheme, authority: extra) else { return nil }
    let namesPort = extra.hasSuffix(":\(origin.port)")
    return namesPort ? origin : Origin(scheme: scheme, host: origin.host, port: port)
  }

  /// Returns the origin of this server that a `Host` field names; nil if it names none.
  func origin(ofHost host: String) -> Origin? {
    // A proxy that does TLS passes on the name that it was asked for: both schemes are looked up,
    // the server's own first.
    for scheme in [scheme, scheme == "http" ? "https" : "http"] {
      if let origin = Origin(scheme: scheme, authority: host), origins.contains(origin) {
        return origin
      }
    }
    guard let currentHosts, let origin = Origin(scheme: scheme, authority: host) else { return nil }
    let isNow = currentHosts().contains {
      Self.origin(of: $0, scheme: scheme, port: port) == origin
    }
    return isNow ? origin : nil
  }

  /// Returns the problem with the origin of a changing request; nil if it comes from this server's
  /// own page. With `mayBeSilent` a request that names no origin passes: machines do not send any.
  func complaint(origin: [String], referer: String?, own: Origin, mayBeSilent: Bool) -> WebProblem?
  {
    if let first = origin.first {
      return origin.count == 1 && Origin(url: first) == own && !first.dropFirst(8).contains("/")
        ? nil : .originNotAllowed
    }
    if mayBeSilent { return nil }
    return referer.flatMap { Origin(url: $0) } == own ? nil : .originNotAllowed
  }
}
