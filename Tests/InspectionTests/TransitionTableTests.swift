import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("The transitions of a task")
struct TransitionTableTests {
  /// The table a second time, written by hand: state, action, role, and the state that follows.
  private static let table: [(TaskState, TaskAction, Role, TaskState)] = [
    (.new, .open, .inspector, .open),
    (.open, .provide, .inspector, .dataProvided),
    (.returned, .provide, .inspector, .dataProvided),
    (.dataProvided, .takeBack, .inspector, .open),
    (.dataProvided, .returnToInspector, .officer, .returned),
    (.dataProvided, .accept, .officer, .accepted),
    (.dataProvided, .decline, .officer, .declined),
    (.new, .withdraw, .officer, .withdrawn),
    (.open, .withdraw, .officer, .withdrawn),
    (.returned, .withdraw, .officer, .withdrawn),
    (.accepted, .reopen, .administrator, .dataProvided),
    (.declined, .reopen, .administrator, .dataProvided),
  ]

  private static let actors: [TaskAction: Role] = [
    .open: .inspector, .provide: .inspector, .takeBack: .inspector, .returnToInspector: .officer,
    .accept: .officer, .decline: .officer, .withdraw: .officer, .reopen: .administrator,
    .undo: .officer,
  ]

  private static let time = DeviceTime(millisecondsSince1970: 1_778_000_000_000)

  private static func task(_ state: TaskState) -> InspectionTask {
    InspectionTask(
      id: Identifier(at: time), agency: "example", inspector: "ada", name: "Field 7", state: state,
      created: time)
  }

  private static func person(_ role: Role) -> Person {
    Person(agency: "example", login: "somebody", role: role)
  }

  private static func perform(
    _ action: TaskAction, on task: inout InspectionTask, as role: Role? = nil,
    reason: String? = "because", photos: Int = 5,
    requirements: TaskRequirements = TaskRequirements(), batchBegun: Bool = false,
    unchecked: Int = 0
  ) throws(InspectionError) -> TaskTransition {
    try task.perform(
      action, by: person(role ?? action.role), id: Identifier(at: time), at: time, reason: reason,
      contents: TaskContents(photos: photos), requirements: requirements, batchBegun: batchBegun,
      unchecked: unchecked)
  }

