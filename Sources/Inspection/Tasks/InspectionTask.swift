import Positioning

/// What a task of a type must contain before it can be sent.
public struct TaskRequirements: Hashable, Sendable {
  /// At least so many photos.
  public var photos = 1
  /// Whether a note is asked for.
  public var note = false
  /// Whether a finished track is asked for.
  public var track = false
  /// Whether a task that was sent may be taken back before its delivery has begun.
  public var allowsTakeBack = true

  /// The rule where an agency has made none: one photo.
  public init() {}

  /// A type's own rule.
  public init(photos: Int, note: Bool, track: Bool = false) {
    self.photos = photos
    self.note = note
    self.track = track
  }

  /// Nothing at all: what was sent under the rules of its time stays sent.
  public static let none = TaskRequirements(photos: 0, note: false)
}

/// An officer's order to an inspector: go there, look, and bring photos.
public struct InspectionTask: Hashable, Sendable {
  /// Made by the office, or on the device when it came from a file.
  public var id: Identifier
  /// The agency that ordered it.
  public var agency: String
  /// Login of the inspector whose it is.
  public var inspector: String
  /// A short name.
  public var name: String
  /// The agency's word for the kind of task; nil without one.
  public var type: String?
  /// What to do there.
  public var instructions: String?
  /// Where it stands.
  public var state: TaskState
  /// Counts up with each change of what was ordered, from 1.
  public var revision: Int
  /// When it was ordered.
  public var created: DeviceTime
  /// Until when; nil without a date.
  public var due: DeviceTime?
  /// What the inspector wrote about it.
  public var note: String?
  /// The piece of land; nil when the order has none.
  public var parcel: Parcel?
  /// All that happened to it, oldest first.
  public var history: [TaskTransition]

  /// A task as it was ordered.
  public init(
    id: Identifier, agency: String, inspector: String, name: String, type: String? = nil,
    instructions: String? = nil, state: TaskState = .new, revision: Int = 1, created: DeviceTime,
    due: DeviceTime? = nil, note: String? = nil, parcel: Parcel? = nil,
    history: [TaskTransition] = []
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
    self.history = history
  }

  /// Whether its date has passed while the inspector still has it. It is marked, never enforced.
  public func isOverdue(at now: DeviceTime) -> Bool {
    guard let due else { return false }
    return state.isEditable && due < now
  }

  /// Why the last officer returned it; nil when it is not returned.
  public var returnReason: String? {
    guard state == .returned else { return nil }
    return history.last { $0.to == .returned && $0.action == .returnToInspector }?.reason
  }

  /// Brings the task one step on, if the table allows it.
  ///
  /// - Parameters:
  ///   - photos: how many photos it has that are not deleted.
  ///   - tracks: how many finished tracks it has.
  ///   - requirements: what its type asks for.
  ///   - batchBegun: whether its delivery has begun.
  ///   - unchecked: how many photos it has of which whoever decides has no checks before them.
  /// - Returns: the transition to record.
  /// - Throws: `InspectionError` with the reason why not.
  public mutating func perform(
    _ action: TaskAction, by person: Person, id: Identifier, at time: DeviceTime,
    reason: String? = nil, photos: Int, tracks: Int = 0,
    requirements: TaskRequirements = TaskRequirements(), batchBegun: Bool = false,
    unchecked: Int = 0
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
      guard photos >= requirements.photos else {
        throw .photosMissing(have: photos, need: requirements.photos)
      }
      if requirements.note, Self.isBlank(note) { throw .noteMissing }
      if requirements.track, tracks == 0 { throw .trackMissing }
    case .batchNotBegun:
      if !requirements.allowsTakeBack { throw .policyForbids(.takeBack) }
      if batchBegun { throw .batchBegun }
    case .isChecked:
      if unchecked > 0 { throw .photosUnchecked(count: unchecked, of: photos) }
    }
    let target = rule.to ?? stateBeforeProviding
    let transition = TaskTransition(
      id: id, action: action, from: state, to: target, person: person, time: time, reason: words)
    history.append(transition)
    state = target
    return transition
  }

  /// A blank is no word.
  private static func isBlank(_ text: String?) -> Bool { text?.allSatisfy(\.isWhitespace) ?? true }

  private var stateBeforeProviding: TaskState {
    history.last { $0.action == .provide }?.from ?? .open
  }
}
