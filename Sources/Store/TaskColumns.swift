import Foundation
import GRDB
import Geodesy
import Inspection
import Sync
import TimeAndText

/// The JSON of the photo points that an order names.
private struct RepeatWishRow: Codable {
  var points: [String]
  var strict: Bool

  init(_ wish: RepeatWish) { (points, strict) = (wish.points.map(\.description), wish.isStrict) }

  func wish() throws -> RepeatWish {
    RepeatWish(
      points: try points.map { text in
        guard let id = Identifier(text) else {
          throw StoreError.damagedRow("a photo point of an order")
        }
        return id
      }, isStrict: strict)
  }
}

/// The JSON of the further parcels and the sections of an order.
private struct PlacesRow: Codable {
  struct Place: Codable {
    var kind: String
    var name: String
    var rings: RingsRow
  }

  var list: [Place]

  init(_ places: OrderedPlaces) {
    list = places.list.map {
      Place(kind: $0.kind.rawValue, name: $0.name, rings: RingsRow($0.rings))
    }
  }

  func places() throws -> OrderedPlaces {
    try OrderedPlaces(
      list.map { place in
        guard let kind = OrderedPlace.Kind(rawValue: place.kind) else {
          throw StoreError.damagedRow("a section of an order")
        }
        return OrderedPlace(kind, name: place.name, rings: try place.rings.rings())
      })
  }
}

/// The JSON of a file that an order carries.
private struct AttachmentRow: Codable {
  var name: String
  var kind: String
  var sha256: String
  var bytes: Int

  init(_ file: AttachedFile) {
    (name, kind, sha256, bytes) = (file.name, file.kind.rawValue, file.digest, file.bytes)
  }

  func file() throws -> AttachedFile {
    guard let kind = AttachedFile.Kind(rawValue: kind) else {
      throw StoreError.damagedRow("an attachment of an order")
    }
    return AttachedFile(name: name, kind: kind, digest: sha256, bytes: bytes)
  }
}

/// The columns of a task, its transitions and its earlier orders, which the field unit and the
/// office both have.
enum TaskColumns {
  static let insert = """
    INSERT INTO task (id, agency, inspector, name, type, instructions, state, revision, created,
      due, note, parcel_identifier, parcel_rings, repeats, around_sectors, turn_views, places,
      attachments)
    VALUES (:id, :agency, :inspector, :name, :type, :instructions, :state, :revision, :created,
      :due, :note, :parcelIdentifier, :parcelRings, :repeats, :aroundSectors, :turnViews,
      :places, :attachments)
    """

  static func values(_ task: InspectionTask) -> [String: (any DatabaseValueConvertible)?] {
    [
      "id": task.id.description, "name": task.name, "type": task.type,
      "instructions": task.instructions, "state": task.state.rawValue, "revision": task.revision,
      "created": task.created.millisecondsSince1970, "due": task.due?.millisecondsSince1970,
      "note": task.note, "parcelIdentifier": task.parcel?.identifier,
      "parcelRings": task.parcel.map { RowJSON.text(RingsRow($0.rings)) },
      "repeats": task.repeats.map { RowJSON.text(RepeatWishRow($0)) },
      "aroundSectors": task.sets.aroundSectors, "turnViews": task.sets.turnViews,
      "places": task.places == .none ? nil : RowJSON.text(PlacesRow(task.places)),
      "attachments": task.attachments == .none
        ? nil : RowJSON.text(task.attachments.list.map(AttachmentRow.init)),
    ]
  }

  /// Returns the name and state of the task of a row.
  static func name(_ row: Row) throws -> TaskName {
    let id: String = row["id"]
    guard let identifier = Identifier(id), let state = TaskState(rawValue: row["state"])
    else { throw StoreError.damagedRow("task \(id)") }
    return TaskName(id: identifier, inspector: row["inspector"], name: row["name"], state: state)
  }

  /// Returns the task of a row, without its history.
  static func task(_ row: Row) throws -> InspectionTask {
    let id: String = row["id"]
    guard let identifier = Identifier(id), let state = TaskState(rawValue: row["state"])
    else { throw StoreError.damagedRow("task \(id)") }
    return InspectionTask(
      id: identifier, agency: row["agency"], inspector: row["inspector"], name: row["name"],
      type: row["type"], instructions: row["instructions"], state: state,
      revision: row["revision"], created: DeviceTime(millisecondsSince1970: row["created"]),
      due: (row["due"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)), note: row["note"],
      parcel: try parcel(row), repeats: try repeats(row), sets: try sets(row),
      places: try places(row), attachments: try attachments(row))
  }

