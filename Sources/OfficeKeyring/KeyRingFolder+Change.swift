import Evidence
import Foundation
import KeyTokens
import Store
import TimeAndText

extension KeyRingFolder {
  /// Makes a key that follows the present one of its kind, signed by the present one. Then the private half of the
  /// earlier key is removed from this machine; backups still have it.
  /// - Parameters:
  ///   - token: the token in which the key is made; nil for a file. Only an authority's key can be in a token: a
  ///     statement is signed with each delivery.
  /// - Returns: the new key.
  /// - Throws: `StoreError`, `EvidenceError`, `TokenError`; then the present key stays.
  package func renew(
    _ kind: KeyRing.Kind, in token: TokenURI? = nil, at time: DeviceTime
  ) throws -> KeyRing.Entry {
    let ring = try DurableFile.withLock(lock) {
      let ring = try reread()
      let number = ring.entries.count { $0.kind == kind } + 1
      for kind in KeyRing.Kind.allCases { try removeLeftOver(kind, ring) }
      switch kind {
      case .authority: try renewAuthority(ring, number, in: token, at: time)
      case .receipts: try renewReceipts(ring, number, at: time)
      }
      let changed = try reread()
      try signRevocationsAgain(changed)
      try removeEarlierHalves(of: changed)
      return try reread()
    }
    guard let entry = ring.entries.last(where: { $0.kind == kind }) else {
      throw StoreError.unavailable(path: path, reason: "the new key is not there")
    }
    return entry
  }

  private func renewAuthority(
    _ ring: KeyRing, _ number: Int, in token: TokenURI?, at time: DeviceTime
  ) throws {
    let stem = KeyRingReading.stem(.authority, number)
    let signer: any DeviceKey
    let file: (bytes: [UInt8], ending: String)
    if let token {
      let key = try TokenKey.make(in: token, program: program)
      (signer, file) = (key, (key.fileBytes, ".token"))
    } else {
      let key = SoftwareDeviceKey()
      (signer, file) = (key, (Array(key.pem.utf8), ".key"))
    }
    let follower = try ring.authority.follower(at: time, with: signer)
    try write(file.bytes, stem + file.ending)
    // The new one vouches for each earlier one itself, so that no way leads over a key that is revoked later.
    let others = try ring.valid.dropFirst().map { try follower.authority.bridge(toEarlier: $0) }
    let bridges = [follower.byEarlier, follower.ofEarlier] + others
    try write(Array(bridges.map(\.pem).joined().utf8), stem + ".bridges")
    // The key that signs statements stays, with a certificate of the new authority.
    let certificate = try follower.authority.certifyOffice(ring.receiptKey.publicKey, at: time)
    let own = ring.entries.filter { $0.kind == .receipts }.map(\.number).max() ?? 1
    let (earlier, next) = (
      KeyRingReading.stem(.receipts, own), KeyRingReading.stem(.receipts, own + 1)
    )
    try write(try DurableFile.read("\(path)/\(earlier).key"), next + ".key")
    try write(Array(certificate.pem.utf8), next + ".crt")
    try write(Array(follower.authority.certificate.pem.utf8), stem + ".crt")
  }

  private func renewReceipts(_ ring: KeyRing, _ number: Int, at time: DeviceTime) throws {
    let stem = KeyRingReading.stem(.receipts, number)
    let key = SoftwareDeviceKey()
    let succession = try KeySuccession(
      follower: key.publicKey.thumbprint, time: time, signedWith: ring.receiptKey,
      certificate: ring.receiptCertificate)
    let certificate = try ring.authority.certifyOffice(key.publicKey, at: time)
    try write(Array(key.pem.utf8), stem + ".key")
    try write(Array(succession.jws.utf8), stem + KeySuccession.ending)
    try write(Array(certificate.pem.utf8), stem + ".crt")
  }

  /// Removes the files of a renewal that was cut off: the next key of each kind does not count yet.
  private func removeLeftOver(_ kind: KeyRing.Kind, _ ring: KeyRing) throws {
    let stem = KeyRingReading.stem(kind, ring.entries.count { $0.kind == kind } + 1)
    for ending in [".crt", ".key", ".token", ".bridges", KeySuccession.ending] {
      try DurableFile.remove("\(path)/\(stem)\(ending)")
    }
    try DurableFile.syncFolder(path)
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    try DurableFile.replace(path + "/" + name, with: bytes)
  }

