import Evidence
import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of the registry: agencies, people and sessions", .timeLimit(.minutes(2)))
struct RegistryContract {
  private let now = Samples.now
  private let ines = Samples.people[0]

  @Test(
    "agencies come by name, have one title each, and are added once", arguments: OfficeEngines.all)
  func agencies(engine: OfficeEngine) async throws {
    let east = Agency(name: "east", title: "East", created: Samples.time(5))
    try await engine.withOffice { database in
      try await database.writeRegistry { try $0.insert(east) }
      await #expect(throws: StoreError.self) {
        try await database.writeRegistry {
          try $0.insert(Agency(name: "east", title: "Other", created: Samples.now))
        }
      }
      try await database.writeRegistry { try $0.setTitle("The North", ofAgency: "north") }
      try await database.readRegistry { registry throws -> Void in
        #expect(try registry.agencies().map(\.name) == ["east", "north", "south"])
        #expect(try registry.agency("east") == east)
        #expect(try registry.agency("north")?.title == "The North")
        #expect(try registry.agency("south")?.title == "south")
        #expect(try registry.agency("East") == nil)
      }
      // Adding the agency has also added its count of stored bytes.
      try await database.write(in: "east") { try $0.deliveries.addStored(bytes: 3) }
      let stored = try await database.read(in: "east") { try $0.deliveries.storage().storedBytes }
      #expect(stored == 3)
    }
  }

  @Test(
    "people come by login, of all agencies or of one, and a login is the whole office's",
    arguments: OfficeEngines.all)
  func people(engine: OfficeEngine) async throws {
    let root = Account(login: "anna", agency: nil, role: .superAdministrator)
    try await engine.withOffice { database in
      try await database.writeRegistry { try $0.insert(root, password: "p", at: now) }
      for agency in ["north", "south"] {
        await #expect(throws: StoreError.self) {
          try await database.writeRegistry {
            try $0.insert(
              Account(login: "ines", agency: agency, role: .officer), password: "p", at: now)
          }
        }
      }
      try await database.readRegistry { registry in
        #expect(try registry.accounts(ofAgency: nil) == [root] + Samples.people)
        let north = Samples.people.filter { $0.agency == "north" }
        #expect(try registry.accounts(ofAgency: "north") == north)
        #expect(try registry.accounts(ofAgency: "nowhere").isEmpty)
        let found = try #require(try registry.account("ines"))
        #expect(found.account == ines && found.password == "stored")
        #expect(try registry.account("Ines")?.password == nil)
      }
    }
  }

  @Test(
    "everybody but a super-administrator has an agency that is there", arguments: OfficeEngines.all)
  func belonging(engine: OfficeEngine) async throws {
    try await engine.withOffice { database throws -> Void in
      for account in [
        Account(login: "x", agency: nil, role: .officer),
        Account(login: "x", agency: "north", role: .superAdministrator),
        Account(login: "x", agency: "nowhere", role: .inspector),
      ] {
        await #expect(throws: StoreError.self) {
          try await database.writeRegistry { try $0.insert(account, password: "p", at: now) }
        }
      }
      #expect(try await database.readRegistry { try $0.accounts(ofAgency: nil).count } == 4)
    }
  }

  private func begin(
    _ digests: [String], for account: Account? = nil, key: String? = nil,
    from begin: Double = 0, until seconds: Double = 100, _ database: any OfficeDatabase
  ) async throws {
    try await database.writeRegistry { registry in
      for (place, digest) in digests.enumerated() {
        try registry.insertSession(
          digest: digest, account: account ?? ines, key: key,
          at: Samples.time(begin + Double(place)),
          expires: Samples.time(seconds))
      }
    }
  }

  private func valid(
    _ database: any OfficeDatabase, of login: String = "ines", at seconds: Double = 50
  ) async throws -> [String] {
    try await database.readRegistry {
      try $0.sessions(of: login, at: Samples.time(seconds)).map(\.digest)
    }
  }

  @Test(
    "sessions are the most recently used first, and those that have ended are left out",
    arguments: OfficeEngines.all)
  func sessions(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      try await begin(["a", "b", "c"], database)
      try await begin(["old"], from: -5, until: 20, database)
      try await begin(["his"], for: Samples.people[1], key: "k", database)
      await #expect(throws: StoreError.self) { try await begin(["a"], database) }
      #expect(try await valid(database) == ["c", "b", "a"])
      #expect(try await valid(database, at: 10) == ["c", "b", "a", "old"])
      try await database.writeRegistry {
        try $0.extendSession(digest: "a", at: Samples.time(60), expires: Samples.time(200))
      }
      #expect(try await valid(database) == ["a", "c", "b"])
      #expect(try await valid(database, at: 150) == ["a"])
      let his = try #require(try await database.session(digest: "his"))
      #expect(his.account == Samples.people[1] && his.key == "k")
      #expect(his.expires == Samples.time(100))
      #expect(try await database.session(digest: "b")?.key == nil)
      #expect(try await database.session(digest: "old")?.expires == Samples.time(20))
      #expect(try await database.session(digest: "never") == nil)
      try await database.writeRegistry { registry in
        try registry.endSession(digest: "c")
        try registry.endSession(digest: "never")
      }
      #expect(try await valid(database, at: 10) == ["a", "b", "old"])
      try await database.writeRegistry { try $0.removeExpiredSessions(at: Samples.time(50)) }
      #expect(try await valid(database, at: 10) == ["a", "b"])
      try await database.writeRegistry { try $0.endSessions(of: "ines") }
      #expect(try await valid(database).isEmpty)
      #expect(try await valid(database, of: "ivan") == ["his"])
    }
  }

  @Test(
    "a new password and a disabled person end that person's sessions, and nobody else's",
    arguments: OfficeEngines.all)
  func endings(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      func state() async throws -> (password: String?, disabled: DeviceTime?) {
        try await database.readRegistry { registry in
          let found = try registry.account("ines")
          return (found?.password, found?.account.disabled)
        }
      }
      try await begin(["his"], for: Samples.people[1], database)
      try await begin(["a", "b"], database)
      try await database.writeRegistry { try $0.setPassword("new", of: "ines") }
      #expect(try await valid(database).isEmpty)
      #expect(try await state().password == "new")
      try await begin(["c"], database)
      try await database.writeRegistry { try $0.setDisabled(Samples.time(7), login: "ines") }
      #expect(try await valid(database).isEmpty)
      #expect(try await state().disabled == Samples.time(7))
      try await database.writeRegistry { try $0.setDisabled(nil, login: "ines") }
      #expect(try await state().disabled == nil)
      #expect(try await valid(database, of: "ivan") == ["his"])
    }
  }

  @Test(
    "the stored text of a password is replaced only as long as it is the expected one",
    arguments: OfficeEngines.all)
  func replacedPassword(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      func replace(_ stored: String, with text: String, of login: String = "ines") async throws
        -> Bool
      {
        try await database.writeRegistry {
          try $0.replacePassword(stored, of: login, with: text)
        }
      }
      try await begin(["a"], database)
      #expect(try await replace("other", with: "x") == false)
      #expect(try await replace("stored", with: "y", of: "never") == false)
      #expect(try await replace("stored", with: "better"))
      #expect(try await replace("stored", with: "z") == false)
      try await database.readRegistry { registry throws -> Void in
        #expect(try registry.account("ines")?.password == "better")
        #expect(try registry.account("ivan")?.password == "stored")
      }
      #expect(try await valid(database) == ["a"], "the password is the same: sessions go on")
    }
  }

  @Test(
    "figures count the tasks, photos and sessions of all agencies together",
    arguments: OfficeEngines.all)
  func figures(engine: OfficeEngine) async throws {
    var samples = Samples()
    let north = [samples.task(), samples.task(), samples.task(state: .accepted)]
    let south = samples.task(of: "sara")
    let photos = [try samples.photo(verdict: nil), try samples.photo()]
    let hers = try samples.photo(of: "sara", verdict: nil)
    try await engine.withOffice { database in
      try await database.add(tasks: north, photos: photos)
      try await database.add(tasks: [south], photos: [hers], in: "south")
      try await begin(["a", "b"], database)
      try await begin(["old"], until: -1, database)
      try await begin(["d"], key: "k", database)
      let figures = try await database.readRegistry { try $0.figures(at: now) }
      #expect(figures.tasks == ["new": 3, "accepted": 1])
      #expect(figures.uncheckedPhotos == 2)
      #expect(figures.browserSessions == 2 && figures.deviceSessions == 1)
    }
  }
}
