import FieldUnit
import Foundation
import Guide
import Inspection
import Positioning
import Receivers
import Store
import TimeAndText
import Web

/// A sense or part of the field unit with its state, shown by shape, word and colour together.
struct Light: Sendable {
  /// The state that a light shows.
  enum State: String, Sendable {
    case good
    case warn
    case bad
  }

  var name: String
  var state: State
  /// The words of the light, in the language of the current request.
  var words: HTML

  init(_ name: String, _ state: State, _ words: String) {
    self.init(name, state, html: .text(words))
  }

  init(_ name: String, _ state: State, html words: HTML) {
    self.name = name
    self.state = state
    self.words = words
  }

  /// The light as a row of a list.
  var row: HTML {
    """
    <li class="light light-\(state.rawValue)"><span><strong>\(name)</strong> <span class="muted">\(words)</span></span></li>
    """
  }
}

/// The lights of the field unit: each sense of the device with its state, in words.
struct FieldLights: FieldPage {
  let server: FieldServer
  let help = GuidePart.home

  // MARK: the receiver

  /// Returns the light for a usable position; red says why there is none.
  func positionLight() async -> Light {
    let name = t("Position")
    guard let follower = server.follower else {
      return Light(name, .bad, t("No receiver: start the field unit with --gnss SOURCE."))
    }
    let state = await follower.state
    guard let judged = await follower.lastFix else {
      return Light(name, .bad, t("No fix yet: {1}", t(state.wording)))
    }
    let age = server.clock.elapsed.seconds(since: judged.arrival)
    // A stale fix is never shown as fresh.
    if age > server.configuration.gate.maximumAgeSeconds {
      return Light(
        name, .bad,
        t("No fix for {1} s: {2}", t.decimal(age, places: 0), t(state.wording)))
    }
    guard judged.fix.coordinate != nil, judged.verdict.state != .refused else {
      let reasons = judged.verdict.reasons.map { t($0.wording) }
      return Light(
        name, .bad,
        reasons.isEmpty ? t("The receiver has no position.") : reasons.joined(separator: "; "))
    }
    let accuracy = judged.fix.horizontalUncertaintyMetres95.map {
      "± \(t.decimal($0, places: 1)) m"
    }
    let satellites = judged.fix.satellitesUsed.map { t("{1} satellites", $0) }
    return Light(
      name, .good, [accuracy, satellites].compactMap(\.self).joined(separator: ", "))
  }

  /// Returns the light with the receiver's source and the state of its connection.
  func receiverLight() async -> Light {
    guard let follower = server.follower else { return Light(t("Receiver"), .bad, t("none")) }
    let state = await follower.state
    let isGood = if case .fixing = state { true } else { state == .listening }
    return Light(t("Receiver"), isGood ? .good : .warn, "\(follower.source): \(t(state.wording))")
  }

  /// Returns the lights for the signals that this receiver was ever heard to receive. Yellow means
  /// "not seen yet" or that there is no receiver.
  func receptionLights() -> [Light] {
    let kinds: [(ReceptionMemory.Kind, String)] = [
      (.galileo, t("Galileo")), (.dualFrequency, t("Dual frequency")), (.augmentation, t("SBAS")),
    ]
    guard let follower = server.follower else {
      return kinds.map { Light($0.1, .warn, t("not seen yet: there is no receiver")) }
    }
    let source = follower.source
    return kinds.map { kind, name in
      guard let moment = follower.reception.lastHeard(kind, from: source) else {
        return Light(
          name, .warn,
          kind == .dualFrequency && !follower.reception.namesSignals(from: source)
            ? t("not seen yet: this receiver has not named its signals")
            : t("not seen yet from this receiver"))
      }
      return Light(
        name, .good, html: t.html("last heard {1}", t.time(moment.deviceTime)))
    }
  }

  // MARK: the device

  /// Returns the light that compares the device's clock with the receiver's time; yellow if the
  /// receiver tells no date.
  func clockLight() async -> Light {
    let name = t("Clock")
    let unknown = Light(
      name, .warn, t("not compared: the receiver gives no date now"))
    guard let follower = server.follower, let judged = await follower.lastFix else {
      return unknown
    }
    let now = server.clock.deviceTime
    let age = server.clock.elapsed.seconds(since: judged.arrival)
    guard age <= server.configuration.gate.maximumAgeSeconds, let date = judged.fix.time.date,
      let ahead = ClockRule.aheadSeconds(
        device: now, receiver: judged.fix.time, ageSeconds: age)
    else { return unknown }
    if date.weekRollOvers(behind: now.date) != nil {
      return Light(
        name, .warn,
        t(
          "the receiver's date is a multiple of 1024 weeks behind: its firmware is too old"
        ))
    }
    let seconds = Self.duration(abs(ahead))
    if abs(ahead) <= ClockRule.toleranceSeconds {
      return Light(name, .good, t("{1} from the receiver's time", seconds))
    }
    let words =
      ahead > 0
      ? t("this device is {1} ahead of the receiver", seconds)
      : t("this device is {1} behind the receiver", seconds)
    return abs(ahead) > ClockRule.seriousSeconds
      ? Light(name, .bad, t("{1}: set its clock before you take photos", words))
      : Light(name, .warn, words)
  }

