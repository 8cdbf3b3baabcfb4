import Inspection

// "Did you get it?" can be asked for any identifier, at any time. A field unit asks before it sends
// files, and afterwards, when it compares what both sides hold.

/// A field unit's question to the office: does it hold these things whole?
public struct HeldQuestion: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.held-question/1"
  /// The most things and digests in one question. A larger question is refused.
  public static let maximumThings = 2_000
  /// The most things whose bytes are read in one question.
  public static let maximumDeepThings = 100

  /// A record, a photo, a track or a batch that the device made.
  public struct Thing: Codable, Hashable, Sendable {
    /// The identifier of the thing.
    public var id: String
    /// The SHA-256 of the sealed record on the device; nil if only the identifier is asked for.
    public var record: String?

    /// Creates a thing.
    public init(id: String, record: String? = nil) {
      self.id = id
      self.record = record
    }
  }

  /// The name and version of this message.
  public var schema = Self.schema
  /// The things that are asked for by identifier.
  public var things: [Thing]
  /// The SHA-256 of each file that is asked for.
  public var digests: [String]
  /// True if the office shall read the bytes of the things' files and compute their digests, not
  /// only look for the files.
  public var isDeep: Bool

  private enum CodingKeys: String, CodingKey {
    case schema, things, digests
    case isDeep = "deep"
  }

  /// Creates a question.
  public init(things: [Thing] = [], digests: [String] = [], isDeep: Bool = false) {
    self.things = things
    self.digests = digests
    self.isDeep = isDeep
  }
}

/// The end of a key's chain.
public struct ChainHead: Codable, Hashable, Sendable {
  /// The place in the chain.
  public var sequence: Int
  /// The SHA-256 of the link at that place.
  public var link: String
  /// The number of the chain's records that are held whole, and not as bare links.
  public var records: Int

  /// Creates the end of a chain.
  public init(sequence: Int, link: String, records: Int) {
    self.sequence = sequence
    self.link = link
    self.records = records
  }
}

/// The office's answer to "did you get it?".
public struct HeldAnswer: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.held/1"

  /// The part of a thing that the office holds.
  public enum State: String, Codable, Hashable, Sendable {
    /// The office holds all of it, as it was sealed.
    case held
    /// The office holds its record, but lacks files of it, or holds them altered.
    case incomplete
    /// The office holds another record under its identifier.
    case different
    /// The office holds nothing under its identifier that is this inspector's.
    case unknown
  }

  /// The answer for one thing.
  public struct Thing: Codable, Hashable, Sendable {
    /// The identifier of the thing.
    public var id: String
    /// The part of the thing that the office holds.
    public var state: State
    /// The receipt that names the thing; nil if there is none.
    public var receipt: String?

    /// Creates the answer for a thing.
    public init(id: String, state: State, receipt: String? = nil) {
      self.id = id
      self.state = state
      self.receipt = receipt
    }
  }

  /// The name and version of this message.
  public var schema = Self.schema
  /// All things that were asked for, in the order of the question.
  public var things: [Thing]
  /// The digests in the question whose files the office does not hold.
  public var missing: [String]
  /// For missing files, the number of bytes that are already here: the upload continues there. A
  /// file without bytes has no entry.
  public var offsets: [String: Int]?
  /// The end of the asking key's chain as the office holds it; nil if it holds nothing of the chain.
  public var head: ChainHead?

  /// Creates an answer.
  public init(
    things: [Thing], missing: [String], offsets: [String: Int]? = nil, head: ChainHead? = nil
  ) {
    self.things = things
    self.missing = missing
    self.offsets = offsets
    self.head = head
  }
}
