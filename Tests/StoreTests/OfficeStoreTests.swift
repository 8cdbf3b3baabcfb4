import Foundation
import GRDB
import Inspection
import Positioning
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Store

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

  @Test("what lists and maps walk is read ahead: each of those tables, with its indexes")
  func readAhead() throws {
    try withStore { store in
      // A page has 4096 bytes, and an empty table or index has one page.
      let pages = store.readAhead() / 4096
      let wanted = try store.readPages { database in
        try Int.fetchOne(
          database,
          sql: """
            SELECT count(*) FROM sqlite_master WHERE rootpage > 0 AND tbl_name IN ('task',
              'task_cell', 'task_year_cell', 'task_tally', 'map_cell', 'photo_place_node',
              'parcel_place_node')
            """)
      }
      #expect(pages >= 14)
      #expect(pages == wanted)
    }
  }

  @Test("migrating an empty database gives the committed schema, with an agency in every table")
  func schema() throws {
    let schema = try withStore { try $0.schema() }
    #expect(try Golden.difference(schema, from: "schemas/office.sql") == nil)
    for table in schema.components(separatedBy: "CREATE TABLE").dropFirst() {
      let head = table.components(separatedBy: ";")[0]
      // These are SQLite's own tables behind an R*Tree, whose agency is a column of the tree.
      if head.contains("_place_") { continue }
      #expect(head.contains("STRICT"), "not STRICT: \(head.prefix(40))")
      #expect(head.contains("agency TEXT"), "no agency: \(head.prefix(40))")
    }
  }

  @Test("every query of an agency's session names the agency")
  func queriesNameTheAgency() throws {
    let folder = Repository.root.appendingPathComponent("Sources/Store/Office")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix("Table.swift") }
    #expect(names.count > 6)
    for name in names {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      // A statement reaches from its verb to the end of its call.
      for verb in ["SELECT ", "UPDATE ", "DELETE FROM", "INSERT "] {
        for piece in text.components(separatedBy: verb).dropFirst() {
          let statement = piece.prefix(900).components(separatedBy: "arguments(")[0]
          // The outer half of an EXISTS has no table; the inner one is looked at itself.
          let isUpsert =
            statement.hasPrefix("SET ") || statement.hasPrefix("EXISTS (")
            || statement.prefix(100).contains("FROM (")
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
