import Geodesy
import Inspection
import Office
import Store
import Sync
import TimeAndText

// The console's messages about tasks. Times are RFC 3339 in UTC; states and actions are those of
// docs/commands.md; an unknown value is absent. schemas/openapi.yaml describes all of it.

/// A page of tasks.
struct ConsoleTaskList: Encodable, Sendable {
  var tasks: [ConsoleTaskRow]
  /// The cursor of the next page; nil if there are no more tasks.
  var next: String?
}

/// A task in a list.
struct ConsoleTaskRow: Encodable, Sendable {
  struct Photos: Encodable, Sendable {
    var count: Int
    var unchecked: Int
    var contradicted: Int
  }

  var id: String
  var name: String
  var type: String?
  var inspector: String
  var state: String
  var created: String
  var due: String?
  var overdue: Bool
  var parcel: String?
  var photos: Photos

  init(_ task: InspectionTask, _ count: PhotoCount, at now: DeviceTime) {
    id = task.id.description
    name = task.name
    type = task.type
    inspector = task.inspector
    state = task.state.rawValue
    created = task.created.rfc3339
    due = task.due?.rfc3339
    overdue = task.isOverdue(at: now)
    parcel = task.parcel?.identifier
    photos = Photos(
      count: count.photos, unchecked: count.unchecked, contradicted: count.contradicted)
  }
}

/// A task with its history: exactly the values that its ETag covers.
struct ConsoleTask: Encodable, Sendable {
  var id: String
  var revision: Int
  var name: String
  var type: String?
  var instructions: String?
  var inspector: String
  var state: String
  var created: String
  var due: String?
  var note: String?
  var returnReason: String?
  var parcel: ConsoleParcel?
  /// The sectors of a walk round a thing that the order asks for.
  var around: Int?
  /// The views of a turn on the spot that the order asks for.
  var turn: Int?
  /// The further parcels and the sections that the order names.
  var places: [ConsolePlace]
  /// The files for the inspector.
  var attachments: [ConsoleAttachment]
  /// The number of steps in its history, which a decision sends back as `seen`.
  var steps: Int
  /// The mark of its undeleted photos, their notes and the note of the task: it changes as soon as
  /// one of them does. A decision to accept or decline sends it back.
  var shown: String
  var history: [ConsoleStep]

  init(_ task: InspectionTask, shown: String) {
    self.shown = shown
    id = task.id.description
    revision = task.revision
    name = task.name
    type = task.type
    instructions = task.instructions
    inspector = task.inspector
    state = task.state.rawValue
    created = task.created.rfc3339
    due = task.due?.rfc3339
    note = task.note
    returnReason = task.returnReason
    parcel = task.parcel.map(ConsoleParcel.init)
    (around, turn) = (task.sets.aroundSectors, task.sets.turnViews)
    places = task.places.list.map(ConsolePlace.init)
    attachments = task.attachments.list.map(ConsoleAttachment.init)
    steps = task.history.count
    history = task.history.map(ConsoleStep.init)
  }
}

/// A piece of land as GeoJSON (RFC 7946): longitude before latitude, in degrees, rings closed.
struct ConsoleParcel: Encodable, Sendable {
  /// The GeoJSON geometry: land in one part, or in several.
  enum Geometry: Encodable, Sendable {
    case polygon([[[Double]]])
    case multiPolygon([[[[Double]]]])

    private enum Member: String, CodingKey { case type, coordinates }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Member.self)
      switch self {
      case .polygon(let rings):
        try container.encode("Polygon", forKey: .type)
        try container.encode(rings, forKey: .coordinates)
      case .multiPolygon(let parts):
        try container.encode("MultiPolygon", forKey: .type)
        try container.encode(parts, forKey: .coordinates)
      }
    }
  }

  var identifier: String
  var areaSquareMetres: Double
  var geometry: Geometry

  init(_ parcel: Parcel) {
    identifier = parcel.identifier
    areaSquareMetres = parcel.areaSquareMetres
    let parts = parcel.parts.map { part in
      ([part.outline] + part.holes).map { ring in
        (ring + ring.prefix(1)).map { [$0.longitudeDegrees, $0.latitudeDegrees] }
      }
    }
    geometry = parts.count == 1 ? .polygon(parts[0]) : .multiPolygon(parts)
  }
}

