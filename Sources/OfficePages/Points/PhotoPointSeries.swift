import Guide
import Inspection
import Office
import OfficeFrame
import Sync
import TimeAndText
import Web

/// The series of a photo point as a timeline: the reference photo, then each photo that repeats it,
/// with how well it does so.
struct PhotoPointSeries: OfficePage {
  let office: OfficeServer
  let help = GuidePart.officePoints
  let series: PhotoSeries
  /// The names of people, by login.
  let names: [String: String]
  /// False if this machine was found to compare no pictures.
  var canCompare = true

  /// The difference between the displacement of a record and the office's own beyond which both are
  /// told, percentage points.
  private static let differenceAtMost = 1.0

  private var point: PhotoPoint { series.point }

  /// The series with its heading.
  var html: HTML {
    let repeats = series.repeats.enumerated().map { index, one in
      repetition(one.photo, one.repetition, number: index + 1)
    }
    let none: HTML? =
      repeats.isEmpty
      ? "<p class=\"muted\">\(t("Nobody has repeated the reference photo yet."))</p>" : nil
    return """
      <section class="card" aria-label="\(t("Series"))"><h2>\(t("Series"))</h2>
      <ol class="timeline series">\(reference)\(repeats)</ol>\(none)</section>
      """
  }

  // MARK: the entries

  private var reference: HTML {
    let photo = series.reference?.photo
    let taken =
      point.isTimeOfDayKnown ? t.time(point.taken) : .text(t.form.day(point.taken.date))
    let facts = HTML.facts([
      (t("Taken"), taken), (t("Inspector"), photo.map { .text(name(of: $0)) }),
      (t("Picture"), .text("\(point.widthPixels) × \(point.heightPixels)")),
    ])
    let title = t("Reference photo")
    let words: HTML = """
      <h3>\(title) \(series.reference.map(badges))</h3>\(facts)
      """
    if point.pose == .estimated {
      let address = "/points/\(point.id)/reference.jpg"
      return """
        <li><a href="\(address)"><img loading="lazy" src="\(address)" alt="\(t("Archive picture"))" width="320" height="240"></a>
        <div><h3>\(t("Archive picture")) <span class="verdict-incomplete">\(t("imported, not sealed"))</span></h3>\(facts)</div></li>
        """
    }
    guard photo != nil else {
      return """
        <li><p class="series-missing">\(t("This office does not have the reference photo."))</p><div>\(words)</div></li>
        """
    }
    return entry(point.reference.photo, title: title, words)
  }

  private func repetition(
    _ received: ReceivedPhoto, _ repetition: ReceivedRepeat, number: Int
  ) -> HTML {
    let photo = received.photo
    let claims = point.measured(repetition.claims, of: photo)
    let title = t("Repeat {1}", number)
    let angle: HTML? = claims.angleDegrees.map {
      "\(t.decimal($0, places: 1))° \(standing(claims.isAttitudeMet))"
    }
    let facts = HTML.facts([
      (t("Taken"), t.time(repetition.taken)),
      (
        t("Since the reference photo"),
        .text(PhotoPair.time(from: point.taken, to: repetition.taken, t))
      ),
      (t("Inspector"), .text(name(of: photo))), (t("Distance"), distance(claims)),
      (t("Angle"), angle ?? .text(t("not known"))),
      (t("Picture displaced by"), displacement(repetition)),
    ])
    let other: HTML? =
      claims.referenceDigest == point.reference.digest
      ? nil
      : """
      <p class="light light-warn">\(t("The record of this photo names another reference photo. The office has measured the numbers here against this one."))</p>
      """
    let compare: HTML? =
      series.reference == nil && point.pose == .measured
      ? nil
      : """
      <p class="actions"><a class="button" href="\(compareAddress(photo.id))">\(t("Compare"))</a></p>
      """
    return entry(
      photo.id, title: title,
      "<h3>\(title) \(badges(received))</h3>\(facts)\(other)\(compare)")
  }

  private func entry(_ photo: Identifier, title: String, _ words: HTML) -> HTML {
    let address = "/photos/\(photo.description)"
    return """
      <li><a href="\(address)"><img loading="lazy" src="\(address)/thumbnail.jpg" alt="\(title)" width="320" height="240"></a>
      <div>\(words)</div></li>
      """
  }

  private func compareAddress(_ photo: Identifier) -> String {
    "/points/\(point.id)/compare?left=\(point.reference.photo)&right=\(photo)"
  }

  private func name(of photo: Photo) -> String { names[photo.inspector] ?? photo.inspector }

  // MARK: the numbers

  /// Returns the word for a limit that is met or not; nil if that is not known.
  private func standing(_ isMet: Bool?) -> HTML? {
    isMet.map { isMet in
      isMet
        ? "<span class=\"met\">\(t("met"))</span>"
        : "<span class=\"not-met\">\(t("not met"))</span>"
    }
  }

  private func distance(_ claims: RepeatClaims) -> HTML {
    let radius = claims.distanceUncertaintyMetres95.map { " ± \(t.decimal($0, places: 1))" }
    return """
      \(t.decimal(claims.distanceMetres, places: 1))\(radius) m \(standing(claims.isPlaceMet))
      """
  }

  /// Returns how far the picture is displaced, by the office's own comparison. The number of the
  /// sealed record is told as well if it is another one.
  private func displacement(_ repetition: ReceivedRepeat) -> HTML {
    let words =
      switch repetition.measured {
      case nil where !canCompare: t("not compared: the office's machine cannot compare pictures")
      case nil: t("being compared")
      case .unlike(let matches)?: t("cannot be compared ({1} matches)", matches)
      case .failed?: t("could not be compared")
      case .displaced(let percent, let inliers)?:
        t("{1} % of the frame ({2} features agree)", t.decimal(percent, places: 1), inliers)
      }
    guard let measured = repetition.measured, let claimed = repetition.claims.displacementPercent
    else { return .text(words) }
    if case .displaced(let percent, _) = measured,
      abs(percent - claimed) <= Self.differenceAtMost
    {
      return .text(words)
    }
    return """
      \(words) <span class="differs">\(t("The record says {1} %.", t.decimal(claimed, places: 1)))</span>
      """
  }
}
