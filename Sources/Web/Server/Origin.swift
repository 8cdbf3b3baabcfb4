/// A scheme, a host and a port: the parts by which browsers keep sites apart.
struct Origin: Hashable, Sendable, CustomStringConvertible {
  let scheme: String
  /// The host in lower case; an IPv6 address is in brackets.
  let host: String
  let port: Int

  init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Reads `host`, `host:port` or `[v6]:port`; nil for anything else.
  init?(scheme: String, authority: some StringProtocol) {
    let text = authority.lowercased()
    let host: Substring
    var rest: Substring
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[...end]
      rest = text[text.index(after: end)...]
      guard host.dropFirst().dropLast().utf8.allSatisfy(Self.isAddressByte) else { return nil }
    } else {
      host = text.prefix { $0 != ":" }
      rest = text[host.endIndex...]
      guard host.utf8.allSatisfy(Self.isNameByte) else { return nil }
    }
    guard !host.isEmpty else { return nil }
    if rest.isEmpty {
      self.init(scheme: scheme, host: String(host), port: Self.defaultPort(scheme))
      return
    }
    rest.removeFirst()
    guard (1...5).contains(rest.utf8.count), rest.utf8.allSatisfy({ (48...57).contains($0) }),
      let port = Int(rest), (1...65_535).contains(port)
    else { return nil }
    self.init(scheme: scheme, host: String(host), port: port)
  }

  /// Reads an `Origin` field, or the beginning of a `Referer`; nil if it is no address of HTTP or HTTPS.
  init?(url: some StringProtocol) {
    for scheme in ["http", "https"] where url.lowercased().hasPrefix("\(scheme)://") {
      let authority = url.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
      self.init(scheme: scheme, authority: authority)
      return
    }
    return nil
  }

  var description: String {
    port == Self.defaultPort(scheme) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }

  static func defaultPort(_ scheme: String) -> Int { scheme == "https" ? 443 : 80 }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    isNameByte(byte) || byte == UInt8(ascii: ":")
  }
}
