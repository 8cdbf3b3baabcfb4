import Evidence
import Foundation
import Inspection
import Office
import Positioning
import Store
import Sync
import TimeAndText
import Web

/// An older office's agency, and the agency that it becomes here.
struct CarriedAgency: Sendable {
  var number: Int64
  var title: String
  /// The agency's name here.
  var name: String
  /// True if the agency is added.
  var isNew: Bool
  /// True if the agency was carried over before.
  var isKnown: Bool
  var marks: [String]
}

/// An older office's user, and the person that the user becomes here.
struct CarriedUser: Sendable {
  var number: Int64
  /// The number of the agency there.
  var agencyNumber: Int64
  /// The agency's name here.
  var agency: String
  var login: String
  var role: Role
  /// The full name; nil if there is none.
  var name: String?
  var isActive: Bool
  /// The form in which the older office kept the password; only a SHA-1 in hexadecimal is usable.
  var password: String
  /// True if the person is added.
  var isNew: Bool
  /// True if the person was carried over before.
  var isKnown: Bool
  var marks: [String]
}

extension CarryOver {
  /// The number of a table's rows that are in memory at once.
  static let rowsAtOnce = 500
  /// The number of people added in one step.
  private static let peopleAtOnce = 16

  /// Calls `body` with a table's rows, in the order of their numbers. Rows that cannot be taken are
  /// reported, and passed to `unusable`.
  func forEach(
    _ table: OlderTable, of stage: DumpStage, _ part: CarryOverPart?,
    unusable: (OlderRow) async throws -> Void = { _ in }, _ body: (OlderRow) async throws -> Void
  ) async throws {
    var last: Int64 = -1
    while true {
      let rows = try stage.rows(of: table.rawValue, after: last, limit: Self.rowsAtOnce)
      guard let end = rows.last?.number else { return }
      for row in rows {
        let row = try OlderRow(row)
        if try usable(row, part) != nil { try await body(row) } else { try await unusable(row) }
      }
      last = end
    }
  }

  /// Returns the row if all its values are there; nil, with a line in the report, if it has to be
  /// left out.
  func usable(_ row: OlderRow, _ part: CarryOverPart?) throws -> OlderRow? {
    if let part { count(part) { $0.rows += 1 } }
    guard let column = row.tooLong.first else { return row }
    let (what, why) = (
      "the row in line \(row.line) of the dump",
      "its column \(column.name) has \(column.bytes) bytes"
    )
    if let part {
      try leave(.rowUnreadable, part, row, what, why: why)
    } else {
      try note(.rowUnreadable, row, what, why: why)
    }
    return nil
  }

  /// Reports columns of which not all bytes are Unicode.
  func noteDamage(_ row: OlderRow, _ what: String) throws {
    guard !row.damaged.isEmpty else { return }
    try note(
      .textDamaged, row, what,
      why: "of its columns \(row.damaged.joined(separator: ", ")) not all bytes are Unicode")
  }

  // MARK: planning

  /// Decides which agencies and people there are, and which ones they become here. Nothing is
  /// written.
  func planPeople(_ stage: DumpStage) async throws {
    var roles: [Int64: Int64] = [:]
    try await forEach(.userRole, of: stage, nil) { row in
      // A user's first role counts, as it did there.
      if let user = row.parent, roles[user] == nil { roles[user] = row.integer("role_id") ?? 0 }
    }
    var rows: [OlderRow] = []
    var agenciesWithPeople: Set<Int64> = []
    try await forEach(.user, of: stage, .users) { row in
      rows.append(row.keeping(Self.personColumns, charactersAtMost: 1000))
      if let agency = row.parent, [1, 2].contains(roles[row.number]) {
        agenciesWithPeople.insert(agency)
      }
    }
    try await planAgencies(stage, agenciesWithPeople)
    // Active users have the first choice of a login.
    let sorted = rows.sorted {
      ($0.flag("active") ? 0 : 1, $0.number) < ($1.flag("active") ? 0 : 1, $1.number)
    }
    var taken: Set<String> = []
    for row in sorted {
      if let user = try await plan(row, role: roles[row.number], &taken) {
        users[row.number] = user
      }
    }
    try noteColumns(rows)
  }

  private static let personColumns: Set = [
    "id", "pa_id", "login", "pswd", "name", "surname", "active", "timestamp",
    "identification_number", "email", "vat",
  ]

