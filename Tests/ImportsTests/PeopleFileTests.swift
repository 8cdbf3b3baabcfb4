import Inspection
import Testing

@testable import Imports

@Suite("Files of people")
struct PeopleFileTests {
  private func read(_ text: String) -> PeopleFile { PeopleFile(Array(text.utf8)) }

  @Test("columns in any order, semicolons, a byte order mark, quotes, and what may be left out")
  func good() {
    let file = read(
      "\u{FEFF}Name;login;note;ROLE;password\r\n\"Nováková; Inés\";ines;x;;\r\n\r\nOtto;otto;;Officer; ten letters \r\n"
    )
    #expect(file.faults.isEmpty, "\(file.faults)")
    #expect(
      file.rows == [
        .init(line: 2, login: "ines", role: .inspector, name: "Nováková; Inés", password: nil),
        .init(line: 4, login: "otto", role: .officer, name: "Otto", password: " ten letters "),
      ])
    #expect(read("login\nines").rows.map(\.login) == ["ines"])
  }

  @Test("each fault names its line, and the other lines are read all the same")
  func faulty() {
    let file = read(
      "login,role\nines,inspector\n,officer\nroot,super-administrator\nanna,boss\nx\nigor,\n")
    #expect(file.rows.map(\.login) == ["ines", "igor"])
    #expect(file.faults.map(\.line) == [3, 4, 5, 6])
    #expect(
      file.faults.map(\.words) == [
        "it has no login",
        "the role super-administrator is none of inspector, officer and administrator",
        "the role boss is none of inspector, officer and administrator",
        "it has 1 fields, and the first line names 2",
      ])
  }

  @Test("a file that is none, or too much, is refused with its reason")
  func hopeless() {
    func words(_ bytes: [UInt8]) -> String { PeopleFile(bytes).faults.map(\.words).joined() }
    #expect(words([]) == "the file is empty")
    #expect(words(Array("login\n".utf8)) == "it has a header line and no rows")
    #expect(words(Array("name,role\nInes,inspector\n".utf8)).hasPrefix("no column is called login"))
    #expect(words(Array("login,login\na,b\n".utf8)) == "two columns are called login")
    #expect(words(Array("login\n\"ines".utf8)).contains("is never closed"))
    #expect(words([0x50, 0x4B, 0x03, 0x04, 0]).contains("not text in UTF-8"))
    #expect(words(Array("login\nJos\u{E9}".utf16.map { UInt8($0 & 0xFF) })).contains("not UTF-8"))
    #expect(words(Array(repeating: 0x61, count: 1 << 20 + 1)).contains("more than 1 MB"))
    let many = "login\n" + (0...PeopleFile.rowsAtMost).map { "p\($0)\n" }.joined()
    #expect(words(Array(many.utf8)) == "the file has more than 5000 people: divide it")
  }
}
