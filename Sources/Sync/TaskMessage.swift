import Evidence
import Foundation
import Geodesy
import Inspection
import TimeAndText
import Transparency

/// An inspector's tasks as the office has them: all, or those that changed since a cursor.
public struct TaskListMessage: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.tasks/1"

  /// The name and version of this message.
  public var schema = Self.schema
  /// The inspector's tasks, ordered by their last change, the latest at the end.
  public var tasks: [TaskMessage]
  /// The cursor for the next request; nil from an office that is older than cursors.
  public var cursor: String?
  /// True if there are already more tasks after the cursor; nil means no.
  public var hasMore: Bool?
  /// The last place of the asking key's chain that the office holds; nil if it holds nothing, or
  /// does not say.
  public var head: ChainHead?
  /// The agency's capture policy as the office signed it; nil if the agency has none.
  public var policy: String?
  /// A challenge for the asking key (compact JWS), which the device seals in the records that follow; nil from an
  /// office that gives none.
  public var challenge: String?
  /// Proofs that the office's log has the asking device's deliveries (compact JWS, `standpoint.receipt-proof/1`), the
  /// oldest first; nil if there are none that the device has not.
  public var proofs: [String]?

  private enum CodingKeys: String, CodingKey {
    case schema, tasks, policy, challenge, cursor, head, proofs
    case hasMore = "more"
  }

  /// Creates a list of tasks.
  public init(
    tasks: [TaskMessage], policy: String? = nil, cursor: String? = nil, hasMore: Bool? = nil,
    head: ChainHead? = nil, challenge: String? = nil, proofs: [String]? = nil
  ) {
    self.proofs = proofs
    self.challenge = challenge
    self.tasks = tasks
    self.policy = policy
    self.cursor = cursor
    self.hasMore = hasMore
    self.head = head
  }

  /// Returns the challenge, if it is for this key and signed under this authority; nil if there is none, or
  /// another one: a device works without it, too.
  public func challenge(
    forKey key: String, authority: EvidenceCertificate
  ) -> CaptureChallenge? {
    guard let challenge, let read = try? CaptureChallenge(jws: challenge), read.key == key,
      read.isSigned(under: authority)
    else { return nil }
    return read
  }

  /// Returns the proofs that an office under this authority has signed and that lead to a checkpoint of its log;
  /// others are passed over, because a device keeps what it takes for ever.
  public func proofs(under authority: EvidenceCertificate) -> [ReceiptProof] {
    (proofs ?? []).compactMap { try? ReceiptProof(jws: $0) }.filter {
      $0.certificate.isOfOffice && $0.certificate.isVouched(by: authority) && Self.holds($0)
    }
  }

  private static func holds(_ given: ReceiptProof) -> Bool {
    guard let key = try? NoteKey(given.log), let proof = try? EntryProof(given.proof),
      let checkpoint = try? Checkpoint(text: proof.note.text), let line = proof.extra,
      let leaf = TreeHash.leaf(ofHexadecimal: Digest.hexadecimal(line)),
      case .signed = proof.note.answer(of: key)
    else { return false }
    return proof.index + 1 == given.entry && proof.leads(from: leaf, to: checkpoint)
  }

  /// Returns the policy, if it is for this agency and signed under this authority; nil if the
  /// message has none, or none newer than the known one.
  /// - Throws: `SyncError.policyMismatch`.
  public func policy(
    for person: Person, authority: EvidenceCertificate, known: SignedPolicy?
  ) throws(SyncError) -> SignedPolicy? {
    guard let policy, policy != known?.jws else { return nil }
    let signed: SignedPolicy
    do throws(EvidenceError) {
      signed = try SignedPolicy(jws: policy)
    } catch {
      throw .policyMismatch("\(error)")
    }
    guard signed.isSigned(under: authority) else {
      throw .policyMismatch("it was signed by another office, or by none")
    }
    guard signed.agency == person.agency else { throw .policyMismatch("it is another agency's") }
    // An old answer that is played again must not bring its old policy back, nor must an office
    // that was restored from a backup. The next policy that such an office issues counts, whatever
    // its number.
    if let known, known.isSigned(under: authority),
      (signed.policy.issued, signed.policy.revision) <= (known.policy.issued, known.policy.revision)
    {
      return nil
    }
    return signed
  }
}

/// One task on its way to the field unit. Times are RFC 3339 in UTC.
public struct TaskMessage: Codable, Hashable, Sendable {
  /// The parcel: rings of longitude and latitude, the outline first.
  public struct ParcelMessage: Codable, Hashable, Sendable {
    /// The agency's identifier of the parcel.
    public var identifier: String
    /// Rings of `[longitude, latitude]` in degrees, without a repeated closing point.
    public var rings: [[[Double]]]
  }

  /// A transition of the task's history.
  public struct TransitionMessage: Codable, Hashable, Sendable {
    /// The identifier of the transition.
    public var id: String
    /// The action.
    public var action: String
    /// The state before it.
    public var from: String
    /// The state after it.
    public var to: String
    /// The login of the person who took the action.
    public var person: String
    /// The person's role.
    public var role: String
    /// The time of the action.
    public var time: String
    /// The reason; nil if none was given.
    public var reason: String?
  }

