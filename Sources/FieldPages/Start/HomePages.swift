import FieldUnit
import Foundation
import Guide
import Inspection
import Receivers
import Store
import TimeAndText
import Upkeep
import Web

/// The first page: position, the next tasks with their camera, what waits, and the device.
struct HomePages: FieldPage {
  let server: FieldServer
  let help = GuidePart.home
  private var lights: FieldLights { FieldLights(server: server) }

  func add(to routes: inout Routes) {
    routes.get("/") { request in try await reading(request) { try await home($0) } }
    routes.get("/live/home") { request in
      try await reading(request) { reader in
        let unit = reader.unit
        let next = PacedPart()
        return .events(live(of: unit) { await homeFragment(unit, next) })
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
      <h1 class="unseen">\(t("Home"))</h1>
      <div class="home-now" data-live="/live/home" data-live-lost="\(lost)">\
      \(await homeFragment(reader.unit, PacedPart()))</div>
      <nav class="tiles home-tiles" aria-label="\(t("Sections"))">
      <a class="button primary" href="/tasks">\(t("Tasks"))</a>
      <a class="button" href="/photos">\(t("Photos"))</a>
      <a class="button" href="/nearby">\(t("Photo points nearby"))</a>
      <a class="button" href="/map">\(t("Map"))</a>
      <a class="button" href="/tracks">\(t("Tracks"))</a>
      <a class="button" href="/sky">\(t("Sky"))</a>
      <a class="button" href="/outbox">\(t("Outbox"))</a>
      <a class="button" href="/settings">\(t("Settings"))</a>
      <a class="button" href="/about">\(t("About"))</a></nav>
      <section class="card"><h2>\(t("Device status"))</h2>
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

  /// Returns the part that is looked at many times a day: position, faults of receiver and
  /// connection, the next tasks, and the counters.
  /// - Parameter next: keeps the list of the next tasks, which takes a read of all tasks and the
  ///   distance to each.
  func homeFragment(_ unit: InspectorUnit, _ next: PacedPart) async -> HTML {
    let figures = readable("figures") { try unit.figures() }
    let counters: [(String, String, Int?)] = [
      (t("Open tasks"), "/tasks", figures?.openTasks), (t("Photos"), "/photos", figures?.photos),
      (t("Waiting"), "/outbox", figures?.waiting),
    ]
    let position = await lights.positionLight()
    // Receiver and connection take room here only while something is wrong with them.
    let others = [await lights.receiverLight(), lights.connectionLight(of: unit.person)]
      .filter { $0.state != .good }
    return """
      <ul class="lights lights-first">\(position.row)\(others.map(\.row))</ul>\(guesses)
      \(await next.html(at: server.clock.elapsed) { await nextTasks(unit) })
      <ul class="counters">\(counters.map { name, address, count in
        """
        <li><a href="\(address)"><span class="number">\(count.map(String.init) ?? "—")</span> \(name)</a></li>
        """ as HTML
      })</ul>
      """
  }

  /// Returns the words about somebody who guesses the code of a phone; nil if nobody does. A list of
  /// phones that cannot be read is told on its own page.
  private var guesses: HTML? {
    let book = PhoneBook(dataDirectory: server.configuration.dataDirectory)
    let register = readable("phones") { try book.register() }
    guard let count = register?.guesses(at: server.cameraDesk.machine.deviceTime), count > 0 else {
      return nil
    }
    return """
      <p class="notice notice-warning" role="status">\(count == 1 ? t("Somebody entered a wrong code.") : t("Wrong codes were entered {1} times.", count)) <a href="/phones">\(t("Phones"))</a></p>
      """
  }

  /// Returns the list of the tasks that come next, each with the way straight to its camera.
  private func nextTasks(_ unit: InspectorUnit) async -> HTML {
    let here = await freshPlace()
    guard let tasks = readable("tasks", { try unit.taskListings().tasks }) else {
      return "<p class=\"muted\">\(t("The tasks cannot be read."))</p>"
    }
    let rows = NextTasks.choose(
      tasks.map { TaskOrdering.Row($0, from: here) })
    let items = rows.map { row($0, server.clock.deviceTime) }
    return rows.isEmpty
      ? "<p class=\"home-done\">✓ \(t("No task to do."))</p>"
      : "<ul class=\"next-tasks\" aria-label=\"\(t("Next tasks"))\">\(items)</ul>"
  }

  private func row(_ row: TaskOrdering.Row, _ now: DeviceTime) -> HTML {
    let task = row.task
    let isOverdue = task.isOverdue(at: now)
    let due: HTML? = task.due.map {
      """
      <span\(raw: isOverdue ? " class=\"is-overdue\"" : "")>\(isOverdue ? "⚠ \(t("overdue")), " : "")\(t("due")) \(t.form.day($0.date))</span>
      """
    }
    let way: HTML? = row.way.map {
      "<span>\($0.text.map { t("{1} to its parcel", $0) } ?? "● " + t("you are inside its parcel"))</span>"
    }
    let returned: HTML? =
      task.state == .returned ? "<span>\(task.state.sign) \(t(task.state.title))</span>" : nil
    return """
      <li class="card task-row"><a class="task" href="/tasks/\(task.id.description)"><strong>\(task.name)</strong> \
      <span class="muted">\(returned) \(way) \(due)</span></a>\(cameraButton(task))</li>
      """
  }

  /// Returns the other lights that the field unit itself knows.
  func lightsFragment(_ unit: InspectorUnit) async -> HTML {
    let figures = readable("figures") { try unit.figures() }
    let lights =
      [await lights.receiverLight(), lights.connectionLight(of: unit.person)]
      + lights.receptionLights() + [
        lights.diskLight(figures), await lights.clockLight(),
        lights.outboxLight(figures, of: unit.person),
      ]
    return "<ul class=\"lights\">\(lights.map(\.row))</ul>"
  }
}
