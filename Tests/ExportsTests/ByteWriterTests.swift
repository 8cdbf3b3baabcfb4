import Exports
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("Numbers and text as the exports write them")
struct ByteWriterTests {
  private final class Sink {
    var bytes: [UInt8] = []
  }

  private func text(_ body: (ByteWriter) throws -> Void) throws -> String {
    let sink = Sink()
    let out = ByteWriter { sink.bytes += $0 }
    try body(out)
    try out.finish()
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  @Test("every finite number has a text, without an exponent, that says it to its decimals")
  func everyNumber() throws {
    var generator = SeededGenerator(seed: 9)
    var numbers: [Double] = [
      0, -0.0, 1, -1, 9e8, 900_000_000.000_000_1, 9e14, 9e17, -9e17, 1.8e19, 1.844_674_407e19, 1e20,
      -1.5e25, 1e300, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e15 + 0.125,
      4_503_599_627_370_495.5, 999_999_999.999_999_9,
    ]
    for _ in 0..<2000 {
      let number = Double(bitPattern: generator.next())
      if number.isFinite { numbers.append(number) }
    }
    for number in numbers {
      for places in [0, 1, 3, 9] {
        var isWritten = false
        let written = try text { isWritten = try $0.decimal(number, places: places) }
        #expect(isWritten)
        let read = try #require(Double(written), "\(number): \(written)")
        #expect(!written.contains("e") && written != "-0", "\(number): \(written)")
        var half = 0.5
        for _ in 0..<places { half /= 10 }
        let error = (read - number).magnitude
        #expect(error <= half + 2 * number.ulp, "\(number), \(places) places: \(written)")
      }
    }
    #expect(try text { try $0.decimal(1e20, places: 3) } == "100000000000000000000")
    #expect(try text { try $0.decimal(-1e15 - 0.125, places: 3) } == "-1000000000000000.125")
    #expect(try text { try $0.decimal(4_503_599_627_370_495.5, places: 0) } == "4503599627370496")
  }

  @Test("what is no number has none", arguments: [Double.nan, .infinity, -.infinity])
  func noNumber(value: Double) throws {
    var isWritten = true
    let written = try text { isWritten = try $0.decimal(value, places: 3) }
    #expect(!isWritten)
    #expect(written == "")
  }

  @Test("a formula is none, whatever lies before its sign that is left out or skipped")
  func formulas() throws {
    for (words, written) in [
      ("=1+1", "'=1+1"), ("\u{1}=1+1", "'=1+1"), ("\u{0}\u{7F}\u{1B}@x", "'@x"),
      ("\n=1", "\"'\n=1\""), ("\r=1", "\"'\r=1\""), ("\t=1", "\"'\t=1\""),
      ("\u{2}\n=1", "\"'\n=1\""), ("a=1", "a=1"), ("\u{1}a", "a"), ("", ""),
    ] {
      #expect(try text { try $0.csv(words) } == written)
    }
  }
}
