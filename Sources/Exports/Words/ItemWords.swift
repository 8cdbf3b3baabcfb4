/// The words on the items of an order.
struct ItemWords {
  let t: DocumentLanguage

  var columns: [String] { [t("No."), t("Asked"), t("Given"), t("Time")] }
  var notAsked: String { t("not asked for") }
  var open: String { t("open") }
  func optional(_ wording: String) -> String { t("{1} (optional)", wording) }
  func notPossible(_ reason: String) -> String { t("not possible: {1}", reason) }
  func returned(_ reason: String) -> String { t("returned: {1}", reason) }
  func sets(_ count: Int) -> String { t("Sets of pictures: {1}", count) }
  func tracks(_ count: Int) -> String { t("Tracks: {1}", count) }
  func photos(numbered numbers: [Int]) -> String {
    t("Photos: {1}", numbers.map(String.init).joined(separator: ", "))
  }
}
