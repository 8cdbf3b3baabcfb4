import Inspection

/// The content of an export in memory: tasks with all that belongs to them, and photos and tracks
/// without a task.
public struct ExportSelection: Hashable, Sendable {
  /// A task with its photos and tracks.
  public struct TaskPart: Hashable, Sendable {
    /// The task.
    public var task: InspectionTask
    /// The task's photos, the oldest first.
    public var photos: [Photo]
    /// The task's tracks, the oldest first.
    public var tracks: [Track]

    /// Creates a part of a task with its photos and tracks.
    public init(task: InspectionTask, photos: [Photo], tracks: [Track]) {
      self.task = task
      self.photos = photos
      self.tracks = tracks
    }
  }

  /// The document's name.
  public var title: String
  /// The tasks.
  public var tasks: [TaskPart]
  /// Photos without a task.
  public var photos: [Photo]
  /// Tracks without a task.
  public var tracks: [Track]
  /// The claims of the photos' records that the photos' own values do not have, by the photos'
  /// identifiers; a photo whose record is not at hand has none.
  public var claims: [Identifier: PhotoClaims] = [:]

  /// Creates a selection.
  public init(title: String, tasks: [TaskPart], photos: [Photo], tracks: [Track]) {
    self.title = title
    self.tasks = tasks
    self.photos = photos
    self.tracks = tracks
  }

  /// True if the selection has no task, photo or track.
  public var isEmpty: Bool { tasks.isEmpty && photos.isEmpty && tracks.isEmpty }
}

extension ExportSelection: ExportSource {
  /// Calls `body` with each task.
  public func forEachTask(_ body: (InspectionTask) throws -> Void) throws {
    for part in tasks { try body(part.task) }
  }

  /// Calls `body` with each photo of a task, or, if `task` is nil, with each photo without a task.
  public func forEachPhoto(
    of task: InspectionTask?, _ body: (ExportedPhoto) throws -> Void
  ) throws {
    for photo in part(of: task)?.photos ?? photos {
      try body(ExportedPhoto(photo: photo, task: task, claims: claims[photo.id]))
    }
  }

  /// Calls `body` with each track of a task, or, if `task` is nil, with each track without a task.
  public func forEachTrack(
    of task: InspectionTask?, _ body: (ExportedTrack) throws -> Void
  ) throws {
    for track in part(of: task)?.tracks ?? tracks { try body(ExportedTrack(track, task: task)) }
  }

  private func part(of task: InspectionTask?) -> TaskPart? {
    task.flatMap { task in tasks.first { $0.task.id == task.id } }
  }
}