/// A step of a task's history.
struct ConsoleStep: Encodable, Sendable {
  var id: String
  var action: String
  var from: String
  var to: String
  var person: String
  var role: String
  var time: String
  var reason: String?

  init(_ step: TaskTransition) {
    id = step.id.description
    action = step.action.rawValue
    from = step.from.rawValue
    to = step.to.rawValue
    person = step.person.login
    role = step.person.role.rawValue
    time = step.time.rfc3339
    reason = step.reason
  }
}

/// The orders that later ones have replaced.
struct ConsoleOrders: Encodable, Sendable {
  struct Order: Encodable, Sendable {
    var revision: Int
    var name: String
    var type: String?
    var instructions: String?
    var due: String?
    var parcel: ConsoleParcel?
    var around: Int?
    var turn: Int?
    var replaced: String
  }

  var orders: [Order]

  init(_ orders: [EarlierOrder]) {
    self.orders = orders.map { order in
      Order(
        revision: order.revision, name: order.name, type: order.type,
        instructions: order.instructions, due: order.due?.rfc3339,
        parcel: order.parcel.map(ConsoleParcel.init), around: order.sets.aroundSectors,
        turn: order.sets.turnViews, replaced: order.replaced.rfc3339)
    }
  }
}

/// The transitions of a device that arrived too late to count.
struct ConsoleConflicts: Encodable, Sendable {
  struct Conflict: Encodable, Sendable {
    var step: ConsoleStep
    var words: String
  }

  var conflicts: [Conflict]

  init(_ conflicts: [TransitionConflict]) {
    self.conflicts = conflicts.map {
      Conflict(step: ConsoleStep($0.transition), words: $0.words)
    }
  }
}

/// The records that came for a task when the office had decided on it already.
struct ConsoleLate: Encodable, Sendable {
  struct Note: Encodable, Sendable {
    var id: String
    /// The photo of the note; nil for a note on the task itself.
    var photo: String?
    var text: String
    var received: String
  }

  var photos: [ConsolePhoto]
  var tracks: [ConsoleTrackRow]
  var notes: [Note]

  init(_ late: LateRecords) {
    photos = late.photos.map(ConsolePhoto.init)
    tracks = late.tracks.map(ConsoleTrackRow.init)
    notes = late.notes.map {
      Note(
        id: $0.id.description, photo: $0.photo?.description, text: $0.text,
        received: $0.received.rfc3339)
    }
  }
}

/// The inspectors of an agency who can be given a task.
struct ConsoleInspectors: Encodable, Sendable {
  struct Inspector: Encodable, Sendable {
    var login: String
    var name: String?
  }

  var inspectors: [Inspector]
}

/// A further parcel or a section of an order.
struct ConsolePlace: Encodable, Sendable {
  /// The kind of land: `parcel` or `section`.
  var kind: String
  var name: String
  var areaSquareMetres: Double
  var geometry: ConsoleParcel.Geometry?

  init(_ place: OrderedPlace) {
    (kind, name, areaSquareMetres) = (place.kind.rawValue, place.name, place.areaSquareMetres)
    geometry = Parcel(identifier: place.name, rings: place.rings).map { ConsoleParcel($0).geometry }
  }
}
/// A file for the inspector.
struct ConsoleAttachment: Encodable, Sendable {
  var name: String
  /// The kind of file: `pdf` or `jpeg`.
  var kind: String
  var sha256: String
  var bytes: Int

  init(_ file: AttachedFile) {
    (name, kind, sha256, bytes) = (file.name, file.kind.rawValue, file.digest, file.bytes)
  }
}
/// The types of tasks in use, in the agency's own words.
struct ConsoleTaskTypes: Encodable, Sendable {
  var types: [String]
}
