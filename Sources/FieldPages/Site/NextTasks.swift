import Inspection

/// Chooses the few tasks that come next, of all that an inspector still has to do.
enum NextTasks {
  /// The largest number of tasks that are offered.
  static let shownAtMost = 3

  /// Returns the nearest task, then the most urgent one, then the second nearest; where positions
  /// are not known, the most urgent ones.
  static func choose(_ rows: [TaskOrdering.Row]) -> [TaskOrdering.Row] {
    let urgent = TaskOrdering(["state": TaskOrdering.toDo]).rows(rows)
    let near = TaskOrdering(["state": TaskOrdering.toDo, "sort": "distance"]).rows(rows)
      .filter { $0.way != nil }
    var chosen = Array(near.prefix(1))
    func add(_ candidates: [TaskOrdering.Row], upTo count: Int) {
      for row in candidates where chosen.count < count && !chosen.contains(row) {
        chosen.append(row)
      }
    }
    add(urgent, upTo: 2)
    add(near, upTo: shownAtMost)
    add(urgent, upTo: shownAtMost)
    return chosen
  }
}
