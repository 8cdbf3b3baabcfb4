import Evidence
import Foundation
import Geodesy
import Inspection
import Positioning
import Store
import Sync
import Web

extension FieldPages {
  func addPhotos(to routes: inout Routes) {
    routes.get("/photos") { request in
      try await reading(request) { reader in
        let photos = try reader.unit.photos(.standalone)
        let unsent = photos.filter { $0.sent == nil }.count
        let sendAll: HTML? =
          unsent == 0
          ? nil
          : """
          <form method="post" action="/photos/send">\(request.formField)
          <button class="button" data-confirm="\(t("Send {1} photos?", unsent))">\(t("Send all {1} unsent", unsent))</button></form>
          """
        let new: HTML =
          try reader.unit.rules(for: nil).flag(.standalone)
          ? "<a class=\"button primary\" href=\"/camera\">\(t("New photo"))</a>"
          : "<p class=\"hint\">\(t("Your agency allows no photos without a task."))</p>"
        return page(
          t("Photos"), reader, current: "/photos",
          """
          <h1>\(t("Photos without a task"))</h1>
          <div class="actions">\(new)\(sendAll)</div>
          \(gallery(photos.reversed(), isEditable: true, reader))
          """)
      }
    }
    routes.post("/photos/send") { request in
      try await reading(request) { reader in
        let ids = try reader.unit.photos(.standalone).filter { $0.sent == nil }.map(\.id)
        try reader.unit.sendPhotos(ids)
        return .redirect("/photos?done=queued")
      }
    }
    routes.get("/photos/{id}") { request in
      try await reading(request) { try show($0, try identifier(request)) }
    }
    routes.get("/photos/{id}/photo.jpg") { request in
      try await reading(request) { reader in
        let photo = try reader.unit.photo(try identifier(request))
        return .file(
          path: reader.unit.path(ofPhoto: photo.id), mediaType: "image/jpeg",
          fileName: "\(photo.id).jpg", isAttachment: false)
      }
    }
    routes.post("/photos/{id}/send") { request in
      try await reading(request) { reader in
        let id = try identifier(request)
        try reader.unit.sendPhotos([id])
        return .redirect("/photos/\(id)?done=queued")
      }
    }
    routes.post("/photos/{id}/note") { request in
      try await reading(request) { reader in
        let id = try identifier(request)
        try reader.unit.notePhoto(id, try await request.form()["note"] ?? "")
        return .redirect("/photos/\(id)?done=noted")
      }
    }
    routes.post("/photos/{id}/delete") { request in
      try await reading(request) { reader in
        let photo = try reader.unit.photo(try identifier(request))
        let reason = try await request.form()["reason"] ?? t("deleted by the inspector")
        try reader.unit.deletePhoto(photo.id, reason: reason)
        return .redirect((photo.task.map { "/tasks/\($0)" } ?? "/photos") + "?done=deleted")
      }
    }
  }

  func gallery(_ photos: [Photo], isEditable: Bool, _ reader: Reader) -> HTML {
    guard !photos.isEmpty else {
      return "<div class=\"empty\"><p>\(t("No photos yet."))</p></div>"
    }
    let removed = (try? reader.unit.removedPhotos()) ?? [:]
    let figures = photos.map { photo in
      if let time = removed[photo.id] {
        return """
          <figure class="photo"><figcaption><a href="/photos/\(photo.id.description)">\(t("Photo")) \(Self.time(photo.deviceTime))</a><br>\
          \(photo.delivered == nil ? t("neither here nor at the office any more") : t("at the office; left this device {1}", Self.time(time)))</figcaption></figure>
          """ as HTML
      }
      return """
        <figure class="photo"><a href="/photos/\(photo.id.description)"><img loading="lazy"
        src="/photos/\(photo.id.description)/photo.jpg" alt="\(t("Photo of {1}", Self.time(photo.deviceTime)))"></a>
        <figcaption>\(Self.time(photo.deviceTime))<br>\(accuracy(photo)), \(delivery(photo))</figcaption></figure>
        """ as HTML
    }
    return "<div class=\"photos\">\(figures)</div>"
  }

  private func accuracy(_ photo: Photo) -> String {
    photo.position.uncertaintyMetres95.map { "± \(DecimalText.fixed($0, places: 1)) m" }
      ?? t("accuracy not known")
  }

  private func delivery(_ photo: Photo) -> String {
    if photo.delivered != nil { return "✓ " + t("delivered") }
    return photo.sent != nil ? "↑ " + t("sent, waits") : "○ " + t("not sent")
  }

