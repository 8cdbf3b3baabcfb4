import Evidence
import Imagery
import Inspection
import Positioning
import TimeAndText

extension Verifier {
  /// Checks one frame of a set: it must be a picture. Its digest was checked before.
  mutating func checkFrame(_ bytes: [UInt8]?, _ number: Int, _ path: String) {
    guard let bytes else { return }
    do {
      _ = try JPEGPicture.inspect(bytes)
    } catch {
      add(path, .image, .doubtful, "frame \(number) is no picture: \("\(error)")")
    }
  }

  /// Checks a set's claims against its list of frames and against both raw windows.
  mutating func checkFrameSet(_ entry: Entry, _ bytes: [SealedPart: [UInt8]]) {
    if entry.link.file == nil || entry.file.frameDigests.isEmpty {
      add(entry.path, .file, .doubtful, "it has no frames: no picture is sealed with it")
    }
    if let list = bytes[.file] {
      do throws(EvidenceError) {
        for words in FrameSetChecks.problems(
          of: try entry.file.frameSet(list: list), record: entry.file.record)
        {
          add(entry.path, .file, .doubtful, words)
        }
      } catch {
        add(entry.path, .file, .doubtful, error.wording)
      }
    }
    var windows: [SealedPart: RawWindow] = [:]
    for (part, name) in [(SealedPart.startRaw, "start"), (.endRaw, "end")] {
      guard entry.file.parts.contains(where: { $0.part == part }) else {
        add(
          entry.path, .rawWindow, .doubtful,
          "nothing proves the standpoint at its \(word: name): it has no raw window")
        continue
      }
      guard let raw = bytes[part] else { continue }
      do {
        let window = try RawWindow(fileBytes: raw)
        windows[part] = window
        check(entry, stand: name, window)
      } catch {
        add(entry.path, .rawWindow, .doubtful, "\(error): nothing proves its position")
      }
    }
    if entry.link.kind == .turn, let start = windows[.startRaw], let end = windows[.endRaw],
      !FrameSetChecks.isUnbroken(start, end)
    {
      add(
        entry.path, .standpoint, .doubtful,
        "the raw windows do not show that the inspector stood still from start to end")
    }
  }

  /// Checks one standpoint of a set as a capture's is checked.
  private mutating func check(_ entry: Entry, stand name: String, _ window: RawWindow) {
    let again = Recomputation(window)
    windowUses[entry.path, default: []] += [again.use(by: entry.link.key)].compactMap(\.self)
    let record = FrameSetChecks.asCapture(entry.file.record, stand: name)
    for problem in CaptureChecks.problems(of: record, window: window, again) {
      add(entry.path, problem.check, .doubtful, "\(word: name): \(problem.message)")
    }
    if let words = CaptureChecks.clockProblem(record) {
      add(entry.path, .times, .doubtful, "\(word: name): \(words)")
    }
  }
}

/// Checks of a set's claims against each other.
enum FrameSetChecks {
  /// Returns a capture's record of one standpoint of a set, so that one code judges both.
  static func asCapture(_ record: JSONValue, stand name: String) -> JSONValue {
    let stand = record[name]
    return .object(known: [
      (
        "device", .object(["receiver": .object(known: [("source", stand?["source"])])])
      ), ("simulated", record["simulated"]), ("integrity", stand?["integrity"]),
      ("gate", stand?["gate"]), ("position", stand?["position"]), ("time", stand?["time"]),
    ])
  }

  /// Returns true if the gate held from the first sample of the start to the end. The end has samples
  /// of its own, and its window reaches back to the start.
  static func isUnbroken(_ start: RawWindow, _ end: RawWindow) -> Bool {
    var whole = end
    whole.firstSample = start.firstSample
    guard end.from.seconds(since: start.from) <= 0.0005,
      end.shutter.seconds(since: start.shutter) >= 0
    else { return false }
    return Recomputation(whole).heldOpen
  }

  /// Returns what does not hold among the record and the list.
  static func problems(of set: FrameSet, record: JSONValue) -> [Wording] {
    var problems: [Wording] = []
    let angles = set.frames.map(\.attitude.angleDegrees)
    let summary = set.summary
    if FrameOrder.order(angles, isFullRing: summary.filled == summary.sectors)
      != Array(angles.indices)
    {
      problems.append("its frames are not in the order of their angles")
    }
    if summary.filled != angles.count {
      problems.append("two of its frames are of the same sector")
    }
    for (index, frame) in set.frames.enumerated() {
      let quality = FrameQuality(
        frame.attitude,
        accelerationMetresPerSecondSquared: frame.accelerationMetresPerSecondSquared,
        in: set.ring, weights: set.terms.weights)
      if abs(quality.value - frame.quality) > 0.002 || !quality.isEnough {
        problems.append("the quality of frame \(index + 1) is not what its numbers give")
      }
    }
    if let words = timeProblem(set) { problems.append(words) }
    if record["set"].map({ !agrees($0, summary) }) ?? true {
      problems.append("what it says of its sectors and its way is not what its frames give")
    }
    return problems
  }

  private static func timeProblem(_ set: FrameSet) -> Wording? {
    let (start, end) = (set.start.gnssTime, set.end.gnssTime)
    guard end.seconds(since: start) >= 0 else { return "it ends before it begins" }
    for (index, frame) in set.frames.enumerated() {
      guard let time = frame.place?.gnssTime else { continue }
      if time.seconds(since: start) < -0.0005 || end.seconds(since: time) < -0.0005 {
        return "frame \(index + 1) was not taken between its start and its end"
      }
    }
    return nil
  }

  /// Returns true if a record says of its sectors and its way what the frames give. Records carry
  /// places to a tenth of a millimetre, so the way's numbers agree to millimetres.
  private static func agrees(_ claimed: JSONValue, _ summary: FrameSetSummary) -> Bool {
    let missing = claimed["missingDegrees"]?.elements?.compactMap(\.measured) ?? []
    guard claimed["filled"]?.wholeNumber == summary.filled,
      claimed["complete"]?.flag == summary.isComplete,
      missing.count == summary.missingDegrees.count,
      zip(missing, summary.missingDegrees).allSatisfy({ abs($0 - $1) < 0.001 })
    else { return false }
    let way = claimed["walked"]
    guard let walked = summary.walked else { return way == nil }
    func agree(_ name: String, _ value: Double?, _ tolerance: Double) -> Bool {
      switch (way?[name]?.measured, value) {
      case (nil, nil): true
      case (let claimed?, let value?): abs(claimed - value) <= tolerance
      default: false
      }
    }
    return agree("coveredDegrees", walked.coveredDegrees, 0.1)
      && agree("closingMetres", walked.closingMetres, 0.002)
      && agree("closingToleranceMetres", walked.closingToleranceMetres, 0.003)
      && way?["round"]?.flag == walked.isRound && way?["closed"]?.flag == walked.isClosed
  }
}
