import Inspection

// Field unit and office both change a task while they do not hear of each other: the inspector opens
// and provides it, the officer words the order anew, calls it off, returns or decides it. Taking
// either side's row over the other's loses something. So only what the other side alone may change is
// taken from it: the order and the officers' transitions from the office; the inspector's transitions
// stay the device's own, and reach the office as sealed records.

/// What a task from the office makes of the one on the device.
public struct TaskMerge: Hashable, Sendable {
  /// The task as it stands on the device from now on.
  public var task: InspectionTask
  /// Transitions that the device did not know, in their order.
  public var newTransitions: [TaskTransition]
  /// The order as it was before, when the office has changed it; both are kept and shown.
  public var replacedOrder: InspectionTask?

  /// What the same inspector has done on another device, as far as the office knows and this device
  /// did not. It changes nothing here: what is here can still be sent, and the officer sees both.
  public var elsewhere: [TaskTransition]

  /// Whether anything is to be kept.
  public var isChange: Bool {
    !newTransitions.isEmpty || replacedOrder != nil || !elsewhere.isEmpty
  }

  /// Merges.
  /// - Parameter knownElsewhere: transitions that were made elsewhere and are known here already.
  public init(
    device: InspectionTask, office: InspectionTask, knownElsewhere: Set<Identifier> = []
  ) {
    var merged = device
    if office.revision > device.revision {
      replacedOrder = device
      merged.revision = office.revision
      merged.name = office.name
      merged.type = office.type
      merged.instructions = office.instructions
      merged.due = office.due
      merged.parcel = office.parcel
    } else {
      replacedOrder = nil
    }
    let known = Set(device.history.map(\.id))
    newTransitions = office.history.filter {
      !known.contains($0.id) && $0.person.role != .inspector
    }
    elsewhere = office.history.filter {
      !known.contains($0.id) && $0.person.role == .inspector && !knownElsewhere.contains($0.id)
    }
    merged.history += newTransitions
    // The office has decided upon something, and knew no less than what it decided upon.
    if let last = newTransitions.last { merged.state = last.to }
    task = merged
  }
}
