import Inspection

// "Did you get it?": for any identifier, at any time. A field unit asks before it sends files, and
// afterwards, when it compares what both sides hold.

/// What a field unit asks the office: does it hold these things, whole?
public struct HeldQuestion: Codable, Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.held-question/1"
  /// More things and digests than this in one question are refused.
  public static let maximumThings = 2_000
  /// More things than this are not looked at byte by byte in one question.
  public static let maximumDeepThings = 100

  /// A record, a photo, a track or a batch that the device made.
  public struct Thing: Codable, Hashable, Sendable {
    /// Its identifier.
    public var id: String
    /// SHA-256 of its sealed record as the device has it; nil where only the identifier is asked for.
    public var record: String?

    /// A thing from its parts.
    public init(id: String, record: String? = nil) {
      self.id = id
      self.record = record
    }
  }

  /// Name and version of the message.
  public var schema = Self.schema
  /// What is asked for by identifier.
  public var things: [Thing]
  /// What is asked for by the SHA-256 of its file.
  public var digests: [String]
  /// Whether the bytes of the things' files are read and their digests taken, and not only looked for.
  public var isDeep: Bool

  private enum CodingKeys: String, CodingKey {
    case schema, things, digests
    case isDeep = "deep"
  }

  /// A question.
  public init(things: [Thing] = [], digests: [String] = [], isDeep: Bool = false) {
    self.things = things
    self.digests = digests
    self.isDeep = isDeep
  }
}

/// The end of a key's chain.
public struct ChainHead: Codable, Hashable, Sendable {
  /// Its place.
  public var sequence: Int
  /// SHA-256 of the link there.
  public var link: String
  /// How many of the chain's records are held whole, and not as bare links.
  public var records: Int

  /// An end from its parts.
  public init(sequence: Int, link: String, records: Int) {
    self.sequence = sequence
    self.link = link
    self.records = records
  }
}

/// What the office answers to "did you get it?".
public struct HeldAnswer: Codable, Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.held/1"

  /// What the office has of a thing.
  public enum State: String, Codable, Hashable, Sendable {
    /// All of it, as it was sealed.
    case held
    /// Its record, but not all of its files, or not as they were sealed.
    case incomplete
    /// Another record under its identifier.
    case different
    /// Nothing that is this inspector's.
    case unknown
  }

  /// One thing that was asked for.
  public struct Thing: Codable, Hashable, Sendable {
    /// Its identifier.
    public var id: String
    /// What the office has of it.
    public var state: State
    /// The receipt that names it; nil where there is none.
    public var receipt: String?

    /// A thing from its parts.
    public init(id: String, state: State, receipt: String? = nil) {
      self.id = id
      self.state = state
      self.receipt = receipt
    }
  }

  /// Name and version of the message.
  public var schema = Self.schema
  /// All things that were asked for, in the order of the question.
  public var things: [Thing]
  /// Of the digests that were asked for, those whose files the office does not hold.
  public var missing: [String]
  /// Of those that are missing, how many bytes of a file are here already: it goes on there. Absent is
  /// none.
  public var offsets: [String: Int]?
  /// The end of the asking key's chain as the office holds it; nil where it holds nothing of it.
  public var head: ChainHead?

  /// An answer.
  public init(
    things: [Thing], missing: [String], offsets: [String: Int]? = nil, head: ChainHead? = nil
  ) {
    self.things = things
    self.missing = missing
    self.offsets = offsets
    self.head = head
  }
}
