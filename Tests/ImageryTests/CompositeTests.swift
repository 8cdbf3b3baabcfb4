import Foundation
import Imagery
import Positioning
import TestSupport
import Testing

@Suite("Composites of two pictures")
struct CompositeTests {
  private func picture(_ width: Int, _ height: Int, _ colour: Colour) throws -> PixelBuffer {
    try PixelBuffer(width: width, height: height, colour: colour)
  }

  private static let (dark, light) = (
    Colour(red: 40, green: 60, blue: 80), Colour(red: 240, green: 220, blue: 200)
  )

  private func plan(
    _ shape: CompositePlan.Shape = .rectangle, softness: Double = 0, transparency: Double = 0
  ) -> CompositePlan {
    CompositePlan(
      .byHand(centreX: 50, centreY: 40, scale: 1, angleDegrees: 0),
      window: CompositePlan.Window(shape, centreX: 50, centreY: 40, halfWidth: 30, halfHeight: 20),
      softness: softness, transparency: transparency)
  }

  @Test("inside the window is the picture above, outside the one below, and softness is between")
  func window() throws {
    let (base, above) = (try picture(100, 80, Self.dark), try picture(100, 80, Self.light))
    for shape in CompositePlan.Shape.allCases {
      let made = try base.composed(with: above, plan(shape))
      #expect(made.colour(x: 50, y: 40) == Self.light)
      #expect(made.colour(x: 5, y: 40) == Self.dark)
      // A corner of the rectangle lies outside the ellipse.
      #expect(made.colour(x: 21, y: 21) == (shape == .rectangle ? Self.light : Self.dark))
      let soft = try base.composed(with: above, plan(shape, softness: 0.5))
      #expect(soft.colour(x: 50, y: 40) == Self.light)
      // Three quarters of the way out, half of the way from one to the other.
      let half = try #require(soft.colour(x: 72, y: 40))
      #expect(abs(Int(half.red) - 140) <= 5)
    }
    let pale = try base.composed(with: above, plan(transparency: 0.75))
    #expect(pale.colour(x: 50, y: 40) == Colour(red: 90, green: 100, blue: 110))
    let again = try base.composed(with: above, plan(.ellipse, softness: 0.3))
    #expect(try base.composed(with: above, plan(.ellipse, softness: 0.3)) == again)
  }

  @Test("turning is about the centre, and a projection says the same as a place by hand")
  func turning() throws {
    let base = try picture(60, 60, Self.dark)
    var above = try picture(40, 20, Self.light)
    above.fillRectangle(columns: 30..<40, rows: 0..<20, colour: Colour(red: 255, green: 0, blue: 0))
    var turned = CompositePlan(
      .byHand(centreX: 30, centreY: 30, scale: 1, angleDegrees: 90),
      window: CompositePlan.Window(
        .rectangle, centreX: 30, centreY: 30, halfWidth: 30, halfHeight: 30))
    let made = try base.composed(with: above, turned)
    // Clockwise: the right end points down.
    #expect(made.colour(x: 30, y: 47) == Colour(red: 255, green: 0, blue: 0))
    #expect(made.colour(x: 30, y: 13) == Self.light && made.colour(x: 10, y: 30) == Self.dark)
    let projection = try #require(turned.onto(width: 40, height: 20))
    turned.placement = .projected(projection)
    #expect(try base.composed(with: above, turned) == made)
  }

  @Test("a crop cuts the result, and one outside it is refused")
  func crop() throws {
    let (base, above) = (try picture(100, 80, Self.dark), try picture(100, 80, Self.light))
    var plan = plan()
    plan.crop = CompositePlan.Crop(x: 15, y: 30, width: 20, height: 10)
    let made = try base.composed(with: above, plan)
    #expect(made.width == 20 && made.height == 10)
    #expect(made.colour(x: 0, y: 5) == Self.dark && made.colour(x: 19, y: 5) == Self.light)
    for (x, y, width, height) in [
      (-1, 0, 5, 5), (0, 0, 101, 5), (96, 0, 5, 5), (0, 0, 0, 5), (Int.max, 0, 5, 5),
    ] {
      plan.crop = CompositePlan.Crop(x: x, y: y, width: width, height: height)
      #expect(throws: CompositeFault.crop) { _ = try base.composed(with: above, plan) }
    }
  }

