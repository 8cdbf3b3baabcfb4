import FieldUnit
import Geodesy
import Guide
import Inspection
import TimeAndText
import Web

/// The last step of making a photo point: everything once more, and the button that makes it.
struct PointSummary: FieldPage {
  let server: FieldServer
  let help = GuidePart.photoPoints

  /// Returns the page.
  func page(_ reader: Reader, _ id: Identifier, _ draft: PointDraft) throws -> WebResponse {
    let photo = try reader.unit.photo(id)
    let title = t("Make a photo point")
    let address = "/photos/\(id)/point"
    let fields: [(String, String)] = [
      ("id", draft.point?.description ?? Identifier(at: server.clock.deviceTime).description),
      ("name", draft.name), ("footing", draft.footing), ("latitude", draft.latitude),
      ("longitude", draft.longitude),
    ]
    let hidden = HTML.joined(
      fields.map { "<input type=\"hidden\" name=\"\($0)\" value=\"\($1)\">" as HTML }, separator: ""
    )
    var map = PointMakingPages(server: server).map(of: photo)
    map.fixed = draft.subject.map {
      SubjectMap.Place(
        latitudeDegrees: $0.latitudeDegrees, longitudeDegrees: $0.longitudeDegrees)
    }
    return page(
      title, reader, current: "/photos", scripts: Leaflet.scripts + [SubjectMap.script.href],
      styles: Leaflet.styles + [FieldMapStyle.asset.href, PointStyle.asset.href],
      """
      <div class="heading"><h1>\(title)</h1><span class="muted">\(t("Step {1} of {2}", PointMakingPages.steps, PointMakingPages.steps))</span></div>
      <section class="card"><h2>\(draft.name.isEmpty ? t("A photo point without a name") : draft.name)</h2>
      \(PointMakingPages.picture(photo, t))\(ground(draft))\(subject(photo, draft))\(map.fixed == nil ? nil : map.html(t))
      <form method="post" action="\(address)/summary">\(reader.request.formField)\(hidden)
      <p class="actions"><button class="button primary">\(t("Make the photo point"))</button>
      <a class="button" href="\(address)">\(t("Back"))</a></p></form>
      <p class="hint">\(t("You can print its label when the office has given it a code: after the next delivery."))</p></section>
      """)
  }

  private func ground(_ draft: PointDraft) -> HTML {
    guard let id = Identifier(draft.footing) else {
      return "<p class=\"muted\">\(t("Without a photo of the ground."))</p>"
    }
    let words = t("The ground under your feet")
    return """
      <figure class="point-footing"><img src="/photos/\(id.description)/thumbnail.jpg" alt="\(words)"><figcaption>\(words)</figcaption></figure>
      """
  }

  /// Returns where the thing lies from the camera. A pin that the photo cannot show is named: it was
  /// set by mistake, or the compass was wrong.
  private func subject(_ photo: Photo, _ draft: PointDraft) -> HTML {
    guard let subject = draft.subject, let stand = RepeatMeasure.Stand(of: photo) else {
      return "<p class=\"muted\">\(t("Without a pin on what the photo shows."))</p>"
    }
    let sight = SubjectSight(from: stand, camera: photo.camera, to: subject)
    let way = ParcelWay(
      distanceMetres: sight.distanceMetres, bearingDegrees: sight.azimuthDegrees)
    let doubt: HTML? =
      sight.isInPicture == false
      ? """
      <p class="notice notice-warning">\(t("The pin is not in the direction of the lens: check it, or keep it if the compass was wrong."))</p>
      """ : nil
    return """
      <p>\(t("What the photo shows")): \(way.text ?? t("where you stood"))</p>\(doubt)
      """
  }

  /// Makes the point, and tells the office with the next delivery.
  /// - Throws: `InspectionError.photoPoint` if the entries cannot be taken.
  func make(_ reader: Reader, _ id: Identifier, _ draft: PointDraft) throws -> PhotoPoint {
    let point = try reader.unit.points.make(
      draft.point, of: id, name: draft.name, footing: Identifier(draft.footing),
      subject: draft.subject)
    try PointDraft.forget(reader)
    Task { await server.deliverOnce() }
    return point
  }
}
