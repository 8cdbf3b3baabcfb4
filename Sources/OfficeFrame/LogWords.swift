import Evidence
import Inspection
import Office
import Store
import TimeAndText
import Web

/// The sentences that tell the entries of an agency's log, with names and links.
package struct LogWords {
  /// The texts in the reader's language.
  package let t: Texts
  /// The full names of people, by login.
  let names: [String: String]
  /// The names of tasks, by identifier.
  let tasks: [Identifier: String]

  /// Creates the words for entries about these people and tasks.
  package init(t: Texts, names: [String: String], tasks: [Identifier: String]) {
    (self.t, self.names, self.tasks) = (t, names, tasks)
  }

  // MARK: parts

  /// Returns a person's name, as a link to their entries.
  package func person(_ login: String) -> HTML {
    let name =
      switch login {
      case "terminal": t("The command line")
      case "first-run": t("The first run")
      default: names[login] ?? login
      }
    return """
      <a href="/log?text=\(AddressText.escaped(login))" title="\(login)"><strong>\(name)</strong></a>
      """
  }

  /// Returns a task's name in quotes, as a link to the task; its identifier if it is gone.
  package func task(_ id: some StringProtocol) -> HTML {
    guard let known = Identifier(String(id)), let name = tasks[known] else { return code(id) }
    return "<a href=\"/tasks/\(known.description)\">\(t("“{1}”", name))</a>"
  }

  /// Returns the word for a photo, as a link to it.
  package func photo(_ id: String) -> HTML { "<a href=\"/photos/\(id)\">\(t("photo"))</a>" }

  /// Returns the word for a photo point, as a link to it.
  package func point(_ id: String) -> HTML {
    "<a href=\"/points/\(id)\">\(t("photo point"))</a>"
  }

  /// Returns the word for a composite, as a link to it.
  package func composite(_ id: String) -> HTML {
    "<a href=\"/composites/\(id)\">\(t("composite"))</a>"
  }

  /// Returns the word for a track, as a link to the tracks.
  package func track() -> HTML { "<a href=\"/tracks\">\(t("track"))</a>" }

  /// Returns a text as it stands in the log.
  package func code(_ text: some StringProtocol) -> HTML {
    "<code class=\"digest\">\(String(text))</code>"
  }

  // MARK: sentences

  // The parts of a sentence are made where it names them: most entries are looked for in several
  // groups of actions.

  /// Returns the sentence for an entry; an action that this office does not know is told as it
  /// stands in the log.
  package func sentence(_ entry: LogEntry, _ additions: [any PageAddition]) -> HTML {
    ofTask(entry) ?? ofThing(entry) ?? ofPerson(entry) ?? ofAgency(entry) ?? ofDelivery(entry)
      ?? additions.lazy.compactMap { $0.sentence(for: entry, self) }.first
      ?? "\(person(entry.person)): \(code(entry.action)) \(code(entry.subject))"
  }

  /// Returns what an entry tells beyond its sentence; nil for nothing.
  package func detail(_ entry: LogEntry) -> String? {
    let told = [
      "task-ordered", "task-decision-undone", "photo-assigned", "photo-unassigned", "person-added",
      "task-handed-on", "order-taken-back", "photo-item-moved",
    ]
    return told.contains(entry.action) ? nil : entry.detail
  }

  private func ofTask(_ entry: LogEntry) -> HTML? {
    var who: HTML { person(entry.person) }
    var task: HTML { self.task(entry.subject) }
    switch entry.action {
    case "task-ordered": return t.html("{1} ordered {2}", who, task)
    case "task-accepted": return t.html("{1} accepted {2}", who, task)
    case "task-returned": return t.html("{1} returned {2}", who, task)
    case "task-declined": return t.html("{1} declined {2}", who, task)
    case "task-withdrawn": return t.html("{1} withdrew {2}", who, task)
    case "task-dataProvided": return t.html("{1} reopened {2}", who, task)
    case "task-decision-undone": return t.html("{1} undid the decision on {2}", who, task)
    case "task-handed-on":
      return t.html("{1} gave {2} to {3}", who, task, person(entry.detail ?? ""))
    case "order-taken-back":
      return t.html("{1} took {2} back from {3}", who, task, person(entry.detail ?? ""))
    case "order-changed": return t.html("{1} changed the order of {2}", who, task)
    case "transition-conflict":
      return t.html("{1} changed {2} on a device, but the office had changed it first", who, task)
    case "task-unknown":
      return t.html("{1} delivered records for a task of someone else: {2}", who, task)
    default: return nil
    }
  }

  private func ofThing(_ entry: LogEntry) -> HTML? {
    var who: HTML { person(entry.person) }
    var photo: HTML { self.photo(entry.subject) }
    var track: HTML { self.track() }
    var point: HTML { self.point(entry.subject) }
    var composite: HTML { self.composite(entry.subject) }
    var about: HTML { task((entry.detail ?? "").dropFirst("task ".count)) }
    switch entry.action {
    case "photo-assigned": return t.html("{1} assigned the {2} to {3}", who, photo, about)
    case "photo-unassigned": return t.html("{1} removed the {2} from {3}", who, photo, about)
    case "photo-item-moved":
      return entry.detail.map { t.html("{1} moved the {2} to the item {3}", who, photo, code($0)) }
        ?? t.html("{1} left the {2} to the first open item", who, photo)
    case "photo-hidden": return t.html("{1} hid the {2}", who, photo)
    case "photo-shown": return t.html("{1} showed the {2} again", who, photo)
    case "point-made": return t.html("{1} made the {2}", who, point)
    case "point-changed": return t.html("{1} changed the {2}", who, point)
    case "point-withdrawn": return t.html("{1} withdrew the {2}", who, point)
    case "point-brought-back": return t.html("{1} brought the {2} back", who, point)
    case "composite-made": return t.html("{1} made the {2}", who, composite)
    case "composite-changed": return t.html("{1} changed the {2}", who, composite)
    case "composite-removed": return t.html("{1} removed the {2}", who, composite)
    case "repeat-malformed":
      return t.html(
        "{1} delivered the {2}, and nobody can read which photo point it repeats", who, photo)
    case "track-hidden": return t.html("{1} hid the {2}", who, track)
    case "track-shown": return t.html("{1} showed the {2} again", who, track)
    case "note-foreign":
      return t.html("{1} delivered a note on the {2} of someone else", who, photo)
    default: return nil
    }
  }

  private func ofPerson(_ entry: LogEntry) -> HTML? {
    var who: HTML { person(entry.person) }
    var other: HTML { person(entry.subject) }
    switch entry.action {
    case "signed-in": return t.html("{1} signed in", who)
    case "signed-out": return t.html("{1} signed out", who)
    case "sign-in-refused": return t.html("A sign-in as {1} was refused", other)
    case "session-ended": return t.html("{1} ended another session of their own", who)
    case "sessions-ended": return t.html("{1} ended all sessions of their own", who)
    case "password-set": return t.html("{1} set the password of {2}", who, other)
    case "password-strengthened":
      return t.html("The office stored the password of {1} more securely", other)
    case "person-added":
      return t.html(
        "{1} added {2} as {3}", who, other,
        entry.detail.flatMap(Role.init(rawValue:)).map { t($0.rawValue) } ?? "?")
    case "person-disabled": return t.html("{1} disabled {2}", who, other)
    case "person-enabled": return t.html("{1} enabled {2} again", who, other)
    case "device-invited": return t.html("{1} showed a code for a device of {2}", who, other)
    case "invitation-withdrawn": return t.html("{1} withdrew the code of {2}", who, other)
    case "device-enrolled":
      return t.html("{1} enrolled the device {2}", who, code(entry.subject.prefix(8) + "…"))
    case "device-attested":
      return t.html(
        "A TPM showed that it has the key of the device {1} of {2}",
        code(entry.subject.prefix(8) + "…"), who)
    case "device-checked-again":
      return t.html(
        "The office checked the TPM of the device {1} again", code(entry.subject.prefix(8) + "…"))
    case "device-certified":
      return t.html(
        "The office's new authority certified the device {1} of {2}",
        code(entry.subject.prefix(8) + "…"), who)
    case "device-revoked":
      return t.html("{1} revoked the device {2}", who, code(entry.subject.prefix(8) + "…"))
    default: return nil
    }
  }

  private func ofAgency(_ entry: LogEntry) -> HTML? {
    var who: HTML { person(entry.person) }
    switch entry.action {
    case "office-key-renewed":
      return t.html("{1} made a new key of the office: {2}", who, entry.subject)
    case "office-key-revoked":
      return t.html("{1} revoked a key of the office: {2}", who, entry.subject)
    case "agency-added": return t.html("{1} added the agency {2}", who, entry.subject)
    case "agency-titled": return t.html("{1} renamed the agency {2}", who, entry.subject)
    case "agency-quota":
      return t.html("{1} changed how much the agency may store", who)
    case "policy-set": return t.html("{1} changed the policy", who)
    case "template-set":
      return t.html("{1} changed what tasks of the type “{2}” ask for", who, entry.subject)
    case "return-reasons-set": return t.html("{1} changed the usual reasons", who)
    case "cells-set": return t.html("{1} replaced the list of mobile cells", who)
    case "tasks-imported": return t.html("{1} imported tasks from a file", who)
    case "parcels-imported": return t.html("{1} imported parcels from a file", who)
    case "base-map-added":
      return t.html("{1} added the base map {2}", who, code(entry.subject))
    case "base-map-changed":
      return t.html("{1} changed the base map {2}", who, code(entry.subject))
    case "base-map-first":
      return t.html("{1} put the base map {2} first", who, code(entry.subject))
    case "base-map-removed":
      return t.html("{1} removed the base map {2}", who, code(entry.subject))
    default: return nil
    }
  }

  private func ofDelivery(_ entry: LogEntry) -> HTML? {
    var who: HTML { person(entry.person) }
    switch entry.action {
    case "delivery-received": return t.html("{1} delivered records", who)
    case "record-late":
      return t.html("{1} delivered something late, for a task that was already decided", who)
    case "chain-broken":
      return t.html("{1} delivered a record that does not continue its device's chain", who)
    default: return nil
    }
  }
}

extension LogWords {
  /// Returns the tasks that entries name.
  package static func tasks(in entries: some Sequence<LogEntry>) -> Set<Identifier> {
    var found: Set<Identifier> = []
    for entry in entries {
      let named = [entry.subject, String((entry.detail ?? "").dropFirst("task ".count))]
      found.formUnion(named.compactMap { Identifier($0) })
    }
    return found
  }
}
