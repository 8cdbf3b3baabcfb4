import FieldUnit
import Foundation
import Geodesy
import Inspection
import Positioning
import Receivers
import TimeAndText
import Web

/// The things that a camera page shows and that do not change while the page is open.
struct CameraView: Sendable {
  /// The task that photos are taken for; nil for photos without a task.
  var task: InspectionTask?
  /// The page's own random name; nil for a page without a script.
  var page: String?
  /// The item of the task's order that photos are taken for; nil for none.
  var item: OrderItem?
  /// The address of the item's example picture; nil if it has none, or none that is here.
  var example: String?
  /// The photo point that is to be photographed again; nil for none.
  var point: PhotoPoint?
  /// True if the earlier picture of the photo point is on this device.
  var hasPointPicture = false
  /// True if the photo point's photo of the ground is on this device.
  var hasFootingPicture = false
  /// The photo whose photo point gets this photo as that of the ground; nil for none.
  var footing: Identifier?
  /// True if this photo becomes a photo point.
  var isMaking = false
  /// The item's station, or else the parcel of the task; nil if there is neither.
  var region: PolygonRegion?
  /// The rules for the photos of this page; nil if none can be taken.
  var terms: CaptureTerms?
  /// The reason why the agency's policy allows no photo here; nil if it does.
  var refusal: Wording?
  /// Earlier photos of the task that are still on this device, the newest first.
  var earlier: [Photo] = []
  /// The hidden form field with the form token of the reader's browser.
  var formField: HTML = .empty
  /// True if the device's chain continues an older backup, so that the office doubts its seals.
  var isForked = false
  /// The question before sending, which is read from the store.
  let question = PacedPart()
  /// The device time and the elapsed time at which the page was opened; nil if not noted.
  var opened: (device: DeviceTime, elapsed: ElapsedTime)?
}

/// The state of the receiver at one moment, as pages show it.
struct ReceiverView: Sendable {
  var judged: JudgedFix
  var ageSeconds: Double
  /// True if the fix is older than the gate allows: a stale fix is never shown as fresh.
  var isStale: Bool
  var samplesWanted: Int

  var verdict: GateVerdict.State { isStale ? .refused : judged.verdict.state }
  var reasons: [GateReason] {
    isStale ? [.stale(ageSeconds: ageSeconds)] : judged.verdict.reasons
  }
  var samples: Int { isStale ? 0 : judged.samples }
  /// True if the receiver says nothing, or has no position.
  var hasNoPosition: Bool {
    reasons.contains { reason in
      switch reason {
      case .noFix, .stale: true
      default: false
      }
    }
  }
}

extension CameraPages {
  /// Returns the receiver's present state; nil without a receiver and before its first fix.
  func receiverView() async -> ReceiverView? {
    guard let follower = server.follower, let judged = await follower.lastFix else { return nil }
    let age = server.clock.elapsed.seconds(since: judged.arrival)
    return ReceiverView(
      judged: judged, ageSeconds: age,
      isStale: age > server.configuration.gate.maximumAgeSeconds,
      samplesWanted: await follower.samplerPolicy.samples)
  }

  /// Returns the part of a camera page that changes while the page is open. A photo that was taken
  /// is shown alone: nothing in that part changes, so that no button goes away under a finger.
  func cameraFragment(_ view: CameraView) async -> HTML {
    let status = server.captureStatus
    let seen = await receiverView()
    let state = cameraState(view, status, seen)
    let told: HTML = "<div hidden data-camera-state=\"\(state.text)\"></div>"
    if state.stage == .captured, case .captured(let captured) = status {
      return await review(captured, view) + told
    }
    return """
      \(await gateStrip(seen))
      <div class="camera-news">\(captureNews(status, view))\(clockNews(view, seen))\(view.isForked ? notice(t(UnitDelivery.forkedWords)) : nil)</div>
      <div class="camera-panels">\(guide(view, seen))\(await fixPanel(seen))\(centroidPanel(view, seen))</div>
      """ + told
  }

  // MARK: the gate

