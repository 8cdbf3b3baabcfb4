import Inspection

// The problem: a seal names files, and four sides ask which and where: the sealer, the delivery, the
// office's store and the verifier. A capture has two files and a set has seventy.
//
// The solution: the names are made here alone, from the record and its link.

/// A file that a seal names.
public enum SealedPart: Hashable, Sendable {
  /// The file that the link names: a photo, the points of a track, or the list of a set's frames.
  case file
  /// The raw window of a capture.
  case raw
  /// The raw window of the standpoint at which a set began.
  case startRaw
  /// The raw window of the standpoint at which a set ended.
  case endRaw
  /// A frame of a set, by its number from 1.
  case frame(Int)

  /// True for the receiver's bytes.
  public var isRaw: Bool {
    switch self {
    case .raw, .startRaw, .endRaw: true
    case .file, .frame: false
    }
  }

  /// Returns the name of the file, without its folder.
  public func name(of id: Identifier, _ kind: RecordKind) -> String { "\(id)" + ending(kind) }

  /// Returns what follows the identifier in the file's name.
  package func ending(_ kind: RecordKind) -> String {
    switch self {
    case .file: kind.fileEnding ?? ""
    case .raw: ".raw"
    case .startRaw: "-start.raw"
    case .endRaw: "-end.raw"
    case .frame(let number): "-\(Self.digits(number)).jpg"
    }
  }

  /// Returns the number of a frame as file names have it: three digits.
  public static func digits(_ number: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, 3 - text.count)) + text
  }
}

extension RecordKind {
  /// The kind of a set of frames; nil for records of other kinds.
  public var frameSet: FrameSetKind? {
    switch self {
    case .around: .around
    case .turn: .turn
    case .capture, .track, .note, .transition, .deletion, .answer: nil
    }
  }

  /// The folder in which both sides keep the files of this kind.
  public var folder: String {
    switch self {
    case .capture: "photos"
    case .track: "tracks"
    case .around, .turn: "sets"
    case .note, .transition, .deletion, .answer: "records"
    }
  }

  /// The ending of the file that a link of this kind names; nil if it names none.
  public var fileEnding: String? {
    switch self {
    case .capture: ".jpg"
    case .track: ".track"
    case .around, .turn: ".set"
    case .note, .transition, .deletion, .answer: nil
    }
  }

  /// Creates the kind of the record of a set.
  public init(_ kind: FrameSetKind) {
    switch kind {
    case .around: self = .around
    case .turn: self = .turn
    }
  }
}

/// A file that a seal names, with its SHA-256.
public struct PartDigest: Hashable, Sendable {
  /// The file.
  public var part: SealedPart
  /// The SHA-256 of its bytes.
  public var digest: String

  /// Creates a file with its SHA-256.
  public init(part: SealedPart, digest: String) {
    (self.part, self.digest) = (part, digest)
  }

  /// Returns the files that a record and its link name.
  /// - Parameter record: the record; it is looked at only for the kinds of sets, and may be nil for
  ///   others.
  public static func all(
    of kind: RecordKind, file: String?, raw: String?, record: JSONValue?
  ) -> [PartDigest] {
    var parts: [PartDigest] = []
    if let file { parts.append(PartDigest(part: .file, digest: file)) }
    if let raw { parts.append(PartDigest(part: .raw, digest: raw)) }
    guard kind.frameSet != nil else { return parts }
    for (part, member) in [(SealedPart.startRaw, "start"), (.endRaw, "end")] {
      if let digest = digest(record?[member]?["raw"]) {
        parts.append(PartDigest(part: part, digest: digest))
      }
    }
    for (index, digest) in frames(in: record).enumerated() {
      parts.append(PartDigest(part: .frame(index + 1), digest: digest))
    }
    return parts
  }

  /// Returns the SHA-256 of each frame of a set, in the order of the files. A list that holds
  /// anything else names nothing: the verifier reports it.
  static func frames(in record: JSONValue?) -> [String] {
    let claimed = record?["frames"]?.elements ?? []
    let digests = claimed.compactMap(digest)
    return digests.count == claimed.count && digests.count <= FrameSetTerms.aroundSectors.upperBound
      ? digests : []
  }

  private static func digest(_ value: JSONValue?) -> String? {
    value?.text.flatMap { Digest.isDigest($0) ? $0 : nil }
  }
}

extension SealFile {
  /// The files that the seal names, each with its SHA-256.
  public var parts: [PartDigest] {
    PartDigest.all(
      of: seal.link.kind, file: seal.link.file, raw: seal.link.raw, record: record)
  }

  /// The SHA-256 of each frame of a set, in the order of the files; empty for records of other
  /// kinds.
  public var frameDigests: [String] { PartDigest.frames(in: record) }
}
