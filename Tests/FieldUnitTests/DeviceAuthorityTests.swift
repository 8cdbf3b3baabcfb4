import Foundation
import TestSupport
import Testing
import TimeAndText
import Web

@testable import PairedPhones

@Suite("The device's own authority")
struct DeviceAuthorityTests {
  private static let now = DeviceTime(
    millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
  private static let here = DeviceNetwork(
    addresses: ["192.168.7.5", "203.0.113.9", "fd00::5"], names: ["standpoint.local", "pole"])

  /// Asks OpenSSL if a chain holds for a name or an address.
  private func verify(_ chain: String, _ question: [String]) async throws -> (
    status: Int32, words: String
  ) {
    try await withTemporaryDirectory { folder in
      let parts = chain.components(separatedBy: "-----END CERTIFICATE-----\n")
      let files = ["leaf.pem", "authority.pem"].map { folder.appendingPathComponent($0).path }
      for (part, file) in zip(parts, files) {
        try Data((part + "-----END CERTIFICATE-----\n").utf8).write(to: URL(fileURLWithPath: file))
      }
      let openssl = try #require(Program.tool("openssl"))
      let outcome = try await Program.run(
        openssl,
        ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", files[1]] + question + [
          files[0]
        ])
      return (outcome.status, "\(outcome.output) \(outcome.errors)")
    }
  }

  @Test(
    "OpenSSL accepts its certificate for each of the device's names and addresses, and no other")
  func names() async throws {
    let authority = try DeviceAuthority.make(for: Self.here, at: Self.now)
    let chain = try authority.certify(Self.here, at: Self.now).chainPEM
    for name in ["standpoint.local", "pole", "localhost"] {
      #expect(try await verify(chain, ["-verify_hostname", name]).status == 0, "\(name)")
    }
    for address in ["192.168.7.5", "203.0.113.9", "fd00::5", "127.0.0.1", "::1"] {
      #expect(try await verify(chain, ["-verify_ip", address]).status == 0, "\(address)")
    }
    #expect(try await verify(chain, ["-verify_hostname", "bank.example"]).status != 0)
    #expect(try await verify(chain, ["-verify_ip", "192.168.7.6"]).status != 0)
  }

  @Test("whoever takes its key can deceive a phone about no other site")
  func constraints() async throws {
    let authority = try DeviceAuthority.make(for: Self.here, at: Self.now)
    for stolen in [
      DeviceNetwork(addresses: [], names: ["bank.example"]),
      DeviceNetwork(addresses: ["203.0.113.10"]), DeviceNetwork(addresses: ["2001:db8::1"]),
    ] {
      let chain = try authority.certify(stolen, at: Self.now, filtered: false).chainPEM
      let answer = try await verify(chain, [])
      #expect(
        answer.status != 0 && answer.words.contains("permitted subtree violation"), "\(answer)")
    }
    // A name or an address for which it cannot vouch does not spoil the others.
    let named = DeviceNetwork(
      addresses: ["192.168.7.5", "2001:db8::1", "100.64.0.3"], names: Self.here.names + ["renamed"])
    let partly = try authority.certify(named, at: Self.now).chainPEM
    #expect(try await verify(partly, ["-verify_ip", "192.168.7.5"]).status == 0)
    #expect(try await verify(partly, ["-verify_hostname", "renamed"]).status != 0)
    // It goes with the device into the next Wi-Fi.
    let elsewhere = DeviceNetwork(addresses: ["10.42.0.1"], names: Self.here.names)
    let chain = try authority.certify(elsewhere, at: Self.now).chainPEM
    #expect(try await verify(chain, ["-verify_ip", "10.42.0.1"]).status == 0)
  }

  @Test(
    "authority and certificate are kept, and only a change or the end of its time renews the certificate"
  )
  func renewal() throws {
    try withTemporaryDirectory { folder in
      let keys = folder.appendingPathComponent("keys").path
      let authority = try DeviceAuthority.open(in: keys, network: Self.here, at: Self.now)
      let again = try DeviceAuthority.open(in: keys, network: Self.here, at: Self.now)
      #expect(try authority.fingerprint == again.fingerprint)
      let first = try authority.serverCertificate(in: keys, for: Self.here, at: Self.now)
      let later = Self.now.advanced(bySeconds: 50 * 86_400)
      #expect(try again.serverCertificate(in: keys, for: Self.here, at: later) == first)
      let late = Self.now.advanced(bySeconds: 80 * 86_400)
      let renewed = try again.serverCertificate(in: keys, for: Self.here, at: late)
      #expect(renewed != first)
      var moved = Self.here
      moved.addresses[0] = "192.168.8.1"
      #expect(try again.serverCertificate(in: keys, for: moved, at: late) != renewed)
      for name in ["phones-authority.key", "phones-server.key"] {
        let mode = try FileManager.default.attributesOfItem(atPath: "\(keys)/\(name)")
        #expect(mode[.posixPermissions] as? Int == 0o600, "\(name)")
      }
    }
  }

  @Test("a key of another certificate is replaced, and an authority that ends is made anew")
  func remnants() throws {
    try withTemporaryDirectory { folder in
      let keys = folder.appendingPathComponent("keys").path
      let authority = try DeviceAuthority.open(in: keys, network: Self.here, at: Self.now)
      let first = try authority.serverCertificate(in: keys, for: Self.here, at: Self.now)
      let other = try authority.certify(Self.here, at: Self.now)
      try Data(other.keyPEM.utf8).write(to: URL(fileURLWithPath: keys + "/phones-server.key"))
      let second = try authority.serverCertificate(in: keys, for: Self.here, at: Self.now)
      #expect(second != first && second.keyPEM != other.keyPEM)
      try FileManager.default.removeItem(atPath: keys + "/phones-server.key")
      #expect(try authority.serverCertificate(in: keys, for: Self.here, at: Self.now) != second)
      // A clock that is behind makes nothing anew: the receiver will set it.
      let before = Self.now.advanced(bySeconds: -3000 * 86_400)
      let late = Self.now.advanced(bySeconds: 3640 * 86_400)
      let fingerprint = try authority.fingerprint
      #expect(
        try DeviceAuthority.open(in: keys, network: Self.here, at: before).fingerprint
          == fingerprint)
      #expect(
        try DeviceAuthority.open(in: keys, network: Self.here, at: late).fingerprint != fingerprint)
    }
  }

  @Test("a certificate that is not ours beside its key is replaced")
  func foreign() throws {
    try withTemporaryDirectory { folder in
      let keys = folder.appendingPathComponent("keys").path
      let authority = try DeviceAuthority.open(in: keys, network: Self.here, at: Self.now)
      let forger = try DeviceAuthority.make(for: Self.here, at: Self.now)
      let forged = try forger.certify(Self.here, at: Self.now)
      for (name, text) in [
        ("phones-server.pem", forged.chainPEM), ("phones-server.key", forged.keyPEM),
      ] { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(keys)/\(name)")) }
      let own = try authority.serverCertificate(in: keys, for: Self.here, at: Self.now)
      #expect(own != forged)
      let read = try authority.serverCertificate(in: keys, for: Self.here, at: Self.now)
      #expect(read == own)
    }
  }
}
