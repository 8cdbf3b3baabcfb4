import Testing

@Suite("Ports") struct PortsTests {
  private func functions(_ count: Int) -> String {
    (0..<count).map { "  func f\($0)(then: () -> Void) async throws -> Int\n" }.joined()
  }

  private func complaints(_ sources: String...) -> [String] {
    Ports.complaints(
      module: "Office", files: sources.enumerated().map { ("F\($0.offset).swift", $0.element) })
  }

  @Test("25 members pass; associated types and what extensions add are none")
  func green() {
    #expect(
      complaints(
        """
        public protocol Records<Item>: Sendable {
          associatedtype Item: Hashable
          associatedtype Other where Other: Records
        \(functions(25))}
        extension Records {
        \(functions(10))}
        """
      ).isEmpty)
  }

  @Test("functions, properties, initialisers and subscripts are members")
  func red() {
    let source = """
      protocol Records {
        init()
        init?(bytes: [UInt8])
        var count: Int { get }
        static var all: [Self] { get async throws }
        subscript(index: Int) -> Int { get set }
      \(functions(21))}
      """
    #expect(complaints("\n" + source) == ["F0.swift:2: Records has 26 members; at most 25"])
  }

  @Test("the members of the module's protocols that it refines count, each once")
  func refined() {
    let bases =
      "protocol Reads {\n\(functions(10))}\nprotocol Writes: Office.Reads {\n\(functions(10))}"
    #expect(complaints("protocol Both: Reads, Writes {\n\(functions(5))}", bases).isEmpty)
    #expect(
      complaints("protocol Both: Sendable, Reads & Writes {\n\(functions(6))}", bases) == [
        "F0.swift:1: Both has 26 members with those of Reads, Writes; at most 25"
      ])
    #expect(complaints("protocol Both where Self: Writes {\n\(functions(6))}", bases).count == 1)
  }

  @Test("what a protocol asks of others than itself does not count")
  func constraints() {
    let base = "protocol Reads {\n\(functions(10))}"
    #expect(
      complaints("protocol Both: Sequence where Element: Reads {\n\(functions(20))}", base).isEmpty)
  }
}
