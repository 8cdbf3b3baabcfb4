import Geodesy
import Inspection

/// The fields of a task.
public enum TaskFields {
  /// The table of a task's fields.
  public static let table = FieldTable<InspectionTask>(
    name: "tasks", rowName: "task", title: "Tasks",
    fields: [
      ExportField("task", .text, "The task's identifier.") { .words($0.id) },
      ExportField("name", .text, "What the task is called.") { .text($0.name) },
      ExportField("agency", .text, "The agency that ordered it.") { .text($0.agency) },
      ExportField("inspector", .text, "Login of the inspector whose it is.") {
        .text($0.inspector)
      },
      ExportField("type", .text, "The agency's word for the kind of task.", nil: "none is given") {
        .words($0.type)
      },
      ExportField("state", .text, "Where it stands: \(states).") { .text($0.state.rawValue) },
      ExportField("revision", .integer, "Counts the changes of what was ordered, from 1.") {
        .integer($0.revision)
      },
      ExportField("instructions", .text, "What to do there.", nil: "none were given") {
        .words($0.instructions)
      },
      ExportField("note", .text, "What the inspector wrote.", nil: "nothing was written") {
        .words($0.note)
      },
      ExportField("created", .time, "When it was ordered.") { .moment($0.created) },
      ExportField("due", .time, "Until when.", nil: "it has no date") { .moment($0.due) },
      ExportField("sent", .time, "When the inspector sent it last.", nil: "it was not sent") {
        .moment($0.history.last { $0.action == .provide }?.time)
      },
      ExportField(
        "decision", .text,
        "The last decision that still stands: accepted, declined, returned or"
          + " withdrawn.", nil: "none was made, or it was reopened"
      ) { .words(decision(of: $0)?.to.rawValue) },
      ExportField("decided", .time, "When that was decided.", nil: "as decision") {
        .moment(decision(of: $0)?.time)
      },
      ExportField("decidedBy", .text, "Login of who decided.", nil: "as decision") {
        .words(decision(of: $0)?.person.login)
      },
      ExportField("decisionReason", .text, "Why.", nil: "as decision, or without a reason") {
        .words(decision(of: $0)?.reason)
      },
      ExportField("parcel", .text, "Identifier of its parcel.", nil: "it has no parcel") {
        .words($0.parcel?.identifier)
      },
    ])

  private static var states: String {
    TaskState.allCases.map(\.rawValue).joined(separator: ", ")
  }

  /// Returns the transition that led to a task's present state, if an officer made it by a
  /// decision; nil otherwise.
  static func decision(of task: InspectionTask) -> TaskTransition? {
    guard let last = task.history.last, last.to == task.state else { return nil }
    return [.accept, .decline, .returnToInspector, .withdraw].contains(last.action) ? last : nil
  }
}

/// A parcel with the task that it belongs to.
public struct ExportedParcel {
  /// The parcel, or the part of one that is a section.
  public var parcel: Parcel
  /// The kind of land.
  public var kind: OrderedPlace.Kind
  /// The parcel's task.
  public var task: InspectionTask

  /// The identifier as a feature: sections of two tasks may have one name.
  var featureID: String {
    kind == .parcel ? parcel.identifier : "\(task.id)/\(parcel.identifier)"
  }

  /// Returns the land of a task: its parcel first, then the further ones and the sections of its order.
  public static func all(of task: InspectionTask) -> [ExportedParcel] {
    let first = task.parcel.map { ExportedParcel(parcel: $0, kind: .parcel, task: task) }
    let others = task.places.list.compactMap { place in
      Parcel(identifier: place.name, rings: place.rings).map {
        ExportedParcel(parcel: $0, kind: place.kind, task: task)
      }
    }
    return [first].compactMap(\.self) + others
  }
}

/// The fields of a parcel.
public enum ParcelFields {
  /// The table of a parcel's fields.
  public static let table = FieldTable<ExportedParcel>(
    name: "parcels", rowName: "parcel", title: "Parcels",
    fields: [
      ExportField(
        "identifier", .text, "The agency's identifier of the parcel, or a section's name."
      ) {
        .text($0.parcel.identifier)
      },
      ExportField("kind", .text, "parcel, or section: a part of a parcel that the order names.") {
        .text($0.kind.rawValue)
      },
      ExportField("areaSquareMetres", .decimal, "m²", "Its area on the ellipsoid.") {
        .decimal($0.parcel.areaSquareMetres, places: 1)
      },
      ExportField("task", .text, "Identifier of its task.") { .words($0.task.id) },
      ExportField("taskName", .text, "What that is called.") { .text($0.task.name) },
      ExportField("state", .text, "Where that stands.") { .text($0.task.state.rawValue) },
    ])
}
