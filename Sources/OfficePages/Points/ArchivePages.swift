import Foundation
import Geodesy
import Guide
import Inspection
import Office
import OfficeFrame
import Sync
import TimeAndText
import Web

/// The two steps by which an officer makes a photo point of an archive picture: the picture, then
/// its place and direction on a map.
struct ArchivePages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.officePoints

  static let path = "/points/new"
  static let script = Asset(
    file: "/assets/archive-pin.js", [MapGround.script, PackageResources.archive_pin_js])

  func add(to routes: inout Routes) {
    routes.get(Self.script.path) { request in Self.script.response(to: request) }
    routes.get(Self.path) { request in
      try await reading(request) { try await form($0) }
    }
    routes.post(Self.path) { request in
      try await reading(request) { try await make($0) }
    }
    routes.post("/points/picture") { request in
      try await reading(request) { try await upload($0) }
    }
    routes.get("/points/picture/{id}") { request in
      try await reading(request) { reader in
        .bytes(
          try office.points.archivePreview(try identifier(request), in: reader.agency),
          mediaType: "image/jpeg", fileName: nil, isAttachment: false)
      }
    }
  }

  private static let fields = [
    "picture", "name", "parcel", "latitude", "longitude", "uncertainty", "azimuth", "accuracy",
    "taken",
  ]

  // MARK: the picture

  private func upload(_ reader: Reader) async throws -> WebResponse {
    var bytes: [UInt8] = []
    do {
      // The multipart wrapping around the file needs little room in the body.
      guard
        try await reader.request.upload(
          limit: ArchiveRule.bytesAtMost + 65_536, { bytes += $0 }) != nil
      else { throw OfficeRefusal(.inputInvalid, "no file was chosen") }
      let id = try office.points.keepArchive(picture: bytes, in: reader.agency)
      return .redirect("\(Self.path)?picture=\(id)")
    } catch WebProblem.tooLarge {
      return first(
        reader,
        OfficeRefusal(
          .fileTooLarge, "the picture has more than \(ArchiveRule.bytesAtMost >> 20) MB"))
    } catch let refusal as OfficeRefusal where refusal.kind != .diskLow {
      return first(reader, refusal)
    }
  }

  /// Returns the page on which the picture is chosen.
  private func first(_ reader: Reader, _ refusal: OfficeRefusal? = nil) -> WebResponse {
    page(
      t("Photo point of an archive picture"), reader, current: "/points",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: t($0.wording))] } ?? [],
      status: refusal?.kind.status ?? 200,
      """
      <nav class="way" aria-label="\(t("Photo points"))"><a class="button quiet" href="/points" data-key="u">\(t("Back to the list"))</a></nav>
      <section class="card"><h1>\(t("Photo point of an archive picture"))</h1>
      <p>\(t("For an old picture that no record seals. You set its place and direction on a map: both stay marked as estimated."))</p>
      <form class="fields" method="post" action="/points/picture" enctype="multipart/form-data">\(reader.request.formField)
      <label>\(t("JPEG picture"))<input type="file" name="picture" required accept="image/jpeg"></label>
      <p class="hint">\(t("At most {1} MB.", ArchiveRule.bytesAtMost >> 20))</p>
      <p class="actions"><button class="button primary">\(t("Upload"))</button></p></form></section>
      """)
  }

  // MARK: place and direction

  private func form(
    _ reader: Reader, _ given: [String: String]? = nil, _ refusal: OfficeRefusal? = nil
  ) async throws -> WebResponse {
    let given = given ?? reader.request.query
    guard let id = given["picture"].flatMap(Identifier.init(_:)) else { return first(reader) }
    _ = try office.points.archivePreview(id, in: reader.agency)
    let map = try await MapPages(office: office).pinMap(reader)
    func field(_ name: String, _ words: String, _ more: HTML = "", _ otherwise: String = "") -> HTML
    {
      """
      <label>\(words)<input name="\(name)" value="\(given[name] ?? otherwise)"\(more)></label>
      """
    }
    return page(
      t("Photo point of an archive picture"), reader, current: "/points",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: t($0.wording))] } ?? [],
      status: refusal?.kind.status ?? 200,
      scripts: Leaflet.scripts + [Self.script.href],
      styles: MapPages.styles + [PhotoPointPages.style.href],
      """
      <nav class="way" aria-label="\(t("Photo points"))"><a class="button quiet" href="/points" data-key="u">\(t("Back to the list"))</a></nav>
      <div class="split"><div><section class="card"><h1>\(t("Photo point of an archive picture"))</h1>
      <p><img class="archive-picture" src="/points/picture/\(id.description)" alt="\(t("The archive picture"))"></p>
      <form class="fields" method="post" action="\(Self.path)" data-archive-form>\(reader.request.formField)
      <input type="hidden" name="picture" value="\(id.description)">
      \(field("name", t("Name (may stay empty)"), " maxlength=\"\(PhotoPointRule.nameCharactersAtMost)\""))
      \(field("taken", t("Taken on"), " type=\"date\" required"))
      \(field("latitude", t("Latitude of the camera"), " inputmode=\"decimal\" required"))
      \(field("longitude", t("Longitude of the camera"), " inputmode=\"decimal\" required"))
      \(field("uncertainty", t("How exact is the place, ± metres"), " inputmode=\"decimal\" required", "20"))
      \(field("azimuth", t("Direction of the camera, degrees from north (may stay empty)"), " inputmode=\"decimal\""))
      \(field("accuracy", t("How exact is the direction, ± degrees"), " inputmode=\"decimal\"", "10"))
      \(field("parcel", t("Parcel identifier"), " maxlength=\"\(PhotoPointRule.parcelCharactersAtMost)\""))
      <p class="actions"><button class="button primary">\(t("Make the photo point"))</button></p></form></section></div>
      <div>\(map)<p class="hint">\(t("Click where the camera stood, then where it looked. Click again to set another direction; you can drag the pin."))</p></div></div>
      """)
  }

  private func make(_ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    var given: [String: String] = [:]
    for name in Self.fields { given[name] = form[name] }
    do {
      let point = try await office.points.make(
        try Self.order(given), by: reader.visitor.account.login, in: reader.agency)
      return .redirect("/points/\(point.id)?done=point")
    } catch {
      guard let refusal = OfficeRefusal(of: error), refusal.kind != .unknown else { throw error }
      return try await self.form(reader, given, refusal)
    }
  }

  /// Reads the form.
  /// - Throws: `OfficeRefusal` (input-invalid) with the first field that is wrong.
  private static func order(_ given: [String: String]) throws -> ArchiveOrder {
    func number(_ name: String) -> Double? {
      given[name].flatMap(DecimalText.typed)
    }
    func wrong(_ words: Wording) -> OfficeRefusal { OfficeRefusal(.inputInvalid, words) }
    guard let id = given["picture"].flatMap(Identifier.init(_:)) else {
      throw wrong("no picture was chosen")
    }
    guard let taken = given["taken"].flatMap({ DeviceTime(rfc3339: "\($0)T12:00:00Z") }) else {
      throw wrong("give the day on which the picture was taken, such as 1998-05-30")
    }
    guard let latitude = number("latitude"), let longitude = number("longitude"),
      let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else {
      throw wrong("give latitude (-90 to 90) and longitude (-180 to 180) of the camera in degrees")
    }
    guard let uncertainty = number("uncertainty"),
      ArchiveRule.uncertaintyMetres.contains(uncertainty)
    else {
      let allowed = ArchiveRule.uncertaintyMetres
      throw wrong(
        "say how exact the place is: \(decimal: allowed.lowerBound, places: 1) to \(decimal: allowed.upperBound, places: 0) metres"
      )
    }
    var order = ArchiveOrder(
      picture: id, place: place, uncertaintyMetres: uncertainty, taken: taken)
    order.name = given["name"]
    order.parcel = given["parcel"]
    if let text = given["azimuth"], !text.isEmpty {
      guard let azimuth = number("azimuth"), (0...360).contains(azimuth) else {
        throw wrong("give the direction as 0 to 360 degrees from north, or leave it empty")
      }
      guard let accuracy = number("accuracy"), ArchiveRule.azimuthAccuracyDegrees.contains(accuracy)
      else {
        let allowed = ArchiveRule.azimuthAccuracyDegrees
        throw wrong(
          "say how exact the direction is: \(decimal: allowed.lowerBound, places: 1) to \(decimal: allowed.upperBound, places: 0) degrees"
        )
      }
      (order.azimuthDegreesTrue, order.azimuthAccuracyDegrees) = (azimuth, accuracy)
    }
    return order
  }
}
