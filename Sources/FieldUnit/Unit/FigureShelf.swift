import Store
import Synchronization
import TimeAndText

// Home is open all day, and a receiver may speak ten times a second. Each time both live parts of
// the page ask for the counters, for which the database would count all photos. The counters change
// a few times an hour.

/// Keeps the first page's figures for a second at most, and not beyond a change.
final class FigureShelf: Sendable {
  /// A mark that differs after anything was written: this program's own count of its writes, and
  /// the status of the database's journal, for writes of other programs.
  struct Mark: Hashable, Sendable {
    var writings: Int
    var journal: FileStatus?
  }

  private struct Kept {
    var figures: FieldFigures
    var mark: Mark
    var time: ElapsedTime
  }

  /// The longest time that figures are kept, seconds of elapsed time.
  private static let keptSeconds = 1.0

  private let kept = Mutex<Kept?>(nil)

  init() {}

  /// Returns the figures of now, or those of less than a second ago if nothing has changed since.
  /// - Parameter mark: the mark from before the figures are counted.
  func figures(
    at now: ElapsedTime, mark: Mark, _ count: () throws -> FieldFigures
  ) rethrows -> FieldFigures {
    if let known = kept.withLock({ $0 }), known.mark == mark,
      (0..<Self.keptSeconds).contains(now.seconds(since: known.time))
    {
      return known.figures
    }
    let figures = try count()
    kept.withLock { $0 = Kept(figures: figures, mark: mark, time: now) }
    return figures
  }
}
