import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("Identifiers")
struct IdentifierTests {
  @Test("an identifier is a UUID of version 7 with its time in front")
  func form() {
    forEachSeed(0..<300) { seed, random in
      let milliseconds = Int64.random(in: 0..<(1 << 48), using: &random)
      let id = Identifier(
        at: DeviceTime(millisecondsSince1970: milliseconds), using: &random)
      let text = Array(id.description)
      #expect(text.count == 36, "seed \(seed)")
      #expect(text[14] == "7", "seed \(seed): version")
      #expect("89ab".contains(text[19]), "seed \(seed): variant")
      let time = String(text[0..<8]) + String(text[9..<13])
      #expect(Int64(time, radix: 16) == milliseconds, "seed \(seed)")
      #expect(Identifier(id.description) == id, "seed \(seed)")
    }
  }

  @Test("all 74 random bits vary")
  func randomBits() {
    var seenOnes = [Bool](repeating: false, count: 128)
    var seenZeros = seenOnes
    forEachSeed(0..<200) { _, random in
      let id = Identifier(at: DeviceTime(millisecondsSince1970: 0), using: &random)
      let digits = id.description.filter { $0 != "-" }.compactMap(\.hexDigitValue)
      for (index, digit) in digits.enumerated() {
        for bit in 0..<4 {
          if digit >> (3 - bit) & 1 == 1 {
            seenOnes[index * 4 + bit] = true
          } else {
            seenZeros[index * 4 + bit] = true
          }
        }
      }
    }
    let varying = (0..<128).filter { seenOnes[$0] && seenZeros[$0] }
    #expect(varying == Array(52..<64) + Array(66..<128))
  }

  @Test("identifiers sort by the time of their making")
  func order() {
    forEachSeed(0..<200) { seed, random in
      let early = Int64.random(in: 0..<(1 << 47), using: &random)
      let late = early + Int64.random(in: 1...1000, using: &random)
      let first = Identifier(at: DeviceTime(millisecondsSince1970: early), using: &random)
      let second = Identifier(at: DeviceTime(millisecondsSince1970: late), using: &random)
      #expect(first < second, "seed \(seed)")
      #expect(first.description < second.description, "seed \(seed)")
    }
  }

  @Test("a clock before 1970 or far in the future gives an identifier all the same")
  func oddClocks() {
    for milliseconds in [Int64.min, -1, 0, Int64.max] {
      let id = Identifier(at: DeviceTime(millisecondsSince1970: milliseconds))
      #expect(Identifier(id.description) == id)
    }
  }

  @Test("the system's random numbers give different identifiers within one millisecond")
  func different() {
    let time = DeviceTime(millisecondsSince1970: 1_778_000_000_000)
    #expect(Set((0..<1000).map { _ in Identifier(at: time) }).count == 1000)
  }

  @Test("photos made one after the other lie in different folders")
  func folders() {
    let time = DeviceTime(millisecondsSince1970: 1_778_000_000_000)
    var random = SeededGenerator(seed: 1)
    let folders = Set((0..<400).map { _ in Identifier(at: time, using: &random).folder })
    #expect(folders.count > 150)
    #expect(folders.allSatisfy { $0.count == 2 })
  }

  @Test(
    "text that is no UUID is refused: files are named after identifiers",
    arguments: [
      "", "x", "../../../../../../../../etc/passwd-", "018f6f2e-0000-7000-8000-00000000000",
      "018f6f2e-0000-7000-8000-0000000000011", "018F6F2E-0000-7000-8000-000000000001",
      "018f6f2e00007000800000000000000000001", "018f6f2e-0000-7000-8000-00000000000g",
      "018f6f2e-0000-7000-8000-00000000000/", "018f6f2e-0000-7000-8000-0000000000\u{0}1",
      "018f6f2e-0000-7000-80000-00000000001", "{18f6f2e-0000-7000-8000-000000000001",
      "018f6f2e-0000-7000-8000-0000000000é", "018f6f2e‐0000‐7000‐8000‐000000000001",
      " 18f6f2e-0000-7000-8000-000000000001", "018f6f2e-0000-7000-8000-00000000000\n",
      "٠١٨f6f2e-0000-7000-8000-000000000001",
    ])
  func hostile(text: String) {
    #expect(Identifier(text) == nil)
  }
}
