import Inspection
import ItemViewing
import Office
import Web

// The apps know no items: they get those of an order as further lines of its task's text.
extension PhoneScripts {
  /// Returns the text of each task whose order asks for items: the instructions, and a line for
  /// each item. A decided task is not among them: nothing is to be done for it any more, and phones
  /// fetch their whole list each time.
  func texts(
    of tasks: [InspectionTask], _ session: any AgencyTransaction
  ) throws -> [Identifier: String] {
    let open = tasks.filter { !$0.state.isDecided }
    let orders = try session.tasks.items(ofTasks: open.map(\.id))
    // Behind a further delivery the words of the return are history.
    let returns = open.filter { $0.state == .returned && orders[$0.id] != nil }
      .compactMap { task in task.returns.last.map { (task: task.id, decision: $0) } }
    let verdicts = try session.answers.verdicts(ofDecisions: returns.map(\.decision))
    let marks: [Identifier: [ItemVerdict]] = returns.reduce(into: [:]) {
      $0[$1.task] = verdicts[$1.decision]
    }
    let lines = ItemLines(t: .current)
    // Most tasks of an inspector have the same few templates.
    var known: [String: String] = [:]
    var texts: [Identifier: String] = [:]
    for task in open {
      guard let order = orders[task.id], !order.items.items.isEmpty else { continue }
      let text: String
      if let marks = marks[task.id] {
        text = lines.text(of: order.items, verdicts: marks)
      } else {
        let key = "\(order.version) \(order.type)"
        text = known[key] ?? lines.text(of: order.items)
        known[key] = text
      }
      texts[task.id] = task.instructions.map { "\($0)\n\(text)" } ?? text
    }
    return texts
  }
}
