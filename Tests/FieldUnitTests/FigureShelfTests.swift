import Foundation
import Inspection
import Positioning
import Store
import TestSupport
import Testing
import TimeAndText

@testable import FieldPages
@testable import FieldUnit

@Suite("The first page's figures", .timeLimit(.minutes(5)))
struct FigureShelfTests {
  private static func moment(_ milliseconds: Int64) -> ElapsedTime {
    ElapsedTime(milliseconds: milliseconds)
  }

  @Test("they are counted once a second however often they are asked for, and again after a change")
  func kept() throws {
    let shelf = FigureShelf()
    var counted = 0
    func ask(_ milliseconds: Int64, _ writings: Int = 0) -> Int {
      shelf.figures(
        at: Self.moment(milliseconds), mark: FigureShelf.Mark(writings: writings, journal: nil)
      ) {
        counted += 1
        return FieldFigures(openTasks: 0, photos: counted, waiting: 0, bytesOfPhoto: nil)
      }.photos
    }
    for time in stride(from: Int64(0), through: 999, by: 10) { #expect(ask(time) == 1) }
    #expect(ask(1000) == 2 && ask(1999) == 2 && ask(2000) == 3)
    #expect(ask(2001, 1) == 4, "a change is seen at once")
    #expect(ask(2002, 1) == 4)
    #expect(ask(0, 1) == 5, "a clock that began anew keeps nothing")
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try shelf.figures(
        at: Self.moment(5000), mark: FigureShelf.Mark(writings: 1, journal: nil)
      ) { throw Failure() }
    }
    #expect(ask(5001, 1) == 6, "a failure is not kept")
  }

  @Test("what this program or another one writes is in them at once, while the clock stands still")
  func changes() throws {
    try withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let other = try FieldScene.unit(folder, clock: scene.clock)
      #expect(try scene.unit.figures().openTasks == 0 && other.figures().openTasks == 0)
      _ = try scene.tasks()
      #expect(try scene.unit.figures().openTasks == 2)
      #expect(try other.figures().openTasks == 2, "written through another connection")
      // The first unit also sees writes through another connection.
      _ = try FieldScene(folder, seed: 2).tasks()
      #expect(try scene.unit.figures().openTasks == 4)
    }
  }
}
