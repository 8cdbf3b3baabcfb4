import FieldUnit
import Guide
import Inspection
import Store
import Web

/// A photo beside the earlier one that it repeats, and how well it does.
struct RepeatPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.photoPoints

  func add(to routes: inout Routes) {
    PicturePair.add(to: &routes)
    routes.get("/photos/{id}/compare") { request in
      try await reading(request) { try compare($0, try identifier(request)) }
    }
  }

  private func compare(_ reader: Reader, _ id: Identifier) throws -> WebResponse {
    let photo = try reader.unit.photo(id)
    guard let claims = try reader.unit.points.repetition(ofPhoto: id) else {
      throw StoreError.unknown(what: "repeat", id: id.description)
    }
    let point = try reader.unit.points.point(claims.point)
    let words = RepeatWords(t)
    let earlier = "/points/\(point.id)/reference.jpg"
    let pair = PicturePair.html(
      [
        PicturePair.Side(
          caption: t("Earlier photo, {1}", Self.taken(point)), address: earlier,
          whole: earlier),
        PicturePair.Side(
          caption: t("Photo of {1}", Self.time(photo.deviceTime)),
          address: "/photos/\(id)/photo.jpg", whole: "/photos/\(id)/photo.jpg"),
      ], title: t("Both photos"), share: t("Share of the later photo"), t)
    return page(
      t("Compare two photos"), reader, current: "/photos",
      scripts: [PicturePair.script.href], styles: [PicturePair.style.href],
      """
      <h1>\(point.title)</h1>\(pair)
      <section class="card"><h2>\(t("How well the later photo repeats the earlier one"))</h2>\(HTML.facts([
        (t("Distance"), .text(words.distance(claims))),
        (t("Angle"), .text(words.angle(claims) ?? t("not known"))),
        (t("Picture"), .text(words.displacement(claims) ?? t("not compared"))),
      ]))</section>
      <p class="actions"><a class="button" href="/photos/\(id.description)">\(t("Photo of {1}", Self.time(photo.deviceTime)))</a>
      <a class="button" href="/points/\(point.id.description)">\(t("Photo point"))</a></p>
      """)
  }
}
