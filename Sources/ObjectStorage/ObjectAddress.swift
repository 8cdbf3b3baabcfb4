import Foundation

/// The place of photos in an object store: a bucket, what comes before each key in it, and the way to it.
///
/// As text: `s3://BUCKET[/PREFIX][?endpoint=URL&region=REGION&style=path|host&plain=yes]`. Without an
/// endpoint it is Amazon's own for the region.
public struct ObjectAddress: Hashable, Sendable {
  /// The ways to name a bucket.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// In the path: `https://host/bucket/key`.
    case path
    /// In the host's name: `https://bucket.host/key`.
    case host
  }

  /// The region that a store without regions accepts.
  private static let usualRegion = "us-east-1"
  /// The lengths of a bucket's name.
  private static let bucketCharacters = 3...63
  private static let prefixCharactersAtMost = 400

  /// The bucket's name.
  public let bucket: String
  /// The beginning of each key: empty, or with a slash at its end.
  public let prefix: String
  /// The region that signatures name.
  public let region: String
  /// The way in which requests name the bucket.
  public let style: Style
  /// True for HTTP without TLS.
  public let isPlain: Bool
  /// The endpoint's host, and its port if it is not that of the scheme.
  public let host: String

  /// Reads an address.
  /// - Throws: `ObjectFailure` (malformedAddress). It never repeats an address that may hold a secret.
  public init(_ text: String) throws(ObjectFailure) {
    guard text.hasPrefix("s3://"), let parts = URLComponents(string: text) else {
      throw Self.malformed(
        "an object store's address looks like s3://BUCKET/PREFIX?endpoint=https://s3.example.org")
    }
    guard parts.user == nil, parts.password == nil, !text.dropFirst(5).contains("@") else {
      throw Self.malformed(
        "an address holds no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or keep them in a file"
      )
    }
    guard parts.port == nil, parts.fragment == nil else {
      throw Self.malformed("behind s3:// comes the bucket; a port belongs into endpoint=")
    }
    bucket = try Self.bucket(parts.host ?? "")
    prefix = try Self.prefix(parts.path)
    let options = try Self.options(parts.queryItems ?? [])
    region = try Self.region(options["region"])
    (isPlain, host) = try Self.endpoint(options, region)
    let usual: Style = options["endpoint"] == nil ? .host : .path
    guard let style = options["style"].map(Style.init) ?? usual else {
      throw Self.malformed("style= is path or host")
    }
    let isNumber =
      host.hasPrefix("[") || host.prefix { $0 != ":" }.allSatisfy { "0123456789.".contains($0) }
    guard style == .path || !isNumber else {
      throw Self.malformed("style=host needs a name behind endpoint=, not an address of numbers")
    }
    // A certificate for *.host has no second dot.
    self.style = bucket.contains(".") && !isPlain ? .path : style
  }

  private static func malformed(_ words: String) -> ObjectFailure {
    ObjectFailure(.malformedAddress, words)
  }

  private static func bucket(_ name: String) throws(ObjectFailure) -> String {
    let isName =
      bucketCharacters.contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
          || $0 == UInt8(ascii: ".")
      } && !name.contains("..") && name.first != "." && name.last != "." && name.first != "-"
      && name.last != "-"
    guard isName else {
      throw malformed(
        "a bucket's name has 3 to 63 small letters, digits, hyphens and dots, with a letter or digit at each end"
      )
    }
    return name
  }

  private static func prefix(_ path: String) throws(ObjectFailure) -> String {
    let words = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let named = words.last == "" ? words.dropLast() : words
    guard !named.isEmpty else { return "" }
    let isFine = named.allSatisfy { word in
      !word.isEmpty && word != "." && word != ".."
        && word.utf8.allSatisfy { ObjectText.isUnreserved($0) }
    }
    guard isFine, path.utf8.count <= prefixCharactersAtMost else {
      throw malformed(
        "the words behind the bucket are letters, digits and -._~ with single slashes")
    }
    return named.joined(separator: "/") + "/"
  }

  private static func options(_ items: [URLQueryItem]) throws(ObjectFailure) -> [String: String] {
    var options: [String: String] = [:]
    for item in items {
      guard ["endpoint", "region", "style", "plain"].contains(item.name) else {
        throw malformed("an address knows endpoint, region, style and plain, and nothing else")
      }
      guard options[item.name] == nil, let value = item.value, !value.isEmpty else {
        throw malformed("\(item.name)= comes once, with a value")
      }
      options[item.name] = value
    }
    return options
  }

  private static func region(_ text: String?) throws(ObjectFailure) -> String {
    let region = text ?? usualRegion
    guard region.utf8.count <= 64, region.utf8.allSatisfy({ ObjectText.isUnreserved($0) }) else {
      throw malformed("region= is a word such as eu-central-1")
    }
    return region
  }

  private static func endpoint(
    _ options: [String: String], _ region: String
  ) throws(ObjectFailure) -> (isPlain: Bool, host: String) {
    guard let text = options["endpoint"] else {
      return (false, "s3.\(region).amazonaws.com")
    }
    guard let url = URLComponents(string: text), let name = url.host, !name.isEmpty,
      url.scheme == "http" || url.scheme == "https", url.user == nil, url.password == nil,
      url.query == nil, url.fragment == nil, ["", "/"].contains(url.path),
      url.port.map((1...65_535).contains) ?? true
    else { throw malformed("endpoint= is a scheme, a host and perhaps a port: https://host:9000") }
    let isPlain = url.scheme == "http"
    let isHere = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(name)
    guard !isPlain || isHere || options["plain"] == "yes" else {
      throw malformed(
        "over http everybody on the way sees the photos: use https, or say plain=yes in a network of your own"
      )
    }
    let bracketed = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
    let port = url.port.flatMap { $0 == (isPlain ? 80 : 443) ? nil : ":\($0)" } ?? ""
    return (isPlain, bracketed.lowercased() + port)
  }

  // MARK: requests

  /// The host that requests name.
  var requestHost: String { style == .host ? "\(bucket).\(host)" : host }

  /// Returns the path of a key, as it is written in a request; nil for that of the bucket.
  func path(_ key: String?) -> String {
    let inBucket = "/" + (key.map { ObjectText.encoded(prefix + $0, keepsSlashes: true) } ?? "")
    return style == .host ? inBucket : "/\(bucket)" + inBucket
  }

  /// Returns the address of a request.
  func url(_ key: String?, query: [(name: String, value: String)] = []) -> String {
    let words = ObjectText.query(query)
    return (isPlain ? "http://" : "https://") + requestHost + path(key)
      + (words.isEmpty ? "" : "?" + words)
  }
}

extension ObjectAddress: CustomStringConvertible {
  /// The address as text.
  public var description: String {
    "s3://\(bucket)/\(prefix) at \(isPlain ? "http" : "https")://\(host)"
  }
}
