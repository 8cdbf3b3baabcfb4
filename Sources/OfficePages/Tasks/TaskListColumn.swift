import OfficeFrame
import Web

/// A column of the list of tasks that may be left out; state and name always stand. The choice is
/// kept in the browser, as the theme is.
enum TaskListColumn: String, CaseIterable {
  case inspector, photos, due, ordered, type, parcel, instructions

  /// The columns of somebody who has not chosen any.
  static let usual: [TaskListColumn] = [.inspector, .photos, .due, .ordered]

  private static let choice = "columns"
  /// The word that stands for no further column: a browser forgets an empty choice.
  private static let none = "none"

  /// Returns the columns that the reader has chosen, in their order on the page.
  static func chosen(in reader: PageReader) -> [TaskListColumn] {
    guard let kept = reader.request.choice(choice) else { return usual }
    let names = kept.split(separator: ".").map(String.init)
    let known = allCases.filter { names.contains($0.rawValue) }
    return known.isEmpty && names != [none] ? usual : known
  }

  /// Returns the answer, which makes the browser keep these columns.
  static func keep(_ columns: [TaskListColumn], _ response: WebResponse) -> WebResponse {
    let names = columns.map(\.rawValue).joined(separator: ".")
    return response.settingChoice(choice, to: names.isEmpty ? none : names)
  }

  func title(_ t: Texts) -> String {
    switch self {
    case .inspector: t("Inspector")
    case .photos: t("Photos")
    case .due: t("Due")
    case .ordered: t("Ordered")
    case .type: t("Type")
    case .parcel: t("Parcel")
    case .instructions: t("Instructions")
    }
  }
}