  @Test("what cannot be laid is refused with its fault, and hostile numbers end in no trap")
  func faults() throws {
    let (base, above) = (try picture(100, 80, Self.dark), try picture(100, 80, Self.light))
    func refusal(_ change: (inout CompositePlan) -> Void) -> CompositeFault? {
      var plan = plan()
      change(&plan)
      return #expect(throws: CompositeFault.self) { _ = try base.composed(with: above, plan) }
    }
    for wrong in [Double.nan, -0.1, 1.1, .infinity] {
      #expect(refusal { $0.softness = wrong } == .number("softness"))
      #expect(refusal { $0.transparency = wrong } == .number("transparency"))
    }
    #expect(refusal { $0.window.halfWidth = 0 } == .number("window"))
    #expect(refusal { $0.window.centreX = .nan } == .number("window"))
    #expect(refusal { $0.window.angleDegrees = 1e300 } == .number("window"))
    #expect(refusal { $0.window.centreY = 500 } == .nothingSeen)
    #expect(refusal { $0.transparency = 1 } == .nothingSeen)
    for scale in [0, -1, Double.nan, 1e9] {
      #expect(
        refusal { $0.placement = .byHand(centreX: 0, centreY: 0, scale: scale, angleDegrees: 0) }
          == .number("place"))
    }
    // Inside out, and to a line.
    let mirror = try #require(Projection(rows: [-1, 0, 100, 0, 1, 0, 0, 0, 1]))
    #expect(refusal { $0.placement = .projected(mirror) } == .insideOut)
    let flat = try #require(Projection(rows: [1, 0, 0, 0, 1e-9, 0, 0, 0, 1]))
    #expect(refusal { $0.placement = .projected(flat) } == .insideOut)
    let behind = try #require(Projection(rows: [1, 0, 0, 0, 1, 0, -0.02, 0, 1]))
    #expect(refusal { $0.placement = .projected(behind) } == .insideOut)
    #expect(Projection(rows: [1, 0, 0, 0, 0, 0, 0, 0, 1]) == nil)
    #expect(
      Projection(rows: [.nan, 0, 0, 0, 1, 0, 0, 0, 1]) == nil && Projection(rows: [1]) == nil)
    var random = SeededGenerator(seed: 29)
    for _ in 0..<300 {
      func any() -> Double {
        let kinds: [Double] = [
          .random(in: -200...200, using: &random), .random(in: -2...2, using: &random), 0, 1e-300,
          .greatestFiniteMagnitude, .nan, -.infinity, 1e6,
        ]
        return kinds.randomElement(using: &random) ?? 0
      }
      var plan = plan(.ellipse, softness: any(), transparency: any())
      plan.window = CompositePlan.Window(
        .ellipse, centreX: any(), centreY: any(), halfWidth: any(), halfHeight: any(),
        angleDegrees: any())
      plan.placement =
        Projection(rows: (0..<9).map { _ in any() }).map { .projected($0) }
        ?? .byHand(centreX: any(), centreY: any(), scale: any(), angleDegrees: any())
      _ = try? base.composed(with: above, plan)
    }
  }

  @Test("pictures of one pixel, and of other proportions, are laid over each other")
  func sizes() throws {
    for (width, height, other, beside) in [(1, 1, 30, 20), (30, 20, 1, 1), (30, 50, 50, 9)] {
      let (base, above) = (
        try picture(width, height, Self.dark), try picture(other, beside, Self.light)
      )
      let plan = CompositePlan(
        layingWidth: other, height: beside, overWidth: width, height: height)
      let made = try base.composed(with: above, plan)
      #expect(made.width == width && made.height == height)
      #expect(made.colour(x: width / 2, y: height / 2) == Self.light)
    }
    // A line across a line is nowhere as large as a pixel.
    let (base, line) = (try picture(1, 50, Self.dark), try picture(50, 1, Self.light))
    #expect(throws: CompositeFault.nothingSeen) {
      _ = try base.composed(
        with: line, CompositePlan(layingWidth: 50, height: 1, overWidth: 1, height: 50))
    }
    // Shown much smaller, stripes become their mean.
    var stripes = try picture(400, 300, Self.dark)
    for column in stride(from: 0, to: 400, by: 2) {
      stripes.fillRectangle(columns: column..<(column + 1), rows: 0..<300, colour: Self.light)
    }
    let made = try picture(40, 30, .white).composed(
      with: stripes, CompositePlan(layingWidth: 400, height: 300, overWidth: 40, height: 30))
    let mean = try #require(made.colour(x: 20, y: 15))
    #expect(abs(Int(mean.red) - 140) <= 2)
  }

  @Test(
    "ten thousand random masks agree with numpy's, at centre, edge, half softness and outside",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func numpy() async throws {
    struct Found: Decodable {
      var count: Int
      var worst: Double
      var outside: Int
      var whole: Int
      var between: Int
    }
    var random = SeededGenerator(seed: 2029)
    var rows: [Double] = []
    for number in 0..<10_000 {
      func any(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
      let (width, height) = (
        Int.random(in: 1...4000, using: &random), Int.random(in: 1...3000, using: &random)
      )
      let shape = CompositePlan.Shape.allCases[number % 2]
      let softness = number % 5 == 0 ? 0 : any(0...1)
      let window = CompositePlan.Window(
        shape, centreX: any(0...4000), centreY: any(0...3000), halfWidth: any(1...2500),
        halfHeight: any(1...2000), angleDegrees: any(-360...360))
      let place = [any(-500...4500), any(-500...3500), any(0.1...5), any(-360...360)]
      let plan = CompositePlan(
        .byHand(centreX: place[0], centreY: place[1], scale: place[2], angleDegrees: place[3]),
        window: window, softness: softness, transparency: any(0...1))
      // From the window's centre over half of its softness and its edge to the outside.
      let way = [0, 1 - softness / 2, 1 - 1e-6, 1 + 1e-6, any(0...1.5)][number / 5 % 5]
      let angle = window.angleDegrees * .pi / 180
      let (u, v) = (
        way * window.halfWidth, shape == .rectangle ? any(-1...1) * way * window.halfHeight : 0
      )
      let (x, y) = (
        window.centreX + u * cos(angle) - v * sin(angle),
        window.centreY + u * sin(angle) + v * cos(angle)
      )
      rows += [Double(width), Double(height)] + place
      rows += [shape == .rectangle ? 0 : 1, window.centreX, window.centreY, window.halfWidth]
      rows += [window.halfHeight, window.angleDegrees, softness, plan.transparency, x, y]
      rows += [plan.share(x: x, y: y, width: width, height: height), 0]
    }
    let input = rows.withUnsafeBytes { Data($0) }
    let outcome = try await PythonTools.run("Composites/shares.py", [], input: input)
    try #require(outcome.status == 0, "\(outcome.errors)")
    let found = try JSONDecoder().decode(Found.self, from: Data(outcome.output.utf8))
    #expect(found.count == 10_000 && found.worst < 1.0 / 255, "\(found)")
    #expect(found.outside > 1000 && found.whole > 100 && found.between > 1000, "\(found)")
  }
}
