import Inspection
import SetViewing
import Web

/// The things that a task has to hold before it can be sent.
package struct TaskNeeds: Sendable {
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
  package var isMet: Bool { missing.isEmpty }

  /// Creates the list for a task with the things that it holds.
  /// - Parameter t: the texts in the language of the current request.
  package init(
    _ task: InspectionTask, _ contents: TaskContents, _ needed: TaskRequirements, _ t: Texts
  ) {
    missing = needed.missing(in: contents, note: task.note)
    let photos = needed.photos(hasItems: contents.items != nil)
    if photos > 0 {
      parts.append(
        Part(
          words: photos == 1 ? t("1 photo") : t("{1} photos", photos),
          isThere: contents.photos >= photos))
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
      parts.append(Part(words: words, isThere: contents.lackingRepeats == 0))
    }
    if let items = contents.items {
      let words =
        items.isComplete
        ? t("all that the order asks for")
        : items.missing.count == 1
          ? t("1 thing that the order asks for")
          : t("{1} things that the order asks for", items.missing.count)
      parts.append(
        Part(
          words: words, isThere: items.isComplete,
          address: "/tasks/\(task.id.description)#items"))
    }
  }

  /// Returns the list, each thing with a mark if it is there.
  package func html(_ t: Texts) -> HTML {
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
