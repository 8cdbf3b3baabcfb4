import Foundation
import Geodesy
import Inspection
import Office
import Store

/// Which tasks are looked at, and in which order, as it stands in an address: so a view can be sent to a
/// colleague, and whoever reviews comes from one task to the next of it.
struct TaskListAddress: Hashable, Sendable {
  var filter = TaskFilter()
  var order = TaskSorting()
  /// Which page of it, from 1.
  var page = 1

  /// From the fields of a query. What is not understood counts as not asked for.
  init(_ query: [String: String]) {
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
    page = max(1, known("page").flatMap { Int($0) } ?? 1)
    if let sort = known("sort") {
      let isDescending = sort.hasPrefix("-")
      if let column = TaskSorting.Column(rawValue: String(sort.drop { $0 == "-" })) {
        order = TaskSorting(column, isDescending: isDescending)
      }
    }
  }

  /// From a list's query as one field of a task's address; nil where there is none.
  init?(_ text: String?) {
    guard let text, !text.isEmpty, text.utf8.count < 2000,
      let items = URLComponents(string: "?" + text)?.queryItems
    else { return nil }
    self.init(
      Dictionary(items.compactMap { item in item.value.map { (item.name, $0) } }) { first, _ in
        first
      })
  }

  /// The fields that differ from what is shown to whoever asks for nothing.
  private var fields: [(String, String)] {
    let sort =
      order == TaskSorting() ? nil : (order.isDescending ? "-" : "") + order.column.rawValue
    return [
      ("text", filter.text), ("state", filter.state?.rawValue), ("inspector", filter.inspector),
      ("type", filter.type), ("parcel", filter.parcel), ("due", filter.due?.rawValue),
      ("photos", filter.photos?.rawValue),
      ("area", filter.area.map(AddressText.text)), ("sort", sort),
    ].compactMap { name, value in value.map { (name, $0) } }
  }

  /// The list's query.
  func query() -> String {
    (fields + (page > 1 ? [("page", "\(page)")] : []))
      .map { "\($0)=\(AddressText.escaped($1))" }.joined(separator: "&")
  }

  /// The same tasks in an order.
  func sorted(by order: TaskSorting) -> TaskListAddress {
    var sorted = self
    (sorted.order, sorted.page) = (order, 1)
    return sorted
  }

  /// Another page of it.
  func turned(to page: Int) -> TaskListAddress {
    var turned = self
    turned.page = page
    return turned
  }

  /// The address of a task that is looked at as one of this list; also where the list is all there is.
  func path(to task: Identifier) -> String {
    let query = self.query().isEmpty ? "sort=\(order.column.rawValue)" : self.query()
    return "/tasks/\(task)?list=\(AddressText.escaped(query))"
  }
}
