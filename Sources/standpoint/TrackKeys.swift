import FieldUnit
import Foundation
import Positioning
import TimeAndText

/// The keys that an inspector types while a track is recorded.
enum TrackKeys {
  /// Returns the controls that come as lines of standard input; the end of the input ends nothing.
  static func controls() -> AsyncStream<TrackControl> {
    let (stream, continuation) = AsyncStream.makeStream(of: TrackControl.self)
    // A thread of its own: reading a terminal waits for a person.
    Thread.detachNewThread {
      while let line = readLine() {
        let word = line.trimmingCharacters(in: .whitespaces)
        if word.isEmpty { continue }
        guard let control = control(word) else {
          Terminal.complain(
            "standpoint: unknown key \(word.prefix(20)): use p (pause, resume), v (corner), c"
              + " (corner from samples), d (delete last), q (finish)")
          continue
        }
        continuation.yield(control)
      }
    }
    return stream
  }

  private static func control(_ word: String) -> TrackControl? {
    switch word {
    case "p": .pauseOrResume
    case "v": .vertex
    case "c": .centroidVertex
    case "d": .deleteLast
    case "q": .finish
    default: nil
    }
  }

  /// Says the result of a key. Points that come by themselves are not mentioned.
  static func show(_ progress: TrackProgress) {
    switch progress {
    case .point(let point, let count):
      guard point.kind != .recorded else { return }
      let radius = point.horizontalUncertaintyMetres95.map {
        ", ± \(DecimalText.fixed($0, places: 1)) m"
      }
      Terminal.complain("corner at \(point.time.timeOfDay)\(radius ?? ""), \(count) points")
    case .deleted(let count): Terminal.complain("last point deleted, \(count) left")
    case .paused(true): Terminal.complain("paused: p resumes")
    case .paused(false): Terminal.complain("recording again")
    case .refused(let words): Terminal.complain("\(words)")
    }
  }
}
