import Inspection
import Positioning
import TestSupport
import Testing

@Suite("The spread of numbers")
struct NumberSpreadTests {
  @Test("parts have equal widths, begin at the least number, and hold the largest in the last")
  func parts() throws {
    let spread = try #require(NumberSpread([0: 1, 2: 3, 9.99: 1, 10: 2]))
    #expect(spread.least == 0 && spread.most == 10)
    #expect(abs(spread.mean - (6 + 9.99 + 20) / 7) < 1e-12)
    let (width, parts) = try #require(spread.parts(10))
    #expect(width == 1 && parts.map(\.start) == (0...9).map(Double.init))
    #expect(parts.map(\.tasks) == [1, 0, 3, 0, 0, 0, 0, 0, 0, 3])
  }

  @Test("no number, equal ones and numbers of any size have no parts that trap")
  func extremes() throws {
    #expect(NumberSpread([:]) == nil)
    #expect(try #require(NumberSpread([4: 9])).parts(10) == nil)
    #expect(try #require(NumberSpread([4: 9])).mean == 4)
    #expect(NumberSpread([1.7e308: 1, -1.7e308: 1]) == nil)
    let tiny = try #require(NumberSpread([0: 1, Double.leastNonzeroMagnitude: 1]))
    #expect(tiny.parts(10) == nil)
    let large = try #require(NumberSpread([1.7e308: 2, 1.6e308: 2]))
    #expect(large.mean.isFinite)
    #expect(large.parts(10)?.parts.map(\.tasks).reduce(0, +) == 4)
  }

  @Test("every task is counted once, whatever the numbers are")
  func all() throws {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<500 {
      let scale = Double.random(in: -300...300, using: &random)
      var numbers: [Double: Int] = [:]
      for _ in 0..<Int.random(in: 2...40, using: &random) {
        numbers[Double.random(in: -1...1, using: &random) * scale, default: 0] += 1
      }
      let spread = try #require(NumberSpread(numbers))
      let parts = spread.parts(7)?.parts ?? []
      #expect(parts.reduce(0) { $0 + $1.tasks } == numbers.values.reduce(0, +))
      #expect((spread.least...spread.most).contains(spread.mean))
    }
  }
}
