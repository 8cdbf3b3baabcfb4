import Foundation
import TestSupport
import Testing

@testable import Imports

@Suite("Dumps of MySQL and MariaDB")
struct DumpReaderTests {
  private static let tables: Set<String> = ["pa", "photo", "task"]

  /// Returns the rows of a dump that comes in pieces of a size, as `table column=value …`.
  private func rows(
    _ bytes: [UInt8], pieces: Int = 7, limits: DumpLimits = DumpLimits()
  ) throws -> [String] {
    var place = 0
    let reader = DumpReader(tables: Self.tables, limits: limits, pieceBytes: pieces) { buffer in
      let count = min(buffer.count, pieces, bytes.count - place)
      buffer.copyBytes(from: bytes[place..<(place + count)])
      place += count
      return count
    }
    var rows: [String] = []
    while let row = try reader.next() {
      var text = (row.database.map { "\($0)." } ?? "") + row.table
      for (column, value) in zip(row.columns, row.values) {
        switch value {
        case .null: text += " \(column)=NULL"
        case .bytes(let bytes): text += " \(column)=[\(String(decoding: bytes, as: UTF8.self))]"
        case .tooLong(let count): text += " \(column)=\(count) bytes"
        }
      }
      rows.append(text)
    }
    return rows
  }

  private func rows(_ text: String, pieces: Int = 7) throws -> [String] {
    try rows(Array(text.utf8), pieces: pieces)
  }

  private func fault(_ text: String, limits: DumpLimits = DumpLimits()) -> DumpFault? {
    do {
      _ = try rows(Array(text.utf8), limits: limits)
      return nil
    } catch {
      return error as? DumpFault
    }
  }

  private static let create = """
    CREATE TABLE `task` (
      `id` bigint(20) NOT NULL AUTO_INCREMENT COMMENT 'a, (b) it''s; `x`',
      `status` enum('new','data, (provided)') NOT NULL DEFAULT 'new', -- no column
      name varchar(255) /* nor, this */ DEFAULT NULL,
      PRIMARY KEY (`id`), KEY `k` (`status`,`name`),
      CONSTRAINT `c` FOREIGN KEY (`id`) REFERENCES `pa` (`id`)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8 COMMENT='(;)';

    """

