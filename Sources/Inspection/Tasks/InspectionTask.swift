import TimeAndText

/// An officer's order to an inspector: go there, look, and bring photos.
public struct InspectionTask: Hashable, Sendable {
  /// The identifier, made by the office, or on the device if the task came from a file.
  public var id: Identifier
  /// The stable name of the agency that ordered the task.
  public var agency: String
  /// The login of the inspector to whom the task was given.
  public var inspector: String
  /// The short name.
  public var name: String
  /// The agency's word for the kind of task; nil if it has none.
  public var type: String?
  /// The instructions to the inspector; nil if there are none.
  public var instructions: String?
  /// The current state.
  public var state: TaskState
  /// The revision of the order, which counts up from 1 with each change.
  public var revision: Int
  /// The time at which the task was ordered.
  public var created: DeviceTime
  /// The date by which the task is due; nil if it has none.
  public var due: DeviceTime?
  /// The inspector's note on the task; nil if there is none.
  public var note: String?
  /// The parcel to inspect; nil if the order names none.
  public var parcel: Parcel?
  /// The photo points that are to be photographed again; nil if the order names none.
  public var repeats: RepeatWish?
  /// The sets of frames that the order asks for.
  public var sets: OrderedSets
  /// The further parcels and the sections that the order names.
  public var places: OrderedPlaces
  /// The files for the inspector.
  public var attachments: Attachments
  /// All transitions of the task, oldest first.
  public var history: [TaskTransition]

  /// Creates a task as it was ordered.
  public init(
    id: Identifier, agency: String, inspector: String, name: String, type: String? = nil,
    instructions: String? = nil, state: TaskState = .new, revision: Int = 1, created: DeviceTime,
    due: DeviceTime? = nil, note: String? = nil, parcel: Parcel? = nil,
    repeats: RepeatWish? = nil, sets: OrderedSets = .none, places: OrderedPlaces = .none,
    attachments: Attachments = .none, history: [TaskTransition] = []
  ) {
    self.id = id
    self.agency = agency
    self.inspector = inspector
    self.name = name
    self.type = type
    self.instructions = instructions
    self.state = state
    self.revision = revision
    self.created = created
    self.due = due
    self.note = note
    self.parcel = parcel
    self.repeats = repeats
    self.sets = sets
    self.places = places
    self.attachments = attachments
    self.history = history
  }

  /// Returns true if the due date has passed while the inspector still has the task. The date is
  /// only shown, never enforced.
  public func isOverdue(at now: DeviceTime) -> Bool {
    guard let due else { return false }
    return state.isEditable && due < now
  }

  /// The reason for which an officer last returned the task; nil if the task is not returned.
  public var returnReason: String? {
    guard state == .returned else { return nil }
    return history.last { $0.to == .returned && $0.action == .returnToInspector }?.reason
  }

  /// Moves the task one step on, if the transition table allows it.
  ///
  /// - Parameters:
  ///   - contents: The things that it holds.
  ///   - requirements: The contents that its type needs.
  ///   - batchBegun: True if its delivery has begun.
  ///   - unchecked: The number of its photos whose checks the deciding officer has not seen.
  ///   - heldUntil: The time from which devices are told of its last step; nil if they may have been
  ///     told.
  /// - Returns: The transition to record.
  /// - Throws: `InspectionError` with the reason for the refusal.
  public mutating func perform(
    _ action: TaskAction, by person: Person, id: Identifier, at time: DeviceTime,
    reason: String? = nil, contents: TaskContents,
    requirements: TaskRequirements = TaskRequirements(), batchBegun: Bool = false,
    unchecked: Int = 0, heldUntil: DeviceTime? = nil
  ) throws(InspectionError) -> TaskTransition {
    let rule = action.rule
    guard rule.role == person.role else {
      throw .roleForbidden(action: action, role: person.role)
    }
    guard rule.from.contains(state) else { throw .transitionForbidden(action: action, from: state) }
    let words = Self.isBlank(reason) ? nil : reason
    if rule.needsReason, words == nil { throw .reasonMissing(action: action) }
    switch rule.guard {
    case .none: break
    case .isComplete:
      let missing = requirements.missing(in: contents, note: note)
      if let first = missing.first { throw first.refusal }
    case .batchNotBegun:
      if !requirements.allowsTakeBack { throw .policyForbids(.takeBack) }
      if batchBegun { throw .batchBegun }
    case .isChecked:
      if unchecked > 0 { throw .photosUnchecked(count: unchecked, of: contents.photos) }
    case .notTold:
      guard let heldUntil, time < heldUntil, let last = history.last, last.to == state,
        last.person.login == person.login
      else { throw .decisionTold }
    }
    let back = action == .undo ? history.last?.from : nil
    let target = rule.to ?? back ?? stateBeforeProviding
    let transition = TaskTransition(
      id: id, action: action, from: state, to: target, person: person, time: time, reason: words)
    history.append(transition)
    state = target
    return transition
  }

  /// Returns true if the text is missing or only white space: such a text does not count as a
  /// reason or a note.
  public static func isBlank(_ text: String?) -> Bool { text?.allSatisfy(\.isWhitespace) ?? true }

  /// The steps without those that were undone, and without their undoing: the history that devices
  /// are told.
  public var standingHistory: [TaskTransition] {
    history.reduce(into: []) { steps, step in
      if step.action == .undo { _ = steps.popLast() } else { steps.append(step) }
    }
  }

  /// The steps with which officers have returned the task, and which stand, the oldest first.
  public var returns: [Identifier] {
    standingHistory.filter { $0.action == .returnToInspector }.map(\.id)
  }

  private var stateBeforeProviding: TaskState {
    history.last { $0.action == .provide }?.from ?? .open
  }
}