  /// The photo points that are to be photographed again.
  public struct RepeatsMessage: Codable, Hashable, Sendable {
    /// The identifiers of the points.
    public var points: [String]
    /// True if a photo that misses the tolerance is refused.
    public var strict: Bool
  }

  /// A further parcel or a section that the order names.
  public struct PlaceMessage: Codable, Hashable, Sendable {
    /// The kind of land: `parcel` or `section`.
    public var kind: String
    /// The parcel's identifier, or the section's name.
    public var name: String
    /// Rings of `[longitude, latitude]` in degrees, without a repeated closing point.
    public var rings: [[[Double]]]
  }

  /// A file for the inspector.
  public struct AttachmentMessage: Codable, Hashable, Sendable {
    /// The name under which people know the file.
    public var name: String
    /// The kind of file: `pdf` or `jpeg`.
    public var kind: String
    /// The SHA-256 of the bytes, in hexadecimal.
    public var sha256: String
    /// The number of bytes.
    public var bytes: Int
  }

  /// The sets of frames that the order asks for.
  public struct SetsMessage: Codable, Hashable, Sendable {
    /// The sectors of a walk round a thing; nil for none.
    public var around: Int?
    /// The views of a turn on the spot; nil for none.
    public var turn: Int?
  }

  /// The items that the order asks for.
  public struct ItemsMessage: Codable, Hashable, Sendable {
    /// The type of tasks for which the template is.
    public var type: String
    /// The version of the template.
    public var version: Int
    /// The items, as `schemas/items.schema.json` describes them.
    public var items: JSONValue
  }

  /// The task's identifier.
  public var id: String
  /// The revision of the order, which counts up with each change.
  public var revision: Int
  /// The short name.
  public var name: String
  /// The agency's word for the kind of task; nil if it has none.
  public var type: String?
  /// The instructions to the inspector; nil if there are none.
  public var instructions: String?
  /// The task's state at the office.
  public var state: String
  /// The time at which it was ordered.
  public var created: String
  /// The time by which it is due; nil if there is none.
  public var due: String?
  /// The parcel; nil if the order names none.
  public var parcel: ParcelMessage?
  /// The photo points that are to be photographed again; nil if the order names none.
  public var repeats: RepeatsMessage?
  /// The sets of frames that the order asks for; nil if it asks for none.
  public var sets: SetsMessage?
  /// The further parcels and the sections that the order names; nil for none.
  public var places: [PlaceMessage]?
  /// The files for the inspector, which are fetched one by one; nil for none.
  public var attachments: [AttachmentMessage]?
  /// The items that the order asks for; nil if it asks for none.
  public var items: ItemsMessage?
  /// The office's words on the items, if its last return had some; nil otherwise.
  public var verdicts: [VerdictMessage]?
  /// The records that any return has refused; nil for none.
  public var refused: [String]?
  /// The transitions that the office knows of, oldest first, without decisions that were undone.
  public var history: [TransitionMessage]

  /// Creates the message for a task.
  public init(
    _ task: InspectionTask, items ordered: OrderedItems? = nil,
    verdicts judged: ItemVerdicts = .none
  ) {
    let words = VerdictsMessage(judged)
    verdicts = words.verdicts.isEmpty ? nil : words.verdicts
    refused = words.refused.isEmpty ? nil : words.refused
    id = task.id.description
    revision = task.revision
    name = task.name
    type = task.type
    instructions = task.instructions
    state = task.state.rawValue
    created = task.created.rfc3339
    due = task.due?.rfc3339
    parcel = task.parcel.map { parcel in
      ParcelMessage(identifier: parcel.identifier, rings: Self.numbers(parcel.rings))
    }
    let land = task.places.list.map {
      PlaceMessage(kind: $0.kind.rawValue, name: $0.name, rings: Self.numbers($0.rings))
    }
    places = land.isEmpty ? nil : land
    let files = task.attachments.list.map {
      AttachmentMessage(
        name: $0.name, kind: $0.kind.rawValue, sha256: $0.digest, bytes: $0.bytes)
    }
    attachments = files.isEmpty ? nil : files
    repeats = task.repeats.map {
      RepeatsMessage(points: $0.points.map(\.description), strict: $0.isStrict)
    }
    sets =
      task.sets == .none
      ? nil : SetsMessage(around: task.sets.aroundSectors, turn: task.sets.turnViews)
    items = ordered.map {
      ItemsMessage(type: $0.type, version: $0.version, items: ItemsJSON.json($0.items))
    }
    history = task.standingHistory.map { step in
      TransitionMessage(
        id: step.id.description, action: step.action.rawValue, from: step.from.rawValue,
        to: step.to.rawValue, person: step.person.login, role: step.person.role.rawValue,
        time: step.time.rfc3339, reason: step.reason)
    }
  }

  private static func numbers(_ rings: [[Coordinate]]) -> [[[Double]]] {
    rings.map { $0.map { [$0.longitudeDegrees, $0.latitudeDegrees] } }
  }

