import Evidence
import FieldUnit
import Foundation
import Geodesy
import Guide
import Inspection
import Positioning
import Store
import TimeAndText
import Web

/// The pages of one photo: the large picture with its values in the corner, and the links to its
/// neighbours.
struct PhotoPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldPhoto

  /// A photo with its neighbours: the other photos of its task in the order in which they were
  /// taken, or the list of the photos without a task.
  private struct Place {
    var photo: Photo
    var removed: DeviceTime?
    /// The number of the photo among its neighbours, from 1.
    var number: Int
    var count: Int
    var previous: Identifier?
    var next: Identifier?
  }

  private func place(_ reader: Reader, _ id: Identifier) throws -> Place {
    let photo = try reader.unit.photo(id)
    var siblings = try reader.unit.photoIdentifiers(photo.task.map { .task($0) } ?? .standalone)
    if photo.task != nil { siblings.reverse() }
    let index = siblings.firstIndex(of: id) ?? 0
    func sibling(_ offset: Int) -> Identifier? {
      siblings.indices.contains(index + offset) ? siblings[index + offset] : nil
    }
    return Place(
      photo: photo, removed: try reader.unit.delivery.removedPhotos()[id], number: index + 1,
      count: siblings.count, previous: sibling(-1), next: sibling(1))
  }

  // MARK: the page

  func show(_ reader: Reader, _ id: Identifier) throws -> WebResponse {
    let place = try place(reader, id)
    let photo = place.photo
    let path = "/photos/\(id)"
    func link(_ id: Identifier?, _ words: String, _ key: String, _ relation: String) -> HTML? {
      id.map {
        """
        <a class="button" rel="\(relation)" data-key="\(key)" href="/photos/\($0.description)">\(words)</a>
        """
      }
    }
    let task: HTML? = try photo.task.map {
      "<a class=\"button\" href=\"/tasks/\($0.description)\">\(t("View task"))</a><p>\(try reader.unit.task($0).name)</p>"
    }
    let title = t("Photo of {1}", Self.time(photo.deviceTime))
    let send: HTML? =
      photo.task == nil && photo.sent == nil
      ? """
      <form method="post" action="\(path)/send">\(reader.request.formField)
      <button class="button primary">\(t("Send"))</button></form>
      """ : nil
    return page(
      title, reader, current: "/photos", scripts: [PhotoScript.asset.href],
      styles: [PhotoStyle.asset.href],
      """
      <div class="heading"><h1>\(t("Photo {1} of {2}", place.number, place.count))</h1>\(state(place))</div>
      \(picture(place, title))
      <nav class="pager beside" aria-label="\(t("Previous and next photo"))">\
      \(link(place.previous, "‹ " + t("Previous"), "ArrowLeft", "prev"))\
      \(link(place.next, t("Next") + " ›", "ArrowRight", "next"))</nav>
      <div class="actions photo-actions">\(send)
      \(place.removed == nil ? "<a class=\"button\" href=\"\(path)/full\" data-key=\"f\">\(t("Full screen"))</a>" as HTML : nil)
      <a class="button" href="/map?photo=\(id.description)">\(t("Show on map"))</a>
      <a class="button" href="\(path)/photo.pdf">PDF</a>
      \(place.removed == nil ? "<a class=\"button\" href=\"\(path)/point\">\(t("Make a photo point"))</a>" as HTML : nil)
      \(place.removed == nil ? "<a class=\"button\" href=\"/compose/choose?photo=\(id.description)\">\(t("Then and now"))</a>" as HTML : nil)</div>
      <section class="card"><h2>\(t("Details"))</h2>\(HTML.facts(details(photo) + (try repetition(photo, reader))))\(task)</section>
      \(ExportPages(server: server).exportLinks("\(path)/photo"))
      \(try changes(photo, reader))
      """)
  }

  private func picture(_ place: Place, _ title: String) -> HTML {
    let photo = place.photo
    let path = "/photos/\(photo.id)"
    if let removed = place.removed {
      return """
        <p class="notice \(photo.delivered == nil ? "notice-warning" : "notice-note")">\(photo.delivered == nil
          ? t.html("The picture was removed from this device {1}, and the office no longer has it. Tell your office.", t.time(removed))
          : t.html("The picture was removed from this device {1}. The office has it and has signed for it.", t.time(removed)))</p>
        """
    }
    return """
      <figure class="photo-large over" data-swipe><a href="\(path)/full"><img src="\(path)/photo.jpg" \
      width="\(photo.widthPixels)" height="\(photo.heightPixels)" alt="\(title)"></a>\(overlay(photo))</figure>
      """
  }

  /// Returns the values shown in the picture's upper left corner; the reader can fold them away.
  private func overlay(_ photo: Photo) -> HTML {
    let position = photo.position
    let orientation = photo.orientation
    func degrees(_ value: Double?, places: Int) -> HTML {
      value.map { .text("\(t.decimal($0, places: places))°") } ?? .text(t("not known"))
    }
    return """
      <details class="overlay" id="overlay" open><summary>\(t("Position and direction"))</summary>\(HTML.facts([
        (t("Latitude"), degrees(position.coordinate.latitudeDegrees, places: 7)),
        (t("Longitude"), degrees(position.coordinate.longitudeDegrees, places: 7)),
        (t("Altitude"), .text(position.ellipsoidalHeightMetres.map { "\(t.decimal($0, places: 1)) m" } ?? t("not known"))),
        (t("Accuracy"), .text(accuracy(position.uncertaintyMetres95))),
        (t("Azimuth"), degrees(orientation?.azimuthDegreesTrue, places: 1)),
        (t("Angle"), degrees(orientation?.angleDegrees, places: 1)),
        (t("Centroid"), .text(centroid(photo))),
        (
          t("Time"),
          photo.gnssTime.millisecondsSince1970.map {
            t.time(DeviceTime(millisecondsSince1970: $0))
          } ?? .text("\(photo.gnssTime.timeOfDay) UTC")
        ),
      ]))</details>
      """
  }

  private func centroid(_ photo: Photo) -> String {
    guard case .standpoint = photo.position.method else { return t("off") }
    let name = t(photo.position.method.name)
    return photo.standpoint.map { t("{1}, {2} samples", name, $0.samples) } ?? name
  }

  private func state(_ place: Place) -> HTML {
    let photo = place.photo
    if place.removed != nil {
      return photo.delivered == nil
        ? "<span class=\"delivery is-lost\">✗ \(t("removed from the device, not at the office"))</span>"
        : "<span class=\"delivery is-done\">✓ \(t("removed from the device"))</span>"
    }
    if photo.delivered != nil {
      return "<span class=\"delivery is-done\">✓ \(t("delivered"))</span>"
    }
    return photo.sent != nil
      ? "<span class=\"delivery is-sent\">↑ \(t("sent, waiting"))</span>"
      : "<span class=\"delivery\">○ \(t("not sent"))</span>"
  }

  private func details(_ photo: Photo) -> [(String, HTML?)] {
    let position = photo.position
    let standpoint = photo.standpoint.map {
      t(
        "{1} (about {2} independent)", $0.samples,
        t.decimal($0.effectiveSamples, places: 0))
    }
    let tilt = photo.orientation?.rollDegrees.map { "\(t.decimal($0, places: 1))°" }
    return [
      (t("Taken"), t.time(photo.deviceTime)),
      (
        t("Height above the ellipsoid"),
        position.ellipsoidalHeightMetres.map { .text("\(t.decimal($0, places: 1)) m") }
      ),
      (
        t("Height above mean sea level"),
        position.meanSeaLevelHeightMetres.map { .text("\(t.decimal($0, places: 1)) m") }
      ),
      (t("Accuracy (95 %)"), .text(accuracy(position.uncertaintyMetres95))),
      (t("Method"), .text(t(position.method.name))), (t("Samples"), standpoint.map(HTML.text)),
      (t("Tilt"), tilt.map(HTML.text)),
      (t("Origin"), .text(photo.origin == .imported ? t("imported file") : t("camera"))),
      (
        t("Picture"),
        .text("\(photo.widthPixels) × \(photo.heightPixels), \(Self.size(photo.bytes))")
      ),
      (t("Sent"), photo.sent.map { t.time($0) }),
      (t("Delivered"), photo.delivered.map { t.time($0) }),
      (t("Note"), photo.sent == nil ? nil : photo.note.map(HTML.text)),
    ]
  }

  /// Returns the photo point that a photo repeats, with the numbers; empty if it repeats none.
  private func repetition(_ photo: Photo, _ reader: Reader) throws -> [(String, HTML?)] {
    guard let claims = try reader.unit.points.repetition(ofPhoto: photo.id) else { return [] }
    let point = try StoreError.found { try reader.unit.points.point(claims.point) }
    let name: HTML? = point.map {
      """
      <a href="/points/\($0.id.description)">\($0.title)</a> · \
      <a href="/photos/\(photo.id.description)/compare">\(t("Compare"))</a> ·
      """
    }
    return [(t("Repeats"), "\(name) \(RepeatWords(t).line(claims))")]
  }

  private func changes(_ photo: Photo, _ reader: Reader) throws -> HTML {
    guard photo.sent == nil else {
      let isAhead =
        try photo.task.map { try reader.unit.task($0).state.isEditable } == true
        && reader.unit.rules(for: photo.task).flag(.deliverAhead)
      if isAhead {
        return
          "<p class=\"hint\">\(t.html("Your agency's rules send photos as soon as you take them. This one was sent at {1}; you can no longer delete it.", photo.sent.map(t.time) ?? ""))</p>"
      }
      return "<p class=\"hint\">\(t("You sent it: you can no longer change or delete it."))</p>"
    }
    if let task = photo.task, !(try reader.unit.task(task).state.isEditable) { return "" }
    let id = photo.id.description
    return """
      <section class="card"><form class="fields" method="post" action="/photos/\(id)/note">\(reader.request.formField)
      <label>\(t("Note"))<textarea name="note" rows="2" maxlength="\(NoteRule.maximumCharacters)">\(photo.note ?? "")</textarea></label>
      <p class="actions"><button class="button">\(t("Save note"))</button>
      <a class="button danger" href="/photos/\(id)/delete">\(t("Delete"))</a></p></form></section>
      """
  }

  // MARK: the whole screen

  /// Returns the page with the picture alone, as large as the screen: a key, a thumb or a swipe
  /// leads to the next.
  func full(_ reader: Reader, _ id: Identifier) throws -> WebResponse {
    let place = try place(reader, id)
    let photo = place.photo
    let title = t("Photo {1} of {2}, full screen", place.number, place.count)
    func link(_ id: Identifier?, _ sign: String, _ words: String, _ key: String, _ side: String)
      -> HTML?
    {
      id.map {
        """
        <a class="turn \(side)" rel="\(side)" data-key="\(key)" href="/photos/\($0.description)/full" aria-label="\(words)">\(sign)</a>
        """
      }
    }
    let picture: HTML =
      place.removed == nil
      ? """
      <img src="/photos/\(id.description)/photo.jpg" alt="\(t("Photo of {1}", Self.time(photo.deviceTime)))">
      """
      : "<p>\(t("Its picture is no longer on this device."))</p>"
    return page(
      title + ", " + Self.time(photo.deviceTime), reader, current: "/photos",
      scripts: [PhotoScript.asset.href], styles: [PhotoStyle.asset.href],
      """
      <div class="full-view over" data-swipe><h1 class="unseen">\(title)</h1>\(picture)\
      \(overlay(photo))\(link(place.previous, "‹", t("Previous"), "ArrowLeft", "prev"))\
      \(link(place.next, "›", t("Next"), "ArrowRight", "next"))
      <p class="full-foot"><span>\("\(place.number) / \(place.count)")</span> \
      <a class="button" href="/photos/\(id.description)" data-key="Escape">\(t("Close"))</a></p></div>
      """)
  }

  // MARK: deleting

  func askToDelete(_ reader: Reader, _ id: Identifier) throws -> WebResponse {
    let photo = try reader.unit.photo(id)
    try photo.requireDeletable()
    if let task = photo.task {
      let state = try reader.unit.task(task).state
      guard state.isEditable else { throw InspectionError.taskLocked(state) }
    }
    let title = t("Delete the photo of {1}", Self.time(photo.deviceTime))
    return page(
      title, reader, current: "/photos", styles: [PhotoStyle.asset.href],
      """
      <section class="card"><h1>\(t.html("Delete the photo of {1}?", t.time(photo.deviceTime)))</h1>
      <p><img class="preview large" src="/photos/\(id.description)/thumbnail.jpg" width="320" height="240" alt="\(t("Photo of {1}", Self.time(photo.deviceTime)))"></p>
      <p>\(t("This permanently removes the picture from this device. Its record stays, is delivered, and says that the picture was deleted and why."))</p>
      <form class="fields" method="post" action="/photos/\(id.description)/delete">\(reader.request.formField)
      <label>\(t("Reason"))<input name="reason" maxlength="200"></label>
      <p class="actions"><button class="button danger">\(t("Delete"))</button>
      <a class="button" href="/photos/\(id.description)">\(t("Keep it"))</a></p></form></section>
      """)
  }
}
