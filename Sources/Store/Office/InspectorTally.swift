/// How an agency's inspector stands: tasks by what they wait for, and what came without one.
public struct InspectorTally: Hashable, Sendable {
  /// Tasks that the inspector has.
  public var open = 0
  /// Tasks that wait for a decision.
  public var waiting = 0
  /// Of those that the inspector has, the ones whose date has passed.
  public var overdue = 0
  /// Photos without a task that nobody has hidden.
  public var photos = 0
  /// Tracks, with a task or without, that nobody has hidden.
  public var tracks = 0

  /// Nothing at all.
  public init() {}
}
