import Foundation
import Geodesy
import Inspection
import Office
import Store

/// The filter, the order and the page of a list of tasks, as an address carries them: a view can
/// thus be sent to a colleague, and a reviewer gets from one task of the list to the next.
package struct TaskListAddress: Hashable, Sendable {
  package var filter = TaskFilter()
  package var order = TaskSorting()
  /// The page of the list, from 1.
  package var page = 1

  /// Creates the list from the fields of a query. A value that is not understood counts as absent.
  package init(_ query: [String: String]) {
    func known(_ name: String) -> String? {
      query[name].map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        .flatMap { $0.isEmpty ? nil : $0 }
    }
    filter = TaskFilter(
      text: known("text"), state: known("state").flatMap(TaskState.init(rawValue:)),
      inspector: known("inspector"), type: known("type"), parcel: known("parcel"),
      due: known("due").flatMap(TaskFilter.Due.init(rawValue:)),
      photos: known("photos").flatMap(TaskFilter.Photos.init(rawValue:)),
      area: AddressText.box(known("area")))
    filter.items = known("items").flatMap(TaskFilter.Items.init(rawValue:))
    filter.answer = known("answer").flatMap(TaskFilter.Answer.init(_:))
    page = max(1, known("page").flatMap { Int($0) } ?? 1)
    if let sort = known("sort") {
      let isDescending = sort.hasPrefix("-")
      if let column = TaskSorting.Column(rawValue: String(sort.drop { $0 == "-" })) {
        order = TaskSorting(column, isDescending: isDescending)
      }
    }
  }

  /// Creates the list from its query, which a task's address carries as one field; nil if there is
  /// none.
  package init?(_ text: String?) {
    guard let text, !text.isEmpty, text.utf8.count < 2000,
      let items = URLComponents(string: "?" + text)?.queryItems
    else { return nil }
    self.init(
      Dictionary(items.compactMap { item in item.value.map { (item.name, $0) } }) { first, _ in
        first
      })
  }

  /// The fields of the query that differ from the default list.
  private var fields: [(String, String)] {
    let sort =
      order == TaskSorting() ? nil : (order.isDescending ? "-" : "") + order.column.rawValue
    return [
      ("text", filter.text), ("state", filter.state?.rawValue), ("inspector", filter.inspector),
      ("type", filter.type), ("parcel", filter.parcel), ("due", filter.due?.rawValue),
      ("photos", filter.photos?.rawValue), ("items", filter.items?.rawValue),
      ("answer", filter.answer?.text),
      ("area", filter.area.map(AddressText.text)), ("sort", sort),
    ].compactMap { name, value in value.map { (name, $0) } }
  }

  /// Returns the list's query.
  package func query() -> String {
    (fields + (page > 1 ? [("page", "\(page)")] : []))
      .map { "\($0)=\(AddressText.escaped($1))" }.joined(separator: "&")
  }

  /// Returns the first page of the same tasks in another order.
  package func sorted(by order: TaskSorting) -> TaskListAddress {
    var sorted = self
    (sorted.order, sorted.page) = (order, 1)
    return sorted
  }

  /// Returns another page of this list.
  package func turned(to page: Int) -> TaskListAddress {
    var turned = self
    turned.page = page
    return turned
  }

  /// Returns the address of a task as one of this list. The default list gets a `sort` field, so
  /// that its query is not empty.
  package func path(to task: Identifier) -> String {
    let query = self.query().isEmpty ? "sort=\(order.column.rawValue)" : self.query()
    return "/tasks/\(task)?list=\(AddressText.escaped(query))"
  }
}