  /// Returns the strip with the gate's verdict, its reasons and the accuracy, readable at arm's
  /// length.
  private func gateStrip(_ seen: ReceiverView?) async -> HTML {
    guard let follower = server.follower else {
      return
        "<section class=\"gate gate-refused\"><p>\(t("No receiver: start the field unit with --gnss SOURCE."))</p></section>"
    }
    guard let seen else {
      return
        "<section class=\"gate gate-refused\"><p>\(t("No fix yet")): \(t(await follower.state.wording))</p></section>"
    }
    var why = seen.reasons.map(words)
    if seen.isStale { why.append(t(await follower.state.wording)) }
    let accuracy: HTML? =
      seen.isStale
      ? nil
      : seen.judged.fix.horizontalUncertaintyMetres95.map {
        "<span class=\"gate-accuracy\">± \(t.decimal($0, places: 1)) m</span>"
      }
    return """
      <section class="gate gate-\(seen.verdict.rawValue)"><strong>\(word(seen))</strong>\(accuracy)\(why.map { "<span>\($0)</span>" as HTML })</section>
      """
  }

  private func word(_ seen: ReceiverView) -> String {
    switch seen.verdict {
    case .still: t("Standing still")
    case .settling: t("Settling")
    case .moving: t("Moving")
    case .refused: seen.hasNoPosition ? t("No position") : t("Not usable")
    }
  }

  /// Returns the words of a reason. The verdict's own word stands before them and is not repeated.
  private func words(_ reason: GateReason) -> String {
    guard case .moving(let speed, let limit) = reason else { return t(reason.wording) }
    return t(
      "{1} m/s, limit {2} m/s: stand still", t.decimal(speed, places: 2),
      t.decimal(limit, places: 2))
  }

  // MARK: the panels

  private func degrees(_ value: Double?) -> HTML {
    value.map { .text("\(t.decimal($0, places: 7))°") } ?? .text(t("not known"))
  }

  private func metres(_ value: Double?, _ prefix: String = "") -> HTML {
    value.map { .text("\(prefix)\(t.decimal($0, places: 1)) m") } ?? .text(t("not known"))
  }

  /// Returns the panel with the fix itself.
  private func fixPanel(_ seen: ReceiverView?) async -> HTML {
    guard let seen, let follower = server.follower else { return "" }
    let fix = seen.judged.fix
    return """
      <section class="card" aria-label="\(t("Position"))"><h2>\(t("Position"))</h2>\(HTML.facts([
        (t("Latitude"), degrees(fix.coordinate?.latitudeDegrees)),
        (t("Longitude"), degrees(fix.coordinate?.longitudeDegrees)),
        (t("Height above the ellipsoid"), metres(fix.ellipsoidalHeightMetres)),
        (t("Accuracy (95 %)"), metres(fix.horizontalUncertaintyMetres95, "± ")),
        (t("Age of the fix"), .text("\(t.decimal(seen.ageSeconds, places: 1)) s")),
        (t("Speed"), seen.judged.verdict.statistics.map { .text("\(t.decimal($0.speedMetresPerSecond, places: 2)) m/s") }),
        (t("Satellites used"), fix.satellitesUsed.map { .text("\($0)") }),
        (t("Receiver"), .text("\(follower.source): \(t(await follower.state.wording))")),
      ]))</section>
      """
  }

  /// Returns the centroid's own panel; nil without a fix, or if photos get the position of a single
  /// fix.
  private func centroidPanel(_ view: CameraView, _ seen: ReceiverView?) -> HTML? {
    guard let seen, view.terms == nil || view.terms?.sampler != nil else { return nil }
    let wanted = seen.samplesWanted
    let standpoint = seen.isStale ? nil : seen.judged.standpoint
    let facts = standpoint.map { standpoint in
      HTML.facts([
        (t("Latitude"), degrees(standpoint.coordinate.latitudeDegrees)),
        (t("Longitude"), degrees(standpoint.coordinate.longitudeDegrees)),
        (t("Uncertainty (95 %)"), metres(standpoint.uncertaintyMetres95, "± ")),
        (
          t("Samples"),
          .text(
            t(
              "{1} (about {2} independent)", standpoint.samples,
              t.decimal(standpoint.effectiveSamples, places: 0))
          )
        ),
      ])
    }
    return """
      <section class="card" aria-label="\(t("Centroid"))"><h2>\(t("Centroid"))</h2><label class="samples">\(t("Samples {1} of {2}", seen.samples, wanted))
      <progress class="meter" max="\(wanted)" value="\(min(seen.samples, wanted))"></progress></label>\(facts)</section>
      """
  }

