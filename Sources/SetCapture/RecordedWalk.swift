import Evidence
import FieldUnit
import Foundation
import Inspection
import Store
import TimeAndText

/// A recorded walk: the words of a device's sensors and the frames of its camera, one line of JSON each,
/// in the order of their times. Scripts take sets from it, and the page's own script is tested on it.
package struct RecordedWalk: Sendable {
  /// The largest file that is read, bytes.
  static let sizeLimit = 64 << 20

  /// A frame with its place among the samples.
  struct Frame: Sendable {
    var milliseconds: Double
    var screenDegrees: Int
    /// The path of the picture.
    var path: String
    /// The number of samples before the frame.
    var samplesBefore: Int
  }

  /// The samples of the sensors, in the order of their times.
  let samples: [AttitudeSample]
  /// The frames, in the order of their times.
  let frames: [Frame]

  /// Reads a walk. Pictures are named relative to its folder.
  /// - Throws: `FieldUnitError.unreadable` with the line that is wrong.
  package init(path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard let status = FileStatus(ofPath: path), status.isFile else {
      throw FieldUnitError.unreadable(path: path, reason: "there is no such file")
    }
    guard status.bytes <= Self.sizeLimit else {
      throw FieldUnitError.unreadable(path: path, reason: "it is larger than 64 MiB")
    }
    var samples: [AttitudeSample] = []
    var frames: [Frame] = []
    var last = -Double.infinity
    let lines = try DurableFile.read(path).split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      func wrong(_ what: String) -> FieldUnitError {
        .unreadable(path: path, reason: "line \(index + 1): \(what)")
      }
      guard let json = try? JSONValue(parsing: Array(line)) else { throw wrong("it is no JSON") }
      guard let time = Self.number(json["milliseconds"]), time >= last else {
        throw wrong("milliseconds is missing, or before the line above")
      }
      last = time
      if let image = json["image"]?.text {
        guard !image.hasPrefix("/"), !image.split(separator: "/").contains("..") else {
          throw wrong("the image lies outside of the walk's folder")
        }
        frames.append(
          Frame(
            milliseconds: time, screenDegrees: json["screenDegrees"]?.wholeNumber ?? 0,
            path: folder + "/" + image, samplesBefore: samples.count))
      } else {
        guard let w = Self.number(json["w"]), let x = Self.number(json["x"]),
          let y = Self.number(json["y"]), let z = Self.number(json["z"]),
          let rotation = Quaternion(w: w, x: x, y: y, z: z)
        else { throw wrong("it has neither an image nor the four numbers of a rotation") }
        samples.append(
          AttitudeSample(
            milliseconds: time, rotation: rotation,
            accelerationMetresPerSecondSquared: Self.number(json["acceleration"]).map(abs)))
      }
    }
    (self.samples, self.frames) = (samples, frames)
  }

  private static func number(_ json: JSONValue?) -> Double? {
    guard case .number(let value)? = json, value.isFinite else { return nil }
    return value
  }

  /// Returns a frame as a camera offers it.
  /// - Throws: `FieldUnitError.unreadable` if its picture cannot be read.
  func offered(_ frame: Frame) throws -> OfferedFrame {
    let before = frame.samplesBefore > 0 ? samples[frame.samplesBefore - 1] : nil
    let after = frame.samplesBefore < samples.count ? samples[frame.samplesBefore] : nil
    return OfferedFrame(
      milliseconds: frame.milliseconds, before: before, after: after,
      screenDegrees: frame.screenDegrees, picture: try Camera.read(frame.path))
  }
}

/// Plays a recorded walk into a set, in the receiver's own time.
package actor WalkPlayer: SetFrameSource {
  private let walk: RecordedWalk
  private var next = 0
  private var began: ElapsedTime?
  /// The answers to the frames so far, each with its count.
  package private(set) var answers: [String: Int] = [:]

  /// Creates a player at the beginning of a walk.
  package init(_ walk: RecordedWalk) { self.walk = walk }

  /// Offers the frames up to a moment, and ends the frames after the last one.
  package func frames(at moment: ElapsedTime, for run: SetRun) async {
    let began = began ?? moment
    self.began = began
    let first = min(
      walk.samples.first?.milliseconds ?? .infinity, walk.frames.first?.milliseconds ?? .infinity)
    while next < walk.frames.count {
      let frame = walk.frames[next]
      guard frame.milliseconds - first <= moment.seconds(since: began) * 1000 else { return }
      next += 1
      do {
        note(try await run.offer(try walk.offered(frame)))
      } catch {
        await run.giveUp(error)
        return
      }
    }
    await run.beginClosing()
  }

  private func note(_ answer: FrameAnswer) {
    let word =
      switch answer {
      case .kept: "kept"
      case .noSample: "noSample"
      case .poor: "poor"
      case .notBetter: "notBetter"
      }
    answers[word, default: 0] += 1
  }
}
