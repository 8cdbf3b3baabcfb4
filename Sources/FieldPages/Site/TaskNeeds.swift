import Inspection
import SetViewing
import Web

/// The things that a task has to hold before it can be sent.
struct TaskNeeds: Sendable {
  /// One of these things.
  private struct Part: Sendable {
    var words: String
    var isThere: Bool
    /// The page on which it is made; nil if no single page is meant.
    var address: String?
  }

  private var parts: [Part] = []
  private let missing: [TaskRequirements.Missing]

  /// True if nothing is missing.
  var isMet: Bool { missing.isEmpty }

  /// Creates the list for a task with its photos and tracks.
  /// - Parameters:
  ///   - tracks: the task's tracks; their points are not needed.
  ///   - sets: the task's sets.
  ///   - lackingRepeats: the number of its photo points that have neither a repeat nor a reason.
  ///   - t: the texts in the language of the current request.
  init(
    _ task: InspectionTask, photos: Int, tracks: [Track], sets: [FrameSetHead],
    lackingRepeats: Int,
    _ needed: TaskRequirements, _ t: Texts
  ) {
    let finished = tracks.count { $0.ended != nil }
    missing = needed.missing(
      photos: photos, note: task.note, tracks: finished,
      unfinishedTracks: tracks.count - finished, lackingRepeats: lackingRepeats,
      sets: sets)
    if needed.photos > 0 {
      let words = needed.photos == 1 ? t("1 photo") : t("{1} photos", needed.photos)
      let lack = TaskRequirements.Missing.photos(have: photos, need: needed.photos)
      parts.append(Part(words: words, isThere: !missing.contains(lack)))
    }
    if needed.note {
      parts.append(Part(words: t("a note"), isThere: !missing.contains(.note)))
    }
    if needed.track {
      parts.append(Part(words: t("a track"), isThere: !missing.contains(.track)))
    }
    for set in needed.sets {
      parts.append(
        Part(
          words: SetParts(t: t).words(set), isThere: !missing.contains(.set(set)),
          address: "/sets/new?task=\(task.id.description)"))
    }
    if let wish = task.repeats {
      let words =
        wish.points.count == 1
        ? t("1 photo point again") : t("{1} photo points again", wish.points.count)
      parts.append(Part(words: words, isThere: lackingRepeats == 0))
    }
  }

  /// Returns the list, each thing with a mark if it is there.
  func html(_ t: Texts) -> HTML {
    guard !parts.isEmpty || !isMet else { return .text(t("nothing")) }
    let items = parts.map { part -> HTML in
      if part.isThere { return "<li>✓ \(part.words)</li>" }
      let words: HTML =
        part.address.map { "<a href=\"\($0)\">\(part.words)</a>" } ?? .text(part.words)
      return "<li>○ \(words), \(t("missing"))</li>"
    }
    let unfinished: HTML? =
      missing.contains(.endOfTrack)
      ? "<li>○ \(t("a track is not finished: finish it, or delete it"))</li>" : nil
    return "<ul class=\"needs\">\(items)\(unfinished)</ul>"
  }
}
