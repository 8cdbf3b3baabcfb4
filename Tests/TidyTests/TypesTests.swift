import Testing

@Suite("Types") struct TypesTests {
  /// Returns one extension in each of so many files.
  private func extensions(of type: String, in count: Int) -> [(path: String, source: String)] {
    (1...count).map { ("F\($0).swift", "extension \(type): P where T: Q {}") }
  }

  /// Returns so many functions, one a line.
  private func functions(_ count: Int) -> String {
    (1...count).map { "func f\($0)() { if true {} }\n" }.joined()
  }

  @Test("10 files pass, and namesakes inside other types and private ones are others")
  func greenFiles() {
    let files = extensions(of: "Photo", in: 10) + extensions(of: "Task.Photo", in: 10)
    #expect(Types.complaints(module: "Store", files: files).isEmpty)
    let rows = (1...11).map { (path: "F\($0).swift", source: "private struct Row {}") }
    #expect(Types.complaints(module: "Store", files: rows).isEmpty)
  }

  @Test("a type in 11 files is refused, however its name is written")
  func redFiles() {
    let files =
      extensions(of: "Photo.Side", in: 8)
      + [
        ("A.swift", "struct Photo { enum Side { case front } }"),
        ("B.swift", "extension Photo { }\nextension Photo { private actor Side {} }"),
        ("C.swift", "extension Store.Photo.Side {}"),
      ]
    #expect(
      Types.complaints(module: "Store", files: files) == [
        "Store.Photo.Side is stretched over 11 files; at most 10"
      ])
  }

  @Test("80 functions pass; those of nested types, closures and bodies are not the type's own")
  func greenFunctions() {
    let source = """
      final class Desk {
        let act = { func inner() {} }
        var all: Int { func inner() {}; return 1 }
        deinit { self.init(); super.init() }
        struct Drawer { \(functions(3)) }
        \(functions(78))
        init() { func inner() {} }
      }
      """
    let files = [
      ("A.swift", source), ("B.swift", "extension Desk { subscript(i: Int) -> Int { i } }"),
    ]
    #expect(Types.complaints(module: "Store", files: files).isEmpty)
  }

  @Test("81 functions over all files are refused")
  func redFunctions() {
    let files = [
      ("A.swift", "struct Desk { init?() {}\n subscript(i: Int) -> Int { i }\n\(functions(40)) }"),
      ("B.swift", "extension Desk {\n\(functions(39)) }"),
    ]
    #expect(
      Types.complaints(module: "Store", files: files) == [
        "Store.Desk has 81 functions; at most 80"
      ])
  }
}
