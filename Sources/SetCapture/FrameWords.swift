import FieldUnit
import Foundation
import Inspection
import TimeAndText

/// The words of a page about a frame that it hands: the moment, and the samples of the sensors before
/// and after it.
struct FrameWords: Decodable {
  private struct Sample: Decodable {
    var milliseconds: Double
    var rotation: [Double]
    var acceleration: Double?

    /// - Throws: `FieldUnitError.camera` if the numbers are no rotation.
    func checked() throws -> AttitudeSample {
      guard rotation.count == 4,
        let turn = Quaternion(w: rotation[0], x: rotation[1], y: rotation[2], z: rotation[3])
      else { throw FieldUnitError.camera("the motion sensors' values are not angles") }
      return AttitudeSample(
        milliseconds: milliseconds, rotation: turn,
        accelerationMetresPerSecondSquared: acceleration.map(abs))
    }
  }

  private var milliseconds: Double
  private var screen: Int
  private var before: Sample?
  private var after: Sample?
  private var firstMiddle: Double?

  /// Returns a frame as it is offered to a set.
  /// - Parameter header: the words as JSON.
  /// - Throws: `FieldUnitError.camera` if they cannot be read.
  static func frame(_ header: String?, _ picture: [UInt8]) throws -> OfferedFrame {
    guard let header,
      let words = try? JSONDecoder().decode(FrameWords.self, from: Data(header.utf8)),
      [0, 90, 180, 270].contains(words.screen)
    else { throw FieldUnitError.camera("the page's data about the picture cannot be read") }
    var frame = OfferedFrame(
      milliseconds: words.milliseconds, before: try words.before?.checked(),
      after: try words.after?.checked(), screenDegrees: words.screen, picture: picture)
    frame.firstMiddleDegrees = words.firstMiddle.flatMap { (0..<360).contains($0) ? $0 : nil }
    return frame
  }
}
