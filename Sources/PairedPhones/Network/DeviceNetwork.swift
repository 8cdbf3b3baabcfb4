import Foundation
import Inspection

/// The names and addresses under which other devices reach this one now.
package struct DeviceNetwork: Hashable, Sendable {
  /// The name that is found by Avahi on each network.
  package static let commonName = "standpoint.local"

  /// The addresses, those of wireless networks first; without loopback and without those that hold on one
  /// link alone.
  package var addresses: [String]
  /// The names, in lower case.
  package var names: [String]

  /// Creates the description of a network.
  package init(addresses: [String], names: [String] = [commonName]) {
    (self.addresses, self.names) = (addresses, names)
  }

  /// Returns the names and addresses of this machine.
  package static func current() -> DeviceNetwork {
    var own = [commonName]
    let host = ProcessInfo.processInfo.hostName.lowercased().prefix { $0 != "." }
    let isName = host.utf8.allSatisfy {
      (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
    }
    if isName, !host.isEmpty, host != "localhost" { own += [String(host), "\(host).local"] }
    return DeviceNetwork(addresses: currentAddresses(), names: own)
  }

  /// Returns true for the host that stands for every address of a machine.
  static func isEvery(_ host: String) -> Bool { ["0.0.0.0", "::"].contains(host) }

  /// Returns the network with further hosts at which this device serves: names, or addresses of its own.
  package func with(hosts: [String]) -> DeviceNetwork {
    hosts.reduce(into: self) { network, host in
      guard !Self.isEvery(host), !network.addresses.contains(host), !network.names.contains(host)
      else { return }
      if IPAddressBytes(host) != nil {
        network.addresses.append(host)
      } else if host != "localhost" {
        network.names.append(host)
      }
    }
  }

  /// An address of this device, and the number of the interface that has it.
  struct Place: Hashable, Sendable {
    var interface: UInt32
    var address: String
  }

  private static func currentAddresses() -> [String] { currentPlaces().map(\.address) }

  /// Returns the addresses of this machine with their interfaces, those of wireless networks first.
  static func currentPlaces() -> [Place] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: [(rank: Int, place: Place)] = []
    var next = first
    while let entry = next?.pointee {
      defer { next = entry.ifa_next }
      let flags = Int32(bitPattern: entry.ifa_flags)
      guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0,
        let socket = entry.ifa_addr, let address = text(of: socket)
      else { continue }
      let place = Place(interface: if_nametoindex(entry.ifa_name), address: address)
      found.append((rank(of: String(cString: entry.ifa_name), address), place))
    }
    return found.sorted { ($0.rank, $0.place.address) < ($1.rank, $1.place.address) }.map(\.place)
  }

  /// Returns the address as text; nil for another kind, and for one that holds on one link alone.
  private static func text(of socket: UnsafeMutablePointer<sockaddr>) -> String? {
    let family = Int32(socket.pointee.sa_family)
    guard family == AF_INET || family == AF_INET6 else { return nil }
    let length =
      family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      getnameinfo(
        socket, socklen_t(length), &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    let text = String(
      decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.contains("%") || text.hasPrefix("169.254.") ? nil : text
  }

  /// Wireless networks come first, then cables, then the bridges of virtual machines; the addresses that
  /// people can type before those of IPv6.
  private static func rank(of interface: String, _ address: String) -> Int {
    let kinds = [["wl", "ap", "uap"], ["en", "eth", "usb", "bnep"]]
    let kind = kinds.firstIndex { $0.contains { interface.hasPrefix($0) } } ?? kinds.count
    return (address.contains(":") ? 10 : 0) + kind
  }
}
