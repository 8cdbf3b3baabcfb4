import FieldUnit
import Foundation
import Geodesy
import Guide
import Inspection
import ItemViewing
import Matching
import Receivers
import Store
import TimeAndText
import Web

/// The camera page: the gate, the samples, the picture and the shutter.
struct CameraPages: FieldPage {
  let server: FieldServer
  /// Compares a photo with the earlier one that it repeats.
  var matcher = PictureMatcher(program: nil)
  let help = GuidePart.camera

  /// The largest number of earlier photos that the page offers as a ghost.
  private static let mostGhosts = 12

  /// Returns the task that the address asks for; nil if it asks for none.
  func task(_ reader: Reader) throws -> InspectionTask? {
    try reader.request.query["task"].flatMap(Identifier.init(_:)).map { try reader.unit.task($0) }
  }

  /// Returns the photo point that the address asks to repeat; nil if it asks for none.
  func point(_ reader: Reader) throws -> PhotoPoint? {
    try reader.request.query["point"].map { try reader.unit.points.point(named: $0) }
  }

  /// Returns the things that a camera page shows. From now on samples are gathered.
  func cameraView(
    _ reader: Reader, task: InspectionTask?, page: String?
  ) async throws -> CameraView {
    let isEditable = task?.state.isEditable ?? true
    var view = CameraView(task: task, page: page)
    switch try await server.prepareCamera(for: task?.id, reader.unit) {
    case .success(let terms): view.terms = isEditable ? terms : nil
    case .failure(let refusal): view.refusal = refusal.wording
    }
    if let land = await task?.parcel(nearestTo: freshPlace()) {
      view.region = PolygonRegion(rings: land.rings)
    }
    if let task { try take(item: reader.request.query["item"], of: task, &view, reader) }
    view.formField = reader.request.formField
    view.point = try point(reader)
    if let point = view.point {
      let shelf = server.points
      view.hasPointPicture = try shelf.path(of: .reference, point, on: reader.unit) != nil
      view.hasFootingPicture = try shelf.path(of: .footing, point, on: reader.unit) != nil
    }
    view.footing = reader.request.query["footing"].flatMap(Identifier.init(_:))
    view.isMaking = CameraAddress.isMaking(reader.request.query)
    view.isForked = try reader.unit.delivery.isChainForked()
    view.opened = (server.clock.deviceTime, server.clock.elapsed)
    if let task {
      let removed = try reader.unit.delivery.removedPhotos()
      let photos = try reader.unit.photos(.task(task.id))
      view.earlier = photos.reversed().filter { removed[$0.id] == nil }
        .prefix(Self.mostGhosts).map(\.self)
    }
    return view
  }

  func camera(_ reader: Reader) async throws -> WebResponse {
    let task = try task(reader)
    let name = Token.make()
    let view = try await cameraView(reader, task: task, page: name)
    // Without the script no request carries this page's name: the page then shows each capture that
    // a form has begun, whichever page that was.
    var shown = view
    shown.page = nil
    let title = title(view)
    let query = CameraAddress(view).query.map { "\($0)&" } ?? ""
    return page(
      title, reader, current: "/camera", refreshSeconds: 2,
      scripts: [CameraScript.asset.href, CodeReader.script.href],
      styles: [CameraStyle.asset.href, CodeReader.style.href],
      """
      <div class="camera" data-camera data-page="\(name)" data-task="\(task?.id.description)" \
      data-item="\(view.item?.name.description)" data-point="\(view.point?.id.description)" data-footing="\(view.footing?.description)" data-making="\(view.isMaking ? "yes" : "")" \
      data-token="\(reader.request.formToken)" data-words="\(words(view))">
      <div class="camera-view"><h1>\(title)</h1>
      \(stage())
      <div class="camera-live" data-live="/live/camera?\(query)page=\(name)" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\
      \(await cameraFragment(shown))</div>
      \(repeatOnPicture)\(wayOnPicture)\(view.item?.shot.flatMap(ShotParts(t: t).ring))\(exampleOnPicture(view))
      <div class="camera-more" id="camera-more" data-camera-more role="region" aria-label="\(t("Details"))" tabindex="0">\
      \(itemPanel(view))\(instructions(view))\(missingPicture(view))\(ghostPanel(view))\(posePanel())\(labelPanel(view, reader))\(cameraChoice())\(tonesChoice)</div></div>
      \(shutter(view, reader))
      </div>
      """)
  }

  private func title(_ view: CameraView) -> String {
    if let point = view.point { return t("Again: {1}", point.title) }
    if view.footing != nil { return t("The ground under your feet") }
    if view.isMaking { return t("A new photo point") }
    if let item = view.item { return item.wording }
    return view.task.map { t("Photo for \"{1}\"", $0.name) } ?? t("Camera")
  }

