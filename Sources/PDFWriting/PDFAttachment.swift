import Evidence

/// A file that is embedded in the document.
public struct PDFAttachment: Hashable, Sendable {
  /// The file's name in the document; characters that are unsafe in a file's name are replaced
  /// when it is embedded.
  public var name: String
  /// A description in a few words.
  public var meaning: String
  /// The file's media type.
  public var mediaType: String
  /// The file's content.
  public var bytes: [UInt8]

  /// Creates an attachment.
  public init(name: String, meaning: String, mediaType: String, bytes: [UInt8]) {
    (self.name, self.meaning) = (name, meaning)
    (self.mediaType, self.bytes) = (mediaType, bytes)
  }

  /// The SHA-256 of the content, lower-case hexadecimal.
  public var digest: String { Digest.hexadecimal(bytes) }
}