  private func planAgencies(_ stage: DumpStage, _ agenciesWithPeople: Set<Int64>) async throws {
    var rows: [(row: OlderRow, known: CarriedOver?)] = []
    try await forEach(.agency, of: stage, .agencies) { row in
      rows.append(
        (
          row,
          try await office.database.readRegistry {
            try $0.phones.carriedOver(.agency, number: row.number, source: options.source)
          }
        ))
    }
    let here = try await office.people.agencies()
    let own = Set(rows.compactMap(\.known?.agency))
    let others = here.filter { !own.contains($0.name) }
    var taken = Set(here.map { $0.name.lowercased() })
    var unused = Set(options.joins.keys)
    for (row, known) in rows {
      let title = row.name("name", charactersAtMost: 200) ?? "Agency \(row.number)"
      try noteDamage(row, title)
      if title.lowercased() == "admin", !agenciesWithPeople.contains(row.number) {
        try leave(
          .adminAgency, .agencies, row, title,
          why: "it holds super-administrators only, who belong to no agency here")
        continue
      }
      let marks = [row.raw("timestamp") ?? "", title].filter { !$0.isEmpty }
      let join = options.joins["\(row.number)"] ?? options.joins[title]
      unused.subtract(["\(row.number)", title])
      if let known, !isSame(known, marks) { throw otherSource("agency", row.number, title) }
      if let join {
        guard here.contains(where: { $0.name == join }) else {
          throw OfficeRefusal.noAgency(join, among: here)
        }
        if let known, known.agency != join {
          throw OfficeRefusal(
            .inputInvalid,
            "\(title) has become the agency \(known.agency) already, and cannot become \(join)")
        }
      }
      let name = try join ?? known?.agency ?? newName(row.number, title, others, taken)
      let isNew = join == nil && known == nil
      taken.insert(name.lowercased())
      agencies[row.number] = CarriedAgency(
        number: row.number, title: title, name: name, isNew: isNew, isKnown: known != nil,
        marks: marks)
      summary.agencies.append((number: row.number, title: title, name: name, isNew: isNew))
    }
    if let name = unused.min() {
      throw OfficeRefusal(.inputInvalid, "--join: there is no agency \(name) in the dump")
    }
  }

  /// Returns the name that an agency gets here. An agency of this name that is here already is
  /// taken for another one, unless the options join the two: two agencies become one in a moment,
  /// and never two again.
  /// - Throws: `OfficeRefusal` (input-invalid) if there is such an agency.
  private func newName(
    _ number: Int64, _ title: String, _ others: [Agency], _ taken: Set<String>
  ) throws -> String {
    let name = Self.name(of: title) ?? "agency-\(number)"
    let called: Set<String> = [name, title.lowercased()]
    if let other = others.first(where: {
      !called.isDisjoint(with: [$0.name.lowercased(), $0.title.lowercased()])
    }) {
      throw OfficeRefusal(
        .inputInvalid,
        "there is an agency \(other.name) already: to carry \(title) over into it, use --join \(number)=\(other.name)"
      )
    }
    var (free, count) = (name, 1)
    while taken.contains(free) {
      free = "\(name.prefix(40))-\(number)" + (count > 1 ? "-\(count)" : "")
      count += 1
    }
    return free
  }

  /// Makes a name out of a title: small letters, digits and hyphens, at most 40; nil if nothing of
  /// the title is left.
  static func name(of title: String) -> String? {
    let folded = title.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
    let parts = folded.lowercased().unicodeScalars.split {
      !((0x30...0x39).contains($0.value) || (0x61...0x7A).contains($0.value))
    }
    let name = parts.map { String(String.UnicodeScalarView($0)) }.joined(separator: "-").prefix(40)
    return name.isEmpty ? nil : String(name)
  }

  private func otherSource(_ what: String, _ number: Int64, _ name: String) -> OfficeRefusal {
    OfficeRefusal(
      .inputInvalid,
      "\(options.source) is another office's database: its \(what) \(number) was not \(name). Give this one a name of its own,"
        + " such as --source EGNSS4CAP-2")
  }