  private static func sets(_ row: Row) throws -> OrderedSets {
    do {
      return try OrderedSets(
        aroundSectors: row["around_sectors"], turnViews: row["turn_views"])
    } catch {
      throw StoreError.damagedRow("the sets of an order: \(error)")
    }
  }

  private static func places(_ row: Row) throws -> OrderedPlaces {
    guard let text: String = row["places"] else { return .none }
    let list = try RowJSON.value(PlacesRow.self, text)
    do {
      return try list.places()
    } catch let fault as PlaceFault {
      throw StoreError.damagedRow("the sections of an order: \(fault)")
    }
  }

  private static func attachments(_ row: Row) throws -> Attachments {
    guard let text: String = row["attachments"] else { return .none }
    let list = try RowJSON.value([AttachmentRow].self, text)
    do {
      return try Attachments(list.map { try $0.file() })
    } catch let fault as AttachmentFault {
      throw StoreError.damagedRow("the attachments of an order: \(fault)")
    }
  }

  private static func repeats(_ row: Row) throws -> RepeatWish? {
    try (row["repeats"] as String?).map { try RowJSON.value(RepeatWishRow.self, $0).wish() }
  }

  private static func parcel(_ row: Row) throws -> Parcel? {
    guard let identifier: String = row["parcel_identifier"],
      let text: String = row["parcel_rings"]
    else { return nil }
    return Parcel(identifier: identifier, rings: try RowJSON.value(RingsRow.self, text).rings())
  }

  static let insertTransition = """
    INSERT INTO task_transition (id, agency, inspector, task, number, action, from_state, to_state,
      person, role, time, reason)
    VALUES (:id, :agency, :inspector, :task, :number, :action, :from, :to, :person, :role, :time,
      :reason)
    """

  static func values(
    _ transition: TaskTransition, number: Int, of task: Identifier
  ) -> [String: (any DatabaseValueConvertible)?] {
    [
      "id": transition.id.description, "task": task.description, "number": number,
      "action": transition.action.rawValue, "from": transition.from.rawValue,
      "to": transition.to.rawValue, "person": transition.person.login,
      "role": transition.person.role.rawValue, "time": transition.time.millisecondsSince1970,
      "reason": transition.reason,
    ]
  }

  static func transition(_ row: Row) throws -> TaskTransition {
    let id: String = row["id"]
    guard let identifier = Identifier(id), let action = TaskAction(rawValue: row["action"]),
      let from = TaskState(rawValue: row["from_state"]),
      let to = TaskState(rawValue: row["to_state"]), let role = Role(rawValue: row["role"])
    else { throw StoreError.damagedRow("transition \(id)") }
    return TaskTransition(
      id: identifier, action: action, from: from, to: to,
      person: Person(agency: row["agency"], login: row["person"], role: role),
      time: DeviceTime(millisecondsSince1970: row["time"]), reason: row["reason"])
  }

  static let insertOrder = """
    INSERT INTO task_order (task, revision, agency, inspector, name, type, instructions, due,
      parcel_identifier, parcel_rings, repeats, around_sectors, turn_views, places, attachments,
      replaced)
    VALUES (:id, :revision, :agency, :inspector, :name, :type, :instructions, :due,
      :parcelIdentifier, :parcelRings, :repeats, :aroundSectors, :turnViews, :places, :attachments,
      :replaced)
    """

  static func order(
    _ task: InspectionTask, at time: DeviceTime
  ) -> [String: (any DatabaseValueConvertible)?] {
    var values = values(task)
    for name in ["state", "created", "note"] { values.removeValue(forKey: name) }
    values["replaced"] = time.millisecondsSince1970
    return values
  }

  static func order(_ row: Row) throws -> EarlierOrder {
    EarlierOrder(
      revision: row["revision"], name: row["name"], type: row["type"],
      instructions: row["instructions"],
      due: (row["due"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      parcel: try parcel(row), repeats: try repeats(row), sets: try sets(row),
      places: try places(row), attachments: try attachments(row),
      replaced: DeviceTime(millisecondsSince1970: row["replaced"]))
  }
}

extension TaskColumns {
  static func lateNote(_ row: Row) throws -> LateNote {
    guard let id = Identifier(row["id"]), let task = Identifier(row["task"]) else {
      throw StoreError.damagedRow("a note that came late")
    }
    return LateNote(
      id: id, inspector: row["inspector"], task: task,
      photo: (row["photo"] as String?).flatMap(Identifier.init(_:)), text: row["text"],
      received: DeviceTime(millisecondsSince1970: row["received"]))
  }
}
