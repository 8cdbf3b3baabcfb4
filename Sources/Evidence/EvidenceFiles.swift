/// The files that a verifier may read: a folder, a data directory or an archive. Several threads
/// read at once.
public protocol EvidenceFiles: Sendable {
  /// Paths of all files, relative, with `/` between their parts.
  var paths: [String] { get }
  /// Paths of all files, also of those that cannot be evidence: hidden ones, and those below `keys`. They are
  /// `paths` unless the type says otherwise.
  var allPaths: [String] { get }
  /// Returns a file's bytes.
  func bytes(of path: String) throws -> [UInt8]
  /// True if a person chose these files from more, as for a bundle: then it is no fault that later
  /// work is missing. False unless the type says otherwise.
  var isSelection: Bool { get }
}

extension EvidenceFiles {
  /// Every file can be evidence.
  public var allPaths: [String] { paths }

  /// False: a folder is meant to hold everything.
  public var isSelection: Bool { false }
}

/// The rules for the paths of evidence.
public enum EvidencePath {
  /// The folder in which a capture waits until it is whole.
  public static let stagingFolder = "staging"

  /// Returns true if a file of this path may be evidence: hidden files and files below `keys` are not.
  public static func mayBeEvidence(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    return !parts.contains { $0.hasPrefix(".") } && !parts.dropLast().contains("keys")
  }
}
