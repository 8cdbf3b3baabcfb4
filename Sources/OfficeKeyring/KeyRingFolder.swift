import Evidence
import Foundation
import KeyTokens
import Store
import Synchronization
import TimeAndText

/// The folder of an office's keys. A key that follows another one has files of its own, whose certificate is written
/// last: before that, it does not count.
public final class KeyRingFolder: Sendable {
  /// The path of the folder.
  let path: String
  /// The lock that programs hold while they change keys.
  let lock: String
  /// The program that has the command `token-worker`.
  let program: String
  private let log: @Sendable (String) -> Void
  private let kept: Mutex<Kept>

  /// The keys that were read, and the state of their files.
  private struct Kept {
    var marks: Set<String>
    var ring: KeyRing
    /// The state that could not be read and was told.
    var unreadable: Set<String>?
  }

  /// Opens a folder whose keys are there.
  /// - Parameter log: told when changed keys cannot be read; then the earlier ones stay in use.
  /// - Throws: `StoreError`, `EvidenceError`, `TokenError`.
  package init(
    path: String, lock: String, program: String = TokenKey.thisProgram,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    (self.path, self.lock, self.program, self.log) = (path, lock, program, log)
    let reading = KeyRingReading(path: path, program: program)
    let names = try reading.names()
    kept = Mutex(Kept(marks: try reading.marks(names), ring: try reading.ring(names)))
  }

  /// Makes the keys of a new office, if there are none.
  package static func begin(path: String, authorityName: String, at time: DeviceTime) throws {
    // The authority's certificate is written last: without it, there was no complete first start.
    guard FileStatus(ofPath: path + "/authority.crt") == nil else { return }
    let key = SoftwareDeviceKey()
    let authorityKey = SoftwareDeviceKey()
    let authority = try Authority.make(name: authorityName, at: time, with: authorityKey)
    let certificate = try authority.certifyOffice(key.publicKey, at: time)
    for (name, text) in [
      ("authority.key", authorityKey.pem), ("receipts.key", key.pem),
      ("receipts.crt", certificate.pem), ("authority.crt", authority.certificate.pem),
    ] {
      try DurableFile.replace(path + "/" + name, with: Array(text.utf8))
    }
  }

  /// The keys as they are now. Another program may have changed them.
  package var ring: KeyRing {
    kept.withLock { kept in
      let reading = KeyRingReading(path: path, program: program)
      var marks: Set<String> = []
      do {
        let names = try reading.names()
        marks = try reading.marks(names)
        if marks != kept.marks { kept = Kept(marks: marks, ring: try reading.ring(names)) }
      } catch {
        if kept.unreadable != marks {
          log("keys: the office's keys have changed, and cannot be read: \(error)")
        }
        kept.unreadable = marks
      }
      return kept.ring
    }
  }

  /// Reads the keys again.
  func reread() throws -> KeyRing {
    let reading = KeyRingReading(path: path, program: program)
    let names = try reading.names()
    let (marks, ring) = (try reading.marks(names), try reading.ring(names))
    kept.withLock { $0 = Kept(marks: marks, ring: ring) }
    return ring
  }
}

/// Reads the files of an office's keys.
struct KeyRingReading {
  let path: String
  let program: String

  /// The names of the files that say which keys count, and of the bridges.
  func names() throws -> Set<String> {
    let endings = [".crt", ".bridges", OfficeKeyRevocation.ending]
    do {
      return Set(
        try FileManager.default.contentsOfDirectory(atPath: path).filter { name in
          endings.contains(where: name.hasSuffix)
        })
    } catch {
      throw StoreError.unavailable(path: path, reason: "its rights do not allow reading it")
    }
  }

  /// The files with what changes when one is replaced.
  func marks(_ names: Set<String>) throws -> Set<String> {
    Set(
      names.map { name in
        var status = stat()
        guard stat(path + "/" + name, &status) == 0 else { return name }
        return "\(name) \(status.st_ino) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
      })
  }

