import Foundation

/// How one picture is laid over another one: where it lies, through which window it is seen, and how
/// softly. Lengths are pixels of the picture below, with the origin at its upper left corner;
/// angles are degrees, clockwise.
public struct CompositePlan: Hashable, Sendable {
  /// The shape of the window.
  public enum Shape: String, CaseIterable, Sendable {
    case rectangle
    case ellipse
  }

  /// The window in the picture below through which the one above is seen.
  public struct Window: Hashable, Sendable {
    /// The shape.
    public var shape: Shape
    /// The column of the centre.
    public var centreX: Double
    /// The row of the centre.
    public var centreY: Double
    /// Half the width, above 0.
    public var halfWidth: Double
    /// Half the height, above 0.
    public var halfHeight: Double
    /// The turn about the centre.
    public var angleDegrees: Double

    /// Creates a window.
    public init(
      _ shape: Shape, centreX: Double, centreY: Double, halfWidth: Double, halfHeight: Double,
      angleDegrees: Double = 0
    ) {
      self.shape = shape
      (self.centreX, self.centreY) = (centreX, centreY)
      (self.halfWidth, self.halfHeight) = (halfWidth, halfHeight)
      self.angleDegrees = angleDegrees
    }
  }

  /// The place of the picture above in the one below.
  public enum Placement: Hashable, Sendable {
    /// Set by hand: the centre, the pixels below for each pixel above, and the turn about the centre.
    case byHand(centreX: Double, centreY: Double, scale: Double, angleDegrees: Double)
    /// Found by comparing both: where each pixel above lies below.
    case projected(Projection)
  }

  /// A part of the result.
  public struct Crop: Hashable, Sendable {
    /// The first column.
    public var x: Int
    /// The first row.
    public var y: Int
    /// The width, at least 1.
    public var width: Int
    /// The height, at least 1.
    public var height: Int

    /// Creates a part.
    public init(x: Int, y: Int, width: Int, height: Int) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  /// The place of the picture above.
  public var placement: Placement
  /// The window.
  public var window: Window
  /// The share of the way from the centre to an edge in which both the picture above and the window
  /// fade, 0 to 1; 0 is a hard edge.
  public var softness: Double
  /// 0 if the picture above hides the one below, 1 if it cannot be seen.
  public var transparency: Double
  /// The part of the result that is kept; nil for all.
  public var crop: Crop?

  /// Creates a plan without a crop.
  public init(
    _ placement: Placement, window: Window, softness: Double = 0, transparency: Double = 0
  ) {
    self.placement = placement
    self.window = window
    self.softness = softness
    self.transparency = transparency
  }

  /// Creates the plan of a picture that is laid over the whole of another one, turned and stretched
  /// evenly until it covers it or touches two of its sides from inside.
  public init(
    layingWidth width: Int, height: Int, overWidth baseWidth: Int, height baseHeight: Int,
    _ shape: Shape = .rectangle
  ) {
    let (halfWidth, halfHeight) = (Double(baseWidth) / 2, Double(baseHeight) / 2)
    let scale = min(Double(baseWidth) / Double(width), Double(baseHeight) / Double(height))
    self.init(
      .byHand(centreX: halfWidth, centreY: halfHeight, scale: scale, angleDegrees: 0),
      window: Window(
        shape, centreX: halfWidth, centreY: halfHeight, halfWidth: halfWidth,
        halfHeight: halfHeight))
  }
}

extension CompositePlan {
  /// The share of the picture below that a proposed window takes, and how softly it fades.
  private static let (proposedShare, proposedSoftness) = (0.6, 0.3)

  /// Returns the plan that a page begins with: the picture above lies over the whole of the one below,
  /// and is seen through a soft window in the middle.
  public static func proposed(
    layingWidth width: Int, height: Int, overWidth baseWidth: Int, height baseHeight: Int,
    _ shape: Shape
  ) -> CompositePlan {
    var plan = CompositePlan(
      layingWidth: width, height: height, overWidth: baseWidth, height: baseHeight, shape)
    plan.window.halfWidth *= proposedShare
    plan.window.halfHeight *= proposedShare
    plan.softness = proposedSoftness
    return plan
  }
}

/// A plane map between two pictures, by a matrix of three rows.
public struct Projection: Hashable, Sendable {
  /// The matrix, row by row; nine finite numbers.
  public let rows: [Double]

  /// Creates a map; nil if the numbers are not nine finite ones, or if the matrix has no inverse.
  public init?(rows: [Double]) {
    guard rows.count == 9, rows.allSatisfy(\.isFinite) else { return nil }
    self.rows = rows
    guard inverse != nil else { return nil }
  }

  private init(unchecked rows: [Double]) { self.rows = rows }

