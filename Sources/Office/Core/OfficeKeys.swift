import Evidence
import Foundation
import Store
import TimeAndText
import Web

/// The office's own keys, kept in files that only their owner can read: the certification
/// authority's, the one that signs receipts, and the secret of its forms.
struct OfficeKeys {
  let authority: Authority
  let receiptKey: SoftwareDeviceKey
  let receiptCertificate: EvidenceCertificate
  let formSecret: [UInt8]
  let metricsToken: String?

  /// Reads the keys, and makes them at the first start.
  /// - Parameter isFirstStart: true if there is no database yet. With a database, people rely on
  ///   the authority: a missing key is then lost, and a new one would replace the others as well.
  init(
    folder: String, authorityName: String, isFirstStart: Bool, at time: DeviceTime
  ) throws {
    func read(_ name: String) -> [UInt8]? {
      FileManager.default.contents(atPath: folder + "/" + name).map { Array($0) }
    }
    func text(_ name: String) throws -> String {
      guard let bytes = read(name) else {
        throw StoreError.unavailable(
          path: folder + "/" + name,
          reason: "it is missing or its rights do not allow reading it; restore it from a backup")
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    // The certificate is written last: without it, there was no complete first start.
    if isFirstStart, read("authority.crt") == nil {
      let authority = try Authority.make(name: authorityName, at: time)
      let key = SoftwareDeviceKey()
      let certificate = try authority.certifyOffice(key.publicKey, at: time)
      var random = SystemRandomNumberGenerator()
      let secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
      for (name, bytes) in [
        ("authority.key", Array(authority.keyPEM.utf8)), ("receipts.key", Array(key.pem.utf8)),
        ("receipts.crt", Array(certificate.pem.utf8)), ("forms.secret", secret),
        ("authority.crt", Array(authority.certificate.pem.utf8)),
      ] {
        try DurableFile.replace(folder + "/" + name, with: bytes)
      }
    }
    authority = try Authority(
      certificatePEM: try text("authority.crt"), keyPEM: try text("authority.key"))
    receiptKey = try SoftwareDeviceKey(pem: try text("receipts.key"))
    receiptCertificate = try EvidenceCertificate(pem: try text("receipts.crt"))
    formSecret = read("forms.secret") ?? []
    guard formSecret.count == 32 else {
      throw StoreError.unavailable(
        path: folder + "/forms.secret", reason: "it is damaged: restore it from a backup")
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
