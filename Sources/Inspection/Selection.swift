/// A choice of photos or tracks.
public enum Selection: Hashable, Sendable {
  /// All photos or tracks.
  case all
  /// The photos or tracks of one task.
  case task(Identifier)
  /// The photos or tracks that belong to no task.
  case standalone
}