  private func show(_ reader: Reader, _ id: Identifier) throws -> WebResponse {
    let photo = try reader.unit.photo(id)
    let siblings = try reader.unit.photos(photo.task.map { .task($0) } ?? .standalone).map(\.id)
    let place = siblings.firstIndex(of: id) ?? 0
    func link(_ offset: Int, _ words: String) -> HTML? {
      siblings.indices.contains(place + offset)
        ? "<a class=\"button\" href=\"/photos/\(siblings[place + offset].description)\">\(words)</a>"
        : nil
    }
    let position = photo.position
    let removed = try reader.unit.removedPhotos()[id]
    let picture: HTML =
      removed.map {
        """
        <p class="notice \(photo.delivered == nil ? "notice-warning" : "notice-note")">\(photo.delivered == nil
          ? t("Its picture left this device {1}, and the office does not hold it any more. Tell your office.", Self.time($0))
          : t("Its picture has left this device {1}: the office holds it, and has signed for it.", Self.time($0)))</p>
        """
      }
        ?? """
        <a href="/photos/\(id.description)/photo.jpg"><img class="photo-large"
        src="/photos/\(id.description)/photo.jpg" alt="\(t("Photo of {1}", Self.time(photo.deviceTime)))"></a>
        """
    return page(
      t("Photo of {1}", Self.time(photo.deviceTime)), reader, current: "/photos",
      """
      <h1>\(t("Photo {1} of {2}", place + 1, siblings.count))</h1>
      \(picture)
      <nav class="pager">\(link(-1, t("Previous")))\(link(1, t("Next")))\
      \(photo.task.map { "<a class=\"button\" href=\"/tasks/\($0.description)\">\(t("To the task"))</a>" as HTML })</nav>
      <section class="card">\(HTML.facts([
        (t("Latitude"), .text("\(DecimalText.fixed(position.coordinate.latitudeDegrees, places: 7))°")),
        (t("Longitude"), .text("\(DecimalText.fixed(position.coordinate.longitudeDegrees, places: 7))°")),
        (t("Height above the ellipsoid"), position.ellipsoidalHeightMetres.map { .text("\(DecimalText.fixed($0, places: 1)) m") }),
        (t("Accuracy (95 %)"), .text(accuracy(photo))), (t("Method"), .text(t(position.method.name))),
        (t("Azimuth"), .text(photo.orientation?.azimuthDegreesTrue.map { "\(DecimalText.fixed($0, places: 1))°" } ?? t("not known"))),
        (t("Angle"), .text(photo.orientation?.angleDegrees.map { "\(DecimalText.fixed($0, places: 1))°" } ?? t("not known"))),
        (t("Receiver's time"), .text(photo.gnssTime.rfc3339 ?? photo.gnssTime.timeOfDay)),
        (t("Origin"), .text(photo.origin == .imported ? t("imported file") : t("camera"))),
        (t("Delivery"), .text(delivery(photo))), (t("Note"), photo.note.map(HTML.text)),
      ]))</section>\(try changes(photo, reader))
      """)
  }

  private func changes(_ photo: Photo, _ reader: Reader) throws -> HTML {
    guard photo.sent == nil else {
      let isAhead =
        try photo.task.map { try reader.unit.task($0).state.isEditable } == true
        && reader.unit.rules(for: photo.task).flag(.deliverAhead)
      if isAhead {
        return
          "<p class=\"hint\">\(t("Your agency has photos delivered as soon as they are taken: this one was sent at {1}, and cannot be deleted any more.", photo.sent.map(Self.time) ?? ""))</p>"
      }
      return "<p class=\"hint\">\(t("It was sent: it cannot be changed or deleted any more."))</p>"
    }
    if let task = photo.task, !(try reader.unit.task(task).state.isEditable) { return "" }
    let id = photo.id.description
    let send: HTML? =
      photo.task == nil
      ? """
      <form method="post" action="/photos/\(id)/send">\(reader.request.formField)
      <button class="button primary">\(t("Send"))</button></form>
      """ : nil
    return """
      <section class="card"><form class="fields" method="post" action="/photos/\(id)/note">\(reader.request.formField)
      <label>\(t("Note"))<textarea name="note" rows="2" maxlength="2000">\(photo.note ?? "")</textarea></label>
      <p class="actions"><button class="button">\(t("Keep the note"))</button></p></form>
      <div class="actions">\(send)</div>
      <details><summary>\(t("Delete"))</summary><form class="fields" method="post" action="/photos/\(id)/delete">\(reader.request.formField)
      <p>\(t("The picture is removed from this device for good. Its record stays, is delivered, and says that it was deleted and why."))</p>
      <label>\(t("Reason"))<input name="reason" maxlength="200"></label>
      <p class="actions"><button class="button danger">\(t("Delete"))</button></p></form></details></section>
      """
  }
}
