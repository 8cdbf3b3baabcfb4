import FieldUnit
import Foundation
import Geodesy
import Inspection
import ItemViewing
import SetCapture
import Store
import TimeAndText
import Web

extension CameraPages {
  /// Returns the photo that was just taken, with everything that can follow. The photo is sealed and
  /// kept by then: only *Retake* deletes it, with that reason.
  func review(_ captured: CameraDesk.Captured, _ view: CameraView) async -> HTML {
    let photo = captured.photo
    // Each epoch asks for the review, and the next photo may be there within a second.
    let asked = await view.question.html(at: server.clock.elapsed, about: photo.id) {
      question(photo, view) ?? .empty
    }
    let id = photo.id.description
    let title = t("The photo that was taken")
    return """
      <section class="camera-review" data-camera-review aria-label="\(title)" tabindex="-1">
      <img src="/photos/\(id)/photo.jpg" width="\(photo.widthPixels)" height="\(photo.heightPixels)" alt="\(title)">
      <div class="camera-after"><p class="camera-facts" role="status"><strong>\(t("Captured"))</strong> <span>\(accuracy(photo.position.uncertaintyMetres95))</span> \(view.hasStation ? nil : place(of: photo, view))\(repetition(photo, view))\(view.item?.shot.flatMap { ShotParts(t: t).misses(photo, of: $0) })</p>
      <p class="hint">\(captured.canRepeat
        ? t("Saved and sealed. Retake deletes it; its record says so.")
        : t("Saved, sealed and already in the outbox: it can no longer be retaken."))</p>
      <div class="camera-choices" data-camera-choices>\(choices(captured, view))</div>\(asked)</div></section>
      """
  }

  /// Returns the place of the photo relative to the parcel, in words; nil without a parcel.
  private func place(of photo: Photo, _ view: CameraView) -> HTML? {
    guard let region = view.region else { return nil }
    let metres = region.distanceMetres(to: photo.position.coordinate)
    guard let distance = ParcelWay(distanceMetres: metres).distanceText else {
      return "<span>● \(t("inside the parcel"))</span>"
    }
    return "<span class=\"is-outside\">⚠ \(t("{1} outside the parcel", distance))</span>"
  }

  /// Returns how well the photo repeats its photo point, in words; nil if it repeats none.
  private func repetition(_ photo: Photo, _ view: CameraView) -> HTML? {
    guard view.point != nil,
      let unit = readable("the inspector", { try server.unit() }) ?? nil,
      let claims = readable("a repeat", { try unit.points.repetition(ofPhoto: photo.id) }) ?? nil
    else { return nil }
    return " <span>\(RepeatWords(t).line(claims))</span>"
  }

  /// Returns the form fields that name the page, the photo and its task.
  private func fields(_ photo: Photo, _ view: CameraView) -> HTML {
    var fields: [(String, String)] = [("photo", photo.id.description)]
    fields += CameraAddress(view).fields
    if let page = view.page { fields.append(("page", page)) }
    return view.formField
      + HTML.joined(
        fields.map { "<input type=\"hidden\" name=\"\($0)\" value=\"\($1)\">" }, separator: "")
  }

  private func choices(_ captured: CameraDesk.Captured, _ view: CameraView) -> HTML {
    let photo = captured.photo
    let hidden = fields(photo, view)
    func form(_ action: String, _ answer: HTML?, _ words: String, _ style: String) -> HTML {
      """
      <form method="post" action="/camera/\(action)"\(answer)>\(hidden)<button class="button \(style)">\(words)</button></form>
      """
    }
    let again = captured.canRepeat ? form("again", " data-camera-answer", t("Retake"), "") : nil
    // A photo of a photo point goes on to the next step of its making, and nowhere else.
    if view.footing != nil || view.isMaking {
      let words = view.footing == nil ? t("Keep") : t("Use this photo")
      return "\(again)\(form("close", " data-camera-onward", words, "primary"))"
    }
    let next = self.next(view) { form("keep", $0, $1, $2) }
    let done = form("close", nil, t("Done"), "")
    let send: HTML? =
      view.task.map { task in
        """
        <a class="button\(view.item == nil ? " primary" : "")" href="/tasks/\(task.id.description)/send" data-camera-send>\(t("Send"))</a>
        """
      }
      ?? (photo.sent != nil ? nil : form("send", nil, t("Send"), "primary"))
    return "\(again)\(next)\(done)\(send)"
  }

  /// Returns the question that precedes sending a task: what goes, and what is still missing.
  private func question(_ photo: Photo, _ view: CameraView) -> HTML? {
    guard let id = view.task?.id,
      let unit = readable("the inspector", { try server.unit() }) ?? nil,
      let known = readable(
        "a task",
        { (try unit.task(id), try unit.photos(.task(id)), try unit.contents(of: id)) }),
      let required = readable("rules", { try unit.requirements(of: id) })
    else { return nil }
    let (task, photos, contents) = known
    let needs = TaskNeeds(task, contents, required, t)
    let bytes = photos.reduce(0) { $0 + $1.bytes }
    let send: HTML? =
      needs.isMet
      ? """
      <form method="post" action="/camera/send" data-camera-deliver="\(SentPages.address(of: photo, view.task))">\(fields(photo, view))<button class="button primary">\(t("Send"))</button></form>
      """ : nil
    return """
      <div class="camera-ask" data-camera-ask hidden><div class="camera-asked" tabindex="0" role="group" aria-label="\(t("Send"))"><p><strong>\(t("Send \"{1}\"?", task.name))</strong>
      \(photos.count == 1 ? t("1 photo") : t("{1} photos", photos.count)), \(Self.size(bytes)).
      \(needs.isMet ? t("The task is locked, and its delivery starts at once.") : t("Something is missing:"))</p>\(needs.isMet ? nil : needs.html(t))</div>
      <div class="camera-choices">\(send)<button type="button" class="button" data-camera-back>\(t("Not yet"))</button></div></div>
      """
  }
}
