import Evidence

extension Dossier {
  /// A file that lies in the document.
  public struct Attachment: Hashable, Sendable {
    /// What it is called there; characters that a file's name had better not have are replaced.
    public var name: String
    /// What it is, in a few words.
    public var meaning: String
    /// Its media type.
    public var mediaType: String
    /// What it holds.
    public var bytes: [UInt8]

    /// A file from its parts.
    public init(name: String, meaning: String, mediaType: String, bytes: [UInt8]) {
      self.name = name
      self.meaning = meaning
      self.mediaType = mediaType
      self.bytes = bytes
    }

    /// SHA-256 of its bytes, lower-case hexadecimal.
    public var digest: String { Digest.hexadecimal(bytes) }
  }
}
