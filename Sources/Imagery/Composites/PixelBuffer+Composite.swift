import Dispatch
import Synchronization

extension PixelBuffer {
  /// The rows that one thread mixes before it takes more.
  private static let stripRows = 64

  /// Lays a picture over this one, as a plan says: `A * (1 - t * m1 * m2) + B * t * m1 * m2`, each
  /// channel rounded to the nearest number. The picture above is read between its pixels by their
  /// four neighbours. All cores share the work; the result does not depend on how many there are.
  /// - Throws: `CompositeFault`; this picture then stays as it is.
  public mutating func compose(with above: PixelBuffer, _ plan: CompositePlan) throws {
    try plan.check(
      baseWidth: width, baseHeight: height, width: above.width, height: above.height)
    guard let back = plan.onto(width: above.width, height: above.height)?.inverse else {
      throw CompositeFault.insideOut
    }
    let mixer = Mixer(plan, back: back, width: above.width, height: above.height)
    // A picture that is shown much smaller is shrunk before, or its stripes would flicker.
    var source = above
    if case .byHand(_, _, let scale, _) = plan.placement, scale < 0.5 {
      let side = { (pixels: Int) in max(1, Int((Double(pixels) * scale * 2).rounded(.up))) }
      source = above.shrunk(toWidth: side(above.width), height: side(above.height))
    }
    let isTouched = mix(
      source, mixer, rows: plan.rows(in: height),
      scale: (
        Double(source.width) / Double(above.width), Double(source.height) / Double(above.height)
      ))
    guard isTouched else { throw CompositeFault.nothingSeen }
    if let crop = plan.crop { self = part(crop) }
  }

  /// Returns this picture with another one laid over it.
  /// - Throws: `CompositeFault`.
  public func composed(with above: PixelBuffer, _ plan: CompositePlan) throws -> PixelBuffer {
    var result = self
    try result.compose(with: above, plan)
    return result
  }

  /// Mixes a picture into some rows.
  /// - Parameter scale: the pixels of the picture, across and down, for each one that the mixer
  ///   counts.
  /// - Returns: true if at least one pixel of it is seen.
  private mutating func mix(
    _ above: PixelBuffer, _ mixer: Mixer, rows: Range<Int>, scale: (x: Double, y: Double)
  ) -> Bool {
    let width = width
    let isSeen = Atomic(false)
    above.pixels.withUnsafeBufferPointer { source in
      pixels.withUnsafeMutableBufferPointer { target in
        // The threads read one picture, and each writes rows of its own.
        nonisolated(unsafe) let target = target
        nonisolated(unsafe) let source = source
        let strips = (rows.count + Self.stripRows - 1) / Self.stripRows
        DispatchQueue.concurrentPerform(iterations: strips) { strip in
          let first = rows.lowerBound + strip * Self.stripRows
          var samples = Samples(source, width: above.width, height: above.height, scale: scale)
          for row in first..<min(first + Self.stripRows, rows.upperBound) {
            samples.mix(into: target, row: row, width: width, mixer)
          }
          if samples.isSeen { isSeen.store(true, ordering: .relaxed) }
        }
      }
    }
    return isSeen.load(ordering: .relaxed)
  }

  /// A picture that is read between its pixels.
  private struct Samples {
    let source: UnsafeBufferPointer<UInt8>
    let lastColumn: Int
    let lastRow: Int
    let stride: Int
    let scale: (x: Double, y: Double)
    var isSeen = false

    init(
      _ source: UnsafeBufferPointer<UInt8>, width: Int, height: Int, scale: (x: Double, y: Double)
    ) {
      self.source = source
      (lastColumn, lastRow, stride, self.scale) = (width - 1, height - 1, 3 * width, scale)
    }

    /// Mixes the picture into a row of another one.
    mutating func mix(
      into target: UnsafeMutableBufferPointer<UInt8>, row: Int, width: Int, _ mixer: Mixer
    ) {
      for column in 0..<width {
        let (share, x, y) = mixer.share(x: Double(column) + 0.5, y: Double(row) + 0.5)
        guard share > 0 else { continue }
        isSeen = true
        // The middle of a pixel is half a pixel from its corner.
        let (left, top) = (x * scale.x - 0.5, y * scale.y - 0.5)
        let first = min(max(Int(left.rounded(.down)), 0), lastColumn)
        let upper = min(max(Int(top.rounded(.down)), 0), lastRow)
        let across = min(max(left - Double(first), 0), 1)
        let down = min(max(top - Double(upper), 0), 1)
        let next = first < lastColumn ? 3 : 0
        let below = upper < lastRow ? stride : 0
        let start = upper * stride + 3 * first
        let offset = 3 * (row * width + column)
        for channel in 0..<3 {
          let at = start + channel
          let high = Double(source[at]) * (1 - across) + Double(source[at + next]) * across
          let low =
            Double(source[at + below]) * (1 - across) + Double(source[at + below + next]) * across
          let value = high * (1 - down) + low * down
          let old = Double(target[offset + channel])
          target[offset + channel] = UInt8(old + (value - old) * share + 0.5)
        }
      }
    }
  }

  /// Puts a picture into this one, in which it has room.
  mutating func lay(_ picture: PixelBuffer, x: Int, y: Int) {
    for row in 0..<picture.height {
      let start = 3 * ((y + row) * width + x)
      let source = 3 * row * picture.width
      pixels.replaceSubrange(
        start..<(start + 3 * picture.width),
        with: picture.pixels[source..<(source + 3 * picture.width)])
    }
  }

  /// Returns a part of the picture, which lies in it.
  func part(_ crop: CompositePlan.Crop) -> PixelBuffer {
    var part: [UInt8] = []
    part.reserveCapacity(3 * crop.width * crop.height)
    for row in crop.y..<(crop.y + crop.height) {
      let start = 3 * (row * width + crop.x)
      part += pixels[start..<(start + 3 * crop.width)]
    }
    return PixelBuffer(uncheckedWidth: crop.width, height: crop.height, pixels: part)
  }
}

extension CompositePlan {
  /// The rows of the picture below that the window may touch.
  func rows(in height: Int) -> Range<Int> {
    let (cosine, sine) = Self.turn(window.angleDegrees)
    let reach = abs(window.halfWidth * sine) + abs(window.halfHeight * cosine) + 1
    let first = min(max(Int((window.centreY - reach).rounded(.down)), 0), height)
    let end = min(max(Int((window.centreY + reach).rounded(.up)), first), height)
    return first..<end
  }
}
