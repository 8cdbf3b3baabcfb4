import Evidence
import Foundation
import Geodesy
import Guide
import Inspection
import Matching
import Office
import OfficeFrame
import TimeAndText
import Web

/// Two photos side by side or over each other, and in numbers how well the later one repeats the
/// earlier one: two photos of a task, or of a photo point's series.
struct PhotoPair: OfficePage {
  let office: OfficeServer
  let matcher: PictureMatcher
  let help = GuidePart.review

  /// One of the photos that can be compared.
  struct Side {
    var photo: Photo
    /// The words that tell the photo from the others, such as its number.
    var title: String
    /// The place and the attitude; nil if the photo claims no place.
    var stand: RepeatMeasure.Stand?

    /// Creates a side with the place and the attitude that the photo claims.
    init(_ photo: Photo, title: String) {
      (self.photo, self.title) = (photo, title)
      stand = RepeatMeasure.Stand(of: photo)
    }
  }

  /// Returns both pictures and the numbers.
  func html(_ earlier: Side, _ later: Side) async throws -> HTML {
    "\(pictures([earlier, later]))\(try await facts(earlier, later))"
  }

  /// Returns the form that chooses two photos; nil for fewer than two.
  /// - Parameters:
  ///   - chosen: The indices of the two photos that are chosen.
  ///   - address: The path of the page that compares them.
  func choice(of sides: [Side], chosen: [Int], address: String) -> HTML? {
    guard sides.count > 1 else { return nil }
    func choice(_ name: String, _ label: String, _ chosen: Int) -> HTML {
      let options = sides.enumerated().map { number, side in
        """
        <option value="\(side.photo.id.description)"\(raw: number == chosen ? " selected" : "")>\
        \(side.title), \(t.moment(side.photo.deviceTime))</option>
        """ as HTML
      }
      return "<label>\(label)<select name=\"\(name)\">\(options)</select></label>"
    }
    return """
      <form class="filter" method="get" action="\(address)">
      \(choice("left", t("Compare"), chosen[0]))\(choice("right", t("with"), chosen[1]))
      <button class="button" data-key="c">\(t("Compare side by side"))</button></form>
      """
  }

  private func pictures(_ sides: [Side]) -> HTML {
    PicturePair.html(
      sides.map { side in
        let address = "/photos/\(side.photo.id)"
        return PicturePair.Side(
          caption: "\(side.title), \(t.moment(side.photo.deviceTime))",
          address: "\(address)/preview.jpg", whole: "\(address)/photo.jpg")
      }, title: t("Both photos"), share: t("Share of the later photo"), t)
  }

  // MARK: the numbers

  private func facts(_ earlier: Side, _ later: Side) async throws -> HTML {
    var rows: [(name: String, value: HTML)] = [
      (
        t("Time between"),
        "\(Self.time(from: earlier.photo.deviceTime, to: later.photo.deviceTime, t))"
      )
    ]
    if let from = earlier.stand, let to = later.stand {
      rows += measured(RepeatMeasure(from: from, to: to))
    }
    rows.append((t("Picture displaced by"), try await displacement(earlier, later)))
    let list = rows.map { "<dt>\($0.name)</dt><dd>\($0.value)</dd>" as HTML }
    return """
      <section class="card" aria-label="\(t("How well the later photo repeats the earlier one"))"><h2>\(t("How well the later photo repeats the earlier one"))</h2>
      <dl class="facts">\(list)</dl>
      <p class="hint">\(t("The displacement helps you to judge. It proves nothing: a camera also takes a photo of a print."))</p></section>
      """
  }

  private func measured(_ measure: RepeatMeasure) -> [(name: String, value: HTML)] {
    let tolerance = RepeatTolerance(of: measure)
    func degrees(_ value: Double) -> String { "\(t.decimal(value, places: 1))°" }
    func side(_ value: Double?, _ more: String, _ less: String) -> String? {
      value.map { "\(degrees(abs($0))) \($0 >= 0 ? more : less)" }
    }
    let radius = measure.distanceUncertaintyMetres95.map { " ± \(t.decimal($0, places: 1))" }
    let met: HTML = " <span class=\"met\">\(t("met"))</span>"
    var rows: [(String, HTML)] = [
      (
        t("Distance"),
        "\(t.decimal(measure.distanceMetres, places: 1))\(radius) m\(tolerance.isPlaceMet(measure) ? met : nil)"
      )
    ]
    let parts = [
      side(measure.rollDegrees, t("to the left"), t("to the right")),
      side(measure.pitchDegrees, t("higher"), t("lower")),
      side(measure.yawDegrees, t("anti-clockwise"), t("clockwise")),
    ].compactMap(\.self)
    if let angle = measure.angleDegrees {
      rows.append(
        (
          t("Angle"),
          "\(degrees(angle))\(tolerance.isAttitudeMet(measure) == true ? met : nil)"
        ))
    }
    rows.append(
      (
        t("The camera looked"),
        parts.isEmpty ? "\(t("not known"))" : "\(parts.joined(separator: ", "))"
      ))
    return rows
  }

  /// Returns how far the picture is displaced, by the two files as they were delivered.
  private func displacement(_ earlier: Side, _ later: Side) async throws -> HTML {
    func bytes(_ side: Side) throws -> [UInt8]? {
      try office.photos.bytes(of: EvidenceName.file(.capture, side.photo.id))
    }
    guard let one = try bytes(earlier), let other = try bytes(later) else {
      return "\(t("A file is missing."))"
    }
    do {
      let comparison = try await matcher.compare(
        PictureMatcher.Earlier(digest: earlier.photo.fileDigest, bytes: one), with: other)
      guard let displacement = comparison.displacementPercent else {
        return "\(t("The pictures cannot be compared ({1} matches).", comparison.inliers))"
      }
      return
        "\(t("{1} % of the frame ({2} features agree)", t.decimal(displacement, places: 1), comparison.inliers))"
    } catch .unavailable(let reason) {
      office.configuration.log("pictures cannot be compared: \(reason)")
      return
        "\(t("This server cannot compare pictures: its administrator finds the reason in the log."))"
    } catch {
      return "\(t("The pictures could not be read or compared in time."))"
    }
  }

  /// Returns the time from one photo to another in words; with a minus sign if the other was taken
  /// before.
  static func time(from earlier: DeviceTime, to later: DeviceTime, _ t: Texts) -> String {
    let milliseconds = later.millisecondsSince1970 - earlier.millisecondsSince1970
    let seconds = abs(milliseconds) / 1000
    let words =
      switch seconds {
      case (2 * 86_400)...: t("{1} days", seconds / 86_400)
      case (2 * 3600)...: t("{1} hours", seconds / 3600)
      case 120...: t("{1} minutes", seconds / 60)
      default: "\(seconds) s"
      }
    return milliseconds < 0 ? "−\(words)" : words
  }
}
