import Geodesy
import Inspection
import Testing

@Suite("Views of a set on paper")
struct SetViewTests {
  @Test("are at equal distances, each the nearest picture of its share, and none in a gap")
  func views() throws {
    let angles: [Double] = [350, 2, 44, 91, 130, 178, 226, 313]
    let views = try SetSample.set(.around, sectors: 72, angles: angles).views()
    #expect(views.map(\.degrees) == [0, 45, 90, 135, 180, 225, 270, 315])
    #expect(views.map(\.frame) == [1, 2, 3, 4, 5, 6, nil, 7])
  }

  @Test("are as many as a turn has sectors, and begin at its first middle")
  func turn() throws {
    let set = try SetSample.set(
      .turn, sectors: 4, firstMiddleDegrees: 340, angles: [0, 70, 160, 255])
    #expect(set.views().map(\.degrees) == [340, 70, 160, 250])
    #expect(set.views().map(\.frame) == [0, 1, 2, 3])
    #expect([0, 70, 160, 255].map(set.compassDegrees(ofAngle:)) == [0, 90, 180, 270])
  }

  @Test("have no point of the compass in a walk, or if none was heard")
  func compass() throws {
    let walk = try SetSample.set(.around, sectors: 8, firstMiddleDegrees: 20, angles: [20])
    #expect(walk.compassDegrees(ofAngle: 20) == nil)
    let silent = try SetSample.set(.turn, sectors: 8, angles: [0])
    #expect(silent.compassDegrees(ofAngle: 0) == nil)
  }

  @Test("of a set without a frame have no picture")
  func none() throws {
    let views = try SetSample.set(.around, sectors: 72, angles: []).views()
    #expect(views.count == 8 && views.allSatisfy { $0.frame == nil })
  }
}
