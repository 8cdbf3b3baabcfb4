/// The list of the orbit files that an office has for its field units.
public struct OrbitListMessage: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.orbits/1"
  /// The largest file that travels this way, bytes: one day of the broadcast of all satellites has
  /// some ten MB.
  public static let maximumFileBytes = 32 * 1024 * 1024
  /// The most files that an office offers and a field unit fetches.
  public static let maximumFiles = 8

  /// One file.
  public struct File: Codable, Hashable, Sendable {
    /// The name of the file in the office's folder.
    public var name: String
    /// The size of the file, bytes.
    public var bytes: Int
    /// The SHA-256 of the file's bytes, in lower-case hexadecimal digits. A file that the field
    /// unit already has is not fetched again.
    public var digest: String

    /// Creates a file.
    public init(name: String, bytes: Int, digest: String) {
      self.name = name
      self.bytes = bytes
      self.digest = digest
    }

    /// True if all values are valid, so that the file may be asked for and kept.
    public var isSound: Bool {
      OrbitListMessage.isName(name) && (0...OrbitListMessage.maximumFileBytes).contains(bytes)
        && digest.utf8.count == 64
        && digest.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
  }

  /// The name and version of this message.
  public var schema = Self.schema
  /// The files, sorted by name.
  public var files: [File]

  /// Creates a list of files.
  public init(files: [File]) { self.files = files }

  /// Returns true if a file may have this name: up to 80 letters, digits, points, hyphens and
  /// underscores, and no point at the beginning, so that the name cannot lead out of the folder.
  public static func isName(_ name: String) -> Bool {
    (1...80).contains(name.utf8.count) && !name.hasPrefix(".")
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
      }
  }
}
