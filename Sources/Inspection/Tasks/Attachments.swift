import TimeAndText

/// A file that an officer attaches to an order: a map, a letter, a picture of what was found before.
public struct AttachedFile: Hashable, Sendable {
  /// The kinds of files that orders carry. Nothing else is taken: a file that a program could run has no
  /// place on an inspector's device.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case pdf, jpeg

    /// Returns the kind of a file by its first bytes, whatever its name says; nil for any other file.
    public init?(of bytes: some Collection<UInt8>) {
      if bytes.starts(with: Array("%PDF-".utf8)) {
        self = .pdf
      } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
        self = .jpeg
      } else {
        return nil
      }
    }

    /// Returns a file's name with the ending of its kind: under another one a computer may take the file for
    /// a program.
    public func name(_ title: String) -> String {
      let endings = self == .pdf ? [".pdf"] : [".jpg", ".jpeg"]
      if endings.contains(where: title.lowercased().hasSuffix) { return title }
      let room = Attachments.nameCharactersAtMost - endings[0].unicodeScalars.count
      return String(String.UnicodeScalarView(title.unicodeScalars.prefix(room))) + endings[0]
    }

    /// The media type.
    public var mediaType: String {
      switch self {
      case .pdf: "application/pdf"
      case .jpeg: "image/jpeg"
      }
    }
  }

  /// The name under which people know the file.
  public let name: String
  /// The kind of file.
  public let kind: Kind
  /// The SHA-256 of the bytes, in hexadecimal.
  public let digest: String
  /// The number of bytes.
  public let bytes: Int

  /// Creates a file.
  public init(name: String, kind: Kind, digest: String, bytes: Int) {
    (self.name, self.kind, self.digest, self.bytes) = (name, kind, digest, bytes)
  }

  /// Returns the part of a file's name that people know it by: without folders and control characters,
  /// and not longer than a name can be.
  public static func title(ofFile path: String) -> String {
    let last = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    let clean = last.unicodeScalars.filter {
      ![.control, .format, .lineSeparator, .paragraphSeparator]
        .contains($0.properties.generalCategory)
    }
    return String(String.UnicodeScalarView(clean.prefix(Attachments.nameCharactersAtMost)))
  }

  /// True if a text has the form of the SHA-256 of bytes, in hexadecimal.
  public static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}

/// The files that an officer attaches to an order.
public struct Attachments: Hashable, Sendable {
  /// The most files of one order.
  public static let filesAtMost = 20
  /// The most megabytes of all files of one order together.
  public static let megabytesAtMost = 20
  /// The same in bytes.
  public static let bytesAtMost = megabytesAtMost * 1_000_000
  /// The most characters of a file's name.
  public static let nameCharactersAtMost = 120

  /// The files, in the order in which they were attached.
  public let list: [AttachedFile]

  /// No file.
  public static let none = Attachments(unchecked: [])

  private init(unchecked list: [AttachedFile]) { self.list = list }

  /// The bytes of all files together.
  public var bytes: Int { list.reduce(0) { $0 + $1.bytes } }

  /// Creates the files of an order.
  /// - Throws: `AttachmentFault` with the first that cannot be.
  public init(_ list: [AttachedFile]) throws(AttachmentFault) {
    guard list.count <= Self.filesAtMost else { throw .tooMany }
    var bytes = 0
    for (index, file) in list.enumerated() {
      guard !InspectionTask.isBlank(file.name),
        file.name.unicodeScalars.count <= Self.nameCharactersAtMost
      else { throw .name }
      guard AttachedFile.isDigest(file.digest), file.bytes > 0 else { throw .empty(file.name) }
      // No sum of hostile numbers may overflow.
      guard file.bytes <= Self.bytesAtMost - bytes else { throw .tooLarge(file.name) }
      bytes += file.bytes
      for other in list[..<index] {
        guard other.name != file.name else { throw .nameTwice(file.name) }
        guard other.digest != file.digest else { throw .twice(file.name, other.name) }
      }
    }
    self.list = list
  }

  /// Returns the files with one more.
  public func adding(_ file: AttachedFile) throws(AttachmentFault) -> Self {
    try Attachments(list + [file])
  }

  /// Returns the files without one of them.
  public func without(digest: String) -> Self {
    Attachments(unchecked: list.filter { $0.digest != digest })
  }

  /// Returns the file with these bytes; nil if there is none.
  public func file(digest: String) -> AttachedFile? { list.first { $0.digest == digest } }
}

/// The reason why an order cannot carry a file.
public enum AttachmentFault: Error, Hashable, Sendable, Worded {
  /// The order would have more files than one can.
  case tooMany
  /// The name is missing or too long.
  case name
  /// The file has no bytes.
  case empty(String)
  /// All files together would have too many bytes.
  case tooLarge(String)
  /// Another file has the same name.
  case nameTwice(String)
  /// Another file has the same bytes.
  case twice(String, String)
  /// The file is neither a PDF nor a JPEG picture.
  case kind(String)
  /// The file begins as a PDF or a JPEG picture does, and cannot be read to its end.
  case damaged(String)

  /// The words for people.
  public var wording: Wording {
    switch self {
    case .tooMany: "an order has at most \(Attachments.filesAtMost) attachments: remove one first"
    case .name:
      "an attachment has a name of at most \(Attachments.nameCharactersAtMost) characters"
    case .empty(let name): "the file \(name) is empty: choose another one"
    case .tooLarge(let name):
      "with the file \(name) the attachments would have more than \(Attachments.megabytesAtMost) MB together: remove one, or make the file smaller"
    case .nameTwice(let name):
      "an attachment is named \(name) already: remove it first, or rename the file"
    case .twice(let name, let other):
      "the file \(name) is attached already, with the name \(other)"
    case .kind(let name):
      "the file \(name) is neither a PDF nor a JPEG picture, whatever its name says: other files cannot be attached"
    case .damaged(let name):
      "the file \(name) is damaged: it cannot be read to its end"
    }
  }
}

extension InspectionTask {
  /// True if its files come to the inspector's device and stay there: until it is decided.
  public var bringsFiles: Bool { state.isEditable || state == .dataProvided }

  /// The digests of all files that the task brings to its inspector: its attachments, and the example
  /// pictures of its items.
  public func fileDigests(_ items: OrderItems?) -> [String] {
    attachments.list.map(\.digest) + (items?.exampleDigests ?? [])
  }
}

extension OrderItems {
  /// The digests of the example pictures, each once, in the order of the items.
  public var exampleDigests: [String] {
    var known: Set<String> = []
    return items.compactMap { $0.shot?.example }.filter { known.insert($0).inserted }
  }
}
