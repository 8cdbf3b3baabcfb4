import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Sync

@Suite("Tasks on the way from the office")
struct TaskMergeTests {
  private let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)
  private let ines = Person(agency: "north", login: "ines", role: .inspector)
  private let otto = Person(agency: "north", login: "otto", role: .officer)

  private func order() throws -> InspectionTask {
    let corners = try [(16.63, 49.08), (16.64, 49.08), (16.64, 49.09)].map {
      try #require(Coordinate(latitudeDegrees: $0.1, longitudeDegrees: $0.0))
    }
    let parcel: Parcel = try #require(Parcel(identifier: "N-1", rings: [corners]))
    return InspectionTask(
      id: Identifier(at: now), agency: "north", inspector: "ines", name: "Beet", type: "crop",
      instructions: "One photo.", created: now, due: now.advanced(bySeconds: 86_400),
      parcel: parcel)
  }

  private func step(
    _ action: TaskAction, _ task: inout InspectionTask, by person: Person, reason: String? = nil
  ) throws {
    _ = try task.perform(
      action, by: person, id: Identifier(at: now), at: now, reason: reason,
      contents: TaskContents(photos: 1))
  }

  private func land(of task: InspectionTask) throws -> OrderedPlaces {
    let rings = try #require(task.parcel?.rings)
    return try OrderedPlaces([
      OrderedPlace(.section, name: "Horní č. 1", rings: rings),
      OrderedPlace(.parcel, name: "N-2", rings: rings),
    ])
  }

  private func files() throws -> Attachments {
    try Attachments([
      AttachedFile(
        name: "Plán <b>.pdf", kind: .pdf, digest: String(repeating: "a", count: 64), bytes: 7)
    ])
  }

  @Test("a task comes through its message unchanged but for the inspector's note")
  func message() throws {
    var task = try order()
    task.sets = try OrderedSets(aroundSectors: 24, turnViews: 8)
    task.places = try land(of: task)
    task.attachments = try files()
    try step(.open, &task, by: ines)
    try step(.provide, &task, by: ines)
    try step(.returnToInspector, &task, by: otto, reason: "blurred")
    let bytes = try WireJSON.bytes(TaskListMessage(tasks: [TaskMessage(task)]))
    let read = try WireJSON.message(TaskListMessage.self, bytes)
    #expect(try read.tasks[0].task(for: ines) == task)
  }

  @Test(
    "a message that does not fit is refused with the member's name",
    arguments: [
      ("id", "1"), ("state", "lost"), ("created", "yesterday"), ("due", "soon"), ("name", ""),
    ])
  func malformed(member: String, value: String) throws {
    var message = TaskMessage(try order())
    switch member {
    case "id": message.id = value
    case "state": message.state = value
    case "created": message.created = value
    case "due": message.due = value
    default: message.name = value
    }
    let error = #expect(throws: SyncError.self) { try message.task(for: ines) }
    #expect(error.map { "\($0)".contains(member) } == true)
  }

  @Test("a set that cannot be is refused with the reason, and no sets need no member")
  func impossibleSets() throws {
    var message = TaskMessage(try order())
    #expect(message.sets == nil)
    message.sets = TaskMessage.SetsMessage(around: nil, turn: nil)
    #expect(try message.task(for: ines).sets == .none)
    for (around, turn) in [(3, nil), (10_000, nil), (72, 5), (nil, -4)] as [(Int?, Int?)] {
      message.sets = TaskMessage.SetsMessage(around: around, turn: turn)
      let error = #expect(throws: SyncError.self) { try message.task(for: ines) }
      #expect(error.map { "\($0)".contains("not ") } == true)
    }
  }

  @Test(
    "the sets of an order come with it, and with a changed one; a program of before gets them, too")
  func sets() throws {
    let before = try order()
    var office = before
    office.sets = try OrderedSets(aroundSectors: nil, turnViews: 4)
    // An earlier program has fetched this revision without its sets.
    let late = TaskMerge(device: before, office: office)
    #expect(late.task.sets == office.sets && late.isChange && late.replacedOrder == nil)
    #expect(!TaskMerge(device: late.task, office: office).isChange)
    var changed = office
    changed.revision = 2
    changed.sets = .none
    let merged = TaskMerge(device: late.task, office: changed)
    #expect(merged.task.sets == .none && merged.replacedOrder == late.task)
  }

  @Test(
    "the sections of an order come with it, and with a changed one; a program of before gets them, too"
  )
  func places() throws {
    let before = try order()
    var office = before
    office.places = try land(of: before)
    let late = TaskMerge(device: before, office: office)
    #expect(late.task.places == office.places && late.isChange && late.replacedOrder == nil)
    #expect(!TaskMerge(device: late.task, office: office).isChange)
    var changed = office
    changed.revision = 2
    changed.places = .none
    #expect(TaskMerge(device: late.task, office: changed).task.places == .none)
  }

  @Test(
    "a section that cannot be is refused with the reason",
    arguments: [
      ("lake", "A", [[16.6, 49.0], [16.7, 49.0], [16.7, 49.1]], "places.kind"),
      ("section", " ", [[16.6, 49.0], [16.7, 49.0], [16.7, 49.1]], "name"),
      ("section", "A", [[16.6, 49.0], [16.7, 49.0]], "outline"),
      ("section", "A", [[16.6, 49.0], [16.7, 49.0], [16.7]], "corner"),
      ("section", "A", [[16.6, 49.0], [16.7, 490.0], [16.7, 49.1]], "places"),
    ])
  func impossiblePlace(kind: String, name: String, ring: [[Double]], word: String) throws {
    var message = TaskMessage(try order())
    #expect(message.places == nil)
    message.places = [TaskMessage.PlaceMessage(kind: kind, name: name, rings: [ring])]
    let error = #expect(throws: SyncError.self) { try message.task(for: ines) }
    #expect(error.map { "\($0)".contains(word) } == true)
  }

  @Test("corners outside the Earth and parcels of two corners are refused")
  func malformedParcel() throws {
    for ring in [[[16.6, 91], [1, 1], [2, 2]], [[1, 1], [2, 2]], [[1], [2, 2], [3, 3]]] {
      var message = TaskMessage(try order())
      message.parcel?.rings = [ring]
      #expect(throws: SyncError.self) { try message.task(for: ines) }
    }
  }

  @Test("what the device has done stays, as long as the office says nothing new")
  func deviceIsAhead() throws {
    let office = try order()
    var device = office
    try step(.open, &device, by: ines)
    let merge = TaskMerge(device: device, office: office)
    #expect(!merge.isChange)
    #expect(merge.task == device)
  }

  @Test("the officer's decision wins, and both histories are kept")
  func officeDecides() throws {
    var device = try order()
    try step(.open, &device, by: ines)
    try step(.provide, &device, by: ines)
    var office = device
    try step(.returnToInspector, &office, by: otto, reason: "blurred")
    let merge = TaskMerge(device: device, office: office)
    #expect(merge.newTransitions.map(\.action) == [.returnToInspector])
    #expect(merge.task.state == .returned)
    #expect(merge.task.returnReason == "blurred")
    // A second fetch changes nothing more.
    #expect(!TaskMerge(device: merge.task, office: office).isChange)
  }

  @Test("an order that was changed replaces the one before, which is kept")
  func orderChanged() throws {
    var device = try order()
    try step(.open, &device, by: ines)
    device.note = "gate was locked"
    var office = try order()
    office.id = device.id
    office.revision = 2
    office.instructions = "Two photos."
    let merge = TaskMerge(device: device, office: office)
    #expect(merge.replacedOrder?.instructions == "One photo.")
    #expect(merge.task.instructions == "Two photos.")
    #expect(merge.task.state == .open)
    #expect(merge.task.note == "gate was locked")
  }

  @Test("a withdrawn order stops the work, but takes nothing away")
  func withdrawn() throws {
    var device = try order()
    try step(.open, &device, by: ines)
    var office = try order()
    office.id = device.id
    try step(.withdraw, &office, by: otto)
    let merge = TaskMerge(device: device, office: office)
    #expect(merge.task.state == .withdrawn)
    #expect(merge.task.history.map(\.action) == [.open, .withdraw])
  }

  @Test("transitions that the office has from this device are not taken twice")
  func ownTransitions() throws {
    var device = try order()
    try step(.open, &device, by: ines)
    let office = device
    try step(.provide, &device, by: ines)
    #expect(!TaskMerge(device: device, office: office).isChange)
  }
}
