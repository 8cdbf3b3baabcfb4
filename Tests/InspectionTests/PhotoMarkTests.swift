import Inspection
import Testing
import TimeAndText

@Suite("Marks on photos")
struct PhotoMarkTests {
  private let photo = Identifier(at: DeviceTime(millisecondsSince1970: 1_778_000_000_000))

  @Test(
    "a mark's text comes back as it was",
    arguments: ["0,0", "1000,1000", "1,2 3,4", "1,2 3,4;5,6;7,8 9,10 11,12"])
  func text(lines: String) throws {
    #expect(try PhotoMark(photo: photo, linesText: lines).linesText == lines)
  }

  @Test(
    "what is no line is refused",
    arguments: [
      "", ";", " ", "1", "1,2,3", "1,2 ", "1,2;", "1001,0", "0,-1", "1.5,2", "a,b", "1,2\n3,4",
      "99999999999999999999,1",
    ])
  func refused(lines: String) {
    #expect(throws: ItemRefusal.mark) { try PhotoMark(photo: photo, linesText: lines) }
  }

  @Test("20 lines of 200 places are taken, and not one more of either")
  func limits() throws {
    let place = try #require(PhotoMark.Place(across: 1000, down: 1000))
    let longest = [PhotoMark.Place](repeating: place, count: PhotoMark.placesAtMost)
    let most = [[PhotoMark.Place]](repeating: longest, count: PhotoMark.linesAtMost)
    let mark = try PhotoMark(photo: photo, lines: most)
    #expect(try PhotoMark(photo: photo, linesText: mark.linesText) == mark)
    for lines in [most + [[place]], [longest + [place]], [[]], []] {
      #expect(throws: ItemRefusal.mark) { try PhotoMark(photo: photo, lines: lines) }
    }
    #expect(throws: ItemRefusal.mark) {
      try PhotoMark(photo: photo, linesText: String(repeating: "1,", count: 1_000_000))
    }
  }

  @Test("a ring round each of the nine parts is closed, and in its part")
  func rings() throws {
    #expect(PhotoMark.ringTexts.count == 9)
    for (part, text) in PhotoMark.ringTexts.enumerated() {
      let ring = try #require(try PhotoMark(photo: photo, linesText: text).lines.first)
      #expect(ring.count == 19 && ring.first == ring.last)
      let (row, column) = part.quotientAndRemainder(dividingBy: 3)
      #expect(ring.allSatisfy { $0.across * 3 / 1000 == column && $0.down * 3 / 1000 == row })
    }
  }
}
