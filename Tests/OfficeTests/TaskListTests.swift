import FieldUnit
import Foundation
import Imports
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Store

@Suite("The list of tasks, and the way through it", .timeLimit(.minutes(5)))
struct TaskListTests {
  /// Adds tasks of two inspectors and two types, with and without dates.
  private func fill(_ scene: OfficeScene) async throws -> [String: Identifier] {
    var ids: [String: Identifier] = [:]
    let rows = [
      ("Beet", "ines", "claim", "2026-05-20"), ("oats", "igor", "claim", "2026-06-04"),
      ("Apples", "ines", "visit", nil), ("Catch crop", "igor", "visit", "2026-09-01"),
      ("Clover", "ines", "claim", nil),
    ]
    for (name, inspector, type, due) in rows {
      var order = TaskOrder(name: name)
      order.inspector = inspector
      order.type = type
      order.due = due.flatMap { DeviceTime(rfc3339: $0 + "T00:00:00Z") }
      ids[name] = try await scene.office.orders.addTasks([order], in: "north", by: "otto")[0].id
      let later = scene.clock.elapsed.advanced(bySeconds: 60)
      scene.clock.advance(to: later, limit: later)
    }
    return ids
  }

  private func names(
    _ scene: OfficeScene, _ filter: TaskFilter = TaskFilter(),
    _ order: TaskSorting = TaskSorting(.name)
  ) async throws -> [String] {
    try await scene.office.review.tasks(in: "north", filter, order).map(\.name)
  }