  private func plan(
    _ row: OlderRow, role: Int64?, _ taken: inout Set<String>
  ) async throws -> CarriedUser? {
    let given = row.text("login") ?? ""
    let shown = given.isEmpty ? "user \(row.number)" : given
    guard let here = try roleHere(role, row, shown) else { return nil }
    guard let number = row.parent, let agency = agencies[number] else {
      try leave(
        .agencyUnknown, .users, row, shown,
        why: "there is no agency \(row.parent.map { "\($0)" } ?? "") in the dump")
      return nil
    }
    try noteDamage(row, shown)
    let marks = [given, row.raw("timestamp") ?? ""].filter { !$0.isEmpty }
    let names = [
      row.name("name", charactersAtMost: 100), row.name("surname", charactersAtMost: 100),
    ]
    .compactMap(\.self).joined(separator: " ")
    var user = CarriedUser(
      number: row.number, agencyNumber: number, agency: agency.name, login: "", role: here,
      name: names.isEmpty ? nil : names, isActive: row.flag("active"),
      password: row.text("pswd") ?? "", isNew: true, isKnown: false, marks: marks)
    if let known = try await office.database.readRegistry({
      try $0.phones.carriedOver(.user, number: row.number, source: options.source)
    }) {
      guard isSame(known, marks), known.agency == agency.name else {
        throw otherSource("user", row.number, shown)
      }
      (user.login, user.agency) = (known.subject, known.agency)
      (user.isNew, user.isKnown) = (false, true)
      taken.insert(user.login)
      count(.users) { $0.here += 1 }
      try await noteKnown(user, given, row, shown)
      return user
    }
    let isJoined = try await chooseLogin(of: &user, given, &taken)
    if isJoined {
      try note(
        .personJoined, row, shown,
        why:
          "there is \(agency.name)'s \(here.rawValue) \(user.login) already, and the password stays the one here"
      )
    } else {
      try noteLogin(user, given, row, shown)
      if !Self.isSHA1(user.password) { try notePassword(user, row, shown) }
    }
    count(.users) { if isJoined { $0.here += 1 } else { $0.carried += 1 } }
    return user
  }

  /// Returns the role that a user gets here; nil, with a line in the report, if the user is left
  /// out.
  private func roleHere(_ role: Int64?, _ row: OlderRow, _ shown: String) throws -> Role? {
    switch role {
    case 1: return .inspector
    case 2: return .officer
    case 3:
      try leave(
        .superAdministrator, .users, row, shown, why: "super-administrators are not carried over")
      return nil
    default:
      try leave(
        .roleUnknown, .users, row, shown,
        why: role == nil ? "the user has no role" : "there is no role \(role ?? 0)")
      return nil
    }
  }

  /// Reports what is worth a look of a person who was carried over before. Each import repeats the
  /// remarks, because the report of the first one may be lost.
  private func noteKnown(
    _ user: CarriedUser, _ given: String, _ row: OlderRow, _ shown: String
  ) async throws {
    try noteLogin(user, given, row, shown)
    let found = try await office.database.readRegistry { try $0.account(user.login) }
    if found?.password == PasswordHash.none { try notePassword(user, row, shown) }
    if let here = found?.account, (here.disabled == nil) != user.isActive {
      try note(
        .userDiffers, row, shown,
        why: user.isActive
          ? "\(user.login) is active there, and disabled here"
          : "\(user.login) is deactivated there, and may sign in here")
    }
  }

  private func noteLogin(
    _ user: CarriedUser, _ given: String, _ row: OlderRow, _ shown: String
  ) throws {
    guard user.login != given else { return }
    let why =
      given.isEmpty
      ? "there was none"
      : People.isName(given)
        ? "\(given) is taken, and logins are unique here"
        : "logins have 1 to 64 letters, digits, dots, hyphens, underscores or @"
    try note(.loginChanged, row, shown, why: "the login is \(user.login) here: \(why)")
  }

  private func notePassword(_ user: CarriedUser, _ row: OlderRow, _ shown: String) throws {
    try note(
      .passwordMissing, row, shown,
      why:
        "what was kept of the password is no SHA-1: nobody can sign in as \(user.login) until one is set"
    )
  }

