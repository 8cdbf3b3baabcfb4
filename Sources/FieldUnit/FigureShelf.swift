import Positioning
import Store
import Synchronization

// Home is open all day, and a receiver may speak ten times a second: each time both of its live parts ask for
// the counters, and each time the database would count every photo anew. They change a few times an hour.

/// Keeps the first page's figures for a moment, and not beyond a change.
final class FigureShelf: Sendable {
  /// What is different after anything was written: this program's own count of its writings, and what the
  /// system says of the database's journal, for those of other programs.
  struct Mark: Hashable, Sendable {
    var writings: Int
    var journal: FileStatus?
  }

  private struct Kept {
    var figures: FieldFigures
    var mark: Mark
    var time: ElapsedTime
  }

  /// For so long at most, seconds of elapsed time.
  private static let keptSeconds = 1.0

  private let kept = Mutex<Kept?>(nil)

  init() {}

  /// The figures as they are, or were less than a second ago where nothing has changed since.
  /// - Parameter mark: as it is before they are counted.
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

extension InspectorUnit {
  /// What the first page counts; it is asked for with every fix.
  package func figures() throws -> FieldFigures {
    let mark = FigureShelf.Mark(
      writings: store.writings, journal: FileStatus(ofPath: folder.database + "-wal"))
    return try figureShelf.figures(at: clock.elapsed, mark: mark) {
      try store.read(as: person) { try $0.figures() }
    }
  }
}
