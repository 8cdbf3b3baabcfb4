import Foundation
import Guide
import Inspection
import Office
import OfficeExporting
import OfficeFrame
import Store
import Sync
import TimeAndText
import Web

/// The list of an agency's photo points, and the labels of those that are ticked in it.
struct PhotoPointListPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.officePoints

  private static let pointsPerPage = 50
  /// The most labels of one document.
  private static let labelsAtMost = 500

  func add(to routes: inout Routes) {
    routes.get("/points") { request in
      try await reading(request) { try await list($0) }
    }
    routes.post("/points/labels") { request in
      try await reading(request) { try await labels($0) }
    }
  }

  /// The points on a page of the list.
  private struct Found {
    var points: [PhotoPoint]
    /// The place after which the next page begins; nil at the end.
    var next: ListPlace?
    /// The number of repeats of each point, with the time of the last one.
    var tallies: [Identifier: (count: Int, last: DeviceTime?)] = [:]
    /// The number of the agency's points that are in use.
    var count: Int
    /// The number of those that were withdrawn.
    var withdrawn: Int
  }

  private func find(_ asked: PhotoPointListAddress, _ reader: Reader) async throws -> Found {
    try await office.database.read(in: reader.agency) { session in
      let records = session.points
      let (points, next) = try records.page(
        named: asked.searched, isWithdrawn: asked.isWithdrawn, after: asked.place,
        limit: Self.pointsPerPage)
      var found = Found(
        points: points, next: next, count: try records.count(isWithdrawn: false),
        withdrawn: try records.count(isWithdrawn: true))
      for point in points { found.tallies[point.id] = try records.tally(ofPoint: point.id) }
      return found
    }
  }

  // MARK: the list

  private func list(_ reader: Reader) async throws -> WebResponse {
    let asked = PhotoPointListAddress(reader.request.query)
    let found = try await find(asked, reader)
    let people = try await office.people.accounts(ofAgency: reader.agency)
    let names = Dictionary(people.map { ($0.login, $0.title) }) { $1 }
    let rows = found.points.map { point in
      row(point, found.tallies[point.id], maker: names[point.maker] ?? point.maker)
    }
    let title = asked.isWithdrawn ? t("Withdrawn photo points") : t("Photo points")
    let all = asked.isWithdrawn ? found.withdrawn : found.count
    let count: HTML? =
      all == 0
      ? nil
      : """
      <p class="muted">\(all == 1 ? t("1 photo point") : t("{1} photo points", all))</p>
      """
    return page(
      title, reader, current: "/points",
      scripts: rows.isEmpty ? [] : [ListAssets.script.href],
      styles: [ListAssets.style.href, PhotoPointPages.style.href],
      """
      <div class="heading list-head"><h1>\(title)</h1>
      \(all == 0 ? nil : search(asked))\(count)</div>
      \(rows.isEmpty ? empty(asked, withdrawn: found.withdrawn) : form(of: rows, reader))
      \(pager(asked, next: found.next))
      <p class="actions"><a class="button" href="\(ArchivePages.path)">\(t("Make one of an archive picture"))</a>\
      \(otherList(asked, withdrawn: found.withdrawn))</p>
      """)
  }

  /// Returns the link from the points in use to the withdrawn ones, or back; nil if none is
  /// withdrawn.
  private func otherList(_ asked: PhotoPointListAddress, withdrawn: Int) -> HTML? {
    if asked.isWithdrawn { return "<a class=\"button\" href=\"/points\">\(t("Photo points"))</a>" }
    guard withdrawn > 0 else { return nil }
    return
      "<a class=\"button\" href=\"\(PhotoPointListAddress.withdrawnPath)\">\(t("Withdrawn: {1}", withdrawn))</a>"
  }

  private func search(_ asked: PhotoPointListAddress) -> HTML {
    let all: HTML? =
      asked.text == nil
      ? nil
      : "<a class=\"button quiet\" href=\"\(asked.whole.path(after: nil))\">\(t("Show all"))</a>"
    let kept: HTML? =
      asked.isWithdrawn ? "<input type=\"hidden\" name=\"show\" value=\"withdrawn\">" : nil
    return """
      <form class="filter search-line" method="get" action="/points">\(kept)
      <label><span class="unseen">\(t("Search"))</span><input name="text" value="\(asked.text ?? "")" type="search" data-key="/" placeholder="\(t("Name, code or parcel"))"></label>
      <button class="button">\(t("Search"))</button>\(all)</form>
      """
  }

  private func empty(_ asked: PhotoPointListAddress, withdrawn: Int) -> HTML {
    guard !asked.isNarrowed else {
      return """
        <div class="empty"><p>\(t("No photo point has this name, code or parcel."))</p>
        <p><a class="button" href="\(asked.whole.path(after: nil))">\(t("Show all"))</a></p></div>
        """
    }
    guard !asked.isWithdrawn else {
      return "<div class=\"empty\"><p>\(t("No photo point is withdrawn."))</p></div>"
    }
    guard withdrawn == 0 else {
      return "<div class=\"empty\"><p>\(t("All photo points are withdrawn."))</p></div>"
    }
    return """
      <div class="empty"><p><strong>\(t("There are no photo points yet."))</strong></p>
      <p>\(t("A photo point keeps a place, a direction and a reference photo, so that inspectors can take the same view again. The later photos form its series."))</p>
      <p>\(t("To make one, open a photo and choose “{1}” on its card.", t("Make a photo point")))</p>
      <p class="actions"><a class="button" href="/tasks">\(t("Tasks"))</a>
      <a class="button" href="/photos">\(t("Photos without a task"))</a></p></div>
      """
  }

  /// Returns the table of points in a form, whose button prints the labels of all ticked points.
  private func form(of rows: [HTML], _ reader: Reader) -> HTML {
    """
    <form method="post" action="/points/labels" data-choices>\(reader.request.formField)
    <table class="list points"><thead><tr><th scope="col" class="choose"><span class="unseen">\(t("Selected"))</span><input type="checkbox" data-all hidden aria-label="\(t("Select all on this page"))"></th>
    <th scope="col"><span class="unseen">\(t("Reference photo"))</span></th><th scope="col">\(t("Photo point"))</th>
    <th scope="col">\(t("Code"))</th><th scope="col">\(t("Parcel"))</th>
    <th scope="col" class="number">\(t("Number of repeats"))</th><th scope="col">\(t("Last repeat"))</th>
    <th scope="col">\(t("Made by"))</th></tr></thead><tbody>\(rows)</tbody></table>
    <p class="toolbar actions"><span>\(t("With the selected photo points:"))</span>
    <button class="button" name="do" value="pdf">\(t("Print labels"))</button></p></form>
    """
  }

  private func row(
    _ point: PhotoPoint, _ tally: (count: Int, last: DeviceTime?)?, maker: String
  ) -> HTML {
    let id = point.id.description
    let code: HTML? = point.code.map { "<code class=\"point-code\">\($0.spaced)</code>" }
    let last: HTML? = tally?.last.map(t.time)
    return """
      <tr><td class="choose"><input type="checkbox" name="point" value="\(id)" aria-label="\(t("Select {1}", point.title))"></td>
      <td class="picture"><img loading="lazy" alt="" width="80" height="60" src="\(point.pose == .estimated ? "/points/\(id)/reference.jpg" : "/photos/\(point.reference.photo)/thumbnail.jpg")"></td>
      <td class="name" data-label="\(t("Photo point"))"><a href="/points/\(id)">\(point.title)</a></td>
      <td data-label="\(t("Code"))">\(code ?? "—")</td>
      <td data-label="\(t("Parcel"))">\(point.parcel ?? "—")</td>
      <td class="number" data-label="\(t("Number of repeats"))">\(tally?.count ?? 0)</td>
      <td class="time" data-label="\(t("Last repeat"))">\(last ?? "—")</td>
      <td data-label="\(t("Made by"))">\(maker)</td></tr>
      """
  }

  /// Returns the links to the first and to the next page; nil if the list has only one.
  private func pager(_ asked: PhotoPointListAddress, next: ListPlace?) -> HTML? {
    guard asked.place != nil || next != nil else { return nil }
    let newest: HTML? =
      asked.place == nil
      ? nil : "<a class=\"button\" href=\"\(asked.path(after: nil))\">\(t("Newest"))</a>"
    let older: HTML? = next.map {
      "<a class=\"button\" href=\"\(asked.path(after: $0))\">\(t("Older"))</a>"
    }
    return "<nav class=\"pager\" aria-label=\"\(t("Pages"))\">\(newest)\(older)</nav>"
  }

  // MARK: the labels

  private func labels(_ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    let ids = try chosen(form.all("point"))
    guard !ids.isEmpty else { return .redirect("/points?done=nopoints") }
    let points = try await office.database.read(in: reader.agency) { session -> [PhotoPoint] in
      let records = session.points
      return try ids.map { id -> PhotoPoint in
        guard let point = try records.point(id) else {
          throw StoreError.unknown(what: "photo point", id: id.description)
        }
        return point
      }
    }
    return try await .made(
      ending: "pdf", mediaType: "application/pdf", fileName: "photo-points.pdf"
    ) { [office, t, agency = reader.agency] path, _ in
      try await office.exports.writeLabels(of: points, in: agency, toFile: path, in: t)
    }
  }

  /// Returns the identifiers of a form, each once, in their order.
  private func chosen(_ values: [String]) throws -> [Identifier] {
    guard values.count <= Self.labelsAtMost else {
      throw OfficeRefusal(
        .inputInvalid, "choose at most \(Self.labelsAtMost) photo points at once")
    }
    var ids: [Identifier] = []
    for value in values {
      guard let id = Identifier(value) else {
        throw OfficeRefusal(.inputInvalid, "\(value.prefix(40)) is not an identifier")
      }
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }
}
