import Inspection
import Office
import OfficeFrame
import Store
import Web

// The orders that went from one inspector to another.
extension TaskPages {
  /// Returns the links between a task and the order that another inspector got of it; nil if the task
  /// always had one inspector, and for inspectors, who see only their own tasks.
  func handed(_ task: InspectionTask, _ reader: Reader) async throws -> HTML? {
    guard reader.own == nil else { return nil }
    let handed = try await office.database.read(in: reader.agency) { session in
      let (from, to) = try session.bulk.handed(task.id)
      return (try from.map(session.tasks.task), try to.map(session.tasks.task))
    }
    func line(_ other: InspectionTask?, _ words: (HTML) -> HTML) -> HTML? {
      other.map { other in
        "<p>\(words("<a href=\"/tasks/\(other.id.description)\">\(other.inspector)</a>"))</p>"
      }
    }
    return """
      \(line(handed.0) { t.html("Before, {1} had this task: open theirs to see what was done.", $0) })\
      \(line(handed.1) { t.html("Now {1} has this task: open theirs to see what is done.", $0) })
      """
  }
}
