import Inspection
import TimeAndText

/// Records that an inspector's device delivered after the office had decided on their task. The
/// office keeps them apart from the task, because the decision is about the records that the
/// officer saw.
public struct LateRecords: Hashable, Sendable {
  /// The photos, the oldest first, including those that were deleted before they were sent.
  public var photos: [ReceivedPhoto]
  /// The tracks, the oldest first.
  public var tracks: [ReceivedTrack]
  /// The notes, in the order in which they came.
  public var notes: [LateNote]

  /// Creates a set of late records.
  public init(
    photos: [ReceivedPhoto] = [], tracks: [ReceivedTrack] = [], notes: [LateNote] = []
  ) {
    self.photos = photos
    self.tracks = tracks
    self.notes = notes
  }

  /// The number of records.
  public var count: Int { photos.count + tracks.count + notes.count }
}

/// A note that came after the office had decided on its task.
public struct LateNote: Hashable, Sendable {
  /// The identifier of its record.
  public var id: Identifier
  /// The login of the inspector who wrote it.
  public var inspector: String
  /// The task.
  public var task: Identifier
  /// The photo of the task that the note is about; nil for a note on the task itself.
  public var photo: Identifier?
  /// The text of the note.
  public var text: String
  /// The time at which the note came, by the office's clock.
  public var received: DeviceTime

  /// Creates a late note.
  public init(
    id: Identifier, inspector: String, task: Identifier, photo: Identifier?, text: String,
    received: DeviceTime
  ) {
    self.id = id
    self.inspector = inspector
    self.task = task
    self.photo = photo
    self.text = text
    self.received = received
  }
}
