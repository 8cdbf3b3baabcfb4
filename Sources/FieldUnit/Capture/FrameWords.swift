import Foundation
import Inspection
import TimeAndText

/// The page's words about the frame that it sends: angles in degrees, times in ms of the page's clock,
/// and the names of phone and camera. All of it is hostile.
package struct FrameWords: Decodable, Sendable {
  var alpha: Double?
  var beta: Double?
  var gamma: Double?
  var screen: Int?
  var accuracy: Double?
  var taken: String?
  var facing: String?
  var camera: String?
  var model: String?
  var time: Span?
  var trip: Trip?
  var bytes: Int?
  var digest: String?

  /// The times of the page between which the frame was made.
  struct Span: Decodable {
    var from: Double
    var to: Double
  }

  /// The best round trip of the page to the field unit's clock.
  struct Trip: Decodable {
    var asked: Double
    var told: Double
    var heard: Double
  }

  private static let unreadable = FieldUnitError.camera(
    "the page's data about the picture cannot be read")

  /// Reads the words; a page without a script says none.
  /// - Throws: `FieldUnitError.camera` for words that cannot be read.
  package init(header: String?) throws {
    do {
      self = try JSONDecoder().decode(FrameWords.self, from: Data((header ?? "{}").utf8))
    } catch {
      throw Self.unreadable
    }
  }

  /// Returns the frame without its bytes.
  /// - Parameters:
  ///   - browser: how the browser names itself.
  ///   - phone: the paired phone; nil for a browser of the device itself.
  /// - Throws: `FieldUnitError.camera` for numbers that cannot be.
  package func frame(browser: String?, of phone: PairedPhone?) throws -> HandedFrame {
    var frame = HandedFrame(
      bytes: [], making: taken.flatMap(FrameMaking.init(rawValue:)), attitude: try attitude(),
      looksTowardsPerson: looksTowardsPerson)
    frame.told = try toldTime()
    frame.lens = phone?.lens ?? .none
    frame.phone = PhotoPhone(session: phone?.id, browser: browser, model: model, camera: camera)
    return frame
  }

  /// Returns the frame's size and digest, of which nothing is here yet.
  /// - Throws: `FieldUnitError.picture` for a frame that is too large; `camera` if one of them is none.
  package func pieces(limit: Int) throws -> FramePieces {
    guard let bytes, let digest else { throw Self.unreadable }
    guard bytes <= limit else {
      throw FieldUnitError.picture("it is larger than \(limit >> 20) MiB")
    }
    guard let pieces = FramePieces(bytes: bytes, digest: digest, limit: limit) else {
      throw Self.unreadable
    }
    return pieces
  }

  /// The time of the frame; nil if the page compared no clocks.
  private func toldTime() throws -> ToldFrameTime? {
    guard let time, let trip else { return nil }
    guard
      let roundTrip = ClockRoundTrip(
        askedMilliseconds: trip.asked, toldMilliseconds: trip.told, heardMilliseconds: trip.heard),
      let told = ToldFrameTime(
        fromMilliseconds: time.from, toMilliseconds: time.to, roundTrip: roundTrip)
    else { throw Self.unreadable }
    return told
  }

  /// True if the camera looks towards the person, by the browser's `facingMode`; nil if the browser does
  /// not say, as many do of a tablet's camera.
  private var looksTowardsPerson: Bool? {
    switch facing {
    case "user": true
    case "environment": false
    default: nil
    }
  }

  private func attitude() throws -> DeviceAttitude? {
    guard let beta, let gamma else { return nil }
    guard
      let attitude = DeviceAttitude(
        alphaDegrees: alpha, betaDegrees: beta, gammaDegrees: gamma, screenDegrees: screen ?? 0,
        compassAccuracyDegrees: accuracy)
    else { throw FieldUnitError.camera("the motion sensors' values are not angles") }
    return attitude
  }
}
