import Foundation
import Positioning
import TestSupport

@testable import Imagery

/// A picture taken again: turned, scaled, shifted, of another brightness, noisy, compressed.
struct WarpedPicture {
  /// The changed picture, a JPEG.
  var jpeg: [UInt8]
  /// The true displacement, per cent of the frame.
  var displacementPercent: Double

  /// Changes a picture within the limits: turn 5°, scale 0.9–1.1, shift 10 % of each side,
  /// brightness 0.6–1.4, noise σ 6, quality 50.
  init(of picture: PixelBuffer, _ generator: inout SeededGenerator) throws {
    let (width, height) = (Double(picture.width), Double(picture.height))
    let turn = Double.random(in: -5...5, using: &generator) * .pi / 180
    let scale = Double.random(in: 0.9...1.1, using: &generator)
    let shiftX = Double.random(in: -0.1...0.1, using: &generator) * width
    let shiftY = Double.random(in: -0.1...0.1, using: &generator) * height
    let brightness = Double.random(in: 0.6...1.4, using: &generator)
    let (c, s) = (scale * cos(turn), scale * sin(turn))
    let offsetX = width / 2 + shiftX - c * width / 2 + s * height / 2
    let offsetY = height / 2 + shiftY - s * width / 2 - c * height / 2
    // The mean over the four marks, by the map that is applied.
    displacementPercent =
      [(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)].map { mark in
        let (x, y) = (mark.0 * width, mark.1 * height)
        return hypot(
          (c * x - s * y + offsetX) / width - mark.0, (s * x + c * y + offsetY) / height - mark.1)
      }.reduce(0, +) * 25
    let noise = Self.noise(&generator)
    let square = scale * scale
    var pixels = [UInt8](repeating: 0, count: picture.pixels.count)
    picture.pixels.withUnsafeBufferPointer { source in
      pixels.withUnsafeMutableBufferPointer { target in
        for row in 0..<picture.height {
          for column in 0..<picture.width {
            // The middle of a pixel lies half a pixel from its corner.
            let (x, y) = (Double(column) + 0.5 - offsetX, Double(row) + 0.5 - offsetY)
            let fromX = (c * x + s * y) / square - 0.5
            let fromY = (c * y - s * x) / square - 0.5
            guard fromX >= 0, fromY >= 0, fromX < width - 1, fromY < height - 1 else { continue }
            let (left, top) = (Int(fromX), Int(fromY))
            let (u, v) = (fromX - Double(left), fromY - Double(top))
            let at = 3 * (row * picture.width + column)
            let from = 3 * (top * picture.width + left)
            let below = from + 3 * picture.width
            for channel in 0..<3 {
              let upper =
                Double(source[from + channel]) * (1 - u) + Double(source[from + 3 + channel]) * u
              let lower =
                Double(source[below + channel]) * (1 - u) + Double(source[below + 3 + channel]) * u
              let value =
                (upper * (1 - v) + lower * v) * brightness
                + noise[(at + channel) & (noise.count - 1)]
              target[at + channel] = UInt8(min(255, max(0, value)))
            }
          }
        }
      }
    }
    jpeg = try PixelBuffer(
      uncheckedWidth: picture.width, height: picture.height, pixels: pixels
    ).encodeJPEG(quality: 50)
  }

  /// Returns 65,536 numbers of a normal distribution with σ 6.
  private static func noise(_ generator: inout SeededGenerator) -> [Double] {
    (0..<32_768).flatMap { _ -> [Double] in
      let length = 6 * (-2 * log(Double.random(in: 1e-12..<1, using: &generator))).squareRoot()
      let turn = Double.random(in: 0..<(2 * .pi), using: &generator)
      return [length * cos(turn), length * sin(turn)]
    }
  }

  /// Returns a drawn field without the band and the caption, which all drawn pictures share.
  static func field(_ seed: Int) throws -> PixelBuffer {
    var scene = FieldScene(
      canvas: try PixelBuffer(width: 640, height: 480), seed: UInt64(seed) * 7919 + 11)
    scene.draw()
    return scene.canvas
  }

  /// The photos of real cameras beside the repository, as pictures of 800 pixels at most.
  static func photos() throws -> [(name: String, picture: PixelBuffer)] {
    let names = [
      "DSCN0010", "DSCN0021", "DSCN0042", "canon-ixus", "landscape_3", "portrait_6",
      "33-type_error",
    ]
    return try names.compactMap { name in
      guard let file = Repository.shared("data/photos/\(name).jpg") else { return nil }
      let bytes = [UInt8](try Data(contentsOf: file))
      return (name, try PixelBuffer(decoding: bytes, maximumSide: 800))
    }
  }
}
