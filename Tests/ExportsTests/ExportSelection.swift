import Exports
import Inspection

/// The content of an export in memory: tasks with all that belongs to them, and photos and tracks
/// without a task.
struct ExportSelection: Hashable, Sendable {
  /// A task with its photos and tracks.
  struct TaskPart: Hashable, Sendable {
    /// The task.
    var task: InspectionTask
    /// The task's photos, the oldest first.
    var photos: [Photo]
    /// The task's tracks, the oldest first.
    var tracks: [Track]
  }

  /// The document's name.
  var title: String
  /// The tasks.
  var tasks: [TaskPart]
  /// Photos without a task.
  var photos: [Photo]
  /// Tracks without a task.
  var tracks: [Track]
  /// The claims of the photos' records that the photos' own values do not have, by the photos'
  /// identifiers; a photo whose record is not at hand has none.
  var claims: [Identifier: PhotoClaims] = [:]
  /// The photo points with their repeats.
  var points: [ExportedPhotoPoint] = []
  /// The sets of pictures, of tasks and alone.
  var sets: [ExportedSet] = []
  /// The items of tasks with what was given for them, by the tasks' identifiers.
  var items: [Identifier: ExportedItems] = [:]
}

extension ExportSelection: ExportSource {
  /// Calls `body` with each task.
  func forEachTask(_ body: (InspectionTask) throws -> Void) throws {
    for part in tasks { try body(part.task) }
  }

  /// Calls `body` with each photo of a task, or, if `task` is nil, with each photo without a task.
  func forEachPhoto(
    of task: InspectionTask?, _ body: (ExportedPhoto) throws -> Void
  ) throws {
    for photo in part(of: task)?.photos ?? photos {
      try body(ExportedPhoto(photo: photo, task: task, claims: claims[photo.id]))
    }
  }

  /// Calls `body` with each track of a task, or, if `task` is nil, with each track without a task.
  func forEachTrack(
    of task: InspectionTask?, _ body: (ExportedTrack) throws -> Void
  ) throws {
    for track in part(of: task)?.tracks ?? tracks { try body(ExportedTrack(track, task: task)) }
  }

  /// Calls `body` with each photo point.
  func forEachPhotoPoint(_ body: (ExportedPhotoPoint) throws -> Void) throws {
    try points.forEach(body)
  }

  /// Calls `body` with each set of a task, or, if `task` is nil, with each set without a task.
  func forEachSet(of task: InspectionTask?, _ body: (ExportedSet) throws -> Void) throws {
    for set in sets where set.set.task == task?.id { try body(set) }
  }

  /// Returns each template and version once.
  func orders() throws -> [OrderedItems] { OrderedItems.distinct(items.values.map(\.order)) }

  /// Returns the items of a task; nil if its order asks for none.
  func items(of task: InspectionTask) throws -> ExportedItems? { items[task.id] }

  private func part(of task: InspectionTask?) -> TaskPart? {
    task.flatMap { task in tasks.first { $0.task.id == task.id } }
  }
}
