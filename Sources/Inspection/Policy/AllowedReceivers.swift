/// The receivers from which an agency takes photos: kinds of connections, and addresses. A receiver is
/// named as after `--gnss`.
///
/// The list raises the price of an invented receiver: forty lines of a program on a TCP port are one.
/// The owner of a device can still lie about what is connected.
public struct AllowedReceivers: Hashable, Sendable {
  /// A kind of connection.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A gpsd on the device itself whose receiver hangs on the device.
    case gpsd
    /// A receiver's serial port profile over Bluetooth.
    case bluetooth
    /// A tty with a driver behind it: USB or a serial line, never a pseudo-terminal.
    case serial
    /// Anything over a network: TCP, a gpsd of another machine, or a gpsd that reads from a network.
    case tcp
  }

  /// An entry of the list.
  public enum Entry: Hashable, Sendable {
    /// Every receiver with this kind of connection.
    case kind(Kind)
    /// One receiver, or all below an address: `bluetooth://00:11:22:33:44:55`, `serial:///dev/ttyACM0`.
    case address(String)
  }

  /// The most entries of a list, and the longest one, bytes.
  static let mostEntries = 32
  static let longestEntry = 200

  /// The entries, in the administrator's order; empty means that every receiver is allowed.
  public let entries: [Entry]

  /// Every receiver.
  public static let any = AllowedReceivers(entries: [])

  private init(entries: [Entry]) { self.entries = entries }

  /// Reads entries with spaces between them, or the word `any`; nil if an entry is neither a kind nor an
  /// address, or if there are too many.
  public init?(text: String) {
    let words = text.split(whereSeparator: { $0.isWhitespace || $0 == "," || $0 == ";" })
    guard !words.isEmpty, words.count <= Self.mostEntries else { return nil }
    if words == ["any"] {
      entries = []
      return
    }
    var read: [Entry] = []
    for word in words {
      guard let entry = Self.entry(String(word)) else { return nil }
      if !read.contains(entry) { read.append(entry) }
    }
    entries = read
  }

  private static func entry(_ word: String) -> Entry? {
    if let kind = Kind(rawValue: word.lowercased()) { return .kind(kind) }
    guard let mark = word.firstRange(of: "://"), mark.upperBound < word.endIndex,
      Kind(rawValue: String(word[..<mark.lowerBound])) != nil, word.utf8.count <= longestEntry,
      word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") })
    else { return nil }
    return .address(word)
  }

  /// The list as it is typed and signed: `gpsd bluetooth`, or `any`.
  public var text: String {
    entries.isEmpty
      ? "any"
      : entries.map { entry in
        switch entry {
        case .kind(let kind): kind.rawValue
        case .address(let address): address
        }
      }.joined(separator: " ")
  }

  /// Returns true if photos may rest on this receiver.
  /// - Parameters:
  ///   - source: the receiver, as after `--gnss`. A recorded log counts as allowed: its photos are
  ///     marked as simulated.
  ///   - resolved: the same receiver with a tty under the name that its links lead to; nil if that is
  ///     not known.
  ///   - devices: the devices from which a gpsd says that it read, empty if it says nothing; nil if that
  ///     is not known yet.
  public func allows(
    _ source: String, resolved: String? = nil, devices: Set<String>?
  ) -> Bool {
    guard !entries.isEmpty, !source.hasPrefix("file:") else { return true }
    let kind = Self.kind(of: resolved ?? source, devices: devices)
    return entries.contains { entry in
      switch entry {
      case .kind(let allowed): allowed == kind
      // A gpsd or a tty that is allowed by its address must still have a receiver behind it, unless the
      // address itself is a pseudo-terminal's.
      case .address(let address):
        Self.isBelow(source, address)
          && (Self.isOwnGpsd(source)
            ? kind == .gpsd : kind != nil || Self.kind(of: address, devices: nil) == nil)
      }
    }
  }

  /// Returns the kind of a receiver's connection; nil for one that counts as none of them: a
  /// pseudo-terminal, which a program can be behind, or an unknown scheme.
  static func kind(of source: String, devices: Set<String>?) -> Kind? {
    guard let mark = source.firstRange(of: "://"),
      let scheme = Kind(rawValue: String(source[..<mark.lowerBound]))
    else { return nil }
    let rest = source[mark.upperBound...]
    switch scheme {
    case .tcp, .bluetooth: return scheme
    case .serial: return isPseudoTerminal(rest) ? nil : .serial
    case .gpsd:
      guard isOwnGpsd(source), devices?.contains(where: isOfNetwork) != true else { return .tcp }
      // A real gpsd names the device of each position: what names none is another program.
      guard devices?.isEmpty != true else { return nil }
      let named = rest.firstIndex(of: "/").map { [rest[$0...]] } ?? []
      return ((devices ?? []).map { $0[...] } + named).contains(where: isPseudoTerminal)
        ? nil : .gpsd
    }
  }

  private static func isOwnGpsd(_ source: String) -> Bool {
    guard source.hasPrefix("gpsd://") else { return false }
    let place = source.dropFirst("gpsd://".count).lowercased()
    if ["localhost:", "[::1]:", "::1:"].contains(where: place.hasPrefix) { return true }
    let host = place.prefix { $0 != ":" && $0 != "/" }
    return host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
  }

  private static func isOfNetwork(_ device: String) -> Bool {
    // gpsd reads from a network where a device's name has a scheme; /dev/ttyACM0 has none.
    device.contains("://")
  }

  private static func isPseudoTerminal(_ path: Substring) -> Bool {
    path.hasPrefix("/dev/pts/") || path.hasPrefix("/dev/pty") || path.hasPrefix("/dev/ttyp")
  }

  private static func isBelow(_ source: String, _ address: String) -> Bool {
    guard source.lowercased().hasPrefix(address.lowercased()) else { return false }
    let next = source.utf8.dropFirst(address.utf8.count).first
    return next == nil || address.hasSuffix("/") || [0x2F, 0x3F, 0x3A].contains(next)
  }
}
