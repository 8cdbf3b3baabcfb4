import Inspection
import Web

/// The things that a task has to hold before it can be sent.
struct TaskNeeds: Sendable {
  /// One of these things.
  private struct Part: Sendable {
    var words: String
    var isThere: Bool
  }

  private var parts: [Part] = []

  /// True if nothing is missing.
  var isMet: Bool { parts.allSatisfy(\.isThere) }

  /// Creates the list for a task with its photos and tracks.
  /// - Parameter t: the texts in the language of the current request.
  init(
    _ task: InspectionTask, photos: Int, tracks: [Track], _ needed: TaskRequirements, _ t: Texts
  ) {
    if needed.photos > 0 {
      let words = needed.photos == 1 ? t("1 photo") : t("{1} photos", needed.photos)
      parts.append(Part(words: words, isThere: photos >= needed.photos))
    }
    if needed.note {
      let isThere = task.note?.allSatisfy(\.isWhitespace) == false
      parts.append(Part(words: t("a note"), isThere: isThere))
    }
    if needed.track {
      parts.append(Part(words: t("a track"), isThere: tracks.contains { $0.ended != nil }))
    }
  }

  /// Returns the list, each thing with a mark if it is there.
  func html(_ t: Texts) -> HTML {
    guard !parts.isEmpty else { return .text(t("nothing")) }
    let items = parts.map { part in
      "<li>\(part.isThere ? "✓" : "○") \(part.words)\(part.isThere ? "" : ", " + t("missing"))</li>"
        as HTML
    }
    return "<ul class=\"needs\">\(items)</ul>"
  }
}
