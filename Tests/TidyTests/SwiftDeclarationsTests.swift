import Testing

@Suite("Swift declarations") struct SwiftDeclarationsTests {
  private func names(_ source: String) -> [String] {
    SwiftDeclarations(source: source).all.map(\.fullName)
  }

  @Test("bindings, calls, labels and stored properties are no declarations")
  func nothing() {
    let source = """
      import struct Evidence.Seal
      let actor = 1
      var stored: Int = { 2 }()
      var observed = 3 { didSet { work() } }
      if var found: Int = next() { work(actor: found, class: 1, func: 2) }
      guard let actor else { fatalError() }
      for var each: Int in all { self.init(each) }
      let made = Photo.init(id: 1), type = Photo.self
      let words = "func seal() { \\(made) }" // struct Photo {
      """
    #expect(names(source).isEmpty)
    #expect(SwiftDeclarations(source: source).isBalanced)
  }

  @Test("every kind is found under its full name, with its lines")
  func everything() {
    let source = """
      @MainActor public final class Desk<T>: Base where T: P {
        class func make<U>(
          _ act: () -> Void = { work() }
        ) throws -> some Collection<U> where U: P {
        }
        @Wrapped(by: { 1 }) private(set) var size: Int { get { 1 } set {} }
        convenience init?(a: Int) { func inner() {} }
        indirect enum Side { case left, right }
        private actor Worker { deinit { } }
      }
      extension [Desk<Int>.Side]? { static prefix func <<< (a: Self) {} }
      typealias Desks = [Desk<Int>]
      """
    #expect(
      names(source) == [
        "Desk", "Desk.make", "Desk.size", "Desk.init", "Desk.inner", "Desk.Side", "Desk.Worker",
        "Desk.Worker.deinit", "[Desk<Int>.Side]", "[Desk<Int>.Side].<<<", "Desks",
      ])
    let all = SwiftDeclarations(source: source).all
    #expect(all.map(\.line) == [1, 2, 6, 7, 7, 8, 9, 9, 11, 11, 12])
    #expect(all.map(\.lastLine) == [10, 5, 6, 7, 7, 8, 9, 9, 11, 11, nil])
    #expect(all[6].isFilePrivate && !all[5].isFilePrivate)
    #expect(all[4].place == .code && all[3].place == .type && all[0].place == .file)
  }

  @Test("a protocol names what it refines, and its members have no bodies")
  func protocols() {
    let source = """
      protocol Both<Item>: Reads, Office.Writes & AnyObject where Item: P, Self: Q {
        associatedtype Item
        var count: Int { get }
        func seal()
      }
      """
    let all = SwiftDeclarations(source: source).all
    #expect(all.map(\.name) == ["Both", "count", "seal"])
    #expect(all[0].refined == ["Reads", "Office.Writes", "AnyObject", "Q"])
    #expect(all[1].lastLine == nil && all[1].place == .protocolType)
  }

  @Test("brackets that do not pair up are noticed", arguments: ["{", "}", "(}", "f(]"])
  func unbalanced(source: String) {
    #expect(!SwiftDeclarations(source: source).isBalanced)
  }
}
