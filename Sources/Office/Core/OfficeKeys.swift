import Foundation
import OfficeKeyring
import Store
import TimeAndText
import Web

/// The office's own secrets, kept in files that only their owner can read: its keys, and the secret of its forms.
struct OfficeKeys {
  let ring: KeyRingFolder
  let formSecret: [UInt8]
  let metricsToken: String?

  /// Reads the secrets, and makes them at the first start.
  /// - Parameters:
  ///   - lock: the lock that programs hold while they change keys.
  ///   - isFirstStart: true if there is no database yet. With a database, people rely on
  ///     the authority: a missing key is then lost, and a new one would replace the others as well.
  init(
    folder: String, lock: String, authorityName: String, isFirstStart: Bool, at time: DeviceTime,
    log: @escaping @Sendable (String) -> Void
  ) throws {
    let secret = folder + "/forms.secret"
    if isFirstStart {
      if FileStatus(ofPath: folder + "/authority.crt") == nil {
        var random = SystemRandomNumberGenerator()
        try DurableFile.replace(
          secret, with: (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
      try KeyRingFolder.begin(path: folder, authorityName: authorityName, at: time)
    }
    ring = try KeyRingFolder(path: folder, lock: lock, log: log)
    formSecret = FileManager.default.contents(atPath: secret).map { Array($0) } ?? []
    guard formSecret.count == 32 else {
      throw StoreError.unavailable(
        path: secret, reason: "it is damaged: restore it from a backup")
    }
    metricsToken = Self.metricsToken(folder + "/metrics.token")
  }

  /// Returns the token for reading the figures. Only programs that read the figures rely on it: a
  /// missing token is made again; nil if the new token cannot be stored.
  private static func metricsToken(_ path: String) -> String? {
    let known = FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    if let known, known.utf8.count >= 32 { return known }
    let token = Token.make()
    return (try? DurableFile.replace(path, with: Array((token + "\n").utf8))).map { token }
  }
}
