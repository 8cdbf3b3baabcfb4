import Inspection

// Field unit and office both change a task while they are not connected: the inspector opens and
// provides it; the officer changes the order, withdraws, returns or decides the task. If either
// side's row replaced the other's, changes would be lost. So the device takes from the office only
// what the office alone may change: the order and the officers' transitions. The inspector's
// transitions stay the device's own, and reach the office as sealed records.

/// The result of merging a task from the office into the device's task.
public struct TaskMerge: Hashable, Sendable {
  /// The task on the device from now on.
  public var task: InspectionTask
  /// The transitions that the device did not know, in their order.
  public var newTransitions: [TaskTransition]
  /// The order as it was before, if the office has changed it; nil if not. Both orders are kept and
  /// shown.
  public var replacedOrder: InspectionTask?

  /// The transitions that the inspector made on another device and that this device did not know.
  /// They change nothing here: the records on this device can still be sent, and the officer sees
  /// both.
  public var elsewhere: [TaskTransition]

  /// True if the device gets photo points or sets of an order that it has without them.
  private var hasMoreOfOrder = false

  /// True if the merge changes anything that must be stored.
  public var isChange: Bool {
    hasMoreOfOrder || !newTransitions.isEmpty || replacedOrder != nil || !elsewhere.isEmpty
  }

  /// Returns true if the items of the office's order hold on the device, too: those of a newer order,
  /// and those of the same one, which an earlier program may have fetched without them.
  public static func takesItems(device: InspectionTask, office: InspectionTask) -> Bool {
    office.revision >= device.revision
  }

  /// Merges the office's task into the device's task.
  /// - Parameters:
  ///   - device: The task on the device.
  ///   - office: The task from the office.
  ///   - knownElsewhere: Transitions from another device that are already known here.
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
      merged.repeats = office.repeats
      merged.sets = office.sets
      merged.places = office.places
      merged.attachments = office.attachments
    } else {
      replacedOrder = nil
      // An earlier program has fetched the same order without its photo points, sets, sections and
      // attachments.
      if office.revision == device.revision {
        if device.repeats == nil { merged.repeats = office.repeats }
        if device.sets == .none { merged.sets = office.sets }
        if device.places == .none { merged.places = office.places }
        if device.attachments == .none { merged.attachments = office.attachments }
        hasMoreOfOrder =
          merged.repeats != device.repeats || merged.sets != device.sets
          || merged.places != device.places || merged.attachments != device.attachments
      }
    }
    let known = Set(device.history.map(\.id))
    newTransitions = office.history.filter {
      !known.contains($0.id) && $0.person.role != .inspector
    }
    elsewhere = office.history.filter {
      !known.contains($0.id) && $0.person.role == .inspector && !knownElsewhere.contains($0.id)
    }
    merged.history += newTransitions
    // The officer's last transition decides the state, because the office knew at least the state
    // from which it acted.
    if let last = newTransitions.last { merged.state = last.to }
    task = merged
  }
}
