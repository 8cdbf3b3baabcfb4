import Inspection
import Positioning
import TimeAndText

/// One thing in the outbox, which waits to be delivered. Only Send puts a thing there.
public struct OutboxEntry: Hashable, Sendable {
  /// The kind of thing that is delivered.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A sent task: its transitions, and the deletions in it.
    case task
    /// A photo with its raw window.
    case photo
    /// A track.
    case track
    /// A set of frames, with the raw windows of its two standpoints.
    case set
    /// A note on a task or a photo.
    case note
  }

  /// The identifier of the thing.
  public var id: Identifier
  /// The kind of thing.
  public var kind: Kind
  /// The task that the thing belongs to; nil if it is standalone.
  public var task: Identifier?
  /// The whole in whose batch the thing is delivered: its task, or itself if it is standalone.
  public var whole: Identifier
  /// The SHA-256 of its file, or of its sealed record if it has no file; nil if an earlier version
  /// of this program put it into the outbox without a digest.
  public var digest: String?
  /// The size of its file, or of its record, bytes.
  public var bytes: Int
  /// The time at which Send put it into the outbox.
  public var queued: DeviceTime
  /// The number of attempts to deliver it.
  public var attempts: Int
  /// True if its batch has begun to travel: after that nothing can be taken back.
  public var hasBegun: Bool
  /// The office's last answer, in words; nil before the first answer.
  public var lastWording: Wording?
  /// The office's last answer in English; nil before the first answer.
  public var lastAnswer: String? { lastWording?.description }
  /// The time of the next attempt; nil means at once.
  public var nextAttempt: DeviceTime?

  /// Creates an entry.
  public init(
    id: Identifier, kind: Kind, task: Identifier?, whole: Identifier? = nil, digest: String?,
    bytes: Int, queued: DeviceTime, attempts: Int = 0, hasBegun: Bool = false,
    lastWording: Wording? = nil,
    nextAttempt: DeviceTime? = nil
  ) {
    self.id = id
    self.kind = kind
    self.task = task
    self.whole = whole ?? task ?? id
    self.digest = digest
    self.bytes = bytes
    self.queued = queued
    self.attempts = attempts
    self.hasBegun = hasBegun
    self.lastWording = lastWording
    self.nextAttempt = nextAttempt
  }
}
