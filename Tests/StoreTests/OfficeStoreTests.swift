import Foundation
import Inspection
import Positioning
import Store
import Sync
import TestSupport
import Testing

@Suite("The office database")
struct OfficeStoreTests {
  private let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)

  private func withStore<Result>(_ body: (OfficeStore) throws -> Result) throws -> Result {
    try withTemporaryDirectory { folder in
      let store = try OfficeStore(path: folder.appendingPathComponent("office.sqlite").path)
      defer { try? store.close() }
      return try body(store)
    }
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

  @Test("migrating an empty database gives the committed schema, with an agency in every table")
  func schema() throws {
    let schema = try withStore { try $0.schema() }
    #expect(try Golden.difference(schema, from: "schemas/office.sql") == nil)
    for table in schema.components(separatedBy: "CREATE TABLE").dropFirst() {
      let head = table.components(separatedBy: ";")[0]
      #expect(head.contains("STRICT"), "not STRICT: \(head.prefix(40))")
      #expect(head.contains("agency TEXT"), "no agency: \(head.prefix(40))")
    }
  }

  @Test("every query of an agency's session names the agency")
  func queriesNameTheAgency() throws {
    let folder = Repository.root.appendingPathComponent("Sources/Store")
    for name in [
      "AgencySession+Tasks.swift", "AgencySession+Deliveries.swift",
      "AgencySession+Parcels.swift",
    ] {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      // From each verb to the end of its call.
      for verb in ["SELECT ", "UPDATE ", "DELETE FROM", "INSERT "] {
        for piece in text.components(separatedBy: verb).dropFirst() {
          let statement = piece.prefix(900).components(separatedBy: "arguments(")[0]
          // The outer half of an EXISTS has no table; the inner one is looked at itself.
          let isUpsert = statement.hasPrefix("SET record") || statement.hasPrefix("EXISTS (")
          #expect(
            isUpsert || statement.contains("agency"),
            "\(name): \(verb)\(statement.prefix(80))")
        }
      }
    }
  }

  @Test("a super-administrator has no agency, everybody else has one")
  func superAdministrators() throws {
    try withStore { store in
      try store.write { registry in
        try registry.insert(
          Account(login: "root", agency: nil, role: .superAdministrator), password: "x", at: now)
      }
      #expect(throws: StoreError.self) {
        try store.write { registry in
          try registry.insert(
            Account(login: "otto", agency: nil, role: .officer), password: "x", at: now)
        }
      }
    }
  }
}
