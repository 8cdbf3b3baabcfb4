import Testing

@Suite("Type names") struct TypeNamesTests {
  @Test("longer names, imports, comments and other modules' names pass")
  func green() {
    let source = """
      import struct Evidence.Seal
      // the struct Evidence is not wanted
      public struct EvidenceError: Error {}
      enum Store {}
      """
    #expect(TypeNames.complaints(module: "Evidence", path: "E.swift", source: source).isEmpty)
  }

  @Test(
    "a type named like its module is refused",
    arguments: [
      "public struct Evidence {", "enum Evidence: Error {}", "typealias Evidence = Seal",
      "final class Evidence<Key> {", "protocol Evidence: Sendable {}", "actor Evidence {}",
    ])
  func red(declaration: String) {
    #expect(
      TypeNames.complaints(module: "Evidence", path: "E.swift", source: declaration) == [
        "E.swift:1: the type Evidence is named like its module"
      ])
  }
}