  /// Returns the distance and direction to the parcel; nil if either place is not known.
  private func guide(_ view: CameraView, _ seen: ReceiverView?) -> HTML? {
    guard let way = way(view, seen) else { return nil }
    if view.hasStation {
      return "<p class=\"camera-way\"><strong>\(wayWords(way, view).words)</strong></p>"
    }
    guard let words = way.parcelWay.text else {
      return "<p class=\"camera-way\"><strong>\(t("You are inside the parcel."))</strong></p>"
    }
    return "<p class=\"camera-way\">\(t("To the parcel")): <strong>\(words)</strong></p>"
  }

  /// Returns the way in words that lie on the picture.
  private func wayWords(_ way: CameraState.Direction, _ view: CameraView) -> CameraState.Way {
    if view.hasStation { return stationWords(way) }
    guard let words = way.parcelWay.text, let distance = way.parcelWay.distanceText else {
      return CameraState.Way(words: t("You are inside the parcel."))
    }
    return CameraState.Way(
      words: t("{1} outside the parcel", words), pointed: t("{1} that way", distance))
  }

  private func way(_ view: CameraView, _ seen: ReceiverView?) -> CameraState.Direction? {
    guard let seen, !seen.isStale, let here = seen.judged.fix.coordinate,
      let region = view.region
    else { return nil }
    let distance = region.distanceMetres(to: here)
    return CameraState.Direction(
      distanceMetres: distance,
      bearingDegrees: distance > 0 ? region.bearingDegrees(from: here) : nil)
  }

  // MARK: the progress of a capture

  /// Returns the state of this page's capture, or the notice that another page takes a photo.
  private func captureNews(_ status: CameraDesk.Status, _ view: CameraView) -> HTML {
    guard status.page == nil || status.page == view.page else {
      guard case .running(let running) = status else { return "" }
      let what =
        running.name.map {
          t(
            "Another page is taking a photo for \"{1}\". You can take one here when it is done.", $0
          )
        }
        ?? t("Another page is taking a photo. You can take one here when it is done.")
      return "<section class=\"notice notice-warning\" role=\"status\"><p>\(what)</p></section>"
    }
    switch status {
    case .none, .captured: return ""
    case .running(let running):
      let sent: HTML? = running.camera?.received.map {
        "<progress class=\"meter\" max=\"\($0.of)\" value=\"\($0.bytes)\"></progress>"
      }
      return
        "<section class=\"notice notice-note\" role=\"status\"><p><strong>\(t("Capturing"))</strong>: \(t(running.words))</p>\(running.isSending ? sent : nil)</section>"
    case .refused(_, _, let words):
      return
        "<section class=\"notice notice-error\" role=\"alert\"><p><strong>\(t("No photo"))</strong>: \(t(words))</p></section>"
    }
  }

  /// Returns a warning if the device's clock was set while the page was open, or differs from the
  /// receiver's; nil if all is well. The warning matters because the photo's record carries both
  /// times.
  private func clockNews(_ view: CameraView, _ seen: ReceiverView?) -> HTML? {
    let now = server.clock.deviceTime
    if let opened = view.opened {
      let shown = Double(now.millisecondsSince1970 - opened.device.millisecondsSince1970) / 1000
      let jump = shown - server.clock.elapsed.seconds(since: opened.elapsed)
      if abs(jump) > ClockRule.toleranceSeconds {
        return notice(
          t(
            "The device's clock was set by {1} s while this page was open. Photos keep the receiver's time as well.",
            t.decimal(jump, places: 0)))
      }
    }
    guard let seen, !seen.isStale else { return nil }
    return ClockRule.warning(
      aheadSeconds: ClockRule.aheadSeconds(
        device: now, receiver: seen.judged.fix.time, ageSeconds: seen.ageSeconds)
    ).map { notice(t($0)) }
  }

