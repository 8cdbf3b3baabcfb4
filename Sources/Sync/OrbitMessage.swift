/// The files of orbits that an office has for its field units.
public struct OrbitListMessage: Codable, Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.orbits/1"
  /// The largest file that goes this way, bytes: a day of what all satellites broadcast has some ten MB.
  public static let maximumFileBytes = 32 * 1024 * 1024
  /// More files are not offered, nor fetched.
  public static let maximumFiles = 8

  /// One file.
  public struct File: Codable, Hashable, Sendable {
    /// Its name in the office's folder.
    public var name: String
    /// How many bytes it has.
    public var bytes: Int
    /// SHA-256 of its bytes, in hexadecimal digits: what is here already is not fetched again.
    public var digest: String

    /// A file from its parts.
    public init(name: String, bytes: Int, digest: String) {
      self.name = name
      self.bytes = bytes
      self.digest = digest
    }

    /// Whether it is one that may be asked for and kept.
    public var isSound: Bool {
      OrbitListMessage.isName(name) && (0...OrbitListMessage.maximumFileBytes).contains(bytes)
        && digest.utf8.count == 64
        && digest.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
  }

  /// Name and version of the message.
  public var schema = Self.schema
  /// The files, by name.
  public var files: [File]

  /// A list of files.
  public init(files: [File]) { self.files = files }

  /// Whether a name is one that such a file may have: letters, digits, point, hyphen and underscore, and no
  /// point at its beginning, so that it leads nowhere else.
  public static func isName(_ name: String) -> Bool {
    (1...80).contains(name.utf8.count) && !name.hasPrefix(".")
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
      }
  }
}