  @Test("every state, action and role is allowed or refused as the table says")
  func everyCombination() throws {
    var allowed = 0
    for state in TaskState.allCases {
      for action in TaskAction.allCases where action != .undo {
        for role in Role.allCases {
          var task = Self.task(state)
          let row = Self.table.first { $0.0 == state && $0.1 == action && $0.2 == role }
          do {
            let transition = try Self.perform(action, on: &task, as: role)
            let expected = try #require(row, "\(state) \(action) \(role) was allowed")
            #expect(task.state == expected.3)
            #expect(transition.from == state && transition.to == expected.3)
            #expect(transition.action == action && transition.person.role == role)
            #expect(task.history == [transition])
            allowed += 1
          } catch let error as InspectionError {
            #expect(row == nil, "\(state) \(action) \(role): \(error)")
            let isRightRole = Self.actors[action] == role
            #expect(
              error
                == (isRightRole
                  ? .transitionForbidden(action: action, from: state)
                  : .roleForbidden(action: action, role: role)))
            #expect(task == Self.sameAs(task, state), "a refusal changed the task")
          }
        }
      }
    }
    #expect(allowed == Self.table.count)
  }

  private static func sameAs(_ task: InspectionTask, _ state: TaskState) -> InspectionTask {
    var same = task
    same.state = state
    same.history = []
    return same
  }

  @Test("each action has one row")
  func oneRow() {
    for action in TaskAction.allCases {
      #expect(TransitionRule.table.filter { $0.action == action }.count == 1)
      #expect(action.role == Self.actors[action])
    }
  }

  @Test("returning, declining and reopening need a reason in words; a blank is none")
  func reasons() throws {
    let needing: Set<TaskAction> = [.returnToInspector, .decline, .reopen]
    for (state, action, _, _) in Self.table {
      for reason in [nil, "", " ", "\n\t "] {
        var task = Self.task(state)
        if needing.contains(action) {
          #expect(throws: InspectionError.reasonMissing(action: action)) {
            try Self.perform(action, on: &task, reason: reason)
          }
          #expect(task.state == state && task.history.isEmpty)
        } else {
          #expect(try Self.perform(action, on: &task, reason: reason).reason == nil)
        }
      }
      var task = Self.task(state)
      #expect(try Self.perform(action, on: &task, reason: " why ").reason == " why ")
    }
  }

  @Test("a task is sent with as many photos as its type asks for, and not with one less")
  func photos() throws {
    for (need, have, isEnough) in [
      (1, 0, false), (1, 1, true), (3, 2, false), (3, 3, true), (0, 0, true),
    ] {
      var task = Self.task(.open)
      let requirements = TaskRequirements(photos: need, note: false)
      if isEnough {
        #expect(throws: Never.self) {
          try Self.perform(.provide, on: &task, photos: have, requirements: requirements)
        }
      } else {
        #expect(throws: InspectionError.photosMissing(have: have, need: need)) {
          try Self.perform(.provide, on: &task, photos: have, requirements: requirements)
        }
        #expect(task.state == .open)
      }
    }
    #expect(TaskRequirements().photos == 1 && !TaskRequirements().note)
  }

  @Test("a task whose type asks for a note is not sent without one; a blank is none")
  func note() throws {
    let requirements = TaskRequirements(photos: 0, note: true)
    for note in [nil, "", "  ", "\n"] {
      var task = Self.task(.returned)
      task.note = note
      #expect(throws: InspectionError.noteMissing) {
        try Self.perform(.provide, on: &task, photos: 0, requirements: requirements)
      }
    }
    var task = Self.task(.returned)
    task.note = "barley"
    #expect(throws: Never.self) {
      try Self.perform(.provide, on: &task, photos: 0, requirements: requirements)
    }
  }

  @Test("nobody accepts or declines before the checks of all photos are there to be read")
  func checked() throws {
    for (state, action, _, _) in Self.table {
      var task = Self.task(state)
      func perform() throws -> TaskTransition {
        try Self.perform(action, on: &task, photos: 3, unchecked: 1)
      }
      if [.accept, .decline].contains(action) {
        #expect(throws: InspectionError.photosUnchecked(count: 1, of: 3)) { try perform() }
        #expect(task.state == state && task.history.isEmpty)
      } else {
        #expect(throws: Never.self) { try perform() }
      }
    }
  }

  @Test("only taking back, sending and deciding are guarded")
  func guardsElsewhere() {
    let greedy = TaskRequirements(photos: 99, note: true)
    for (state, action, _, _) in Self.table where action != .provide && action != .takeBack {
      var task = Self.task(state)
      #expect(throws: Never.self) {
        try Self.perform(action, on: &task, photos: 0, requirements: greedy, batchBegun: true)
      }
    }
  }

  @Test("a task is taken back to where it was: open or returned")
  func takeBack() throws {
    for state in [TaskState.open, .returned] {
      var task = Self.task(state)
      _ = try Self.perform(.provide, on: &task)
      #expect(try Self.perform(.takeBack, on: &task).to == state)
      #expect(task.state == state)
    }
    // Taking back leads to the state before the last sending.
    var task = Self.task(.open)
    _ = try Self.perform(.provide, on: &task)
    _ = try Self.perform(.returnToInspector, on: &task)
    _ = try Self.perform(.provide, on: &task)
    #expect(try Self.perform(.takeBack, on: &task).to == .returned)
  }

  @Test("nothing is taken back once its batch has begun")
  func batchBegun() throws {
    var task = Self.task(.open)
    _ = try Self.perform(.provide, on: &task)
    #expect(throws: InspectionError.batchBegun) {
      try Self.perform(.takeBack, on: &task, batchBegun: true)
    }
    #expect(task.state == .dataProvided && task.history.count == 1)
  }

  @Test("the history only grows, and each entry begins where the one before ended")
  func history() {
    forEachSeed(0..<200) { seed, random in
      var task = Self.task(.new)
      for _ in 0..<60 {
        let before = task.history
        let action = TaskAction.allCases.randomElement(using: &random) ?? .open
        let role = Role.allCases.randomElement(using: &random) ?? .officer
        let reason = [nil, "because"].randomElement(using: &random) ?? nil
        let photos = Int.random(in: 0...1, using: &random)
        let state = task.state
        let transition = try? Self.perform(
          action, on: &task, as: role, reason: reason, photos: photos,
          batchBegun: Bool.random(using: &random))
        #expect(task.history.prefix(before.count).elementsEqual(before), "seed \(seed)")
        #expect(task.history.count == before.count + (transition == nil ? 0 : 1), "seed \(seed)")
        #expect(task.state == transition?.to ?? state, "seed \(seed)")
        #expect(task.history.last?.to ?? .new == task.state, "seed \(seed)")
      }
      for (earlier, later) in zip(task.history, task.history.dropFirst()) {
        #expect(earlier.to == later.from, "seed \(seed)")
      }
    }
  }

  @Test("a returned task tells the last reason for it, and no other task tells any")
  func returnReason() throws {
    var task = Self.task(.open)
    for reason in ["blurred", "wrong field"] {
      _ = try Self.perform(.provide, on: &task)
      #expect(task.returnReason == nil)
      _ = try Self.perform(.returnToInspector, on: &task, reason: reason)
      #expect(task.returnReason == reason)
    }
    _ = try Self.perform(.withdraw, on: &task)
    #expect(task.returnReason == nil)
  }

  @Test("a task is overdue from the moment after its date, while its inspector still has it")
  func overdue() {
    for state in TaskState.allCases {
      var task = Self.task(state)
      #expect(!task.isOverdue(at: Self.time))
      task.due = Self.time
      #expect(!task.isOverdue(at: Self.time))
      #expect(
        task.isOverdue(at: Self.time.advanced(bySeconds: 0.001))
          == [.new, .open, .returned].contains(state))
    }
  }

  @Test("every state has its own word and sign, every error its own code and words")
  func words() {
    #expect(Set(TaskState.allCases.map(\.title)).count == TaskState.allCases.count)
    #expect(Set(TaskState.allCases.map(\.sign)).count == TaskState.allCases.count)
    let errors: [InspectionError] = [
      .transitionForbidden(action: .accept, from: .new),
      .roleForbidden(action: .accept, role: .inspector), .reasonMissing(action: .decline),
      .photosMissing(have: 1, need: 2), .noteMissing, .trackMissing,
      .trackUnfinished, .setMissing(.init(kind: .around, sectors: 72)),
      .policyForbids(.takeBack), .batchBegun, .taskLocked(.accepted),
      .alreadySent(what: "photo"), .noteTooLong(characters: 6_000, limit: 5_000),
      .repeatsMissing(lacking: 2), .photoPoint(.unsealed),
    ]
    #expect(Set(errors.map(\.code)).count == errors.count)
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect(
      InspectionError.photosMissing(have: 1, need: 2).description
        == "the task has 1 of the 2 photos it needs: take 1 more, then send it")
  }

  @Test("an officer undoes their own last decision until devices are told, and nothing else")
  func undo() throws {
    let until = Self.time.advanced(bySeconds: TransitionRule.undoSeconds)
    let decisions: [(TaskState, TaskAction)] = [
      (.dataProvided, .accept), (.dataProvided, .decline), (.dataProvided, .returnToInspector),
      (.new, .withdraw), (.open, .withdraw), (.returned, .withdraw),
    ]
    for (state, action) in decisions {
      func undone(
        by login: String = "somebody", as role: Role = .officer, at seconds: Double,
        until: DeviceTime? = until
      ) throws -> InspectionTask {
        var task = Self.task(state)
        _ = try Self.perform(action, on: &task)
        let now = Self.time.advanced(bySeconds: seconds)
        _ = try task.perform(
          .undo, by: Person(agency: "example", login: login, role: role), id: Identifier(at: now),
          at: now, contents: TaskContents(photos: 5), heldUntil: until)
        return task
      }
      for seconds in [0, 9.999] {
        let task = try undone(at: seconds)
        #expect(task.state == state)
        #expect(task.history.map(\.action) == [action, .undo])
        #expect(task.standingHistory.isEmpty && task.returnReason == nil)
      }
      for seconds in [10, 3600.0] {
        #expect(throws: InspectionError.decisionTold) { try undone(at: seconds) }
      }
      #expect(throws: InspectionError.decisionTold) { try undone(at: 1, until: nil) }
      #expect(throws: InspectionError.decisionTold) { try undone(by: "other", at: 1) }
      #expect(throws: InspectionError.roleForbidden(action: .undo, role: .administrator)) {
        try undone(as: .administrator, at: 1)
      }
    }
    var sent = Self.task(.open)
    _ = try Self.perform(.provide, on: &sent)
    #expect(throws: InspectionError.transitionForbidden(action: .undo, from: .dataProvided)) {
      try Self.perform(.undo, on: &sent)
    }
  }
}
