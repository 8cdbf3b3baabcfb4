import Evidence
import FieldUnit
import Imagery
import Inspection
import Office
import OrderFiles
import Sync

// The order with items: the office makes its template, the inspector works through the list, and
// the officer returns one item of it.

/// The items for which the first task is ordered.
enum DemoItems {
  /// The type of tasks for which their template is. The other task has a type without a template.
  static let type = "crop check"
  /// The name of the photo, which the officer returns.
  static let photo = "crop-photo"
  /// The name of the question about the crop.
  static let question = "crop"
  /// The name of the question that is asked only after one answer about the crop.
  static let furtherQuestion = "which"
  /// The name of the note.
  static let note = "remarks"

  /// The name of the file that the officer attaches to the first task.
  static let attachment = "last-year.jpg"

  /// Returns the items.
  /// - Parameter example: the digest of the picture that shows how the crop is photographed.
  static func order(example: String) throws -> OrderItems {
    let choices = [
      Question.Choice(name: try name("beet"), wording: "Sugar beet"),
      Question.Choice(name: try name("maize"), wording: "Maize"),
      Question.Choice(name: try name("other"), wording: "Another crop"),
    ]
    return try OrderItems([
      OrderItem(
        name: name(photo), wording: "The crop from the middle of the field",
        hint: "The direction of its rows has to be seen.",
        content: .shot(WantedShot(example: example))),
      OrderItem(
        name: name(question), wording: "Which crop grows there?",
        content: .question(Question(.choice(choices)))),
      OrderItem(
        name: name(furtherQuestion), wording: "Which other crop is it?",
        condition: .equals(name(question), .choice(name("other"))),
        content: .question(Question(.text))),
      OrderItem(
        name: name(note), wording: "Anything that the photo does not show?", isRequired: false,
        content: .note),
    ])
  }

  /// Returns the name of an item or of a choice.
  static func name(_ text: String) throws -> ItemName {
    guard let name = ItemName(text) else {
      throw DemoError.stepFailed("no item can have the name \(text)")
    }
    return name
  }
}

extension DemoStory {
  private var files: OrderFileService { OrderFileService(of: office.server) }

  /// Makes the template of the first task's type as the officer, with a picture that shows how the crop
  /// is photographed.
  func makeTemplate() async throws {
    let example = try files.example(drawn("EXAMPLE: ROWS IN VIEW", 90), in: DemoOffice.agency)
    _ = try await office.server.templates.take(
      DemoItems.order(example: example), title: nil, forType: DemoItems.type, in: DemoOffice.agency,
      by: office.officer.login)
  }

  /// Attaches a picture of last year to the first task as the officer.
  func attachPicture(to task: InspectionTask) async throws {
    let file = try files.attachment(
      named: DemoItems.attachment, drawn("LAST YEAR: SUGAR BEET", 91), in: DemoOffice.agency)
    try await office.server.orders.changeOrder(
      of: task.id, in: DemoOffice.agency, by: office.officer.login
    ) { try $0.attachments = $0.attachments.adding(file) }
  }

  private func drawn(_ caption: String, _ number: UInt64) throws -> [UInt8] {
    try DemonstrationPicture.jpeg(
      widthPixels: 1280, heightPixels: 960, seed: seed &+ number, captionLines: [caption])
  }

  /// Brings the files of the orders to the inspector's device.
  /// - Throws: `DemoError.stepFailed` unless all of them came.
  mutating func bringFiles(of task: InspectionTask) async throws {
    await OrderFileShelf(folder: unit.folder.orderFiles, hasRoom: { true }, log: { _ in }).bring(
      from: unit, over: link)
    let digests = task.fileDigests(try items(of: task).order.items)
    guard digests.count == 2,
      digests.allSatisfy({ OrderFileShelf.path(ofFile: $0, on: unit) != nil })
    else { throw DemoError.stepFailed("the files of the order did not come to the device") }
    summary.add(
      "files",
      "With \"\(task.name)\" came its attachment \(DemoItems.attachment) and an example picture:"
        + " both are on the device, for the days without a network",
      [("attachment", .string(DemoItems.attachment)), ("files", .integer(digests.count))])
  }

