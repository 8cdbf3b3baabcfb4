import Evidence
import Foundation
import Store
import TimeAndText

/// The challenges that the office has given to this device's keys. What follows seals the last one of its key; the
/// earlier ones stay, because sealed records name them.
package struct ChallengeShelf: Sendable {
  let root: String

  /// Creates the shelf of a data directory's folder of evidence.
  package init(root: String) { self.root = root }

  private var folder: String { "\(root)/\(CaptureChallenge.folder)" }

  /// The folder of the files that name the last challenges.
  private var lastOnes: String { root + "/last-challenges" }

  /// The file that names the last challenge of a key. It is no evidence, and lies outside of what is.
  private func last(ofKey key: String) -> String { "\(lastOnes)/\(key)" }

  /// Returns the digest of the last challenge that a key was given; nil if there is none. A capture must not
  /// fail because this file cannot be read.
  package func digest(forKey key: String) -> String? {
    guard let data = FileManager.default.contents(atPath: last(ofKey: key)) else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    return Digest.isDigest(text) ? text : nil
  }

  /// Keeps a challenge, and uses it from now on, if the last one is old. If it cannot be kept, the last one counts on:
  /// a contact with the office must not fail for want of a new one.
  package func take(_ challenge: CaptureChallenge?) {
    guard let challenge else { return }
    if let digest = digest(forKey: challenge.key), let known = texts(of: [digest]).first,
      let last = try? CaptureChallenge(jws: known)
    {
      let age = challenge.issued.gnssTime.seconds(since: last.issued.gnssTime)
      // An office whose clock was set back gives challenges that are earlier: they count, too.
      if (0..<CaptureChallenge.renewalSeconds).contains(age) { return }
    }
    do {
      try DurableFile.makeFolder(folder)
      try DurableFile.makeFolder(lastOnes)
      try DurableFile.replace("\(folder)/\(challenge.fileName)", with: Array(challenge.jws.utf8))
      try DurableFile.replace(last(ofKey: challenge.key), with: Array(challenge.digest.utf8))
    } catch {
      // The records that follow name the last challenge: the times between which they were sealed are further apart.
    }
  }

  /// Returns the challenges with these digests, as far as they can be read: a delivery must not fail for want of them.
  package func texts(of digests: Set<String>) -> [String] {
    digests.sorted().compactMap { digest in
      FileManager.default.contents(
        atPath: "\(folder)/\(digest)\(CaptureChallenge.ending)"
      ).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
