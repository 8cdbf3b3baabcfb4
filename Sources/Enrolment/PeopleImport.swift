import Imports
import Inspection
import Office
import Store
import TimeAndText
import Web

/// Takes people from a file: all of them, or none.
package struct PeopleImport: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  private let people: People

  /// Creates the service of an office.
  package init(of office: OfficeServer) {
    core = office.core
    people = office.people
  }
}

extension PeopleImport {
  /// The result of reading a file.
  package struct Report: Sendable {
    /// The people that are new, by line.
    package var new: [PeopleFile.Row] = []
    /// The number of people who are here already, exactly as the file says.
    package var unchanged = 0
    /// The faults, each with its line.
    package var faults: [ImportFault] = []
    /// True if the people were taken.
    package var isTaken = false
  }

  /// The most passwords of one file: each takes a third of a second to hash.
  package static let passwordsAtMost = 200

  /// Reads a file of people, and takes all of them if there is no fault. A person who is here
  /// already with the same role and name stays as they are.
  /// - Parameters:
  ///   - isCarriedOut: false to check the file only.
  ///   - by: the login of the person who imports.
  package func take(
    _ bytes: [UInt8], in agency: String, by: String, isCarriedOut: Bool = true
  ) async throws -> Report {
    try await people.requireAgency(agency)
    let file = PeopleFile(bytes)
    let known = try await database.readRegistry { try $0.accounts(ofAgency: nil) }
    var report = check(file, known, in: agency)
    guard report.faults.isEmpty, isCarriedOut, !report.new.isEmpty else { return report }
    // An inspector without a password signs in by a code: nobody knows this one.
    let nobodys = try await core.passwords.hash(Token.make())
    var rows: [(account: Account, password: String)] = []
    for row in report.new {
      var stored = nobodys
      if let password = row.password { stored = try await core.passwords.hash(password) }
      rows.append(
        (Account(login: row.login, agency: agency, role: row.role, name: row.name), stored))
    }
    let now = clock.deviceTime
    try await database.writeRegistry { [rows] registry in
      for (account, stored) in rows {
        guard try registry.account(account.login) == nil else {
          throw OfficeRefusal(.loginTaken, "the login \(account.login) is taken: choose another")
        }
        try registry.insert(account, password: stored, at: now)
        try registry.log(
          log(
            "person-added", on: account.login, by: by, agency: agency,
            detail: account.role.rawValue))
      }
    }
    report.isTaken = true
    return report
  }

  private func check(_ file: PeopleFile, _ known: [Account], in agency: String) -> Report {
    var report = Report(faults: file.faults)
    let accounts = Dictionary(uniqueKeysWithValues: known.map { ($0.login, $0) })
    var lines: [String: Int] = [:]
    for row in file.rows {
      func wrong(_ words: Wording) {
        report.faults.append(ImportFault(line: row.line, words))
      }
      if let line = lines.updateValue(row.line, forKey: row.login) {
        wrong("the login \(row.login) was in line \(line) already: each person has their own")
      } else if !People.isName(row.login) {
        wrong("a login is 1 to 64 letters, digits, dots, hyphens, underscores or @")
      } else if let account = accounts[row.login] {
        if account.agency == agency, account.role == row.role, account.name == row.name {
          report.unchanged += 1
        } else {
          wrong("the login \(row.login) is taken: choose another")
        }
      } else if let password = row.password, !(10...1024).contains(password.utf8.count) {
        wrong("a password has at least 10 characters: a few words are easy to remember")
      } else if row.password == nil, row.role != .inspector {
        wrong(
          "it has no password: only inspectors can do without, because they sign in by a code")
      } else {
        report.new.append(row)
      }
    }
    let passwords = report.new.count { $0.password != nil }
    if passwords > Self.passwordsAtMost {
      report.faults.append(
        ImportFault(
          "the file has \(passwords) passwords, and at most \(Self.passwordsAtMost) are allowed: divide it"
        ))
    }
    report.faults.sort { ($0.line ?? .max) < ($1.line ?? .max) }
    return report
  }
}
