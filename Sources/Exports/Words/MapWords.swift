/// The words on a map, below it and in its legend.
struct MapWords {
  let t: DocumentLanguage

  var north: String { t("N") }
  func parcel(_ identifier: String) -> String { t("parcel {1}", identifier) }
  var photo: String { t("photo; its circle holds the true place with 95 %") }
  var view: String { t("field of view; its length means nothing") }
  var track: String { t("track") }
  var graticule: String { t("meridians and parallels") }
  func base(_ title: String, _ attribution: String?) -> String {
    attribution.map { t("Base map: {1}, {2}.", title, $0) } ?? t("Base map: {1}.", title)
  }
  func baseEmpty(_ title: String) -> String {
    t("The base map “{1}” has nothing here that can be drawn.", title)
  }
  func centre(_ place: String) -> String {
    t("Middle of the map {1} (WGS 84); metres on the ground, true north up.", place)
  }
  func noCircle(_ numbers: [Int]) -> String {
    t(
      "Photos without a circle, because the uncertainty is not known or wider than the map: {1}.",
      list(numbers))
  }
  func noView(_ numbers: [Int]) -> String {
    t("Photos without a field of view, because the direction is not known: {1}.", list(numbers))
  }
  /// Returns numbers in a row; three and more neighbours as their first and last.
  private func list(_ numbers: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = runs.last, number == last.upperBound + 1 {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    return runs.map { run in
      switch run.count {
      case 1: "\(run.lowerBound)"
      case 2: "\(run.lowerBound), \(run.upperBound)"
      default: "\(run.lowerBound)–\(run.upperBound)"
      }
    }.joined(separator: ", ")
  }
  func far(_ number: Int, _ distance: String, _ bearing: String) -> String {
    t(
      "Photo {1} lies outside this map: {2} from its middle, towards {3}.", number, distance,
      bearing)
  }
  func trackCut(_ number: Int) -> String { t("Track T{1} leaves this map.", number) }
}
