import Evidence
import Office
import Store

/// The digest that the apps send with a photo.
///
/// The digest is the SHA-256 of a secret that is in every copy of the app, the picture's digest,
/// the text of the time and the user's number. Position, heading, note and task are not in it, and
/// anyone who has the app can make one. A digest that fits therefore says that picture, time text
/// and user are as the app sent them, and nothing more.
enum AppDigest {
  static let secret = "bfb576892e43b763731a1596c428987893b2e76ce1be10f733"

  /// Makes the digest, in lower-case hexadecimal.
  /// - Parameters:
  ///   - pictureDigest: SHA-256 of the picture, in lower-case hexadecimal.
  ///   - created: the time as the app wrote it; nil stands for "0", which an app without a time
  ///     writes.
  ///   - user: the user's number, as the app sent it.
  static func make(pictureDigest: String, created: String?, user: String) -> String {
    Digest.hexadecimal(Array("\(secret)_\(pictureDigest)_\(created ?? "0")_\(user)".utf8))
  }
}