  /// Returns the live picture with everything that lies over it. Without a script it stays hidden.
  private func stage() -> HTML {
    """
    <div class="camera-stage" data-camera-stage hidden>
    <video data-camera-video playsinline muted autoplay aria-label="\(t("Live picture"))"></video>
    <img data-camera-ghost alt="" hidden><canvas data-camera-edges hidden></canvas>
    <div class="camera-over" aria-hidden="true">
    <div class="camera-grid" data-camera-grid hidden></div>
    <div class="camera-horizon" data-camera-horizon hidden></div>
    <div class="camera-centre" data-camera-centre></div><div class="camera-target" data-camera-target hidden></div>
    </div>
    <output class="camera-count" data-camera-count aria-live="assertive"></output>
    </div>
    <p class="notice notice-note camera-note" role="status" data-camera-note hidden></p>
    """
  }

  /// The way back to an earlier picture: words on the picture, and a button that shows the earlier
  /// picture alone while it is held. The script fills them in.
  private var repeatOnPicture: HTML {
    """
    <div class="camera-repeat"><p class="camera-hint" data-camera-hint hidden></p>\
    <button type="button" class="button quiet camera-flip" data-camera-flip hidden>\(t("Hold: earlier photo"))</button></div>
    """
  }

  /// The way to the parcel on the picture, in words and as an arrow. The script fills it in, since
  /// the arrow turns with the device; without a script the same is said below.
  private var wayOnPicture: HTML {
    """
    <p class="camera-there" data-camera-there hidden><span data-camera-there-words></span>\
    <span class="camera-arrow" data-camera-arrow aria-hidden="true" hidden><svg viewBox="0 0 48 48"><path d="M24 3 40 43 24 34 8 43Z"/></svg></span></p>
    """
  }

  private func instructions(_ view: CameraView) -> HTML? {
    view.task?.instructions.flatMap { text in
      text.isEmpty
        ? nil : "<section class=\"card\"><h2>\(t("Instructions"))</h2><p>\(text)</p></section>"
    }
  }

  /// Returns the choice between the browser's camera and the device's command; nil without a
  /// command.
  private func cameraChoice() -> HTML? {
    server.camera.map { _ in
      """
      <label class="camera-which" data-camera-which hidden>\(t("Camera"))<select data-camera-origin><option value="page">\(t("this browser's"))</option><option value="command">\(t("the device's command"))</option></select></label>
      """ as HTML
    }
  }

  /// The choice of tones; vibration follows the phone's own settings.
  private var tonesChoice: HTML {
    "<label class=\"choice\"><input type=\"checkbox\" data-camera-tones checked> \(t("Tones"))</label>"
  }

  /// Returns the panel with the direction of the lens: the script fills in its own values, which
  /// are a moment old at most.
  private func posePanel() -> HTML {
    """
    <section class="card camera-pose" aria-label="\(t("Direction"))" data-camera-pose hidden><h2>\(t("Direction"))</h2><dl class="facts">
    <dt>\(t("Azimuth"))</dt><dd data-camera-azimuth>\(t("not known"))</dd>
    <dt>\(t("Angle"))</dt><dd data-camera-angle>\(t("not known"))</dd>
    <dt>\(t("Roll"))</dt><dd data-camera-roll>\(t("not known"))</dd></dl>
    <p class="hint" data-camera-source></p>
    <label class="choice"><input type="checkbox" data-camera-thirds> \(t("Show a grid of thirds"))</label>
    <p class="actions"><button type="button" class="button" data-camera-sensors hidden>\(t("Allow motion sensors"))</button></p></section>
    """
  }

  /// Returns the panel that looks for a photo point's label in the live picture; nil while a photo
  /// point is made or repeated.
  private func labelPanel(_ view: CameraView, _ reader: Reader) -> HTML? {
    guard view.point == nil, view.footing == nil, !view.isMaking else { return nil }
    return """
      <section class="card" aria-label="\(t("Label of a photo point"))" data-camera-label hidden><h2>\(t("Label of a photo point"))</h2>\
      \(LabelPages.reader(reader.request.formField, token: reader.request.formToken, video: "[data-camera-video]", .empty))</section>
      """
  }

  /// Returns the note that the earlier picture of a photo point is not on this device; nil if it is.
  private func missingPicture(_ view: CameraView) -> HTML? {
    view.point == nil || view.hasPointPicture
      ? nil
      : """
      <p class="notice notice-note">\(t("The picture of this photo point is not on this device yet: the frame follows the sensors alone."))</p>
      """
  }