  /// Reads something in a file, and names the file if that is not possible.
  private func naming<Value>(_ name: String, _ body: (String) throws -> Value) throws -> Value {
    let text = try text(name)
    do {
      return try body(text)
    } catch {
      throw StoreError.unavailable(
        path: path + "/" + name, reason: "it is damaged (\(error)): restore it from a backup")
    }
  }

  /// The stem of the files of a key. The first ones have no number.
  static func stem(_ kind: KeyRing.Kind, _ number: Int) -> String {
    number == 1 ? kind.rawValue : "\(kind.rawValue)-\(number)"
  }

  private func text(_ name: String) throws -> String {
    guard let bytes = FileManager.default.contents(atPath: path + "/" + name) else {
      throw StoreError.unavailable(
        path: path + "/" + name,
        reason: "it is missing or its rights do not allow reading it; restore it from a backup")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func entries(_ kind: KeyRing.Kind, _ names: Set<String>) throws -> [KeyRing.Entry] {
    var entries: [KeyRing.Entry] = []
    // The first one must be there: its absence is a loss, and not an end of the list.
    while entries.isEmpty || names.contains(Self.stem(kind, entries.count + 1) + ".crt") {
      let number = entries.count + 1
      let certificate = try naming(Self.stem(kind, number) + ".crt") {
        try EvidenceCertificate(pem: $0)
      }
      entries.append(KeyRing.Entry(kind: kind, number: number, certificate: certificate))
    }
    return entries
  }

  /// Returns the private half of a key: in its file, or in the token that a file names.
  private func signer(_ stem: String) throws -> any DeviceKey {
    let token = "\(path)/\(stem).token"
    guard FileStatus(ofPath: token) != nil else {
      return try SoftwareDeviceKey(pem: try text(stem + ".key"))
    }
    guard let key = try TokenKey(fileBytes: try DurableFile.read(token), program: program) else {
      throw StoreError.unavailable(
        path: token, reason: "it does not name a key in a token: restore it from a backup")
    }
    return key
  }

  func ring(_ names: Set<String>) throws -> KeyRing {
    let authorities = try entries(.authority, names)
    // A key for statements is written before the authority that it is certified by.
    let receipts = try entries(.receipts, names).filter { entry in
      authorities.contains { entry.certificate.isIssued(by: $0.certificate) }
    }
    guard let authority = authorities.last, let own = receipts.last else {
      throw StoreError.unavailable(
        path: path + "/receipts.crt",
        reason: "the office's authority did not issue it: restore both from a backup")
    }
    let stem = Self.stem(.receipts, own.number)
    let key = try signer(stem)
    guard key.publicKey == own.certificate.publicKey else {
      throw StoreError.unavailable(
        path: "\(path)/\(stem).key", reason: "it is not the key of its certificate: restore both")
    }
    let bridges = try authorities.dropFirst().flatMap {
      try naming(Self.stem(.authority, $0.number) + ".bridges") {
        try EvidenceCertificate.all(pem: $0)
      }
    }
    let successions = try receipts.compactMap { entry -> KeySuccession? in
      let name = Self.stem(.receipts, entry.number) + KeySuccession.ending
      return FileStatus(ofPath: path + "/" + name) == nil
        ? nil : try naming(name) { try KeySuccession(jws: $0) }
    }
    let revocations = try names.filter { $0.hasSuffix(OfficeKeyRevocation.ending) }.sorted().map {
      try naming($0) { try OfficeKeyRevocation(jws: $0) }
    }
    return KeyRing(
      authority: try Authority(
        certificate: authority.certificate,
        signer: try signer(Self.stem(.authority, authority.number))),
      receiptKey: key, receiptCertificate: own.certificate, entries: authorities + receipts,
      bridges: bridges, successions: successions, revocations: revocations)
  }
}
