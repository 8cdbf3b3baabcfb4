import Inspection
import Positioning

/// What an inspector's device brought for a task that the office had decided upon already. The office keeps it beside
/// the task: the decision is for what the officer saw.
public struct LateRecords: Hashable, Sendable {
  /// The photos, those deleted before they were sent among them, the oldest first.
  public var photos: [ReceivedPhoto]
  /// The tracks, the oldest first.
  public var tracks: [ReceivedTrack]
  /// The notes, in the order in which they came.
  public var notes: [LateNote]

  /// Records that came late.
  public init(
    photos: [ReceivedPhoto] = [], tracks: [ReceivedTrack] = [], notes: [LateNote] = []
  ) {
    self.photos = photos
    self.tracks = tracks
    self.notes = notes
  }

  /// How many there are.
  public var count: Int { photos.count + tracks.count + notes.count }
}

/// A note that came when the office had decided upon its task.
public struct LateNote: Hashable, Sendable {
  /// The identifier of its record.
  public var id: Identifier
  /// Login of whoever wrote it.
  public var inspector: String
  /// The task.
  public var task: Identifier
  /// The task's photo that it is about; nil for a note on the task itself.
  public var photo: Identifier?
  /// What it says.
  public var text: String
  /// When it came, by the office's clock.
  public var received: DeviceTime

  /// A note.
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
