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
  /// What the records of the photos claim beside the photos' own values, as far as it is at hand.
  public var claims: [Identifier: PhotoClaims] = [:]

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

extension ExportSelection: ExportSource {
  /// Hands over each task.
  public func forEachTask(_ body: (InspectionTask) throws -> Void) throws {
    for part in tasks { try body(part.task) }
  }

  /// Hands over each photo of a task, or of those without one.
  public func forEachPhoto(
    of task: InspectionTask?, _ body: (ExportedPhoto) throws -> Void
  ) throws {
    for photo in part(of: task)?.photos ?? photos {
      try body(ExportedPhoto(photo: photo, task: task, claims: claims[photo.id]))
    }
  }

  /// Hands over each track of a task, or of those without one.
  public func forEachTrack(
    of task: InspectionTask?, _ body: (ExportedTrack) throws -> Void
  ) throws {
    for track in part(of: task)?.tracks ?? tracks { try body(ExportedTrack(track, task: task)) }
  }

  private func part(of task: InspectionTask?) -> TaskPart? {
    task.flatMap { task in tasks.first { $0.task.id == task.id } }
  }
}
