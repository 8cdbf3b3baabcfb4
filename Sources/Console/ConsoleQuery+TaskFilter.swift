import Inspection
import Office
import Store
import TimeAndText

extension ConsoleQuery {
  /// The parameters that filter tasks.
  static let filters = [
    "text", "state", "inspector", "type", "parcel", "due", "photos", "items", "answer", "area",
  ]

  /// Returns the filter of tasks that the query describes.
  func taskFilter() throws -> TaskFilter {
    var filter = TaskFilter(
      text: try text("text", upTo: 200), state: try word("state", TaskState.self),
      inspector: try text("inspector", upTo: 64), type: try text("type", upTo: 100),
      parcel: try text("parcel", upTo: 200), due: try word("due", TaskFilter.Due.self),
      photos: try word("photos", TaskFilter.Photos.self),
      area: try self["area"].map { text in
        guard let box = AddressText.box(text) else {
          throw OfficeRefusal(
            .inputInvalid, "the parameter \"area\" is not west,south,east,north in degrees")
        }
        return box
      })
    filter.items = try word("items", TaskFilter.Items.self)
    filter.answer = try text("answer", upTo: 200).map { text in
      guard let answer = TaskFilter.Answer(text) else {
        throw OfficeRefusal(.inputInvalid, "the parameter \"answer\" is not item=value")
      }
      return answer
    }
    return filter
  }
}
