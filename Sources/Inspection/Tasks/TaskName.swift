/// The name and state of a task in a list to choose from. Reading it is much cheaper than reading
/// the whole order with its parcels.
public struct TaskName: Hashable, Sendable {
  /// The task.
  public let id: Identifier
  /// The login of its inspector.
  public let inspector: String
  /// The words that the order has as its title.
  public let name: String
  /// The state.
  public let state: TaskState

  /// Names a task.
  public init(id: Identifier, inspector: String, name: String, state: TaskState) {
    (self.id, self.inspector, self.name, self.state) = (id, inspector, name, state)
  }
}