  /// The map back; nil if the matrix has no inverse.
  public var inverse: Projection? {
    let m = rows
    let cofactors = [
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
    ]
    let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
    let scaled = cofactors.map { $0 / determinant }
    guard determinant != 0, scaled.allSatisfy(\.isFinite) else { return nil }
    return Projection(unchecked: scaled)
  }

  /// Returns the map between two pictures, from the same map between squares of 1 × 1; nil if it has no
  /// inverse.
  public init?(
    unitRows rows: [Double], fromWidth width: Int, height: Int, toWidth: Int, height toHeight: Int
  ) {
    guard rows.count == 9 else { return nil }
    let (w, h) = (Double(width), Double(height))
    let (toW, toH) = (Double(toWidth), Double(toHeight))
    // The sign of a projective map is free; the last number above 0 says what lies before the camera.
    let sign = rows[8] < 0 ? -1.0 : 1.0
    self.init(
      rows: [
        rows[0] * toW / w, rows[1] * toW / h, rows[2] * toW, rows[3] * toH / w, rows[4] * toH / h,
        rows[5] * toH, rows[6] / w, rows[7] / h, rows[8],
      ].map { $0 * sign })
  }

  /// Returns the place by hand that comes nearest to the map, by the middle of the picture and its
  /// upright middle line; nil if the map takes one of them behind the camera.
  public func byHand(width: Int, height: Int) -> CompositePlan.Placement? {
    let (w, h) = (Double(width), Double(height))
    guard let middle = self(x: w / 2, y: h / 2), let left = self(x: 0.2 * w, y: h / 2),
      let right = self(x: 0.8 * w, y: h / 2)
    else { return nil }
    let (across, along) = (right.x - left.x, right.y - left.y)
    return .byHand(
      centreX: middle.x, centreY: middle.y,
      scale: (across * across + along * along).squareRoot() / (0.6 * w),
      angleDegrees: atan2(along, across) * 180 / .pi)
  }

  /// Returns the place of a point; nil if it lies on the line that the map takes to infinity, or
  /// behind it.
  public func callAsFunction(x: Double, y: Double) -> (x: Double, y: Double)? {
    let w = rows[6] * x + rows[7] * y + rows[8]
    guard w > 0 else { return nil }
    return (
      (rows[0] * x + rows[1] * y + rows[2]) / w, (rows[3] * x + rows[4] * y + rows[5]) / w
    )
  }
}

/// A fault of a plan for a composite.
public enum CompositeFault: Error, Hashable, Sendable {
  /// A number is not finite, or outside its range.
  case number(String)
  /// The window lies outside the picture below, or nothing of the picture above is seen in it.
  case nothingSeen
  /// The map turns the picture above inside out, or flattens it to a line.
  case insideOut
  /// The crop is not a part of the result.
  case crop
}

extension CompositePlan {
  /// Returns the plan for the same pictures at other sizes, such as those of a preview.
  /// - Parameters:
  ///   - below: the pixels of the smaller picture below for each of the larger one, above 0.
  ///   - above: the same for the picture above.
  public func scaled(below: Double, above: Double) -> CompositePlan {
    var plan = self
    plan.window.centreX *= below
    plan.window.centreY *= below
    plan.window.halfWidth *= below
    plan.window.halfHeight *= below
    switch placement {
    case .byHand(let x, let y, let scale, let angle):
      plan.placement = .byHand(
        centreX: x * below, centreY: y * below, scale: scale * below / above, angleDegrees: angle)
    case .projected(let projection):
      let m = projection.rows
      let (a, b) = (below / above, below)
      plan.placement =
        Projection(rows: [
          m[0] * a, m[1] * a, m[2] * b, m[3] * a, m[4] * a, m[5] * b, m[6] / above, m[7] / above,
          m[8],
        ]).map { .projected($0) } ?? placement
    }
    if let crop {
      func side(_ pixels: Int) -> Int { Int((Double(pixels) * below).rounded(.down)) }
      plan.crop = Crop(
        x: side(crop.x), y: side(crop.y), width: max(1, side(crop.width)),
        height: max(1, side(crop.height)))
    }
    return plan
  }

  /// The scales that a placement by hand may have.
  public static let scales = 0.001...1000.0

  /// Checks the plan for two pictures.
  /// - Throws: `CompositeFault`.
  public func check(
    baseWidth: Int, baseHeight: Int, width: Int, height: Int
  ) throws(CompositeFault) {
    try checkNumbers()
    if let crop {
      guard crop.x >= 0, crop.y >= 0, crop.width > 0, crop.height > 0, crop.width <= baseWidth,
        crop.height <= baseHeight, crop.x <= baseWidth - crop.width,
        crop.y <= baseHeight - crop.height
      else { throw .crop }
    }
    if case .projected = placement {
      try checkSides(width: Double(width), height: Double(height))
    }
  }

