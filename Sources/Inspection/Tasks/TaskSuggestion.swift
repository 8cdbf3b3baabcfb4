import Geodesy

/// The task that a photo without a task was probably taken for: the nearest of its inspector's
/// undecided tasks. A person decides.
public struct TaskSuggestion: Hashable, Sendable {
  /// The task.
  public let task: InspectionTask
  /// The distance from the photo to the task's parcel, metres; 0 inside.
  public let distanceMetres: Double

  /// A parcel further away than this is not suggested.
  public static let distanceMetresAtMost = 1000.0

  /// Finds the nearest task; nil if none is near enough.
  /// - Parameters:
  ///   - photo: a photo without a task.
  ///   - tasks: tasks of any inspectors and in any state; those that the photo cannot be given to are
  ///     passed over.
  public init?(for photo: Photo, among tasks: [InspectionTask]) {
    let near = tasks.compactMap { task -> (task: InspectionTask, metres: Double)? in
      guard task.inspector == photo.inspector, !task.state.isDecided,
        let metres = task.parcel(nearestTo: photo.position.coordinate)?
          .distanceMetres(to: photo.position.coordinate),
        metres <= Self.distanceMetresAtMost
      else { return nil }
      return (task, metres)
    }
    // Parcels may overlap: of two equally near the older one comes first, on each machine.
    guard
      let nearest = near.min(by: { ($0.metres, $0.task.id) < ($1.metres, $1.task.id) })
    else { return nil }
    (task, distanceMetres) = nearest
  }
}