  private func notice(_ words: String) -> HTML {
    "<section class=\"notice notice-warning\"><p>\(words)</p></section>"
  }

  // MARK: state for the script

  private func cameraState(
    _ view: CameraView, _ status: CameraDesk.Status, _ seen: ReceiverView?
  ) -> CameraState {
    var state = CameraState()
    if status.page != nil, status.page != view.page {
      if case .running = status { state.stage = .elsewhere }
    } else {
      switch status {
      case .none: break
      case .refused: state.stage = .refused
      case .captured(let captured):
        state.stage = .captured
        state.captured = captured.photo.id.description
        return state
      case .running(let running):
        state.secondsLeft = running.secondsLeft.map { Int($0.rounded(.up)) }
        state.number = running.isExposing && !running.isSealing ? running.camera?.number : nil
        state.stage =
          running.isSealing
          ? .sealing
          : running.isSending
            ? .sending
            : running.isExposing ? .expose : running.secondsLeft == nil ? .waiting : .countdown
      }
    }
    let samples = view.terms?.sampler?.samples ?? 0
    state.samplesWanted = samples
    if samples > 0 {
      state.samples = min(seen?.samples ?? 0, samples)
      state.samplesWords = t("{1} of {2}", state.samples, samples)
    }
    guard let seen else { return state }
    let fix = seen.judged.fix
    state.isFresh = !seen.isStale
    state.isReady =
      [.idle, .refused].contains(state.stage) && view.terms != nil && seen.verdict == .still
      && seen.samples >= samples
    guard !seen.isStale else { return state }
    state.uncertaintyMetres = fix.horizontalUncertaintyMetres95
    state.courseDegrees = fix.courseWhileMovingDegreesTrue
    state.parcel = way(view, seen)
    state.way = state.parcel.map { wayWords($0, view) }
    guard let here = fix.coordinate else { return state }
    state.declinationDegrees = InspectorUnit.declinationDegrees(
      at: here, ellipsoidalHeightMetres: fix.ellipsoidalHeightMetres, on: server.clock.deviceTime)
    state.headingDegrees = fix.headingFromTrueNorth(
      declinationDegrees: state.declinationDegrees)
    state.photos = earlierStates(view, from: here, state.uncertaintyMetres)
    return state
  }

  /// Returns the way to each earlier photo, and how near is near enough.
  private func earlierStates(
    _ view: CameraView, from here: Coordinate, _ uncertaintyMetres: Double?
  ) -> [CameraState.Earlier] {
    let stand = RepeatMeasure.Stand(
      coordinate: here, uncertaintyMetres95: uncertaintyMetres, orientation: nil)
    let stands =
      (view.point.map { [($0.id, $0.stand)] } ?? [])
      + view.earlier.compactMap { photo in
        RepeatMeasure.Stand(of: photo).map { (photo.id, $0) }
      }
    return stands.map { id, earlier in
      let way = Geodesic.inverse(from: here, to: earlier.coordinate)
      let tolerance = RepeatTolerance(of: RepeatMeasure(from: earlier, to: stand))
      return CameraState.Earlier(
        id: id.description,
        place: CameraState.Direction(
          distanceMetres: way.distanceMetres, bearingDegrees: way.initialAzimuthDegrees),
        toleranceMetres: tolerance.metres)
    }
  }

  // MARK: the receiver in one line

  /// Returns the receiver's state in one line.
  func lightFragment() async -> HTML {
    guard let follower = server.follower else {
      return "<p class=\"light light-bad\">\(t("No receiver"))</p>"
    }
    let state = await follower.state
    guard let seen = await receiverView() else {
      return "<p class=\"light light-warn\">\(t("Receiver")): \(t(state.wording))</p>"
    }
    if seen.isStale {
      return """
        <p class="light light-bad">\(t("No fix for {1} s", t.decimal(seen.ageSeconds, places: 0))): \(t(state.wording))</p>
        """
    }
    let accuracy = seen.judged.fix.horizontalUncertaintyMetres95.map {
      "± \(t.decimal($0, places: 1)) m"
    }
    return "<p class=\"light light-good\">\(t("Position")) \(accuracy ?? "")</p>"
  }
}
