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
  /// The parcel of the task; nil without a task or without a parcel.
  var region: PolygonRegion?
  /// The rules for the photos of this page; nil if none can be taken.
  var terms: CaptureTerms?
  /// Earlier photos of the task that are still on this device, the newest first.
  var earlier: [Photo] = []
  /// The hidden form field with the form token of the reader's browser.
  var formField: HTML = .empty
  /// True if the device's chain continues an older backup, so that the office doubts its seals.
  var isForked = false
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

  /// Returns the part of a camera page that changes while the page is open.
  func cameraFragment(_ view: CameraView) async -> HTML {
    let seen = await receiverView()
    let state = cameraState(view, seen)
    return """
      \(await gateStrip(seen))
      <div class="camera-news">\(captureNews(view))\(clockNews(view, seen))\(view.isForked ? notice(t(UnitDelivery.forkedWords)) : nil)</div>
      <div class="camera-panels">\(guide(view, seen))\(await fixPanel(seen))\(centroidPanel(view, seen))</div>
      <div hidden data-camera-state="\(state.text)"></div>
      """
  }

  // MARK: the gate

  /// Returns the strip with the gate's verdict and its reasons, readable at arm's length.
  private func gateStrip(_ seen: ReceiverView?) async -> HTML {
    guard let follower = server.follower else {
      return
        "<section class=\"gate gate-refused\"><p>\(t("No receiver: start the field unit with --gnss SOURCE."))</p></section>"
    }
    guard let seen else {
      return
        "<section class=\"gate gate-refused\"><p>\(t("No fix yet")): \(t(await follower.state.wording))</p></section>"
    }
    let word = word(seen.verdict)
    let why = seen.reasons.map { "<span>\(t($0.wording))</span>" as HTML }
    return """
      <section class="gate gate-\(seen.verdict.rawValue)"><strong>\(word)</strong>\(why)</section>
      """
  }

  private func word(_ verdict: GateVerdict.State) -> String {
    switch verdict {
    case .still: t("Standing still")
    case .settling: t("Settling")
    case .moving: t("Moving")
    case .refused: t("Not usable")
    }
  }

  /// Returns the words that lie on the live picture: gate, samples, accuracy and the parcel.
  private func glance(_ view: CameraView, _ seen: ReceiverView?) -> CameraState.Glance {
    guard let seen else {
      return CameraState.Glance(
        word: server.follower == nil ? t("No receiver") : t("No fix yet"))
    }
    var glance = CameraState.Glance(
      verdict: seen.verdict.rawValue, word: word(seen.verdict),
      reasons: seen.reasons.map { t($0.wording) })
    let isSampled = view.terms == nil || view.terms?.sampler != nil
    let accuracy = seen.isStale ? nil : seen.judged.fix.horizontalUncertaintyMetres95
    glance.numbers = [
      isSampled ? t("Samples {1} of {2}", seen.samples, seen.samplesWanted) : nil,
      accuracy.map { "± \(DecimalText.fixed($0, places: 1)) m" },
    ].compactMap(\.self).joined(separator: " · ")
    guard let way = way(view, seen) else { return glance }
    glance.isOutside = way.distanceMetres > 0
    glance.way =
      glance.isOutside
      ? t("{1} outside the parcel", Self.distance(way)) : t("You are inside the parcel.")
    return glance
  }

  /// Returns a distance in metres, or in kilometres from 1 km on, with the bearing in degrees.
  private static func distance(_ way: CameraState.Direction) -> String {
    let metres = way.distanceMetres
    let distance =
      metres < 1000
      ? "\(DecimalText.fixed(metres, places: metres < 100 ? 1 : 0)) m"
      : "\(DecimalText.fixed(metres / 1000, places: 1)) km"
    return distance
      + (way.bearingDegrees.map { ", \(DecimalText.fixed($0, places: 0))°" } ?? "")
  }

  // MARK: the panels

  private func degrees(_ value: Double?) -> HTML {
    value.map { .text("\(DecimalText.fixed($0, places: 7))°") } ?? .text(t("not known"))
  }

  private func metres(_ value: Double?, _ prefix: String = "") -> HTML {
    value.map { .text("\(prefix)\(DecimalText.fixed($0, places: 1)) m") } ?? .text(t("not known"))
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
        (t("Age of the fix"), .text("\(DecimalText.fixed(seen.ageSeconds, places: 1)) s")),
        (t("Speed"), seen.judged.verdict.statistics.map { .text("\(DecimalText.fixed($0.speedMetresPerSecond, places: 2)) m/s") }),
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
              DecimalText.fixed(standpoint.effectiveSamples, places: 0))
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
    guard way.distanceMetres > 0 else {
      return "<p class=\"camera-way\"><strong>\(t("You are inside the parcel."))</strong></p>"
    }
    return
      "<p class=\"camera-way\">\(t("To the parcel")): <strong>\(Self.distance(way))</strong></p>"
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
  private func captureNews(_ view: CameraView) -> HTML {
    let status = server.captureStatus
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
    case .none: return ""
    case .running(let running):
      return
        "<section class=\"notice notice-note\" role=\"status\"><p><strong>\(t("Capturing"))</strong>: \(t(running.words))</p></section>"
    case .refused(_, _, let words):
      return
        "<section class=\"notice notice-error\" role=\"alert\"><p><strong>\(t("No photo"))</strong>: \(t(words))</p></section>"
    case .captured(let captured): return self.captured(captured, view)
    }
  }

  private func captured(_ captured: CameraDesk.Captured, _ view: CameraView) -> HTML {
    let photo = captured.photo
    let hidden: HTML =
      "\(view.formField)<input type=\"hidden\" name=\"photo\" value=\"\(photo.id.description)\">"
      + (view.task.map { "<input type=\"hidden\" name=\"task\" value=\"\($0.id.description)\">" }
        ?? .empty)
    let again: HTML? =
      captured.canRepeat
      ? """
      <form method="post" action="/camera/again" data-camera-answer="again">\(hidden)<button class="button">\(t("Retake"))</button></form>
      """ : nil
    return """
      <section class="notice notice-success" role="status"><p><strong>\(t("Captured"))</strong>, ± \
      \(photo.position.uncertaintyMetres95.map { DecimalText.fixed($0, places: 1) } ?? "?") m</p>
      <div class="actions"><form method="post" action="/camera/keep" data-camera-answer="keep">\(hidden)<button class="button primary">\(t("Keep"))</button></form>\(again)
      <a class="button quiet" href="/photos/\(photo.id.description)">\(t("View photo"))</a></div></section>
      """
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
            DecimalText.fixed(jump, places: 0)))
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

  private func cameraState(_ view: CameraView, _ seen: ReceiverView?) -> CameraState {
    var state = CameraState()
    let status = server.captureStatus
    if status.page != nil, status.page != view.page {
      if case .running = status { state.stage = .elsewhere }
    } else {
      switch status {
      case .none: break
      case .refused: state.stage = .refused
      case .captured(let captured):
        state.stage = .captured
        state.captured = captured.photo.id.description
      case .running(let running):
        state.secondsLeft = running.secondsLeft.map { Int($0.rounded(.up)) }
        state.number = running.isExposing && !running.isSealing ? running.camera?.number : nil
        state.stage =
          running.isSealing
          ? .sealing
          : running.isExposing ? .expose : running.secondsLeft == nil ? .waiting : .countdown
      }
    }
    state.glance = glance(view, seen)
    guard let seen else { return state }
    let fix = seen.judged.fix
    state.isFresh = !seen.isStale
    let samples = view.terms?.sampler?.samples ?? 0
    state.isReady =
      [.idle, .refused].contains(state.stage) && view.terms != nil && seen.verdict == .still
      && seen.samples >= samples
    guard !seen.isStale else { return state }
    state.uncertaintyMetres = fix.horizontalUncertaintyMetres95
    if (fix.speedMetresPerSecond ?? 0) > 0.5 { state.courseDegrees = fix.courseDegreesTrue }
    state.parcel = way(view, seen)
    guard let here = fix.coordinate else { return state }
    state.declinationDegrees = InspectorUnit.declinationDegrees(
      at: here, ellipsoidalHeightMetres: fix.ellipsoidalHeightMetres, on: server.clock.deviceTime)
    state.headingDegrees =
      fix.headingDegreesTrue
      ?? fix.headingDegreesMagnetic.flatMap { magnetic in
        state.declinationDegrees.map { magnetic + $0 }
      }
    state.photos = view.earlier.map { photo in
      let way = Geodesic.inverse(from: here, to: photo.position.coordinate)
      return CameraState.Earlier(
        id: photo.id.description,
        place: CameraState.Direction(
          distanceMetres: way.distanceMetres, bearingDegrees: way.initialAzimuthDegrees))
    }
    return state
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
        <p class="light light-bad">\(t("No fix for {1} s", DecimalText.fixed(seen.ageSeconds, places: 0))): \(t(state.wording))</p>
        """
    }
    let accuracy = seen.judged.fix.horizontalUncertaintyMetres95.map {
      "± \(DecimalText.fixed($0, places: 1)) m"
    }
    return "<p class=\"light light-good\">\(t("Position")) \(accuracy ?? "")</p>"
  }
}
