import Inspection

/// The names of a task's photos, which people read in a list: `Sugar beet, photo 1`. Everything but
/// the number is put together once for all of them.
struct PhotoName {
  /// The names of a photo and of its view.
  struct Texts {
    var photo: String
    var view: String
  }

  /// The most characters of a task's name in the names of its photos: a list shows no more.
  private static let taskAtMost = 60
  /// A sign that stands for the number until it is known; no name has it, as XML cannot write it.
  private static let gap: Character = "\u{1}"

  private let photo: (before: Substring, after: Substring)
  private let view: (before: Substring, after: Substring)

  /// - Parameter task: the photos' task; nil for photos without one, whose time is their number.
  init(of task: InspectionTask?, _ words: DocumentWords) {
    let gap = String(Self.gap)
    let kmlWords = KMLWords(t: words.t)
    let name = task.map { task in
      let plain = String(task.name.filter { $0 != Self.gap })
      let short = plain.count > Self.taskAtMost ? plain.prefix(Self.taskAtMost - 1) + "…" : plain
      return kmlWords.photo(gap, of: short)
    }
    let whole = name ?? words.photo(taken: gap)
    photo = Self.halves(whole)
    view = Self.halves(kmlWords.view(of: whole))
  }

  private static func halves(_ text: String) -> (before: Substring, after: Substring) {
    let parts = text.split(separator: gap, maxSplits: 1, omittingEmptySubsequences: false)
    return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
  }

  /// Returns the names with a number or a time.
  func with(_ number: String) -> Texts {
    Texts(
      photo: photo.before + number + photo.after, view: view.before + number + view.after)
  }
}
