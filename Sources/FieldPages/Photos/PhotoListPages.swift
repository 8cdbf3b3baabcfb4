import Evidence
import Exports
import FieldExporting
import FieldUnit
import Foundation
import Geodesy
import Guide
import Inspection
import Store
import Sync
import TimeAndText
import Web

/// The lists of the inspector's photos, and the routes of each photo.
struct PhotoListPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.photoAlone

  private var photoPages: PhotoPages { PhotoPages(server: server) }

  func add(to routes: inout Routes) {
    for asset in [PhotoStyle.asset, PhotoScript.asset] {
      routes.get(asset.path) { asset.response(to: $0) }
    }
    let one = "/photos/{id}"
    routes.get("/photos") { request in try await reading(request) { try photos($0) } }
    routes.post("/photos/send") { request in try await reading(request) { try sendAll($0) } }
    routes.get(one) { request in
      try await reading(request) { try photoPages.show($0, try identifier(request)) }
    }
    routes.get(one + "/full") { request in
      try await reading(request) { try photoPages.full($0, try identifier(request)) }
    }
    routes.get(one + "/photo.jpg") { request in
      try await reading(request) { try picture($0, try identifier(request)) }
    }
    routes.get(one + "/thumbnail.jpg") { request in
      try await reading(request) { try await thumbnail($0, try identifier(request)) }
    }
    routes.get(one + "/photo.pdf") { request in
      try await reading(request) { try await exportPDF($0, try identifier(request)) }
    }
    routes.post(one + "/send") { request in
      try await reading(request) { try await send($0, try identifier(request)) }
    }
    routes.post(one + "/note") { request in
      try await reading(request) { try await note($0, try identifier(request)) }
    }
    routes.get(one + "/delete") { request in
      try await reading(request) { try photoPages.askToDelete($0, try identifier(request)) }
    }
    routes.post(one + "/delete") { request in
      try await reading(request) { try await delete($0, try identifier(request)) }
    }
  }

  /// The number of rows on a page, through which a browser still scrolls without waiting.
  private static let rowsPerPage = 2000

  // MARK: the list

  private func photos(_ reader: Reader) throws -> WebResponse {
    let (all, unsent) = try reader.unit.photoCount(.standalone)
    let (number, pages) = pageNumber(reader.request, of: all, each: Self.rowsPerPage)
    let photos = try reader.unit.photoListings(
      .standalone, limit: Self.rowsPerPage, offset: (number - 1) * Self.rowsPerPage)
    let sendAll: HTML? =
      unsent == 0
      ? nil
      : """
      <form method="post" action="/photos/send">\(reader.request.formField)
      <button class="button" data-confirm="\(t("Send {1} photos?", unsent))">\(t("Send all {1} unsent", unsent))</button></form>
      """
    let new: HTML =
      try reader.unit.rules(for: nil).flag(.standalone)
      ? "<a class=\"button primary\" href=\"/camera\">\(t("New photo"))</a>"
      : "<p class=\"hint\">\(t("Your agency does not allow photos without a task."))</p>"
    // All rows share one form: each button names the address that the form is sent to.
    let list: HTML =
      photos.isEmpty
      ? """
      <div class="empty"><p>\(t("No photos yet."))</p>
      <p class="muted">\(t("Photos that you take without a task are shown here. Photos of a task are shown with the task."))</p></div>
      """
      : """
      <form id="one" method="post">\(reader.request.formField)<input type="hidden" name="from" value="list"></form>
      <ul class="photo-rows">\(photos.map(row))</ul>\(pager(number, of: pages, "/photos"))
      """
    return page(
      t("Photos"), reader, current: "/photos", styles: [PhotoStyle.asset.href],
      """
      <div class="heading"><h1>\(t("Photos without a task"))</h1>\
      <span class="muted">\(all == 1 ? t("1 photo") : t("{1} photos", all))</span></div>
      <div class="actions list-actions">\(new)\(sendAll)<a class="button" href="/sets">\(t("Sets of pictures"))</a></div>
      \(list)
      """)
  }

  private func row(_ photo: PhotoListing) -> HTML {
    let id = photo.id.description
    let time = Self.time(photo.deviceTime)
    let buttons: HTML? =
      photo.sent != nil
      ? nil
      : """
      <p class="row-actions"><button class="button" form="one" formaction="/photos/\(id)/send" aria-label="\(t("Send the photo of {1}", time))">\(t("Send"))</button>
      <a class="button quiet" href="/photos/\(id)/delete" aria-label="\(t("Delete the photo of {1}", time))">\(t("Delete"))</a></p>
      """
    return """
      <li class="photo-row" id="photo-\(id)"><a href="/photos/\(id)">\(preview(photo, alt: ""))\
      <span class="photo-words"><strong>\(t.time(photo.deviceTime))</strong><span class="photo-place">\(place(photo.coordinate))</span>\
      <span>\(accuracy(photo.uncertaintyMetres95))</span>\(delivery(photo))</span></a>\(buttons)</li>
      """
  }

  /// Returns the preview, or an empty frame if the picture has left this device.
  private func preview(_ photo: PhotoListing, alt: String) -> HTML {
    photo.removed != nil
      ? "<span class=\"preview is-gone\" aria-hidden=\"true\">↗</span>"
      : """
      <img class="preview" src="/photos/\(photo.id.description)/thumbnail.jpg" alt="\(alt)" \
      width="128" height="96" loading="lazy" decoding="async">
      """
  }

  /// Returns the state of a photo's delivery as a sign, words and a colour.
  private func delivery(_ photo: PhotoListing) -> HTML {
    if let removed = photo.removed {
      return photo.delivered == nil
        ? "<span class=\"delivery is-lost\">✗ \(t("no longer here or at the office"))</span>"
        : "<span class=\"delivery is-done\">✓ \(t.html("at the office; removed from this device {1}", t.time(removed)))</span>"
    }
    if photo.delivered != nil {
      return "<span class=\"delivery is-done\">✓ \(t("delivered"))</span>"
    }
    return photo.sent != nil
      ? "<span class=\"delivery is-sent\">↑ \(t("sent, waiting"))</span>"
      : "<span class=\"delivery\">○ \(t("not sent"))</span>"
  }

  func place(_ coordinate: Coordinate) -> String {
    "\(t.decimal(coordinate.latitudeDegrees, places: 5))°, \(t.decimal(coordinate.longitudeDegrees, places: 5))°"
  }

  // MARK: a task's photos

  /// Returns the photos of a task, in the order in which they were taken.
  func gallery(_ photos: [PhotoListing], isEditable: Bool) -> HTML {
    guard let first = photos.first else {
      return "<div class=\"empty\"><p>\(t("No photos yet."))</p></div>"
    }
    let figures = photos.enumerated().map { index, photo -> HTML in
      let id = photo.id.description
      let time = Self.time(photo.deviceTime)
      let delete: HTML? =
        isEditable && photo.sent == nil
        ? """
        <a class="button quiet" href="/photos/\(id)/delete" aria-label="\(t("Delete the photo of {1}", time))">\(t("Delete"))</a>
        """ : nil
      return """
        <li class="photo" id="photo-\(id)"><a href="/photos/\(id)">\(preview(photo, alt: t("Photo of {1}", time)))\
        <span class="photo-words"><strong>\(index + 1)</strong> <span>\(t.time(photo.deviceTime))</span> \
        <span>\(accuracy(photo.uncertaintyMetres95))</span> \(delivery(photo))</span></a>\(delete)</li>
        """
    }
    return """
      <ul class="photos">\(figures)</ul>
      <p class="actions"><a class="button" href="/photos/\(first.id.description)/full">\(t("View full screen"))</a></p>
      """
  }

  // MARK: changes

  private func sendAll(_ reader: Reader) throws -> WebResponse {
    let ids = try reader.unit.photoListings(.standalone).filter { $0.sent == nil }.map(\.id)
    try reader.unit.sendPhotos(ids)
    return .redirect("/photos?done=queued")
  }

  private func send(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    try reader.unit.sendPhotos([id])
    let isFromList = try await reader.request.form()["from"] == "list"
    return .redirect(isFromList ? "/photos?done=queued#photo-\(id)" : "/photos/\(id)?done=queued")
  }

  private func note(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    try reader.unit.notePhoto(id, try await reader.request.form()["note"] ?? "")
    return .redirect("/photos/\(id)?done=noted")
  }

  private func delete(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    let photo = try reader.unit.photo(id)
    let reason = try await reader.request.form()["reason"] ?? "deleted by the inspector"
    try reader.unit.deletePhoto(photo.id, reason: reason)
    return .redirect((photo.task.map { "/tasks/\($0)" } ?? "/photos") + "?done=deleted")
  }

  // MARK: files

  private func picture(_ reader: Reader, _ id: Identifier) throws -> WebResponse {
    let photo = try reader.unit.photo(id)
    return .file(
      path: reader.unit.path(ofPhoto: photo.id), mediaType: "image/jpeg",
      fileName: "\(photo.id).jpg", isAttachment: false, eTag: photo.fileDigest
    ).setting(header: "Cache-Control", to: "private, no-cache, must-revalidate")
  }

  private func exportPDF(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    try await .made(
      ending: "pdf", mediaType: "application/pdf", fileName: "\(id).pdf"
    ) { [unit = reader.unit, name = reader.signIn.name, language = DocumentLanguage(t)] path, _ in
      try unit.exports.writePhotoPDF(id, inspectorName: name, toFile: path, in: language)
    }
  }

  private func thumbnail(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    // The store is asked first: it refuses a photo of another inspector, and one that is not here
    // any more.
    let photo = try reader.unit.photo(id)
    guard let path = await server.thumbnails.path(photo.id, of: reader.unit) else {
      return .bytes(Array(ThumbnailDesk.placeholder.utf8), mediaType: "image/svg+xml")
        .setting(header: "Cache-Control", to: "no-store")
    }
    // Neither a photo nor its thumbnail ever changes. The browser asks each time anyway: several
    // inspectors share it, and a cached picture may be shown only to a person who may see the
    // photo.
    return .file(
      path: path, mediaType: "image/jpeg", isAttachment: false,
      eTag: "thumbnail-\(photo.fileDigest)"
    ).setting(header: "Cache-Control", to: "private, no-cache, must-revalidate")
  }
}