  /// Shows the items of the first task, as the inspector's device has them.
  mutating func showItems(of task: InspectionTask) throws {
    let items = try items(of: task).order.items.items
    let words = items.map { "\($0.name) (\($0.kind))" }.joined(separator: ", ")
    let told: [JSONValue] = items.map {
      .object(["item": .string($0.name.description), "kind": .string($0.kind)])
    }
    summary.add(
      "items", "Order with items: \"\(task.name)\" asks for \(words)",
      [("task", .string(task.name)), ("items", .array(told))])
  }

  /// Answers the questions of the first task as the inspector.
  mutating func answer(_ task: InspectionTask) throws {
    let answers = [
      try unit.answer(.text("beet"), to: DemoItems.question, ofTask: task.id),
      try unit.answer(
        .text("Gaps in the rows near the lane"), to: DemoItems.note, ofTask: task.id),
    ]
    let standing = try items(of: task).standing
    let notAsked = standing.states.filter { $0.state == .notAsked }.map(\.name.description)
    guard standing.isComplete, notAsked == [DemoItems.furtherQuestion] else {
      throw DemoError.stepFailed("the answers are not all that the order asks for")
    }
    let words = answers.map { "\"\($0.asked)\" \($0.words ?? "")" }.joined(separator: ", ")
    let told: [JSONValue] = answers.map {
      .object(["item": .string($0.item.description), "words": .string($0.words ?? "")])
    }
    summary.add(
      "answered", "Answered: \(words); not asked then: \(notAsked.joined(separator: ", "))",
      [("answers", .array(told)), ("notAsked", .array(notAsked.map { .string($0) }))])
  }

  /// Returns the photo's item as the officer.
  /// - Throws: `DemoError.stepFailed` unless that item alone is open on the inspector's device.
  /// - Returns: the task on the device.
  mutating func returnPhoto(of task: InspectionTask) async throws -> InspectionTask {
    let reason = "The row direction cannot be seen: one more photo, please."
    let photo = try DemoItems.name(DemoItems.photo)
    try await office.server.review.decide(
      .returnToInspector, on: task.id, by: office.officer, reason: nil,
      seen: try await steps(of: task), returning: [photo: reason])
    _ = try await unit.delivery.fetchTasks(over: link)
    let returned = try unit.task(task.id)
    let items = try items(of: task)
    guard returned.state == .returned, items.verdicts.reasons == [photo: reason],
      items.standing.missing == [photo]
    else { throw DemoError.stepFailed("the return did not reach the inspector") }
    do {
      try unit.answer(.text("maize"), to: DemoItems.question, ofTask: task.id)
      throw DemoError.stepFailed("an item that the office has accepted was changed")
    } catch InspectionError.item(.accepted) {
      // It is locked, as it must be.
    }
    let accepted = items.verdicts.last.count { $0.returned == nil }
    summary.add(
      "returned",
      "The officer returned one item of \"\(task.name)\": \(returned.state.fileTitle), \(photo),"
        + " \"\(reason)\"; the other \(accepted) are accepted, and locked",
      [
        ("to", .string(returned.state.rawValue)), ("item", .string(photo.description)),
        ("reason", .string(reason)), ("accepted", .integer(accepted)),
      ])
    return returned
  }

  /// Says why the returned photo is not taken again: without either, the task cannot be sent.
  func excusePhoto(of task: InspectionTask) throws {
    try unit.answer(
      .notPossible("The log has no further stand."), to: DemoItems.photo, ofTask: task.id)
  }

  private func items(of task: InspectionTask) throws -> TaskItems {
    guard let items = try unit.taskItems(of: task.id) else {
      throw DemoError.stepFailed("the order has no items on the inspector's device")
    }
    return items
  }
}