  /// Returns a duration as `0.4 s`, `12 min`, `3 h` or `40 d`: as fine as it matters.
  private static func duration(_ seconds: Double) -> String {
    switch min(seconds, 1e12) {
    case ..<120: "\(Texts.current.decimal(seconds, places: 1)) s"
    case ..<7200: "\(Int(seconds / 60)) min"
    case ..<172_800: "\(Int(seconds / 3600)) h"
    default: "\(Int(min(seconds, 1e12) / 86_400)) d"
    }
  }

  /// Returns the light for the disk, whose room is measured in photos.
  func diskLight(_ figures: FieldFigures?) -> Light {
    let name = t("Disk")
    guard let free = server.freeBytes() else {
      return Light(name, .warn, t("not known: the system does not say how much is free"))
    }
    let room = PhotoRoom(freeBytes: free, meanBytesOfPhoto: figures?.bytesOfPhoto)
    if room.isLow {
      return Light(
        name, .bad,
        t(
          "{1} free: less than the {2} that a day of photos needs. Make room.",
          Self.size(free), Self.size(room.bytesOfDay)))
    }
    return Light(
      name, room.isScarce ? .warn : .good,
      t("{1} free: room for about {2} photos", Self.size(free), room.photos))
  }

  // MARK: the office

  /// Returns the light for the entries that wait to be delivered.
  func outboxLight(_ figures: FieldFigures?, of person: Person) -> Light {
    let name = t("Outbox")
    if server.deliveryStatus(of: person).asksForSignIn {
      return Light(name, .bad, t("The office asks you to sign in again; nothing is lost."))
    }
    guard let figures else { return Light(name, .warn, t("not known")) }
    return figures.waiting == 0
      ? Light(name, .good, t("Nothing is waiting."))
      : Light(name, .warn, t("{1} entries waiting for delivery", figures.waiting))
  }

  /// Returns the light with the time and the words of the last contact with the office.
  func connectionLight(of person: Person) -> Light {
    let status = server.deliveryStatus(of: person)
    guard let words = status.wording, let time = status.time else {
      return Light(t("Connection"), .warn, t("no contact with the office yet"))
    }
    return Light(
      t("Connection"), status.isGood ? .good : .warn, html: "\(t.time(time)): \(t(words))")
  }

  // MARK: what only the browser knows

  /// Returns the light for the camera: the field unit's own command, or the cameras that the
  /// browser finds. The page's script asks the browser, and sends nothing of the answer.
  func cameraLight() -> HTML {
    if case .command(let words)? = server.camera {
      return Light(
        t("Camera"), .good, t("the field unit's own command: {1}", words.first ?? "")
      ).row
    }
    return """
      <li class="light light-warn" data-sense="camera" data-found="\(t("this browser finds {1}"))" \
      data-none="\(t("this browser finds none"))" \
      data-refused="\(t("blocked in this browser: allow the camera for this page in the browser's settings"))" \
      data-insecure="\(t("this browser allows it only on pages of this device or over https"))">\
      <span><strong>\(t("Camera"))</strong> <span class="muted" data-words>\(t("not known yet: turn on JavaScript in this browser"))</span></span></li>
      """
  }

  /// Returns the light for the motion sensors that the browser hears.
  func motionLight() -> HTML {
    """
    <li class="light light-warn" data-sense="motion" data-found="\(t("available in this browser"))" \
    data-none="\(t("this browser finds none: enter the azimuth by hand, or use the receiver's"))" \
    data-refused="\(t("blocked in this browser: allow motion sensors for this page in the browser's settings"))" \
    data-insecure="\(t("this browser allows them only on pages of this device or over https"))">\
    <span><strong>\(t("Motion sensors"))</strong> <span class="muted" data-words>\(t("not known yet: turn on JavaScript in this browser"))</span></span></li>
    """
  }
}
