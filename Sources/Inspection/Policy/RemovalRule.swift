/// When a delivered photo may leave the device: never, until the inspector or the agency wants the room.
public struct RemovalRule: Hashable, Sendable {
  /// What the inspector has set, days after the delivery; nil is never.
  public var ownDays: Int?
  /// What the agency has laid down; nil is never.
  public var agencyDays: Int?

  /// A rule from its parts.
  public init(ownDays: Int?, agencyDays: Int?) {
    self.ownDays = ownDays
    self.agencyDays = agencyDays
  }

  /// The sooner of the two; nil is never.
  public var days: Int? { [ownDays, agencyDays].compactMap(\.self).min() }

  /// Whether a photo may leave. That the office holds it is another question, and asked afterwards.
  /// - Parameters:
  ///   - seconds: since its delivery.
  ///   - task: where its task stands; nil for a photo that stands alone. As long as it is not decided it
  ///     may come back, and the inspector wants to see what was taken.
  public func lets(deliveredSeconds seconds: Double, task: TaskState?) -> Bool {
    guard let days, seconds >= Double(days) * 86_400 else { return false }
    return task?.isDecided ?? true
  }
}