  private func checkNumbers() throws(CompositeFault) {
    for (name, value) in [("softness", softness), ("transparency", transparency)] {
      guard (0...1).contains(value) else { throw .number(name) }
    }
    let lengths = [window.centreX, window.centreY, window.angleDegrees]
    guard lengths.allSatisfy({ abs($0) <= 1e6 }),
      [window.halfWidth, window.halfHeight].allSatisfy({ $0 > 0 && $0 <= 1e6 })
    else { throw .number("window") }
    if case .byHand(let x, let y, let scale, let angle) = placement {
      guard [x, y, angle].allSatisfy({ abs($0) <= 1e6 }), Self.scales.contains(scale) else {
        throw .number("place")
      }
    }
  }

  /// Checks that the corners of the picture above go round in the same sense below, each turn by a
  /// true angle.
  private func checkSides(width: Double, height: Double) throws(CompositeFault) {
    let above = onto(width: Int(width), height: Int(height))
    let corners = [(0.0, 0.0), (width, 0), (width, height), (0, height)]
    var placed: [(x: Double, y: Double)] = []
    for corner in corners {
      guard let place = above?(x: corner.0, y: corner.1) else { throw .insideOut }
      placed.append(place)
    }
    for index in 0..<4 {
      let (a, b, c) = (placed[index], placed[(index + 1) % 4], placed[(index + 2) % 4])
      let turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
      // Half a pixel of area tells a corner from a line.
      guard turn > 0.5 else { throw .insideOut }
    }
  }

  /// Returns the map from the picture above to the one below; nil if it has no inverse.
  public func onto(width: Int, height: Int) -> Projection? {
    switch placement {
    case .projected(let projection): return projection
    case .byHand(let x, let y, let scale, let angle):
      let (c, s) = Self.turn(angle)
      let (halfWidth, halfHeight) = (Double(width) / 2, Double(height) / 2)
      let (a, b) = (scale * c, scale * s)
      return Projection(rows: [
        a, -b, x - a * halfWidth + b * halfHeight, b, a, y - b * halfWidth - a * halfHeight, 0, 0,
        1,
      ])
    }
  }

  static func turn(_ degrees: Double) -> (cosine: Double, sine: Double) {
    let radians = degrees * .pi / 180
    return (cos(radians), sin(radians))
  }

  /// Returns the share of the picture above at a point of the one below, 0 to 1, transparency
  /// included: `t * m1 * m2`.
  public func share(x: Double, y: Double, width: Int, height: Int) -> Double {
    guard let back = onto(width: width, height: height)?.inverse else { return 0 }
    return Mixer(self, back: back, width: width, height: height).share(x: x, y: y).share
  }
}

/// The masks of a plan, prepared for many points.
struct Mixer {
  private let back: Projection
  private let (halfWidth, halfHeight): (Double, Double)
  private let window: CompositePlan.Window
  private let (cosine, sine): (Double, Double)
  private let softness: Double
  private let opacity: Double

  init(_ plan: CompositePlan, back: Projection, width: Int, height: Int) {
    self.back = back
    (halfWidth, halfHeight) = (Double(width) / 2, Double(height) / 2)
    window = plan.window
    (cosine, sine) = CompositePlan.turn(plan.window.angleDegrees)
    softness = plan.softness
    opacity = 1 - plan.transparency
  }

  /// Returns the share of the picture above at a point below, with the point above that is seen
  /// there.
  func share(x: Double, y: Double) -> (share: Double, x: Double, y: Double) {
    let inWindow = faded(tunnel(x: x, y: y))
    guard inWindow > 0, let above = back(x: x, y: y) else { return (0, 0, 0) }
    let edge = max(abs(above.x - halfWidth) / halfWidth, abs(above.y - halfHeight) / halfHeight)
    return (opacity * inWindow * faded(edge), above.x, above.y)
  }

  /// Returns the place of a point between the window's centre (0) and its edge (1).
  private func tunnel(x: Double, y: Double) -> Double {
    let (dx, dy) = (x - window.centreX, y - window.centreY)
    let u = (dx * cosine + dy * sine) / window.halfWidth
    let v = (dy * cosine - dx * sine) / window.halfHeight
    return switch window.shape {
    case .rectangle: max(abs(u), abs(v))
    case .ellipse: (u * u + v * v).squareRoot()
    }
  }

  /// Returns the mask for a place between centre and edge.
  private func faded(_ place: Double) -> Double {
    softness > 0 ? min(max((1 - place) / softness, 0), 1) : place <= 1 ? 1 : 0
  }
}
