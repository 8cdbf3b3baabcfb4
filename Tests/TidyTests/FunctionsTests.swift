import Testing

@Suite("Functions") struct FunctionsTests {
  /// Returns a body of so many lines, between the line that opens it and the line that closes it.
  private func lines(_ count: Int) -> String {
    String(repeating: "    work()\n", count: count)
  }

  private func complaints(_ source: String) -> [String] {
    Functions.complaints(path: "F.swift", source: source)
  }

  @Test("60 lines pass, and so do longer types, closures, strings and protocols")
  func green() {
    #expect(complaints("func seal() {\n\(lines(58))}").isEmpty)
    #expect(complaints("struct Seal {\n\(lines(80))}").isEmpty)
    #expect(complaints("let seal = {\n\(lines(80))}").isEmpty)
    #expect(complaints("struct Seal {\n  let words = \"\"\"\n\(lines(80))  \"\"\"\n}").isEmpty)
    #expect(complaints("protocol Seal {\n  func seal()\n\(lines(80))}").isEmpty)
    #expect(complaints("@available(*, deprecated)\n@Sendable\nfunc a() {\n\(lines(58))}").isEmpty)
  }

  @Test(
    "whatever runs is refused from 61 lines on, by its full name",
    arguments: [
      ("func seal() {", "seal"), ("init?(bytes: [UInt8]) throws {", "init"), ("deinit {", "deinit"),
      ("subscript(index: Int) -> Int {", "subscript"), ("var body: some View {", "body"),
      ("static func == (a: Self, b: Self) -> Bool {", "=="),
      ("public init<T: P>(_ t: T) {", "init"),
      ("package var all: [String: (any P)?] {", "all"), ("class func make() -> Self {", "make"),
      ("func `init`() where Self: P {", "init"), ("var next: @Sendable () -> Void {", "next"),
    ])
  func red(head: String, name: String) {
    let source = "extension Photo.Side {\n  \(head)\n\(lines(59))  }\n}"
    #expect(complaints(source) == ["F.swift:2: Photo.Side.\(name) has 61 lines; at most 60"])
  }

  @Test("the lines of a long signature count")
  func signature() {
    let source = """
      func seal(
        of photo: Photo = { Photo() }(),
        then: () -> Void = {}
      ) async throws(Refusal) -> [Int]
      where T: P {

      """
    #expect(complaints(source + lines(54) + "}").isEmpty)
    #expect(complaints(source + lines(55) + "}") == ["F.swift:1: seal has 61 lines; at most 60"])
  }

  @Test("a nested function counts, and so does the one around it")
  func nested() {
    let source = "func outer() {\n  func inner() {\n\(lines(59))  }\n}"
    #expect(
      complaints(source) == [
        "F.swift:1: outer has 63 lines; at most 60", "F.swift:2: inner has 61 lines; at most 60",
      ])
  }

  @Test("a file whose brackets do not pair up is refused: nothing in it can be measured")
  func unbalanced() {
    #expect(complaints("func seal() {").count == 1)
  }
}
