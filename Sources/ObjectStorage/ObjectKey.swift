/// The names of objects. Photos are named by their bytes, so that storing one twice changes nothing.
public enum ObjectKey {
  static let digests = "sha256/"

  /// Returns the key of the bytes with a SHA-256, in hexadecimal.
  public static func digest(_ digest: String) -> String {
    "\(digests)\(digest.prefix(2))/\(digest)"
  }

  /// Returns the SHA-256 that a key names; nil if it names none.
  public static func digest(ofKey key: String) -> String? {
    guard key.hasPrefix(digests) else { return nil }
    let digest = String(key.suffix(64))
    let isDigest = digest.utf8.count == 64 && digest.allSatisfy { "0123456789abcdef".contains($0) }
    return isDigest && key == self.digest(digest) ? digest : nil
  }
}
