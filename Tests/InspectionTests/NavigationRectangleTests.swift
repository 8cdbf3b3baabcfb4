import Foundation
import Inspection
import Testing

@Suite("The frame that leads back to an earlier picture")
struct NavigationRectangleTests {
  private let view = NavigationRectangle.View(
    widthPixels: 390, heightPixels: 520, horizontalDegrees: 52)

  private func frame(
    _ azimuth: Double, _ elevation: Double = 0, _ roll: Double = 0,
    reference: NavigationRectangle.View? = nil
  ) throws -> NavigationRectangle {
    func picture(_ azimuth: Double, _ elevation: Double, _ roll: Double) throws -> PictureAttitude {
      try #require(
        PictureAttitude(
          Orientation(
            azimuthDegreesTrue: azimuth, elevationDegrees: elevation, rollDegrees: roll,
            source: .stated)))
    }
    let relative = try #require(
      RelativeAttitude(from: picture(0, 0, 0), to: picture(azimuth, elevation, roll)))
    let view = try #require(view)
    return NavigationRectangle(relative: relative, in: view, reference: reference ?? view)
  }

  @Test("met exactly, it fills the picture")
  func met() throws {
    let frame = try frame(0)
    #expect(abs(frame.x - 195) < 1e-9 && abs(frame.y - 260) < 1e-9)
    #expect(abs(frame.widthPixels - 390) < 1e-9 && abs(frame.heightPixels - 520) < 1e-9)
    #expect(abs(frame.turnDegrees) < 1e-9 && frame.isInView)
  }

  @Test("turning the camera right moves it left, and lifting the lens moves it down")
  func directions() throws {
    #expect(try frame(5).x < 195 - 30)
    #expect(try frame(-5).x > 195 + 30)
    #expect(try frame(0, 5).y > 260 + 30)
    #expect(try frame(0, -5).y < 260 - 30)
  }

  @Test("a camera turned clockwise sees it turned anti-clockwise")
  func turn() throws {
    #expect(abs(try frame(0, 0, 10).turnDegrees - -10) < 1e-9)
  }

  @Test("an earlier picture of a wider angle is drawn larger, by the ratio of the two")
  func scale() throws {
    let wider = try #require(
      NavigationRectangle.View(widthPixels: 400, heightPixels: 300, horizontalDegrees: 66))
    let frame = try frame(0, reference: wider)
    let ratio = tan(33 * Double.pi / 180) / tan(26 * Double.pi / 180)
    #expect(abs(frame.widthPixels - 390 * ratio) < 1e-9)
    #expect(abs(frame.heightPixels - frame.widthPixels * 3 / 4) < 1e-9)
  }

  @Test("behind the inspector's back a whole turn fits the screen, and the frame is small")
  func behind() throws {
    let left = try frame(90)
    #expect(abs(left.x - 390 / 4) < 1e-9 && abs(left.y - 260) < 1e-9 && !left.isInView)
    #expect(abs(left.widthPixels - 390.0 * 52 / 360) < 1e-9)
    let back = try frame(180)
    #expect(min(back.x, 390 - back.x) < 1e-6)
    #expect(abs(try frame(0, -90).y) < 1e-6)
  }

  @Test("it never jumps on a slow turn, neither in its place nor in its size")
  func continuity() throws {
    for (elevation, roll) in [(0.0, 0.0), (20, 0), (-35, 17), (60, -80)] {
      var last = try frame(-179, elevation, roll)
      for step in 1..<(358 * 20) {
        let next = try frame(-179 + Double(step) / 20, elevation, roll)
        // A twentieth of a degree is less than a pixel; behind the back the frame leaves the screen
        // on one side and comes in on the other.
        let isRound = max(abs(next.x - 195), abs(last.x - 195)) > 194 && next.x * last.x < 390
        #expect(
          isRound || hypot(next.x - last.x, next.y - last.y) < 2, "\(elevation) \(roll) \(step)")
        #expect(abs(next.widthPixels - last.widthPixels) < 2)
        last = next
      }
    }
  }

  @Test("a first picture has it in the middle, turned with the horizon")
  func level() throws {
    let frame = NavigationRectangle(levelFor: 8, in: try #require(view))
    #expect(frame.x == 195 && frame.y == 260 && frame.turnDegrees == -8 && frame.isInView)
  }

  @Test("a view without size or angle is none")
  func noView() {
    for (width, angle) in [(0.0, 60.0), (-1, 60), (.nan, 60), (.infinity, 60), (10, 0), (10, 180)] {
      #expect(
        NavigationRectangle.View(
          widthPixels: width, heightPixels: 10, horizontalDegrees: angle) == nil)
    }
  }
}
