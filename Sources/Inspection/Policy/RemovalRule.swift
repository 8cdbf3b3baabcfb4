/// The rule for removing a delivered photo from the device: never, unless the inspector or the
/// agency wants the space back.
public struct RemovalRule: Hashable, Sendable {
  /// The inspector's own setting, days after the delivery; nil means never.
  public var ownDays: Int?
  /// The agency's setting, days after the delivery; nil means never.
  public var agencyDays: Int?

  /// Creates a rule.
  public init(ownDays: Int?, agencyDays: Int?) {
    self.ownDays = ownDays
    self.agencyDays = agencyDays
  }

  /// The sooner of the two settings, days after the delivery; nil means never.
  public var days: Int? { [ownDays, agencyDays].compactMap(\.self).min() }

  /// Returns true if a photo may be removed. The caller asks afterwards if the office holds it.
  /// - Parameters:
  ///   - seconds: The time since the photo's delivery, seconds.
  ///   - task: The state of the photo's task; nil for a standalone photo. Until the task is decided
  ///     it may come back, and the inspector then wants to see the photo.
  public func lets(deliveredSeconds seconds: Double, task: TaskState?) -> Bool {
    guard let days, seconds >= Double(days) * 86_400 else { return false }
    return task?.isDecided ?? true
  }
}
