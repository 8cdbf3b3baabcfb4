import Evidence
import Inspection
import Positioning
import TimeAndText

/// All words on the pages that are not data, in the document's language.
struct DocumentWords {
  let t: DocumentLanguage

  /// The words on maps.
  var onMap: MapWords { MapWords(t: t) }

  /// The words on sets of pictures.
  var onSets: SetWords { SetWords(words: self) }

  // MARK: every page

  var kind: String { t("Inspection report") }
  var photoKind: String { t("Photo report") }
  var demonstration: String { t("Demonstration") }
  var demonstrationMeans: String {
    t("made with a simulated receiver or data; evidence of nothing")
  }
  func page(_ number: Int, of count: Int) -> String { t("Page {1} of {2}", number, count) }
  func madeBy(_ software: String, at time: DeviceTime) -> String {
    t("Made by {1} on {2}", software, moment(time))
  }
  var notKnown: String { t("not known") }
  var continued: String { t("(continued)") }
  func quoted(_ text: String) -> String { t("“{1}”", text) }

  // MARK: volumes

  func volume(_ number: Int, of count: Int) -> String { t("Volume {1} of {2}", number, count) }
  func volumeHolds(_ number: Int, of count: Int, photos: Range<Int>) -> String {
    t(
      "Volume {1} of {2}: photos {3} to {4}", number, count, photos.lowerBound + 1,
      photos.upperBound)
  }
  var volumeFirst: String {
    t("The decision, the history, the map of all photos and the tracks are in the first volume.")
  }

  // MARK: the decision

  var decision: String { t("Decision") }
  var notDecided: String { t("Not decided yet") }
  func state(_ state: TaskState) -> String { t("State: {1}", t(state.title)) }
  var overdue: String { t("overdue when this was made") }
  func role(_ role: Role) -> String { t(role.rawValue) }

  // MARK: the conclusion

  var conclusion: String { t("Conclusion") }
  var photosNone: String { t("This task has no photo.") }
  func isAuthentic(_ standing: Standing) -> String {
    switch standing {
    case .good: t("Authentic")
    case .bad: t("Authenticity in doubt")
    case .unknown: t("Authenticity not examined")
    }
  }
  func isSuitable(_ standing: Standing) -> String {
    switch standing {
    case .good: t("Suitable")
    case .bad: t("Contradictions found")
    case .unknown: t("Suitability not examined")
    }
  }
  func intact(_ count: Int, of all: Int) -> String {
    t("Photos sealed and unchanged: {1} of {2}", count, all)
  }
  func suitable(_ count: Int, of all: Int) -> String {
    t("Photos without a contradiction: {1} of {2}", count, all)
  }
  func moreContradictions(_ count: Int) -> String {
    t("Further photos with a contradiction: {1}. See their pages.", count)
  }
  func sign(_ standing: Standing) -> String {
    switch standing {
    case .good: "✓"
    case .bad: "✗"
    case .unknown: "–"
    }
  }

  // MARK: the task

  var takenBy: String { t("Taken by") }
  var taken: String { t("Taken") }
  var sent: String { t("Sent") }
  var received: String { t("Received") }
  var parcel: String { t("Parcel") }
  var ordered: String { t("Ordered") }
  var due: String { t("Due") }
  var type: String { t("Type") }
  var photos: String { t("Photos") }
  var tracks: String { t("Tracks") }
  var map: String { t("Map") }
  var order: String { t("Order and history") }
  var instructions: String { t("Instructions") }
  var note: String { t("Inspector's note") }
  var revision: String { t("Order's revision") }
  var historyColumns: [String] { [t("Time"), t("Step"), t("Person"), t("Reason")] }
  func step(_ transition: TaskTransition) -> String {
    "\(t(transition.from.title)) → \(t(transition.to.title))"
  }

  // MARK: a track

  func track(_ number: Int) -> String { t("Track T{1}", number) }
  func points(_ count: Int, _ kinds: [TrackPoint.Kind: Int]) -> String {
    let set = (kinds[.vertex] ?? 0) + (kinds[.centroidVertex] ?? 0)
    return set == 0
      ? t("Points: {1}", count) : t("Points: {1}, of these set by hand: {2}", count, set)
  }
  func length(_ metres: String) -> String { t("Length {1}", metres) }
  func duration(_ seconds: Double) -> String {
    t("Duration {1}", number(seconds, places: 0, unit: "\u{A0}s"))
  }
  func area(_ area: String) -> String { t("Area {1}", area) }
  func radii(_ radii: TrackRadii) -> String {
    guard radii.median != nil else { return t("Uncertainty of the points not known") }
    let texts = [radii.least, radii.median, radii.most].map { number($0, places: 1) ?? "–" }
    return t(
      "Uncertainty of the points (95 %): least {1}, median {2}, most {3} m", texts[0], texts[1],
      texts[2])
  }
  var gapsNone: String { t("The recording has no gap.") }
  func gaps(_ count: Int) -> String { t("Gaps: {1}", count) }
  func gap(_ gap: TrackPoint.Gap, at time: GNSSTime, after seconds: Double?) -> String {
    "\(time.timeOfDay.prefix(8)) UTC, \(number(seconds, places: 0, unit: "\u{A0}s")): \(word(gap))"
  }
  func gapsMore(_ count: Int) -> String { t("Further gaps, not listed here: {1}.", count) }
  private func word(_ gap: TrackPoint.Gap) -> String {
    switch gap {
    case .noFix: t("the receiver had no position")
    case .silence: t("the receiver said nothing")
    case .paused: t("the inspector had paused the recording")
    case .interrupted: t("the program was not running")
    case .deleted: t("the inspector has deleted what was recorded there")
    }
  }
}
