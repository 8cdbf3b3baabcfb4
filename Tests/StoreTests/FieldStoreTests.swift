import Foundation
import GRDB
import Geodesy
import Inspection
import Positioning
import Store
import Synchronization
import TestSupport
import Testing
import TimeAndText

@Suite("The field database")
struct FieldStoreTests {
  private let ines = Person(agency: "north", login: "ines", role: .inspector)
  private let otto = Person(agency: "north", login: "otto", role: .inspector)
  private let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)

  private func withStore<Result>(_ body: (FieldStore) throws -> Result) throws -> Result {
    try withTemporaryDirectory { folder in
      let store = try FieldStore(path: folder.appendingPathComponent("field.sqlite").path)
      defer { try? store.close() }
      return try body(store)
    }
  }

  private func tasks(in store: FieldStore, of person: Person) throws -> [InspectionTask] {
    try store.read(as: person) { session in
      try session.tasks.listings().map { try session.tasks.task($0.id) }
    }
  }

  private func task(_ name: String, for person: Person) -> InspectionTask {
    InspectionTask(
      id: Identifier(at: now), agency: person.agency, inspector: person.login, name: name,
      created: now)
  }

  @Test("the writer is WAL with synchronous FULL, as it reads back")
  func pragmas() throws {
    try withStore { store in
      let pragmas = try store.pragmas()
      #expect(pragmas.journalMode == "wal")
      #expect(pragmas.synchronous == 2)
      #expect(pragmas.foreignKeys)
    }
  }

  @Test("migrating an empty database gives the committed schema")
  func schema() throws {
    let schema = try withStore { try $0.schema() }
    #expect(try Golden.difference(schema, from: "schemas/field.sql") == nil)
    #expect(schema.components(separatedBy: "CREATE TABLE").count - 1 >= 9)
    for table in schema.components(separatedBy: "CREATE TABLE").dropFirst() {
      let head = table.components(separatedBy: ";")[0]
      #expect(head.contains("STRICT"), "not STRICT: \(head.prefix(40))")
      #expect(head.contains("agency TEXT NOT NULL"), "no agency: \(head.prefix(40))")
      #expect(head.contains("inspector TEXT NOT NULL"), "no inspector: \(head.prefix(40))")
    }
  }

  @Test("a second inspector sees nothing of the first")
  func people() throws {
    try withStore { store in
      let order = task("Field", for: ines)
      try store.write(as: ines) { session in
        try session.tasks.insert(order)
        try session.settings.set("samples", to: "30")
      }
      #expect(try tasks(in: store, of: ines).map(\.id) == [order.id])
      #expect(try tasks(in: store, of: otto).isEmpty)
      let setting = try store.read(as: otto) { try $0.settings.value(of: "samples") }
      #expect(setting == nil)
      #expect(throws: StoreError.unknown(what: "task", id: order.id.description)) {
        try store.read(as: otto) { try $0.tasks.task(order.id) }
      }
      let elsewhere = Person(agency: "south", login: "ines", role: .inspector)
      #expect(try tasks(in: store, of: elsewhere).isEmpty)
    }
  }

  @Test("every statement of a person's tables names the agency and the inspector")
  func statementsNameThePerson() throws {
    let store = Repository.root.appendingPathComponent("Sources/Store")
    let folder = store.appendingPathComponent("Field")
    // These files read the rows of all people, and say why.
    let exceptions = ["DeviceRows.swift", "FieldStore+Backup.swift", "FieldStore+Support.swift"]
    let tables = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && !exceptions.contains($0) }
    #expect(tables.count > 14)
    var files = tables.map { folder.appendingPathComponent($0) }
    files += ["TaskColumns.swift", "PhotoColumns.swift"].map { store.appendingPathComponent($0) }
    var statements = 0
    var conditions = 0
    for file in files {
      let (name, text) = (file.lastPathComponent, try String(contentsOf: file, encoding: .utf8))
      #expect(!text.contains("arguments: ["), "\(name) binds values without the session's person")
      for literal in Self.literals(of: text) {
        let isNamed = literal.contains(":agency") && literal.contains(":inspector")
        if literal.contains(/\b(SELECT|UPDATE|DELETE|INSERT)\b/) {
          statements += 1
          // Several statements share conditions, which are counted below.
          let isShared = literal.contains(/\\\((own|Self\.selected)\)/)
          #expect(isNamed || isShared, "\(name): \(literal)")
        } else if isNamed {
          conditions += 1
        }
      }
    }
    #expect(statements > 80)
    #expect(conditions == 2, "the shared conditions own and selected")
  }

  /// Returns the string literals of a source, as they are written.
  private static func literals(of source: String) -> [String] {
    source.components(separatedBy: "\"\"\"").enumerated().flatMap { index, part -> [String] in
      if index % 2 == 1 { return [part] }
      return part.matches(of: /"((?:[^"\\\n]|\\.)*)"/).map { String($0.1) }
    }
  }

  @Test("a transition is kept in the history and can neither be changed nor deleted")
  func history() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("field.sqlite").path
      let store = try FieldStore(path: path)
      var order = task("Field", for: ines)
      let transition = try order.perform(
        .open, by: ines, id: Identifier(at: now), at: now, contents: TaskContents(photos: 0))
      try store.write(as: ines) { session in
        try session.tasks.insert(task("Other", for: ines))
        var fresh = order
        fresh.state = .new
        fresh.history = []
        try session.tasks.insert(fresh)
        try session.tasks.save(transition, of: order)
      }
      let read = try store.read(as: ines) { try $0.tasks.task(order.id) }
      #expect(read == order)
      try store.close()
      let queue = try DatabaseQueue(path: path)
      for sql in [
        "UPDATE task_transition SET reason = 'x'", "DELETE FROM task_transition",
      ] {
        #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: sql) } }
      }
      let count = try queue.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM task_transition")
      }
      #expect(count == 1)
      try queue.close()
    }
  }

  @Test("a task keeps everything that it was ordered with")
  func roundTrip() throws {
    try withStore { store in
      var order = task("Žluté pole & <b>", for: ines)
      order.type = "crop"
      order.instructions = "Zwei Fotos\nvom Rand"
      order.due = now.advanced(bySeconds: 86_400)
      order.note = "мокро"
      order.parcel = Parcel(
        identifier: "P/1",
        rings: [
          try [(0.1, 179.9), (0.1, -179.9), (-0.1, 180)].map {
            try #require(Coordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1))
          }
        ])
      order.places = try OrderedPlaces([
        OrderedPlace(.section, name: "Horní “č”", rings: try #require(order.parcel?.rings))
      ])
      order.attachments = try Attachments([
        AttachedFile(
          name: "Plán “č”.pdf", kind: .pdf, digest: String(repeating: "a", count: 64), bytes: 7)
      ])
      let written = order
      try store.write(as: ines) { try $0.tasks.insert(written) }
      let read = try store.read(as: ines) { try $0.tasks.task(written.id) }
      #expect(read == written)
    }
  }

  @Test("what fails in a transaction leaves nothing behind")
  func atomicity() throws {
    try withStore { store in
      struct Stop: Error {}
      #expect(throws: Stop.self) {
        try store.write(as: ines) { session in
          try session.tasks.insert(task("Field", for: ines))
          throw Stop()
        }
      }
      let left = try tasks(in: store, of: ines)
      #expect(left.isEmpty)
    }
  }

  @Test("a database of a newer program is refused with one clear line")
  func newer() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("field.sqlite").path
      try FieldStore(path: path).close()
      let queue = try DatabaseQueue(path: path)
      try queue.write {
        try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('99 the future')")
      }
      try queue.close()
      #expect(throws: StoreError.newerSchema(path: path)) { try FieldStore(path: path) }
    }
  }

  @Test("several programs begun at once on a new folder all find the schema made")
  func begunAtOnce() throws {
    try withTemporaryDirectory { folder in
      for round in 0..<10 {
        let path = folder.appendingPathComponent("\(round).sqlite").path
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
          do {
            try FieldStore(path: path).close()
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }
        #expect(failures.withLock { $0 } == [])
      }
    }
  }

  @Test("a file that is no database, and a folder that is not there, are said in words")
  func unusable() throws {
    try withTemporaryDirectory { folder in
      let junk = folder.appendingPathComponent("junk.sqlite")
      try Data(String(repeating: "no database ", count: 500).utf8).write(to: junk)
      let absent = folder.appendingPathComponent("absent/field.sqlite").path
      for path in [junk.path, absent] {
        let error = #expect(throws: StoreError.self) { try FieldStore(path: path) }
        #expect(error?.code == "store-unavailable")
        #expect(error?.description.contains(path) == true)
      }
    }
  }
}