  private func removePrivateHalf(_ kind: KeyRing.Kind, _ number: Int) throws {
    let stem = KeyRingReading.stem(kind, number)
    for ending in [".key", ".token"] { try DurableFile.remove("\(path)/\(stem)\(ending)") }
  }

  // MARK: keys that count no more

  /// The reason why a key is not revoked.
  package enum Refusal: Error, Hashable, Sendable, Worded {
    /// There is no such key; the names of those that there are.
    case unknown(String, names: [String])
    /// The key is the present one.
    case inUse(String)
    /// The reason is too long.
    case reason(longest: Int)
    /// The key was revoked before.
    case revoked(String, at: DeviceTime)

    /// The message for people: the fault and what to do.
    package var wording: Wording {
      switch self {
      case .unknown(let name, let names):
        "there is no key \(name): there are \(names.joined(separator: ", "))"
      case .inUse(let name):
        "\(name) is in use: make the next one first, with standpoint office keys renew"
      case .reason(let longest): "a reason is 1 to \(longest) characters"
      case .revoked(let name, let time): "\(name) was revoked already, at \(moment: time)"
      }
    }
  }

  /// The longest reason of a revocation, characters.
  private static let longestReason = 500

  /// Signs the earlier revocations again by the present key: those of a key that is revoked itself count no more.
  private func signRevocationsAgain(_ ring: KeyRing) throws {
    for known in ring.revocations
    where known.certificate.publicKey != ring.receiptKey.publicKey
      || !known.certificate.isIssued(by: ring.authority.certificate)
    {
      let again = try OfficeKeyRevocation(
        key: known.key, time: known.time, reason: known.reason, entries: known.entries,
        signedWith: ring.receiptKey, certificate: ring.receiptCertificate)
      try write(Array(again.jws.utf8), known.key + OfficeKeyRevocation.ending)
    }
  }

  /// Removes the private halves of keys that others have followed.
  package func removeEarlierHalves() throws {
    try DurableFile.withLock(lock) { try removeEarlierHalves(of: try reread()) }
  }

  private func removeEarlierHalves(of ring: KeyRing) throws {
    for kind in KeyRing.Kind.allCases {
      guard let last = ring.entries.last(where: { $0.kind == kind })?.number else { continue }
      for number in 1..<last { try removePrivateHalf(kind, number) }
    }
    try DurableFile.syncFolder(path)
  }

  /// Says that an earlier key counts no more, except for that which the log held by then.
  /// - Parameters:
  ///   - name: the key's name, such as `authority-1`.
  ///   - entries: the number of the log's entries for which the key counts.
  /// - Throws: `Refusal`, `StoreError`, `EvidenceError`.
  package func revoke(
    _ name: String, reason: String, entries: Int, at time: DeviceTime
  ) throws -> OfficeKeyRevocation {
    guard (1...Self.longestReason).contains(reason.count) else {
      throw Refusal.reason(longest: Self.longestReason)
    }
    return try DurableFile.withLock(lock) {
      let ring = try reread()
      guard let entry = ring.entries.first(where: { $0.name == name }) else {
        throw Refusal.unknown(name, names: ring.entries.map(\.name))
      }
      let present = [ring.authority.certificate.publicKey, ring.receiptKey.publicKey]
      guard !present.contains(entry.certificate.publicKey) else { throw Refusal.inUse(name) }
      if let known = ring.revocation(ofKey: entry.key) {
        throw Refusal.revoked(name, at: known.time)
      }
      let revocation = try OfficeKeyRevocation(
        key: entry.key, time: time, reason: reason, entries: entries, signedWith: ring.receiptKey,
        certificate: ring.receiptCertificate)
      try write(Array(revocation.jws.utf8), entry.key + OfficeKeyRevocation.ending)
      try signRevocationsAgain(try reread())
      _ = try reread()
      return revocation
    }
  }
}