  /// Returns the panel that shows an earlier photo over the live picture, and the distance to the
  /// place of that photo; nil if there is no earlier photo.
  private func ghostPanel(_ view: CameraView) -> HTML? {
    guard !view.earlier.isEmpty || view.point != nil else { return nil }
    let isReturned = view.task?.state == .returned && view.point == nil
    let photos = view.earlier.enumerated().map { index, photo in
      option(
        photo.id, "photo", "/photos/\(photo.id)/photo.jpg", photo.orientation, photo.camera,
        (photo.widthPixels, photo.heightPixels), isChosen: isReturned && index == 0,
        Self.time(photo.deviceTime))
    }
    let points = view.point.map { point in
      option(
        point.id, "point", view.hasPointPicture ? "/points/\(point.id)/reference.jpg" : "",
        point.stand.orientation,
        point.camera, (point.widthPixels, point.heightPixels), isChosen: true, point.title)
    }
    let footing: HTML? = view.point.flatMap { point in
      !view.hasFootingPicture
        ? nil
        : """
        <button type="button" class="camera-footing" popovertarget="footing-photo"><img src="/points/\(point.id.description)/footing.jpg" alt="\(t("The ground under your feet"))"></button>
        <div popover id="footing-photo" class="camera-ground"><img src="/points/\(point.id.description)/footing.jpg" alt="\(t("The ground under your feet"))">
        <p class="actions"><button type="button" class="button" popovertarget="footing-photo" popovertargetaction="hide">\(t("Close"))</button></p></div>
        """
    }
    return """
      <section class="card camera-earlier" aria-label="\(t("Earlier photo"))" data-camera-earlier hidden><h2>\(t("Earlier photo"))</h2>
      <div class="fields"><label>\(t("Show over the picture"))<select data-camera-choice><option value="">\(t("none"))</option>\(points)\(photos)</select></label>
      <label>\(t("Opacity"))<input type="range" min="0" max="100" value="50" data-camera-strength></label>
      <label class="choice"><input type="checkbox" data-camera-edges-only> \(t("Edges alone"))</label></div>
      <dl class="facts"><dt>\(t("Distance to its place"))</dt><dd data-camera-place>\(t("not known"))</dd>
      <dt>\(t("Left or right"))</dt><dd data-camera-turn>\(t("not known"))</dd>
      <dt>\(t("Up or down"))</dt><dd data-camera-tilt>\(t("not known"))</dd>
      <dt>\(t("About the lens"))</dt><dd data-camera-lean>\(t("not known"))</dd></dl>\(footing)</section>
      """
  }

  /// Returns the choice of one earlier picture, with everything that the script needs of it.
  private func option(
    _ id: Identifier, _ kind: String, _ address: String, _ orientation: Orientation?,
    _ camera: CameraGeometry, _ sides: (width: Int, height: Int), isChosen: Bool, _ words: String
  ) -> HTML {
    let attitude = orientation.flatMap { orientation in
      orientation.trustedAzimuthDegrees == nil ? nil : PictureAttitude(orientation)
    }
    return """
      <option value="\(id.description)" data-kind="\(kind)" data-src="\(address)" data-attitude="\(numbers(attitude))" \
      data-tilt="\(numbers(orientation.flatMap(PictureAttitude.init(tiltOf:))))" \
      data-across="\(DecimalText.fixed(camera.horizontalDegrees, places: 2))" data-along="\(DecimalText.fixed(camera.verticalDegrees, places: 2))" data-width="\(sides.width)" \
      data-height="\(sides.height)"\(raw: isChosen ? " selected" : "")>\(words)</option>
      """
  }

  /// Returns the four numbers of an attitude, w first; nil if it is unknown.
  private func numbers(_ attitude: PictureAttitude?) -> String? {
    attitude.map { attitude in
      let q = attitude.quaternion
      return [q.w, q.x, q.y, q.z].map { DecimalText.fixed($0, places: 6) }.joined(separator: " ")
    }
  }

