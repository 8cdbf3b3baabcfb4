import FieldUnit
import Foundation
import Inspection
import Store
import Synchronization
import TimeAndText
import Web

/// How phones reach a field unit: its certificate, its network, and the code that it shows now.
package final class PhoneDesk: Sendable {
  /// The ports of a running field unit, which commands of the same device read.
  struct Ports: Codable, Hashable, Sendable {
    /// The only address at which phones are served; nil for all of this device.
    var host: String?
    /// The port of the pages over TLS.
    var secure: Int
    /// The port of the page that explains how to trust the certificate, without TLS.
    var plain: Int
  }

  private struct State {
    var network: DeviceNetwork
    /// Nil if it cannot be read or made.
    var certificate: ServerCertificate?
    var ports: Ports?
    /// The code that was made on a page; nil before, and for one that a command made.
    var shown: PairingCode?
    /// The reason why phones cannot come in; nil if they can.
    var fault: Wording?
    /// The fate of this device's name in its networks.
    var nameStanding = NamePublisher.Standing.unavailable
  }

  /// The device's authority; nil if its files cannot be read. Everything else goes on without it.
  private let authority: DeviceAuthority?
  private let keys: String
  private let network: @Sendable () -> DeviceNetwork
  private let state: Mutex<State>

  /// Opens the desk of a data directory.
  /// - Parameters:
  ///   - keys: the folder of keys.
  ///   - serves: false for a command beside the running program, which alone knows where it serves: a
  ///     command must not make its certificate anew.
  ///   - network: returns the names and addresses of this device.
  package init(
    keys: String, at now: DeviceTime, serves: Bool = true,
    network: @escaping @Sendable () -> DeviceNetwork = DeviceNetwork.current
  ) {
    (self.keys, self.network) = (keys, network)
    let here = network()
    do {
      authority = try DeviceAuthority.open(in: keys, network: here, at: now)
    } catch {
      authority = nil
      state = Mutex(State(network: here, fault: Self.unreadable(keys, error)))
      return
    }
    do {
      let certificate =
        serves ? try authority?.serverCertificate(in: keys, for: here, at: now) : nil
      state = Mutex(State(network: here, certificate: certificate))
    } catch {
      // It is tried again with the next look at the network.
      state = Mutex(State(network: here, fault: "phones cannot come in: \("\(error)")"))
    }
  }

  private static func unreadable(_ keys: String, _ error: any Error) -> Wording {
    "the device's own certificate cannot be read (\("\(error)")): remove the files \(keys + "/phones-*"),"
      + " start the field unit again, and pair your phones again"
  }

  /// The names and addresses of this device, as they were seen last.
  package var here: DeviceNetwork { state.withLock { $0.network } }
  /// The certificate of the pages now.
  package var certificate: ServerCertificate? { state.withLock { $0.certificate } }

  /// - Throws: `FieldUnitError.unreadable`.
  func requireCertificate() throws -> ServerCertificate {
    guard let certificate else {
      throw FieldUnitError.unreadable(path: keys + "/phones-authority.pem", reason: fault ?? "")
    }
    return certificate
  }

  private func requireAuthority() throws -> DeviceAuthority {
    guard let authority else {
      throw FieldUnitError.unreadable(path: keys + "/phones-authority.pem", reason: fault ?? "")
    }
    return authority
  }

  /// The authority's certificate, DER.
  /// - Throws: `FieldUnitError.unreadable`.
  func authorityBytes() throws -> [UInt8] {
    try requireAuthority().bytes
  }

  /// The SHA-256 of the authority's certificate, hexadecimal.
  /// - Throws: `FieldUnitError.unreadable`.
  func authorityFingerprint() throws -> String { try requireAuthority().fingerprint }

  /// The names under which this device's pages are asked for now.
  package var hosts: [String] {
    state.withLock {
      $0.network.names + $0.network.addresses.map { $0.contains(":") ? "[\($0)]" : $0 }
    }
  }
  var fault: Wording? { state.withLock { $0.fault } }
  var shown: PairingCode? { state.withLock { $0.shown } }

  var nameStanding: NamePublisher.Standing { state.withLock { $0.nameStanding } }

  func note(_ standing: NamePublisher.Standing) { state.withLock { $0.nameStanding = standing } }
  func show(_ code: PairingCode?) { state.withLock { $0.shown = code } }
  func note(fault: Wording?) { state.withLock { $0.fault = fault } }

  /// Looks at the network, and renews the certificate if names or addresses have changed, or if it ends
  /// soon.
  /// - Returns: true if it has changed.
  @discardableResult
  package func look(at now: DeviceTime) throws -> Bool {
    guard let authority else { return false }
    let here = network()
    let made = try authority.serverCertificate(in: keys, for: here, at: now)
    return state.withLock { state in
      defer { (state.network, state.certificate) = (here, made) }
      return state.certificate != made
    }
  }

  private static func portsFile(in keys: String) -> String { keys + "/phones.ports" }

  /// Keeps the ports of the running program for the commands of this device.
  func keep(_ ports: Ports) throws {
    state.withLock { $0.ports = ports }
    try DurableFile.replace(Self.portsFile(in: keys), with: Array(try JSONEncoder().encode(ports)))
  }

  /// Returns the ports of this program, or of the one that ran last on this device; nil if none ever did.
  func ports() throws -> Ports? {
    if let own = state.withLock({ $0.ports }) { return own }
    let path = Self.portsFile(in: keys)
    guard FileStatus(ofPath: path) != nil else { return nil }
    return try JSONDecoder().decode(Ports.self, from: Data(try DurableFile.read(path)))
  }

  /// Everything that a phone needs to be paired.
  package struct Invitation: Sendable {
    /// The address that the phone opens: of the page without TLS, with the code and the fingerprint behind
    /// the sign #, which no browser sends over the network.
    package var url: String
    /// The code.
    package var code: PairingCode
    /// The SHA-256 of the authority's certificate, hexadecimal.
    package var fingerprint: String
  }

  /// Returns true if a phone can find this device.
  func canInvite(address: String?) throws -> Bool {
    _ = try requireAuthority()
    return try ports() != nil && host(address) != nil
  }

  private func host(_ address: String?) throws -> String? {
    try address ?? ports()?.host ?? here.addresses.first
  }

  /// Returns what a phone needs for a code; nil if this device has no address in a network, or never served
  /// pages to phones.
  /// - Parameter address: the address of this device to use; nil takes the first one.
  package func invitation(_ code: PairingCode, address: String? = nil) throws -> Invitation? {
    guard let ports = try ports(), let host = try host(address) else { return nil }
    let fingerprint = try requireAuthority().fingerprint
    let name = host.contains(":") ? "[\(host)]" : host
    return Invitation(
      url: "http://\(name):\(ports.plain)/#\(code.text).\(fingerprint)", code: code,
      fingerprint: fingerprint)
  }
}
