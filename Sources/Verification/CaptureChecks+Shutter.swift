import Evidence
import Inspection
import TimeAndText

extension CaptureChecks {
  /// Returns a message if the record's own numbers say that its frame does not belong to its fix; nil if
  /// they do not, and for a photo that no page took.
  static func shutterProblem(_ record: JSONValue) -> Wording? {
    guard let claimed = record["shutter"] else { return nil }
    guard let delay = claimed["delaySeconds"]?.measured,
      let uncertainty = claimed["delayUncertaintySeconds"]?.measured,
      let most = claimed["delaySecondsAtMost"]?.measured,
      let limit = claimed["limitSeconds"]?.measured
    else { return "the time from the fix to the picture is missing" }
    let rounding = 0.001
    guard delay >= 0, uncertainty >= 0, delay <= most + rounding else {
      return "the times from the fix to the picture contradict each other"
    }
    let longest = min(limit, FrameTiming.usualLimitSeconds)
    guard delay > longest || most > FrameTiming.longestSecondsAtMost else { return nil }
    return
      "the picture was taken \(decimal: delay, places: 3) s after its fix, at most \(decimal: most, places: 3) s; \(decimal: longest, places: 3) s are allowed"
  }
}
