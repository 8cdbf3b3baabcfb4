import Evidence
import Exports
import Foundation
import Geodesy
import Guide
import Inspection
import Office
import OfficeExporting
import OfficeFrame
import Store
import Sync
import TimeAndText
import Web

/// The pages of one photo: its picture, its evidence and its checks.
package struct PhotoPages: OfficePage {
  package let office: OfficeServer
  package let help = GuidePart.review

  package init(office: OfficeServer) { self.office = office }

  private var standalone: StandalonePages { StandalonePages(office: office) }

  package func add(to routes: inout Routes) {
    let one = "/photos/{id}"
    routes.get("/photos") { request in
      try await reading(request, own: true) {
        try await StandaloneListPages(office: office).list($0)
      }
    }
    routes.get(one) { request in
      try await reading(request, own: true) { try await show($0) }
    }
    for action in StandalonePages.Action.allCases {
      routes.post("\(one)/\(action.rawValue)") { request in
        try await reading(request) { try await standalone.handle(action, $0) }
      }
    }
    routes.get(one + "/photo.jpg") { request in
      try await reading(request, own: true) { try await original($0) }
    }
    for size in [OfficeExports.PictureSize.preview, .thumbnail] {
      routes.get("\(one)/\(size.rawValue).jpg") { request in
        try await reading(request, own: true) { try await picture(size, $0) }
      }
    }
    routes.get(one + "/photo.kml") { request in
      try await reading(request, own: true) { try await exportKML($0) }
    }
    routes.get(one + "/photo.pdf") { request in
      try await reading(request, own: true) { try await exportPDF($0) }
    }
  }

  private func show(_ reader: Reader) async throws -> WebResponse {
    let received = try await photo(reader.request, reader)
    // A photo of a task is shown on the task's page.
    if let task = received.photo.task {
      return .redirect("/tasks/\(task.description)#photo-\(received.photo.id.description)")
    }
    return try await standalone.single(received, reader)
  }

  /// Returns the picture as it was delivered.
  private func original(_ reader: Reader) async throws -> WebResponse {
    let received = try await photo(reader.request, reader)
    let name = EvidenceName.file(.capture, received.photo.id)
    if let path = office.photos.path(of: name) {
      return .file(
        path: path, mediaType: "image/jpeg", fileName: "\(received.photo.id).jpg",
        isAttachment: false)
    }
    guard let bytes = try office.photos.bytes(of: name) else {
      throw OfficeRefusal(.unknown, "the photo's file is missing: run standpoint office check")
    }
    return .bytes(
      bytes, mediaType: "image/jpeg", fileName: "\(received.photo.id).jpg", isAttachment: false)
  }

  private func picture(
    _ size: OfficeExports.PictureSize, _ reader: Reader
  ) async throws -> WebResponse {
    let bytes = try await office.exports.picture(size, of: try photo(reader.request, reader).photo)
    // The picture under this name never changes, so the browser may keep it.
    return .bytes(bytes, mediaType: "image/jpeg", fileName: nil, isAttachment: false)
      .setting(header: "Cache-Control", to: "private, max-age=86400")
  }

  private func exportKML(_ reader: Reader) async throws -> WebResponse {
    try await ExportPages(office: office).file(
      .photos([try identifier(reader.request)]), as: .kml, "photo", reader)
  }

  private func exportPDF(_ reader: Reader) async throws -> WebResponse {
    let received = try await photo(reader.request, reader)
    // A photo of a task is in its task's document, with the parcel and the history.
    if let task = received.photo.task { return .redirect("/tasks/\(task)/task.pdf") }
    return try await .made(
      ending: "pdf", mediaType: "application/pdf", fileName: "photo.pdf"
    ) { [office, t] path, _ in
      try await office.exports.writePDF(of: received, toFile: path, in: t)
    }
  }

  package func photo(_ request: WebRequest, _ reader: Reader) async throws -> ReceivedPhoto {
    let id = try identifier(request)
    return try await office.database.read(in: reader.agency, ofInspector: reader.own) {
      try $0.photos.photo(id)
    }
  }

  /// Returns a photo with its claims, the verdict and its checks.
  /// - Parameters:
  ///   - reader: the reader of the page; officers may take a photo out of a task that it was given
  ///     to, and follow links to other photos that a check names.
  ///   - isOfTask: true if the card is on the page of the photo's task.
  ///   - turn: the clockwise turn of the picture on the page in degrees: 0, 90, 180 or 270; the
  ///     file stays as it is.
  ///   - facts: the facts of the photos on the page, from `cardFacts(of:_:)`.
  package func photoCard(
    _ received: ReceivedPhoto, number: Int, _ reader: Reader, facts: PhotoCardFacts,
    isOfTask: Bool = false, turn: Int = 0
  ) async throws -> HTML {
    let photo = received.photo
    let given: HTML? = received.assigned.map { time in
      let form: HTML? =
        isOfTask && reader.own == nil
        ? """
        <form method="post" action="/photos/\(photo.id.description)/unassign">\(reader.request.formField)
        <button class="button quiet">\(t("Remove from the task"))</button></form>
        """ : nil
      return """
        <p class="notice notice-note">\(t.html("The inspector took this photo without a task; an officer assigned it to this task on {1}.", t.time(time)))</p>\(form)
        """
    }
    return """
      <article class="card photo-card" id="photo-\(photo.id.description)">
      <a href="/photos/\(photo.id.description)/photo.jpg"><img class="photo-large\(raw: turn == 0 ? "" : " turn-\(turn)")" \(raw: number == 1 ? "fetchpriority=\"high\"" : "loading=\"lazy\"")
      src="/photos/\(photo.id.description)/preview.jpg"
      alt="\(t("Photo {1}, taken {2}", number, t.moment(photo.deviceTime)))"></a>
      <div class="photo-words"><h2>\(t("Photo {1}", number)) \(badges(received))</h2>
      \(given)\(findings(of: received))\(checks(of: received, reader))\(claims(of: photo, facts.seals[photo.id], received.checks))\(facts.forms[photo.id])\(pointFacts(of: received, facts, reader))
      \(try await HTML.each(additions) { try await $0.facts(ofPhoto: received, reader, of: office) })</div></article>
      """
  }

  /// Returns the verifier's findings about a photo; nil if it has found nothing.
  private func findings(of received: ReceivedPhoto) -> HTML? {
    guard !received.findings.isEmpty else { return nil }
    let items = received.findings.map { finding in
      "<li><strong>\(t(finding.severity.rawValue))</strong>: \(t(finding.wording))</li>" as HTML
    }
    return "<h3>\(t("Verification"))</h3><ul>\(items)</ul>"
  }

  /// Returns the checks with their numbers, and the links to the other photos that they name: first
  /// those that contradict, then those that do not decide, and folded those that agree.
  private func checks(of received: ReceivedPhoto, _ reader: Reader) -> HTML {
    if received.verdict == nil {
      return "<p>\(t("The checks are still running. Reload this page in a moment."))</p>"
    }
    guard !received.checks.isEmpty else {
      return
        "<p>\(t("There are no checks: an older version of the program received the photo."))</p>"
    }
    func line(_ check: PhotoCheck) -> HTML {
      let line = CheckWords(t: t, findings: received.findings, services: office.services).line(
        check)
      let style =
        switch line.isGood {
        case true: "light-good"
        case false: "light-bad"
        case nil: "light-warn"
        }
      // The other photos may be any inspector's: an inspector learns only their number.
      let named = reader.own == nil ? check.photos : []
      let others = named.enumerated().map { number, id in
        " <a href=\"/photos/\(id.description)\">\(t("Other photo {1}", number + 1))</a>" as HTML
      }
      return """
        <li class="light \(style)"><span><strong>\(line.name)</strong>: \(line.value)\(others)</span></li>
        """
    }
    func list(_ outcomes: [PhotoCheck.Outcome]) -> [HTML] {
      received.checks.filter { outcomes.contains($0.outcome) }.map(line)
    }
    let passed = list([.agrees])
    let folded: HTML? =
      passed.isEmpty
      ? nil
      : """
      <details class="checks-passed"><summary>\(t("{1} checks passed", passed.count))</summary>
      <ul class="checks">\(passed)</ul></details>
      """
    return """
      <h3>\(t("Checks"))</h3><ul class="checks">\(list([.contradicts]))\(list([.unclear, .notCheckable]))</ul>\(folded)
      """
  }

  /// Returns the facts that only the sealed record holds, not the row of the photo: the receiver's
  /// source, the way of the camera, and the radio surroundings. Empty if the record is not here.
  private func recorded(_ seal: SealFile?) -> [(String, HTML?)] {
    guard let seal else { return [] }
    return [
      (t("Receiver's source"), seal.receiverSource.map(HTML.text)),
      (t("Camera"), seal.cameraWay.map { .text(t($0.wording)) }),
    ] + frameFacts(seal) + [
      (
        t("Radio surroundings"),
        seal.surroundingsCounts.map {
          .text(t("{1} cells, {2} access points", $0.cells, $0.accessPoints))
        }
      )
    ]
  }

  /// Returns the facts about a picture that a page took; empty for another camera's.
  private func frameFacts(_ seal: SealFile) -> [(String, HTML?)] {
    guard let frame = seal.frame else { return [] }
    func seconds(_ value: Double) -> String { t.decimal(value, places: 2) }
    let timing = frame.timing
    let phone = frame.phone
    let words = [phone?.model, phone?.camera, phone?.browser].compactMap(\.self)
    return [
      (t("Phone or browser"), words.isEmpty ? nil : .text(words.joined(separator: ", "))),
      (t("Session of the phone"), phone?.session.map(HTML.text)),
      (
        t("From the position to the picture"),
        .text(
          t(
            "{1} s (± {2} s), at most {3} s; allowed {4} s", seconds(timing.delaySeconds),
            seconds(timing.delayUncertaintySeconds), seconds(timing.delaySecondsAtMost),
            seconds(frame.limitSeconds)))
      ),
      (
        t("Clock of the phone"),
        timing.clockOffsetSeconds.map {
          .text(
            t(
              "{1} s ahead of the field unit's (± {2} s)", seconds($0),
              seconds(timing.clockOffsetUncertaintySeconds ?? 0)))
        }
      ),
      (
        t("From the antenna to the lens"),
        frame.lens == .none
          ? nil
          : .text(
            t(
              "{1} m (± {2} m), in the uncertainty", seconds(frame.lens.metres),
              seconds(frame.lens.uncertaintyMetres)))
      ),
    ]
  }

  private func claims(
    of photo: Photo, _ seal: SealFile?, _ checks: [PhotoCheck]
  ) -> HTML {
    let position = photo.position
    let azimuth = photo.orientation?.azimuthDegreesTrue.map {
      "\(t.decimal($0, places: 1))°"
    }
    let angle = photo.orientation?.angleDegrees.map { "\(t.decimal($0, places: 1))°" }
    func metres(_ value: Double?) -> HTML? {
      value.map { .text("\(t.decimal($0, places: 2)) m") }
    }
    let place =
      "\(t.decimal(position.coordinate.latitudeDegrees, places: 7))°, "
      + "\(t.decimal(position.coordinate.longitudeDegrees, places: 7))°"
    let facts: [(String, HTML?)] = [
      (t("Note"), photo.note.map(HTML.text)),
      (
        t("Position"),
        .text(
          photo.claimsNoPlace
            ? "\(place): \(t("the app sends 0, 0 if it never had a position"))" : place)
      ),
      (
        t("Uncertainty"),
        position.uncertaintyMetres95.map {
          .text("± \(t.decimal($0, places: 1)) m (95 %)")
        } ?? .text(t("not known"))
      ),
      (
        t("Receiver's time"),
        photo.toldGNSSTime.map { told in
          told.millisecondsSince1970.map {
            t.time(DeviceTime(millisecondsSince1970: $0))
          } ?? .text("\(told.timeOfDay) UTC")
        } ?? .text(t("not known"))
      ),
      (t("Sealed"), CheckWords(t: t).sealedBetween(checks).map(HTML.text)),
    ]
    let more: [(String, HTML?)] = [
      (t("Method"), .text(t(position.method.name))),
      (t("Height above the ellipsoid"), metres(position.ellipsoidalHeightMetres)),
      (t("Height above mean sea level"), metres(position.meanSeaLevelHeightMetres)),
      (t("Device's time"), t.time(photo.deviceTime)),
      (t("Azimuth"), .text(azimuth ?? t("not known"))),
      (t("Angle"), .text(angle ?? t("not known"))),
      (
        t("Picture"),
        .text("\(photo.widthPixels) × \(photo.heightPixels), \(photo.bytes / 1024) KiB")
      ),
    ]
    let digest: HTML = "<code class=\"digest\">\(photo.fileDigest)</code>"
    let folded = HTML.facts(more + recorded(seal) + [("SHA-256", digest)])
    return """
      \(HTML.facts(facts))
      <details><summary>\(t("Heights, directions and digest"))</summary>\(folded)</details>
      """
  }
}
