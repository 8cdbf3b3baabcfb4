import Inspection

/// What is exported: tasks with what belongs to them, and what stands alone.
public struct ExportSelection: Hashable, Sendable {
  /// A task with its photos and tracks.
  public struct TaskPart: Hashable, Sendable {
    /// The task.
    public var task: InspectionTask
    /// Its photos, the oldest first.
    public var photos: [Photo]
    /// Its tracks, the oldest first.
    public var tracks: [Track]

    /// A task with what belongs to it.
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

  /// A selection from its parts.
  public init(title: String, tasks: [TaskPart], photos: [Photo], tracks: [Track]) {
    self.title = title
    self.tasks = tasks
    self.photos = photos
    self.tracks = tracks
  }

  /// Whether there is nothing in it.
  public var isEmpty: Bool { tasks.isEmpty && photos.isEmpty && tracks.isEmpty }
}
