import Imagery
import Testing

@Suite("The mark of a composite")
struct CompositeMarkTests {
  private let mark = CompositeMark(lines: [
    "Composite, not a photograph",
    "Over: 2026-06-17 10:22 UTC, 01907c1e-5b7a-7c7e-9d1b-3b6a0f0f2c11",
  ])

  @Test(
    "each row has stripes at both sides, words stand above and below, and the picture inside is untouched",
    arguments: [(640, 480), (480, 640), (1, 1), (1, 700), (3000, 40), (64, 64)])
  func drawn(width: Int, height: Int) throws {
    let colour = Colour(red: 10, green: 200, blue: 100)
    let picture = try PixelBuffer(width: width, height: height, colour: colour)
    let marked = try mark.drawn(round: picture)
    #expect(mark.inside(marked, width: width, height: height) == picture)
    #expect(mark.inside(marked, width: width + 1, height: height + 9) == nil)
    var darkRows = 0
    for row in 0..<marked.height {
      let left = try #require(marked.colour(x: 0, y: row))
      let right = try #require(marked.colour(x: marked.width - 1, y: row))
      #expect(left != colour && right != colour)
      if left.red < 100 { darkRows += 1 }
    }
    // Stripes change along the side, as long as it is long enough for two of them.
    if height >= 60 { #expect(darkRows > height / 10) }
    // Words in ink, in both bands.
    let band = (marked.height - height) / 2
    for rows in [0..<band, (marked.height - band)..<marked.height] {
      let ink = rows.reduce(0) { count, row in
        count + (0..<marked.width).count { (marked.colour(x: $0, y: row)?.red ?? 255) < 100 }
      }
      #expect(ink > 300, "\(rows)")
    }
  }

  @Test("equal pictures have equal marks, and other words are another mark")
  func same() throws {
    let picture = try PixelBuffer(width: 200, height: 100, colour: .white)
    let marked = try mark.drawn(round: picture)
    #expect(try mark.drawn(round: picture) == marked)
    #expect(try CompositeMark(lines: ["Composite"]).drawn(round: picture) != marked)
  }
}