  @Test("a dump is read whatever its pieces are", arguments: [1, 2, 3, 64, 65, 1000])
  func pieces(size: Int) throws {
    let text =
      "\u{FEFF}-- MySQL dump 10.13\n/*!40101 SET NAMES utf8mb4 */;\n" + Self.create
      + "LOCK TABLES `task` WRITE;\n/*!40000 ALTER TABLE `task` DISABLE KEYS */;\n"
      + "INSERT INTO `task` VALUES (1,'new','It\\'s \\\"x\\\" -- \\\\ \\n\\0\\Z\\t\\%'),(2,'open',NULL);\n"
      + "INSERT INTO `task` VALUES (3,'a''b',''),\n(4 , 'c' ,'řepa');\nUNLOCK TABLES;\n# end\n"
      + "-- Dump completed on 2026-06-01"
    #expect(
      try rows(text, pieces: size) == [
        "task id=[1] status=[new] name=[It's \"x\" -- \\ \n\0\u{1A}\t\\%]",
        "task id=[2] status=[open] name=NULL", "task id=[3] status=[a'b] name=[]",
        "task id=[4] status=[c] name=[řepa]",
      ])
  }

  @Test("columns have the order of the statement where it names them, else that of the table")
  func columns() throws {
    #expect(
      try rows(
        Self.create + "INSERT INTO `task` (`name`, id,`status`) VALUES ('n',1,'new');"
          + "REPLACE INTO task VALUES (2,'x','y');INSERT IGNORE INTO `task` VALUE (3,'x','y') ON"
          + " DUPLICATE KEY UPDATE `id` = VALUES(`id`) ;") == [
          "task name=[n] id=[1] status=[new]", "task id=[2] status=[x] name=[y]",
          "task id=[3] status=[x] name=[y]",
        ])
    // A dump without CREATE TABLE, whose INSERT names the columns.
    #expect(
      try rows("INSERT INTO \"pa\" (\"id\",\"na\"\"me\") VALUES (1,\"a\"\"b\");")
        == ["pa id=[1] na\"me=[a\"b]"])
  }

  @Test("numbers, bytes and character sets are taken as they stand")
  func values() throws {
    #expect(
      try rows(
        "INSERT INTO photo (a,b,c,d,e,f,g,h,i,j) VALUES (-14.400000,1e-5,0x4142,_binary 'A\\0B',"
          + "_utf8mb4'x',X'4a4B',b'101',TRUE,N'y',0x);"
      ) == [
        "photo a=[-14.400000] b=[1e-5] c=[AB] d=[A\0B] e=[x] f=[JK] g=[5] h=[1] i=[y] j=[]"
      ])
  }

  @Test("several databases, triggers, views and routines are told apart from rows")
  func others() throws {
    let text =
      "CREATE DATABASE /*!32312 IF NOT EXISTS*/ `one`;\nUSE `one`;\n" + Self.create
      + "INSERT INTO `task` VALUES (1,'a','b');\nDELIMITER ;;\n"
      + "/*!50003 CREATE*/ /*!50003 TRIGGER t BEFORE INSERT ON task FOR EACH ROW BEGIN SET @x = 1; END */;;\n"
      + "CREATE PROCEDURE p() BEGIN INSERT INTO task VALUES (9,'no','no'); SELECT 'it''s;;'; END ;;\n"
      + "DELIMITER ;\n/*!50001 CREATE VIEW `v` AS SELECT 1 AS `a`*/;\nUSE `two`;\n"
      + "CREATE TABLE IF NOT EXISTS `two`.`task` (`x` int);INSERT INTO two.task VALUES (5);\n"
      + "INSERT INTO `user` VALUES (');INSERT INTO task VALUES (8);');"
    #expect(
      try rows(text) == ["one.task id=[1] status=[a] name=[b]", "two.task x=[5]"])
  }

  @Test("a table that names its database leaves the database that USE has named")
  func qualifiedTable() throws {
    let text =
      "USE `one`; INSERT INTO two.task (id) VALUES (1); INSERT INTO task (id) VALUES (2);"
    #expect(try rows(text) == ["two.task id=[1]", "one.task id=[2]"])
  }

  @Test("what a terminal has shown of the program is read over, and its failure is said")
  func programsOwnLines() throws {
    let insert = "INSERT INTO pa (id) VALUES (1);"
    #expect(
      try rows("mysqldump: [Warning] Using a password isn't safe\n" + insert) == ["pa id=[1]"])
    let failed = try #require(fault("mysqldump: Got error: 1045\n" + insert))
    #expect(failed.words.contains("has failed"))
  }

  @Test("a dump that was cut off anywhere is refused, or is whole")
  func cutOff() throws {
    let text =
      "-- MariaDB dump 10.19\n" + Self.create
      + "INSERT INTO `task` VALUES (1,'new','it''s \\' x'),(2,_binary 'b',0x41);\n/* c */;\n"
      + "-- Dump completed\n"
    let bytes = Array(text.utf8)
    // The cuts lie between the first line, which names the writer, and the end of the last, which
    // says that the dump is whole.
    for length in 22..<(bytes.count - 1) {
      #expect(throws: DumpFault.self, "\(length) bytes") { try rows(Array(bytes[..<length])) }
    }
    #expect(try rows(bytes).count == 2)
    let end = try #require(fault("-- MySQL dump 10\nINSERT INTO pa (id) VALUES (1);\n"))
    #expect(end.words.contains("cut off") && end.line == 3)
  }

  @Test(
    "what is no dump, or none that can be read, is refused with its place",
    arguments: [
      ("", "empty", 1), ("PK\u{3}\u{4}", "ZIP", 1), ("<?xml version=\"1.0\"?>", "XML", 1),
      ("Hello world, this is a letter.", "\"HELLO\" begins no statement", 1),
      ("\n\nINSERT INTO task VALUES (1);", "does not name the columns", 3),
      ("INSERT INTO pa (id) SELECT 1;", "no VALUES", 1),
      ("INSERT INTO pa (id) VALUES (1,2);", "more than 1 values", 1),
      ("INSERT INTO pa (id,x) VALUES\n(1);", "1 of 2 values", 2),
      ("INSERT INTO pa (id) VALUES (NOW());", "\"NOW\" is no value", 1),
      ("INSERT INTO pa (id) VALUES (1) x", "neither a comma", 1),
      ("INSERT INTO pa (id) VALUES (1 2);", "neither a comma", 1),
      ("INSERT INTO pa (id) VALUES (1),;", "no row", 1),
      ("INSERT INTO pa (id) VALUES (0x123);", "odd number", 1),
      ("INSERT INTO pa (id) VALUES (1..2);", "no number", 1),
      ("/*!40101 SET NAMES latin1 */;", "latin1", 1), (" SET NAMES 'cp1250' ;", "cp1250", 1),
      ("DELIMITER \n", "DELIMITER", 2),
      ("INSERT INTO pa (id) VALUES ('a\n\nb", "begins in line 1", 3),
      ("/* never\nending", "a comment that begins in line 1", 2),
      ("CREATE TABLE pa (`id` int", "columns", 1), ("USE `x", "a name", 1),
    ])
  func refused(text: String, words: String, line: Int) throws {
    let found = try #require(fault(text))
    #expect(found.words.contains(words), "\(found)")
    #expect(found.line == line, "\(found)")
    #expect(!"\(found)".contains("\u{1B}"))
  }

  @Test("a message repeats no signs that move a terminal's cursor")
  func terminal() throws {
    let found = try #require(fault("INSERT INTO `pa\u{1B}[2J` (id) VALUES (1);x\u{9B} y;"))
    #expect(!"\(found)".unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x9B })
  }

  @Test("what is larger than is taken is counted, not kept; names and columns have limits")
  func limits() throws {
    var limits = DumpLimits()
    (limits.valueBytes, limits.rowBytes, limits.nameBytes, limits.columns) = (10, 15, 8, 3)
    let text = "INSERT INTO pa (a,b,c) VALUES ('12345678901','1234567890','123456'),(1,2,3);"
    #expect(
      try rows(Array(text.utf8), limits: limits)
        == ["pa a=11 bytes b=[1234567890] c=6 bytes", "pa a=[1] b=[2] c=[3]"])
    #expect(fault("INSERT INTO pa (a,b,c,d) VALUES (1,2,3,4);", limits: limits) != nil)
    #expect(fault("USE `123456789`;", limits: limits) != nil)
  }

  @Test("changed bytes are rows, or a fault, and nothing worse")
  func mutated() throws {
    let text =
      "-- MySQL dump\n/*!40101 SET NAMES utf8 */;\n" + Self.create
      + "INSERT INTO `task` VALUES (1,'new','it''s \\' x'),(2,_binary 'b',0x41);\nDELIMITER ;;\nDO 1;;\n"
      + "DELIMITER ;\n-- Dump completed\n"
    let signs = Array("'\"`\\;(),-/*# \0\u{1}0x!\n".utf8) + [0xFF, 0xEF]
    try forEachSeed(0..<400) { _, random in
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] =
          signs[Int.random(in: signs.indices, using: &random)]
      }
      do {
        _ = try rows(bytes, pieces: Int.random(in: 1...90, using: &random))
      } catch is DumpFault {}
    }
  }
}