  /// Returns the shutter, the Close button, and the form for the device's camera command.
  private func shutter(_ view: CameraView, _ reader: Reader) -> HTML {
    let hidden = HTML.joined(
      CameraAddress(view).fields.map {
        "<input type=\"hidden\" name=\"\($0)\" value=\"\($1)\">"
      }, separator: "")
    let close: HTML = """
      <form method="post" action="/camera/close" data-camera-close>\(reader.request.formField)\(hidden)<input type="hidden" name="page" value="\(view.page)">
      <button class="button quiet">\(view.footing == nil ? t("Close") : t("Skip"))</button></form>
      """
    if let task = view.task, !task.state.isEditable {
      return """
        <div class="camera-bar"><p class="notice notice-note">\(t("You can take photos for open tasks only; this one is {1}.", t(task.state.title)))</p>\(close)</div>
        """
    }
    if let refusal = view.refusal {
      return """
        <div class="camera-bar"><p class="notice notice-note">\(t(refusal))</p>\(close)</div>
        """
    }
    let command: HTML =
      server.camera == nil
      ? """
      <noscript><p class="hint">\(t("To take photos from this page without a script, start the field unit with --camera COMMAND; from a terminal: standpoint capture."))</p></noscript>
      """
      : """
      <form class="fields card" method="post" action="/camera/capture" data-camera-command>\(reader.request.formField)\(hidden)
      <label>\(t("Azimuth of the lens, degrees from true north (may stay empty)"))<input name="heading" inputmode="decimal"></label>
      <p class="actions"><button class="button primary" data-key="Enter">\(t("Take a photo"))</button></p></form>
      """
    return """
      \(command)
      <div class="camera-bar">\(close)\(trigger)\
      <button type="button" class="button quiet camera-details" data-camera-details aria-expanded="false" aria-controls="camera-more" hidden>\(t("Details"))</button></div>
      """
  }

  /// The shutter: the ring round it fills with the samples, whose number stands in it.
  private var trigger: HTML {
    """
    <button type="button" class="camera-shutter" data-camera-shutter aria-label="\(t("Take a photo"))" aria-keyshortcuts="Enter" aria-describedby="camera-samples" disabled hidden>\
    <svg viewBox="0 0 100 100" aria-hidden="true"><circle class="ring" cx="50" cy="50" r="46"/><circle class="ring-done" cx="50" cy="50" r="46" pathLength="100" stroke-dasharray="0 100" data-camera-ring/></svg>\
    <span id="camera-samples" data-camera-samples aria-hidden="true"></span></button>
    """
  }

  /// Returns the words that the script shows, as a JSON object.
  private func words(_ view: CameraView) -> String {
    let words = [
      "starting": t("The camera is starting."),
      "insecure": t(
        "The browser gives its camera only to secure addresses: open the field unit at http://127.0.0.1 on this device, or over HTTPS."
      ),
      "portal": t("This window has no camera. Open this address in your browser: {1}"),
      "none": t("There is no camera that this browser can use."),
      "refused": t(
        "This page may not use the camera. Tap the icon before the address, allow the camera, and reload the page."
      ),
      "busy": t(
        "Another program or page is using the camera: close that one, and reload this page."),
      "failed": t("The camera does not start: {1}"),
      "gone": t("The camera is disconnected: plug it in, and reload the page."),
      "command": t("The device's camera command takes the photos."),
      "commandless": t(
        "To take photos without this browser's camera, start the field unit with --camera COMMAND; from a terminal: standpoint capture."
      ),
      "noSensors": t("No motion sensors: azimuth and angle are not recorded."),
      "noNorth": t("The sensors do not know where north is: the azimuth is not recorded."),
      "sensors": t("from the device's sensors, corrected to true north"),
      "receiver": t("from the receiver"),
      "towards": t("This is the front camera: its direction is not recorded."),
      "sensorsRefused": t("Motion sensors are not allowed: azimuth and angle are not recorded."),
      "liveFrames": t(
        "This browser cannot take stills: a photo is a frame of the live picture, and its record says so."
      ),
      "slowStills": t(
        "This camera takes too long for a still: from now on a photo is a frame of the live picture."
      ),
      "noAnswer": t("The field unit did not answer: nothing was started."),
      "frameLost": t("The picture did not reach the field unit: no photo was saved."),
      "pictureFailed": t("The camera gave no picture: {1}"),
      "unknown": t("not known"), "matches": t("matches"),
      "bearingMet": t("The direction fits"),
    ].merging(repeatWords) { first, _ in first }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(words)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// The words by which the script leads back to an earlier picture.
  private var repeatWords: [String: String] {
    [
      "turnRight": t("Turn right {1}°"), "turnLeft": t("Turn left {1}°"),
      "lower": t("Lower the camera {1}°"), "lift": t("Lift the camera {1}°"),
      "clockwise": t("Tilt clockwise {1}°"), "anticlockwise": t("Tilt anti-clockwise {1}°"),
      "right": t("A little to the right"), "left": t("A little to the left"),
      "up": t("A little up"), "down": t("A little down"), "closer": t("Go closer"),
      "back": t("Step back"), "upright": t("Hold the device upright"),
      "sideways": t("Hold the device sideways"), "met": t("Same view"),
      "away": t("{1} m to its place"),
      "byEye": t("The compass is not accurate: turn left or right by eye."),
    ]
  }
}
