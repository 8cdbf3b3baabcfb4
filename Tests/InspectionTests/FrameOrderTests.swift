import Foundation
import Inspection
import Positioning
import TestSupport
import Testing

@Suite("The order of a set's frames")
struct FrameOrderTests {
  private static func ordered(_ angles: [Double], isFullRing: Bool = false) -> [Double] {
    FrameOrder.order(angles, isFullRing: isFullRing).map { angles[$0] }
  }

  @Test("starts after the largest gap of the circle")
  func largestGap() {
    #expect(Self.ordered([1, 7, 355, 10, 19, 14]) == [355, 1, 7, 10, 14, 19])
  }

  @Test("starts at the first angle at or after 0 if all gaps are equal")
  func equalGaps() {
    #expect(Self.ordered([350, 80, 170, 260]) == [80, 170, 260, 350])
    #expect(Self.ordered([270, 180, 90, 0]) == [0, 90, 180, 270])
  }

  @Test("of two largest gaps, takes the one whose end comes first after 0")
  func twoLargest() {
    #expect(Self.ordered([340, 350, 100, 110, 220, 230]) == [100, 110, 220, 230, 340, 350])
    #expect(Self.ordered([10, 130, 140, 260]) == [130, 140, 260, 10])
  }

  @Test("starts at the first angle at or after 0 if no sector is empty")
  func fullRing() {
    let angles = [0.9, 93.5, 184, 268.5]
    #expect(Self.ordered(angles, isFullRing: true) == angles)
    #expect(Self.ordered(angles) == [93.5, 184, 268.5, 0.9])
    #expect(FrameOrder.isFullRing(angles, in: SectorRing(count: 4)))
    #expect(!FrameOrder.isFullRing([1, 2, 184, 268.5], in: SectorRing(count: 4)))
  }

  @Test("knows no frame and one frame")
  func few() {
    #expect(FrameOrder.order([], isFullRing: false).isEmpty)
    #expect(FrameOrder.order([200], isFullRing: false) == [0])
  }

  @Test("ascends round the circle with one descent at most, whatever the input's order and turns")
  func property() {
    var generator = SeededGenerator(seed: 30)
    for _ in 0..<20_000 {
      let count = Int.random(in: 2...40, using: &generator)
      var angles: [Double] = []
      for _ in 0..<count {
        angles.append(
          Bool.random(using: &generator)
            ? Double(Int.random(in: 0..<360, using: &generator))
            : Double.random(in: 0..<360, using: &generator))
      }
      let order = Self.ordered(angles)
      #expect(order.sorted() == angles.sorted())
      let descents = zip(order, order.dropFirst()).filter { $0 > $1 }.count
      #expect(descents <= 1)
      // The gap before the first frame is the largest; the test computes gaps in its own way.
      let gaps = order.indices.map { place -> Double in
        let step = order[place] - order[(place + count - 1) % count]
        return step < 0 || (place == 0 && step == 0 && Set(order).count == 1) ? step + 360 : step
      }
      #expect(gaps[0] >= (gaps.max() ?? 0) - 1e-6, "\(angles)")
      let turned = angles.shuffled(using: &generator).map {
        $0 + 360 * Double(Int.random(in: -3...3, using: &generator))
      }
      let again = Self.ordered(turned).map { ($0.truncatingRemainder(dividingBy: 360) + 360) }
        .map { $0.truncatingRemainder(dividingBy: 360) }
      for (one, other) in zip(order, again) {
        #expect(SectorRing.distanceDegrees(one, other) < 1e-6, "\(angles)")
      }
    }
  }
}
