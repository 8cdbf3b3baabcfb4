/// The numbers of an inspector's tasks by state, and of photos and tracks.
public struct InspectorTally: Hashable, Sendable {
  /// The number of tasks that the inspector has to work on.
  public var open = 0
  /// The number of tasks that wait for an officer's decision.
  public var waiting = 0
  /// The number of tasks in `open` whose due date has passed.
  public var overdue = 0
  /// The number of photos without a task that no officer has hidden.
  public var photos = 0
  /// The number of tracks, with a task or without, that no officer has hidden.
  public var tracks = 0

  /// Creates a tally of zeros.
  public init() {}
}
