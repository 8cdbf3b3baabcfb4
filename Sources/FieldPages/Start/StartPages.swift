import FieldUnit
import Foundation
import Guide
import Receivers
import TimeAndText
import Upkeep
import Web

/// The steps of the first start, in turn.
enum StartStep: String, CaseIterable, Sendable {
  case receiver
  case camera
  case sensors
  case storage
  case clock
  case end

  var next: StartStep? { Self.allCases.firstIndex(of: self).flatMap { Self.place($0 + 1) } }
  var previous: StartStep? { Self.allCases.firstIndex(of: self).flatMap { Self.place($0 - 1) } }

  private static func place(_ index: Int) -> StartStep? {
    allCases.indices.contains(index) ? allCases[index] : nil
  }

  /// The number of the step, from 1.
  var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
  /// The number of steps before the end.
  static var count: Int { allCases.count - 1 }
}

/// The pages of the first start: receiver, camera, sensors, storage and clock, one after the other.
struct StartPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.firstStart
  private var lights: FieldLights { FieldLights(server: server) }

  func add(to routes: inout Routes) {
    routes.get("/start") { request in try await reading(request) { try await start($0) } }
    routes.get("/live/start") { request in
      try await reading(request) { reader in
        let step = request.query["step"].flatMap(StartStep.init(rawValue:)) ?? .receiver
        let unit = reader.unit
        return .events(live(of: unit) { await startFragment(step, unit) })
      }
    }
  }

  private func start(_ reader: Reader) async throws -> WebResponse {
    let step = reader.request.query["step"].flatMap(StartStep.init(rawValue:)) ?? .receiver
    let counted = t("Step {1} of {2}", min(step.number, StartStep.count), StartStep.count)
    let back: HTML? = step.previous.map {
      "<a class=\"button\" href=\"/start?step=\($0.rawValue)\">\(t("Back"))</a>"
    }
    let next: HTML =
      step.next.map {
        "<a class=\"button primary\" href=\"/start?step=\($0.rawValue)\">\(t("Next"))</a>"
      } ?? "<a class=\"button primary\" href=\"/\">\(t("Start work"))</a>"
    let leave: HTML? =
      step == .end ? nil : "<a class=\"button quiet\" href=\"/\">\(t("Leave"))</a>"
    let address = "/live/start?step=\(step.rawValue)"
    return page(
      "\(t("First start")): \(title(of: step))", reader, current: "/",
      refreshSeconds: step == .end ? nil : 5, scripts: [SensesScript.asset.href],
      """
      <p class="muted">\(t("First start")) · \(step == .end ? t("done") : counted)</p>
      <h1>\(title(of: step))</h1>
      <progress class="meter" aria-label="\(t("First start"))" max="\(StartStep.count)" value="\(step.number - 1)"></progress>
      <section class="card"><p>\(purpose(of: step))</p>
      \(browserLights(step))<div data-live="\(address)" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\
      \(await startFragment(step, reader.unit))</div>\(help(for: step))
      <p class="actions">\(next)\(back)\(leave)</p>
      <p class="hint">\(t("You can leave at any step, and open this again from Home."))</p></section>
      """)
  }

  private func title(of step: StartStep) -> String {
    switch step {
    case .receiver: t("Receiver")
    case .camera: t("Camera")
    case .sensors: t("Motion sensors")
    case .storage: t("Storage")
    case .clock: t("Clock")
    case .end: t("Ready")
    }
  }

  /// Returns the purpose of a step in a sentence.
  private func purpose(of step: StartStep) -> String {
    switch step {
    case .receiver:
      t("The GNSS receiver measures where you are; without it you cannot take photos.")
    case .camera: t("The camera takes the photos that are sealed with your place.")
    case .sensors:
      t(
        "The motion sensors say where the camera points and how it is tilted, so that you do not have to enter it."
      )
    case .storage:
      t("Everything stays on this device until the office has signed for it: that needs room.")
    case .clock:
      t(
        "Each record has the device's clock next to the receiver's time; a wrong clock raises questions."
      )
    case .end: t("You can fix yellow items later. Red items prevent photos.")
    }
  }

  /// Returns the lights that only the browser knows; they are outside the live part.
  private func browserLights(_ step: StartStep) -> HTML {
    switch step {
    case .camera: "<ul class=\"lights\">\(lights.cameraLight())</ul>\(ask("camera"))"
    case .sensors: "<ul class=\"lights\">\(lights.motionLight())</ul>\(ask("motion"))"
    case .end: "<ul class=\"lights\">\(lights.cameraLight())\(lights.motionLight())</ul>"
    default: ""
    }
  }

  /// Returns the place where the script puts the button that has the browser ask for permission;
  /// without a script there is nothing to press.
  private func ask(_ sense: String) -> HTML {
    let words =
      sense == "camera" ? t("Allow camera") : t("Allow motion sensors")
    return "<p class=\"actions\" data-ask=\"\(sense)\" data-label=\"\(words)\"></p>"
  }

  /// Returns the live part, which shows at once if something was mended.
  func startFragment(_ step: StartStep, _ unit: InspectorUnit) async -> HTML {
    let figures = readable("figures") { try unit.figures() }
    let lights: [Light] =
      switch step {
      case .receiver:
        [await lights.positionLight(), await lights.receiverLight()] + missing()
          + lights.receptionLights()
      case .camera, .sensors: []
      case .storage: [lights.diskLight(figures), folderLight()]
      case .clock: [await lights.clockLight()]
      case .end:
        [await lights.positionLight()] + lights.receptionLights() + [
          lights.diskLight(figures), await lights.clockLight(),
        ]
      }
    return lights.isEmpty ? "" : "<ul class=\"lights\">\(lights.map(\.row))</ul>"
  }

  /// Returns the lights for the things that the receiver in use needs of this machine.
  private func missing() -> [Light] {
    guard let source = server.follower?.source else { return [] }
    func group(_ name: String) -> Light {
      switch MachineDescription.isMember(ofGroup: name) {
      case true?: Light(t("Group {1}", name), .good, t("the program belongs to it"))
      case false?:
        Light(
          t("Group {1}", name), .bad,
          html: """
            \(t("the program does not belong to it; run this in a terminal, then restart the device:"))
            <code>sudo usermod -aG \(name) $USER</code>
            """)
      case nil: Light(t("Group {1}", name), .warn, t("this system has no such group"))
      }
    }
    switch source {
    case .serial(let path, _):
      let isThere = FileManager.default.fileExists(atPath: path)
      return [
        Light(
          path, isThere ? .good : .bad,
          isThere ? t("found") : t("not found: plug the receiver in, or choose another one")),
        group("dialout"),
      ]
    case .bluetooth:
      let isThere = MachineDescription.hasBluetoothAdapter
      return [
        Light(
          t("Bluetooth adapter"), isThere ? .good : .bad,
          isThere ? t("found") : t("not found: plug one in, or switch it on")),
        group("bluetooth"),
      ]
    case .gpsd, .tcp, .file: return []
    }
  }

  /// Returns the light that says if the data directory is writable, by its access rights.
  private func folderLight() -> Light {
    let root = DataFolder(dataDirectory: server.configuration.dataDirectory).root
    return FileManager.default.isWritableFile(atPath: root)
      ? Light(t("Data directory"), .good, t("{1} can be written", root))
      : Light(
        t("Data directory"), .bad,
        t("{1} cannot be written: correct its permissions, then restart the program", root))
  }

  private func help(for step: StartStep) -> HTML {
    switch step {
    case .receiver:
      """
      <details id="how"><summary>\(t("How to connect a receiver"))</summary>
      <dl class="ways"><dt>gpsd</dt><dd>\(t("The system's own service reads it. In a terminal:"))
      <code>sudo apt install gpsd</code>, <code>sudo systemctl enable --now gpsd</code>.
      \(t("The receiver that it reads is set in:")) <code>/etc/default/gpsd</code></dd>
      <dt>USB</dt><dd>\(t("The program reads the tty itself; it has to belong to the group dialout."))</dd>
      <dt>Bluetooth</dt><dd>\(t("Pair it once in Settings; the program's user has to be in the group bluetooth."))</dd></dl>
      </details><p class="actions"><a class="button" href="/settings">\(t("Choose and test the receiver"))</a></p>
      """
    case .camera:
      "<p class=\"hint\">\(t("The browser asks once if this page may use it; choose Allow. The permission is only for pages of this device."))</p>"
    case .sensors:
      "<p class=\"hint\">\(t("Tablets and phones have them. Without them, photos do not say where the camera pointed unless you enter it."))</p>"
    case .storage:
      "<p class=\"hint\">\(t("Delivered photos can be removed from the device automatically: see Settings. Nothing is removed before the office has signed for it."))</p>"
    case .clock:
      """
      <p class="hint">\(t("In a terminal, let the system set the clock from the network:")) <code>sudo timedatectl set-ntp true</code></p>
      """
    case .end: ""
    }
  }
}
