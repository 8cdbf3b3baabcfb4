import Inspection
import Positioning

/// One thing that waits to be delivered. Nothing becomes one before its owner says Send.
public struct OutboxEntry: Hashable, Sendable {
  /// What is delivered.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// That a task was sent: its steps, and what was deleted of it.
    case task
    /// A photo with its raw window.
    case photo
    /// A track.
    case track
    /// A note on a task or a photo.
    case note
  }

  /// Identifier of what is delivered.
  public var id: Identifier
  /// What it is.
  public var kind: Kind
  /// The task it belongs to; nil for what stands alone.
  public var task: Identifier?
  /// What it is delivered together with, in one batch: its task, or itself where it stands alone.
  public var whole: Identifier
  /// SHA-256 of its file, or of its sealed record where it has none; nil for what an earlier version of
  /// this program has queued and not said.
  public var digest: String?
  /// Bytes of its file, or of its record.
  public var bytes: Int
  /// When Send put it here.
  public var queued: DeviceTime
  /// How often delivery was tried.
  public var attempts: Int
  /// Whether its batch has begun to travel: from then on nothing is taken back.
  public var hasBegun: Bool
  /// What the office said last, in words; nil before the first answer.
  public var lastWording: Wording?
  /// The same in English.
  public var lastAnswer: String? { lastWording?.description }
  /// When it is tried next; nil for at once.
  public var nextAttempt: DeviceTime?

  /// An entry that was not tried yet.
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