  @Test("each filter lets through what it names, each order is one and its reverse")
  func filters() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await fill(scene)
      #expect(try await names(scene) == ["Apples", "Beet", "Catch crop", "Clover", "oats"])
      #expect(try await names(scene, TaskFilter(type: "visit")) == ["Apples", "Catch crop"])
      #expect(try await names(scene, TaskFilter(inspector: "igor")) == ["Catch crop", "oats"])
      #expect(try await names(scene, TaskFilter(due: .overdue)) == ["Beet"])
      #expect(try await names(scene, TaskFilter(due: .week)) == ["Beet", "oats"])
      #expect(try await names(scene, TaskFilter(due: .undated)) == ["Apples", "Clover"])
      #expect(try await names(scene, TaskFilter(text: "CROP")) == ["Catch crop"])
      #expect(try await names(scene, TaskFilter(photos: .missing)).count == 5)
      #expect(try await names(scene, TaskFilter(photos: .clean)).isEmpty)
      #expect(
        try await names(scene, TaskFilter(), TaskSorting(.due))
          == ["Beet", "oats", "Catch crop", "Apples", "Clover"], "those without a date last")
      #expect(
        try await names(scene, TaskFilter(), TaskSorting(.due, isDescending: true)).prefix(3)
          == ["Catch crop", "oats", "Beet"])
      #expect(
        try await names(scene, TaskFilter(), TaskSorting(.created))
          == ["Beet", "oats", "Apples", "Catch crop", "Clover"])
      #expect(
        try await scene.office.database.read(in: "north") { try $0.tasks.types() } == [
          "claim", "visit",
        ])
      #expect(try await scene.office.database.read(in: "south") { try $0.tasks.types() }.isEmpty)
    }
  }

  @Test("the way from task to task is the list, in every order, both ways")
  func neighbours() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await fill(scene)
      _ = try await scene.order("Beet", for: "sven", in: "south").id
      let now = scene.clock.deviceTime
      for column in TaskSorting.Column.allCases {
        for isDescending in [false, true] {
          // The store looks up and sorts the few tasks of one inspector or state, and walks all
          // others: both give one order.
          for filter in [
            TaskFilter(), TaskFilter(type: "claim"), TaskFilter(due: .undated),
            TaskFilter(inspector: "ines"), TaskFilter(state: .new), TaskFilter(text: "e"),
          ] {
            let order = TaskSorting(column, isDescending: isDescending)
            let list = try await scene.office.review.tasks(in: "north", filter, order).map(\.id)
            let pages = try await scene.office.database.read(in: "north") { session in
              try (0..<list.count).flatMap {
                try session.tasks.page(filter, order, at: now, limit: 1, offset: $0).map(\.id)
              }
            }
            #expect(pages == list, "\(order) \(filter)")
            let walked = try await scene.office.database.read(in: "north") {
              try $0.tasks.identifiers(filter, order, at: now)
            }
            #expect(walked == list, "\(order) \(filter)")
            for (index, id) in list.enumerated() {
              let near = try await scene.office.database.read(in: "north") {
                try $0.tasks.neighbours(of: id, filter, order, at: now)
              }
              #expect(near.previous == (index > 0 ? list[index - 1] : nil), "\(order) \(filter)")
              #expect(
                near.next == (index + 1 < list.count ? list[index + 1] : nil), "\(order) \(filter)")
            }
          }
        }
      }
    }
  }

  @Test("words are looked for where there is no task at all yet")
  func wordsInAnEmptyOffice() throws {
    try withTemporaryDirectory { folder in
      let store = try OfficeStore(path: folder.appendingPathComponent("office.sqlite").path)
      let now = try #require(DeviceTime(rfc3339: "2026-06-01T09:30:00Z"))
      let count = try store.read(in: "north") { session in
        try session.tasks.count(TaskFilter(text: "beet"), at: now)
      }
      #expect(count == 0)
    }
  }

  @Test("words are looked for in the table as it lies, unless most of it is another agency's")
  func words() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let filter = TaskFilter(text: "BEET")
      for number in 0..<12 { _ = try await scene.order("Beet \(number)", for: "sven", in: "south") }
      _ = try await scene.order("Beet", for: "ines", in: "north")
      _ = try await scene.order("Rye", for: "ines", in: "north")
      let store = try #require(scene.office.database as? SQLiteOfficeDatabase).store
      let sources = try ["north", "south"].map { agency in
        try store.read(in: agency) { try $0.tasks.rows.readsWholeTable(filter) }
      }
      #expect(sources == [false, true])
      let counts = try ["north", "south"].map { agency in
        try store.read(in: agency) { try $0.tasks.count(filter, at: scene.clock.deviceTime) }
      }
      #expect(counts == [1, 12])
      let looked = try store.read(in: "south") {
        try $0.tasks.rows.readsWholeTable(TaskFilter(text: "BEET", state: .new))
      }
      #expect(!looked)
    }
  }

  @Test("a page of the list and the next task are read off an index, whatever is filtered")
  func plans() throws {
    try withTemporaryDirectory { folder in
      let store = try OfficeStore(path: folder.appendingPathComponent("office.sqlite").path)
      let now = try #require(DeviceTime(rfc3339: "2026-06-01T09:30:00Z"))
      let filters = [
        TaskFilter(), TaskFilter(state: .dataProvided),
        TaskFilter(state: .dataProvided, photos: .clean),
        TaskFilter(inspector: "ines", type: "claim"),
        TaskFilter(due: .overdue, photos: .contradicted),
        TaskFilter(inspector: "ines", parcel: "P-1"),
      ]
      for filter in filters {
        // Each task's own cells are looked up: a scan for each task takes seconds for a few thousand.
        let plan = try store.read(in: "north") { try $0.map.plan(ofExtent: filter, at: now) }
        #expect(plan.contains("SEARCH cell USING"), "\(filter): \(plan)")
        #expect(!plan.contains("SCAN cell"), "\(filter): \(plan)")
      }
      for column in TaskSorting.Column.allCases {
        for isDescending in [false, true] {
          for filter in filters {
            let order = TaskSorting(column, isDescending: isDescending)
            let plans = try store.read(in: "north") {
              try $0.tasks.plans(of: filter, order, at: now)
            }
            for (number, plan) in plans.enumerated() {
              #expect(!plan.contains("TEMP B-TREE"), "\(order) \(filter): \(plan)")
              // The first plan is that of a page by number; the others begin at a place within the
              // order.
              #expect(
                number == 0 || !plan.contains("(agency=?)"), "\(order) \(filter) \(number): \(plan)"
              )
            }
          }
        }
      }
      try store.close()
    }
  }

  @Test("what a check contradicts, and what is being checked, is found")
  func photos() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working()
      try unit.provideTask(task.id)
      scene.link.examine(false)
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(try await names(scene, TaskFilter(photos: .unchecked)) == ["Beet"])
      #expect(try await names(scene, TaskFilter(photos: .clean)).isEmpty)
      try await scene.office.examiner.examineArrivals()
      #expect(try await names(scene, TaskFilter(photos: .unchecked)).isEmpty)
      let photo = try #require(try unit.photos().first).id
      let counts = try await scene.office.database.read(in: "north") {
        try $0.photos.counts(of: [task.id])[task.id]
      }
      let isContradicted = try await scene.office.database.read(in: "north") {
        try $0.photos.photo(photo).checks.contains { $0.outcome == .contradicts }
      }
      #expect(counts?.photos == 1)
      #expect(counts?.contradicted == (isContradicted ? 1 : 0))
      #expect(
        try await names(scene, TaskFilter(photos: isContradicted ? .contradicted : .clean)) == [
          "Beet"
        ])
    }
  }

  @Test("a view stands in its address: sent to a colleague it is the same, after signing in, too")
  func address() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let ids = try await fill(scene)
      try await withSite(scene.office) { site in
        let view = "/tasks?sort=-name&type=claim"
        let browser = site.browser()
        let first = try await browser.get(view)
        #expect(first.location == "/sign-in?to=%2Ftasks%3Fsort%3D-name%26type%3Dclaim")
        let form = try await browser.get(try #require(first.location))
        let answer = try await browser.post(
          "/sign-in",
          [
            "login": "otto", "password": OfficeScene.password,
            "to": try #require(form.field("to")).replacing("&amp;", with: "&"),
          ])
        #expect(answer.location == view)
        let page = try await browser.get(view).body
        let places = try ["oats", "Clover", "Beet"].map { name in
          try #require(page.range(of: ">\(name)</a>")).lowerBound
        }
        #expect(places == places.sorted())
        #expect(!page.contains(">Apples</a>"))
        #expect(page.contains("aria-sort=\"descending\""))
        // The page's own link leads from the second task to the third.
        let clover = try #require(ids["Clover"])
        let beet = try #require(ids["Beet"])
        let list =
          "?list=" + OfficeBrowser.encoded("type=claim&sort=-name")
        let task = try await browser.get("/tasks/\(clover)" + list)
        #expect(task.status == 200)
        #expect(task.body.contains("/tasks/\(beet)?list="))
        #expect(task.body.contains("data-key=\"j\""))
        let alone = try await browser.get("/tasks/\(clover)")
        #expect(!alone.body.contains("data-key=\"j\""))
        #expect(alone.field("list") ?? "" == "")
        // The list of all tasks leads through all of them.
        let all = try await browser.get("/tasks").body
        #expect(all.contains("/tasks/\(clover)?list=sort%3Dreview\""))
        // Nonsense in an address is passed over.
        for query in [
          "sort=;DROP", "state=x&due=y&photos=z", "page=-7", "list=a%3Db%26",
        ] {
          #expect(try await browser.get("/tasks?" + query).status == 200)
          #expect(try await browser.get("/tasks/\(clover)?" + query).status == 200)
        }
      }
    }
  }

  @Test("after a decision the next task of the list comes, and says what was decided")
  func review() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      for name in ["Beet", "Oats"] { _ = try await scene.order(name) }
      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      for (number, task) in try unit.tasks().enumerated() {
        try unit.openTask(task.id)
        try await scene.capture(unit, task.id, number)
        try unit.provideTask(task.id)
      }
      _ = try await unit.delivery.deliver(over: scene.link)
      let order = TaskSorting(.name)
      let tasks = try await scene.office.review.tasks(
        in: "north", TaskFilter(state: .dataProvided), order)
      #expect(tasks.map(\.name) == ["Beet", "Oats"])
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        // The way through a list of all tasks passes over a task that waits for no decision.
        _ = try await scene.order("Clover")
        let list = "sort=name"
        let page = try await otto.get(
          "/tasks/\(tasks[0].id)?list=" + OfficeBrowser.encoded(list))
        // A return without its reason is refused, and the way through the list is still there.
        let refused = try await otto.post(
          "/tasks/\(tasks[0].id)/decide",
          [
            "action": "returnToInspector", "seen": try #require(page.field("seen")),
            "list": try #require(page.field("list")).replacing("&amp;", with: "&"),
          ])
        #expect(refused.status == 422)
        #expect(refused.field("list") == page.field("list"))
        #expect(refused.body.contains("data-key=\"j\""))
        let fields = [
          "action": "accept", "seen": try #require(page.field("seen")),
          "examined": try #require(page.field("examined")),
          "list": try #require(page.field("list")).replacing("&amp;", with: "&"),
        ]
        let decided = try await otto.post("/tasks/\(tasks[0].id)/decide", fields)
        #expect(decided.status == 303)
        let next = try await otto.get(try #require(decided.location))
        #expect(next.body.contains("<h1>Oats</h1>"))
        #expect(next.body.contains("“Beet”: Accepted"))
        #expect(next.body.contains("data-key=\"k\""), "the list of all goes on both ways")
        let last = try await otto.post(
          "/tasks/\(tasks[1].id)/decide",
          [
            "action": "accept", "seen": try #require(next.field("seen")),
            "examined": try #require(next.field("examined")),
            "list": try #require(next.field("list")).replacing("&amp;", with: "&"),
          ])
        #expect(last.location?.hasPrefix("/tasks?sort=name&done=") == true, "\(last)")
        let end = try await otto.get(try #require(last.location))
        #expect(end.body.contains("The task is accepted."))
      }
    }
  }
}