  static func isSHA1(_ text: String) -> Bool {
    text.utf8.count == 40
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
      }
  }

  /// Chooses a user's login: the older one if it is free and allowed, else a similar one with the
  /// user's number.
  /// - Returns: true if the login belongs to a person who is here already.
  private func chooseLogin(
    of user: inout CarriedUser, _ given: String, _ taken: inout Set<String>
  ) async throws -> Bool {
    var base = given
    if !People.isName(given) {
      let allowed = given.unicodeScalars.map {
        People.isName(String($0)) ? Character($0) : "-"
      }
      let text = String(String(allowed).prefix(40))
      base = text.contains(where: { $0 != "-" }) ? text : "user-\(user.number)"
    }
    var candidate = base
    var count = 1
    while true {
      let found = try await office.database.readRegistry { try $0.account(candidate)?.account }
      if let found {
        // A person of this login, agency and role is the same person.
        let isPerson = found.agency == user.agency && found.role == user.role
        if isPerson, candidate == given, !taken.contains(candidate),
          try await !standsForAnother(candidate, in: user.agency)
        {
          taken.insert(candidate)
          (user.login, user.isNew) = (candidate, false)
          return true
        }
      } else if !taken.contains(candidate) {
        taken.insert(candidate)
        user.login = candidate
        return false
      }
      candidate = "\(base.prefix(40))-\(user.number)" + (count > 1 ? "-\(count)" : "")
      count += 1
    }
  }

  /// Returns true if an account was carried over from another user of the older office, with the
  /// same login there.
  private func standsForAnother(_ login: String, in agency: String) async throws -> Bool {
    try await office.database.read(in: agency) {
      try $0.phones.carriedOver(.user, subject: login)?.source == options.source
    }
  }

  /// Reports the columns of users that have no place here.
  private func noteColumns(_ rows: [OlderRow]) throws {
    for column in ["identification_number", "email", "vat"] {
      let number = rows.count { $0.text(column) != nil }
      if number > 0 {
        try note(
          .columnsLeftOut, OlderTable.user.rawValue, nil, "the column \(column) of \(number) users",
          why: "a person has no such field here")
      }
    }
  }

  // MARK: carrying over

  /// Adds agencies and people, and records their numbers there, also for those that are here
  /// already.
  func carryPeople() async throws {
    for agency in agencies.values.sorted(by: { $0.number < $1.number }) {
      count(.agencies) { if agency.isNew { $0.carried += 1 } else { $0.here += 1 } }
      if !options.isCheck, !agency.isKnown { try await carry(agency) }
    }
    guard !options.isCheck else { return }
    let people = users.values.filter { !$0.isKnown }.sorted { $0.number < $1.number }
    for start in stride(from: 0, to: people.count, by: Self.peopleAtOnce) {
      try report(.people, start, people.count)
      let some = Array(people[start..<min(start + Self.peopleAtOnce, people.count)])
      try await carry(some, passwords: try await passwords(of: some))
    }
    if !people.isEmpty { try report(.people, people.count, people.count) }
  }

  private func carriedOver(
    _ kind: CarriedOver.Kind, _ number: Int64, agency: String, inspector: String?, subject: String,
    marks: [String]
  ) -> CarriedOver {
    CarriedOver(
      agency: agency, inspector: inspector, source: options.source, kind: kind, number: number,
      subject: subject, marks: marks, facts: "{}", time: now)
  }

  private func carry(_ agency: CarriedAgency) async throws {
    try await office.database.writeRegistry { registry in
      if agency.isNew {
        guard try registry.agency(agency.name) == nil else {
          throw OfficeRefusal(.loginTaken, "there is an agency \(agency.name) already")
        }
        try registry.insert(Agency(name: agency.name, title: agency.title, created: now))
      }
      try registry.phones.insert(
        carriedOver(
          .agency, agency.number, agency: agency.name, inspector: nil, subject: agency.name,
          marks: agency.marks))
      try registry.log(
        office.log(
          "agency-carried-over", on: agency.name, by: person, agency: agency.name,
          detail: "\(options.source)-\(agency.number)"))
    }
  }

  /// Returns the stored passwords of the people who are added, by number. A stored password is
  /// never the SHA-1 itself.
  private func passwords(of people: [CarriedUser]) async throws -> [Int64: String] {
    let (hasher, cost) = (office.core.passwords, options.passwordCost)
    return try await withThrowingTaskGroup(of: (Int64, String).self) { group in
      for user in people where user.isNew {
        group.addTask {
          let text = try await hasher.hash(sha1: user.password, cost: cost)
          return (user.number, text ?? PasswordHash.none)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  private func carry(_ people: [CarriedUser], passwords: [Int64: String]) async throws {
    try await office.database.writeRegistry { registry in
      for user in people {
        if user.isNew {
          guard try registry.account(user.login) == nil else {
            throw OfficeRefusal(
              .loginTaken, "the login \(user.login) was taken meanwhile: run the import again")
          }
          try registry.insert(
            Account(login: user.login, agency: user.agency, role: user.role, name: user.name),
            password: passwords[user.number] ?? PasswordHash.none, at: now)
          if !user.isActive { try registry.setDisabled(now, login: user.login) }
        }
        try registry.phones.insert(
          carriedOver(
            .user, user.number, agency: user.agency,
            inspector: user.role == .inspector ? user.login : nil, subject: user.login,
            marks: user.marks))
        try registry.log(
          office.log(
            "person-carried-over", on: user.login, by: person, agency: user.agency,
            detail: "\(options.source)-\(user.number), \(user.role.rawValue)"))
      }
    }
  }
}