  /// Reads the corners of rings.
  private func rings(_ numbers: [[[Double]]], of name: String) throws(SyncError) -> [[Coordinate]] {
    var rings: [[Coordinate]] = []
    for ring in numbers {
      var corners: [Coordinate] = []
      for corner in ring {
        guard corner.count == 2 else {
          throw .malformedMessage("task \(id): a corner of \(name) is not two numbers")
        }
        guard let place = Coordinate(latitudeDegrees: corner[1], longitudeDegrees: corner[0])
        else { throw .malformedMessage("task \(id): \(name).rings is not valid") }
        corners.append(place)
      }
      rings.append(corners)
    }
    return rings
  }

  private func orderedPlaces() throws(SyncError) -> OrderedPlaces {
    var list: [OrderedPlace] = []
    for place in places ?? [] {
      guard let kind = OrderedPlace.Kind(rawValue: place.kind) else {
        throw .malformedMessage("task \(id): places.kind is not valid")
      }
      list.append(
        OrderedPlace(kind, name: place.name, rings: try rings(place.rings, of: "places")))
    }
    do {
      return try OrderedPlaces(list)
    } catch {
      throw .malformedMessage("task \(id): places: \(error.wording)")
    }
  }

  private func orderedFiles() throws(SyncError) -> Attachments {
    var list: [AttachedFile] = []
    for file in attachments ?? [] {
      guard let kind = AttachedFile.Kind(rawValue: file.kind) else {
        throw .malformedMessage("task \(id): attachments.kind is not valid")
      }
      list.append(
        AttachedFile(name: file.name, kind: kind, digest: file.sha256, bytes: file.bytes))
    }
    do {
      return try Attachments(list)
    } catch {
      throw .malformedMessage("task \(id): attachments: \(error.wording)")
    }
  }

  private func orderedSets() throws(SyncError) -> OrderedSets {
    do {
      return try OrderedSets(aroundSectors: sets?.around, turnViews: sets?.turn)
    } catch {
      throw .malformedMessage("task \(id): \(error.wording)")
    }
  }

  /// Reads the items that the order asks for; nil if it asks for none.
  /// - Throws: `SyncError.malformedMessage` with the faulty item.
  public func orderedItems() throws(SyncError) -> OrderedItems? {
    guard let items else { return nil }
    guard items.version >= 1, !items.type.isEmpty else {
      throw .malformedMessage("task \(id): items.type or items.version is not valid")
    }
    do {
      return OrderedItems(
        type: items.type, version: items.version, items: try ItemsJSON.items(items.items))
    } catch {
      throw .malformedMessage("task \(id): items: \(error.wording)")
    }
  }

  /// Reads the office's words on the items.
  /// - Throws: `SyncError.malformedMessage` with the faulty member.
  public func itemVerdicts() throws(SyncError) -> ItemVerdicts {
    try VerdictsMessage(verdicts: verdicts, refused: refused).itemVerdicts()
  }

  /// Reads the task in the message, as this inspector's task.
  /// - Throws: `SyncError.malformedMessage` with the faulty member.
  public func task(for person: Person) throws(SyncError) -> InspectionTask {
    func needed<Value>(_ value: Value?, _ name: String) throws(SyncError) -> Value {
      guard let value else { throw .malformedMessage("task \(id): \(name) is not valid") }
      return value
    }
    var land: Parcel?
    if let parcel {
      let rings = try rings(parcel.rings, of: "parcel")
      land = try needed(Parcel(identifier: parcel.identifier, rings: rings), "parcel")
    }
    var wish: RepeatWish?
    if let repeats {
      guard repeats.points.count <= RepeatWish.pointsAtMost else {
        throw .malformedMessage("task \(id): it names too many photo points")
      }
      var points: [Identifier] = []
      for point in repeats.points { points.append(try needed(Identifier(point), "repeats")) }
      wish = RepeatWish(points: points, isStrict: repeats.strict)
    }
    var steps: [TaskTransition] = []
    for step in history {
      steps.append(
        TaskTransition(
          id: try needed(Identifier(step.id), "history.id"),
          action: try needed(TaskAction(rawValue: step.action), "history.action"),
          from: try needed(TaskState(rawValue: step.from), "history.from"),
          to: try needed(TaskState(rawValue: step.to), "history.to"),
          person: Person(
            agency: person.agency, login: step.person,
            role: try needed(Role(rawValue: step.role), "history.role")),
          time: try needed(DeviceTime(rfc3339: step.time), "history.time"), reason: step.reason))
    }
    guard revision >= 1, !name.isEmpty else {
      throw .malformedMessage("task \(id): it has no name or no revision")
    }
    return InspectionTask(
      id: try needed(Identifier(id), "id"), agency: person.agency, inspector: person.login,
      name: name, type: type, instructions: instructions,
      state: try needed(TaskState(rawValue: state), "state"), revision: revision,
      created: try needed(DeviceTime(rfc3339: created), "created"),
      due: try due.map { (text) throws(SyncError) in
        try needed(DeviceTime(rfc3339: text), "due")
      }, parcel: land, repeats: wish, sets: try orderedSets(), places: try orderedPlaces(),
      attachments: try orderedFiles(), history: steps)
  }
}
