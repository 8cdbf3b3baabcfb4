import FieldUnit
import Foundation
import Inspection
import Receivers
import Store
import TimeAndText
import Web

/// The first page: the work to do, and the lights.
struct HomePages: FieldPage {
  let server: FieldServer
  private var lights: FieldLights { FieldLights(server: server) }

  func add(to routes: inout Routes) {
    routes.get("/") { request in try await reading(request) { try await home($0) } }
    routes.get("/live/home") { request in
      try await reading(request) { reader in
        let unit = reader.unit
        return .events(live(of: unit) { await homeFragment(unit) })
      }
    }
    routes.get("/live/lights") { request in
      try await reading(request) { reader in
        let unit = reader.unit
        return .events(live(of: unit) { await lightsFragment(unit) })
      }
    }
  }

  private var lost: String {
    t("This page is not up to date: the program does not answer.")
  }

  private func home(_ reader: Reader) async throws -> WebResponse {
    let machine = MachineDescription.current
    let person = reader.unit.person
    return page(
      t("Home"), reader, current: "/", refreshSeconds: 10, scripts: [SensesScript.asset.href],
      """
      <div class="heading"><h1>\(t("Standpoint"))</h1></div>
      <section class="card" data-live="/live/home" data-live-lost="\(lost)">\
      \(await homeFragment(reader.unit))</section>
      <nav class="tiles home-tiles" aria-label="\(t("Sections"))">
      <a class="button primary" href="/tasks">\(t("Tasks"))</a>
      <a class="button" href="/photos">\(t("Photos"))</a>
      <a class="button" href="/map">\(t("Map"))</a>
      <a class="button" href="/tracks">\(t("Tracks"))</a>
      <a class="button" href="/sky">\(t("Sky"))</a>
      <a class="button" href="/outbox">\(t("Outbox"))</a>
      <a class="button" href="/settings">\(t("Settings"))</a>
      <a class="button" href="/about">\(t("About"))</a></nav>
      <section class="card"><h2>\(t("Lights"))</h2>
      <div data-live="/live/lights" data-live-lost="\(lost)">\(await lightsFragment(reader.unit))</div>
      <ul class="lights">\(lights.cameraLight())\(lights.motionLight())</ul>
      <p class="actions"><a class="button quiet" href="/start">\(t("First start: check these one by one"))</a></p></section>
      <section class="card"><h2>\(t("This field unit"))</h2>\(HTML.facts([
        (t("Inspector"), .text("\(reader.signIn.name ?? person.login) (\(person.login))")),
        (t("Agency"), .text(person.agency)), (t("Office"), .text(reader.signIn.office)),
        (t("Device"), .text(machine.device ?? t("not known"))),
        (t("Device number"), "<code class=\"digest\">\(reader.unit.device)</code>"),
        (t("System"), .text(machine.system)),
        (t("Software version"), .text(server.configuration.software)),
      ]))
      <p class="actions"><a class="button quiet" href="/sign-out">\(t("Sign out"))</a></p></section>
      """)
  }

  // MARK: live parts

  /// Returns the part that is looked at many times a day: position, receiver, connection, and the
  /// counters.
  func homeFragment(_ unit: InspectorUnit) async -> HTML {
    let figures = readable("figures") { try unit.figures() }
    let counters: [(String, String, Int?)] = [
      (t("Open tasks"), "/tasks", figures?.openTasks), (t("Photos"), "/photos", figures?.photos),
      (t("Waiting"), "/outbox", figures?.waiting),
    ]
    let position = await lights.positionLight()
    let receiver = await lights.receiverLight()
    return """
      <ul class="lights lights-first">\(position.row)\(receiver.row)\(lights.connectionLight(of: unit.person).row)</ul>
      <ul class="counters">\(counters.map { name, address, count in
        """
        <li><a href="\(address)"><span class="number">\(count.map(String.init) ?? "—")</span> \(name)</a></li>
        """ as HTML
      })</ul>
      """
  }

  /// Returns the other lights that the field unit itself knows.
  func lightsFragment(_ unit: InspectorUnit) async -> HTML {
    let figures = readable("figures") { try unit.figures() }
    let lights =
      lights.receptionLights() + [
        lights.diskLight(figures), await lights.clockLight(),
        lights.outboxLight(figures, of: unit.person),
      ]
    return "<ul class=\"lights\">\(lights.map(\.row))</ul>"
  }
}
