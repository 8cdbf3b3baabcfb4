import FieldUnit
import Foundation
import Geodesy
import Guide
import Orbits
import Positioning
import Receivers
import Store
import TimeAndText
import Web

/// The page of the sky: the satellites, their signals, and the stored orbits.
struct SkyPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.sky

  func add(to routes: inout Routes) {
    routes.get("/sky") { request in try await reading(request) { try await sky($0) } }
    routes.get("/live/sky") { request in
      try await reading(request) { reader in
        let chosen = Self.chosen(reader)
        return .events(live(of: reader.unit) { await skyFragment(chosen) })
      }
    }
    routes.post("/sky/orbits") { request in
      try await reading(request) { reader in
        do {
          let file = try await keepOrbits(of: request)
          return try await sky(
            reader,
            notice: PageFrame.Notice(
              kind: .success,
              text: t(
                "Saved: {1}, {2} satellites.", t(file.kind?.title ?? file.name), file.satellites)))
        } catch let refusal as OrbitRefusal {
          return try await sky(
            reader, notice: PageFrame.Notice(kind: .error, text: t(refusal.wording)), status: 422)
        }
      }
    }
    routes.get("/assets/sky.css") { request in Asset.skyStyle.response(to: request) }
  }

  private func sky(
    _ reader: Reader, notice: PageFrame.Notice? = nil, status: Int = 200
  ) async throws -> WebResponse {
    let chosen = Self.chosen(reader)
    let fragment = await skyFragment(chosen)
    let live = "/live/sky" + (chosen.map { "?system=\($0.name)" } ?? "")
    return page(
      t("Sky"), reader, current: "/sky", notices: notice.map { [$0] } ?? [], status: status,
      refreshSeconds: reader.request.method == "GET" ? 10 : nil,
      styles: [Asset.skyStyle.href],
      """
      <h1>\(t("Sky"))</h1>
      \(systemMenu(chosen))
      <div data-live="\(live)" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\
      \(fragment)</div>
      \(bringing(reader))
      """)
  }

  /// Returns the constellation that the address asks for; nil for all.
  private static func chosen(_ reader: Reader) -> Constellation? {
    Constellation.allCases.first { $0.name == reader.request.query["system"] }
  }

  /// Returns the menu that chooses one constellation or all: the plot of a receiver that hears four
  /// of them is crowded.
  private func systemMenu(_ chosen: Constellation?) -> HTML {
    let options = Constellation.allCases.map { system -> HTML in
      let mark: HTML? = system == chosen ? " selected" : nil
      return "<option value=\"\(system.name)\"\(mark)>\(system.name)</option>"
    }
    return """
      <form class="filter" method="get" action="/sky"><label>\(t("Constellation"))<select name="system">
      <option value="">\(t("all"))</option>\(options)</select></label>
      <button class="button">\(t("Show"))</button></form>
      """
  }

  private func keepOrbits(of request: WebRequest) async throws -> StoredOrbitFile {
    let limit = OrbitShelf.maximumBytes
    var bytes: [UInt8] = []
    do {
      // The multipart wrapping around the file needs little room in the body.
      guard try await request.upload(limit: limit + 65_536, { bytes += $0 }) != nil else {
        throw OrbitRefusal.nothing
      }
    } catch WebProblem.tooLarge {
      throw OrbitRefusal.tooLarge(megabytes: limit >> 20)
    }
    return try server.orbits.keep(bytes, from: .person, near: await server.orbits.time())
  }

  private func bringing(_ reader: Reader) -> HTML {
    """
    <section class="card"><h2>\(t("Add orbits"))</h2>
    <p>\(t("A RINEX navigation file (BRDC….rnx), two-line elements with the satellites' names, or a YUMA almanac. The file is checked first, then it replaces the earlier file of its kind."))</p>
    <form class="fields" method="post" action="/sky/orbits" enctype="multipart/form-data">\(reader.request.formField)
    <label>\(t("File"))<input type="file" name="file" required></label>
    <p class="hint">\(t("At most {1} MB, unpacked.", OrbitShelf.maximumBytes >> 20))</p>
    <p class="actions"><button class="button">\(t("Save this file"))</button></p></form></section>
    """
  }

  // MARK: the satellites heard

  private func isStale(_ judged: JudgedFix) -> Bool {
    server.clock.elapsed.seconds(since: judged.arrival)
      > server.configuration.gate.maximumAgeSeconds
  }

  /// Returns the satellites that the receiver names now, its place, and the words for a missing or
  /// poor answer. A fix older than the gate allows counts as none.
  private func heard() async -> (satellites: [Satellite], place: Coordinate?, words: String?) {
    guard let follower = server.follower else {
      return ([], nil, t("No receiver: start the field unit with --gnss SOURCE."))
    }
    let state = await follower.state
    guard let judged = await follower.lastFix else {
      return ([], nil, "\(t("Nothing heard yet")): \(t(state.wording))")
    }
    guard !isStale(judged) else {
      let age = server.clock.elapsed.seconds(since: judged.arrival)
      return (
        [], nil,
        "\(t("No data for {1} s; older data is hidden", t.decimal(age, places: 0))): \(t(state.wording))"
      )
    }
    let satellites = await follower.sky
    return (
      satellites, judged.fix.coordinate,
      satellites.isEmpty
        ? t(
          "This receiver sends only positions (GGA, RMC), no satellites. To see them here, turn on GSV and GSA, or use gpsd's SKY."
        )
        : nil
    )
  }

  // MARK: the live part

  /// Returns the live part of the page.
  /// - Parameter chosen: the constellation that is shown alone; nil for all.
  func skyFragment(_ chosen: Constellation? = nil) async -> HTML {
    let heard = await heard()
    let time = await server.orbits.time()
    if let place = heard.place { server.orbits.note(place, at: time) }
    let stored = server.orbits.look(near: time)
    let current = SatelliteOrbit.current(stored.orbits, at: time)
    let place = server.orbits.lastPlace
    let expected = place.map { SatelliteOrbit.expected(current, at: time, from: $0.coordinate) }
    let entries = SkyEntry.all(heard: heard.satellites, expected: expected ?? []).filter {
      chosen == nil || $0.satellite.constellation == chosen
    }
    let notice = heard.words.map { "<p class=\"notice notice-warning\">\($0)</p>" as HTML }
    return """
      \(notice)<div class="sky">
      <section class="card"><h2>\(t("Directions"))</h2>\(plot(entries))\(key(entries))</section>
      <div>\(signals(entries))
      <section class="card"><h2>\(t("Stored orbits"))</h2>\(orbits(stored, current, at: time))\
      \(basis(current, place, heard.place, at: time))</section></div></div>
      \(table(entries))
      """
  }

  private func plot(_ entries: [SkyEntry]) -> HTML {
    func count(_ states: SkyEntry.State...) -> Int {
      entries.count { states.contains($0.state) }
    }
    let label = t(
      "The sky, north up: {1} satellites heard, {2} of them used, {3} expected and not heard. The table has the numbers.",
      count(.used, .heard), count(.used), count(.named, .expected))
    return SkyPlot.html(entries, label: label, directions: [t("N"), t("E"), t("S"), t("W")])
  }

  private func word(_ state: SkyEntry.State) -> String {
    switch state {
    case .used: t("used")
    case .heard: t("heard, not used")
    case .named: t("named, not heard")
    case .expected: t("expected, not heard")
    }
  }

  /// Returns the key to the shapes and their fill.
  private func key(_ entries: [SkyEntry]) -> HTML {
    let shown = Set(entries.map(\.satellite.constellation))
    let shapes = Constellation.allCases.filter(shown.contains).map { constellation -> HTML in
      "<li>\(SkyPlot.sign(constellation, .heard)) \(constellation.letter) \(constellation.name)</li>"
    }
    let states = SkyEntry.State.allCases.map { state -> HTML in
      "<li>\(SkyPlot.sign(.gps, state)) \(word(state))</li>"
    }
    return """
      <ul class="sky-key">\(states)</ul>\(shapes.isEmpty ? "" : "<ul class=\"sky-key\">\(shapes)</ul>" as HTML)
      """
  }

  private func signals(_ entries: [SkyEntry]) -> HTML {
    let tracked = entries.filter { $0.satellite.carrierToNoiseDecibelHertz != nil }
    guard !tracked.isEmpty else { return "" }
    let figures = Constellation.allCases.compactMap { constellation -> HTML? in
      let own = tracked.filter { $0.satellite.constellation == constellation }
      guard !own.isEmpty else { return nil }
      let used = own.count { $0.state == .used }
      return """
        <figure><figcaption>\(SkyPlot.sign(constellation, .heard)) \(constellation.name) \
        <span class="muted">\(t("{1} heard, {2} used", own.count, used))</span></figcaption>\
        \(SkyPlot.bars(own))</figure>
        """
    }
    return """
      <section class="card"><h2>\(t("Signals")) <span class="muted">C/N0, dB-Hz</span></h2>
      <div class="sky-signals">\(figures)</div></section>
      """
  }

  private func table(_ entries: [SkyEntry]) -> HTML {
    guard !entries.isEmpty else {
      return "<section class=\"card\"><p>\(t("No satellite to show."))</p></section>"
    }
    func cell(_ value: Double?, _ unit: String) -> HTML {
      value.map { "<td class=\"number\">\(t.decimal($0, places: 0))\(unit)</td>" }
        ?? "<td class=\"number\"><span class=\"muted\">\(t("not known"))</span></td>"
    }
    let rows = entries.map { entry -> HTML in
      let satellite = entry.satellite
      let strength: HTML =
        satellite.carrierToNoiseDecibelHertz.map {
          "<td class=\"number\">\(t.decimal($0, places: 0))</td>"
        } ?? "<td class=\"number\">–</td>"
      return """
        <tr><th scope="row">\(SkyPlot.sign(satellite.constellation, entry.state)) \(satellite.designation) \
        <span class="muted">\(satellite.constellation.name)</span></th><td>\(word(entry.state))</td>\(strength)\
        \(cell(satellite.elevationDegrees, "°"))\(cell(satellite.azimuthDegrees, "°"))</tr>
        """
    }
    return """
      <div class="sky-table" tabindex="0" role="region" aria-label="\(t("Satellites"))">\
      <table class="list"><caption>\(t("Satellites"))</caption><thead><tr>\
      <th scope="col">\(t("Satellite"))</th><th scope="col">\(t("State"))</th>\
      <th scope="col" class="number">\(t("C/N0 (dB-Hz)"))</th>\
      <th scope="col" class="number">\(t("Elevation"))</th>\
      <th scope="col" class="number">\(t("Azimuth"))</th></tr></thead><tbody>\(rows)</tbody></table></div>
      """
  }

  // MARK: stored orbits

  /// Returns the distance of a time from `now`, before or after it, in words.
  private func age(_ time: DeviceTime, at now: DeviceTime) -> String {
    let seconds =
      abs(Double(now.millisecondsSince1970) - Double(time.millisecondsSince1970)) / 1000
    return switch seconds {
    case ..<5400: t("{1} min", t.decimal(seconds / 60, places: 0))
    case ..<172_800: t("{1} h", t.decimal(seconds / 3600, places: 0))
    default: t("{1} days", t.decimal(seconds / 86_400, places: 0))
    }
  }

  /// Returns the list of the stored orbits with their age.
  private func orbits(
    _ stored: StoredOrbits, _ current: [SatelliteOrbit], at time: DeviceTime
  ) -> HTML {
    if stored.files.isEmpty {
      return """
        <p>\(stored.isReading
          ? t("Reading the stored orbits.")
          : t("No orbits are stored, so the expected satellites are not known: add a file below while you have a network. Your office can also send orbits with the tasks."))</p>\(fetched(stored, at: time))
        """
    }
    let files = stored.files.map { file -> HTML in
      if let problem = file.problem {
        return
          "<li><span class=\"light light-warn\"><span><code>\(file.name)</code>: \(t(problem))</span></span></li>"
      }
      let isOld = file.newest.map { newest in
        SatelliteOrbit.longestAgeDays * 86_400_000
          < abs(Double(time.millisecondsSince1970) - Double(newest.millisecondsSince1970))
      }
      let words: [String] = [
        file.kind.map { t($0.title) }, t("{1} satellites", file.satellites),
        file.newest.map { t("newest {1} away", age($0, at: time)) },
        isOld == true ? t("too old to use") : nil,
      ].compactMap(\.self)
      return "<li><code>\(file.name)</code>: \(words.joined(separator: ", "))</li>"
    }
    let references = current.map { $0.reference }
    let nearest = stored.orbits.map { $0.age(at: time) }.min() ?? 0
    let verdict: HTML
    if let oldest = references.min(by: { $0 < $1 }), let newest = references.max() {
      let isAging = references.contains { abs(distance($0, time)) > 7 * 86_400 }
      verdict = """
        <p class="light \(isAging ? "light-warn" : "light-good")">\(t("Orbits of {1} satellites, {2} to {3} from now", current.count, age(closest(oldest, newest, time), at: time), age(farthest(oldest, newest, time), at: time)))</p>
        \(isAging ? "<p class=\"muted\">\(t("After a week they are off by about a degree, after a month by several degrees."))</p>" as HTML : "")
        """
    } else {
      verdict = """
        <p class="light light-warn">\(t("The nearest stored orbits are {1} days away. After {2} days they cannot be used, and no satellite is shown: add newer ones, and check the clock.", t.decimal(nearest / 86_400, places: 0), t.decimal(SatelliteOrbit.longestAgeDays, places: 0)))</p>
        """
    }
    return "\(verdict)<ul>\(files)</ul>\(fetched(stored, at: time))"
  }

  private func distance(_ one: DeviceTime, _ other: DeviceTime) -> Double {
    (Double(one.millisecondsSince1970) - Double(other.millisecondsSince1970)) / 1000
  }

  private func closest(_ one: DeviceTime, _ other: DeviceTime, _ time: DeviceTime) -> DeviceTime {
    abs(distance(one, time)) < abs(distance(other, time)) ? one : other
  }

  private func farthest(_ one: DeviceTime, _ other: DeviceTime, _ time: DeviceTime) -> DeviceTime {
    abs(distance(one, time)) < abs(distance(other, time)) ? other : one
  }

  private func fetched(_ stored: StoredOrbits, at time: DeviceTime) -> HTML {
    guard let fetch = stored.fetch else { return "" }
    let words =
      fetch.fetched.map { t("Fetched {1} ago.", age($0, at: server.clock.deviceTime)) }
      ?? t("Not fetched yet.")
    let problem: HTML? = fetch.problem.map { " \(t("The last try failed")): \(t($0))" }
    return """
      <p class="muted">\(t("Once a day from {1}.", fetch.address)) \(words)\(problem)</p>
      """
  }

  /// Returns the words on the place from which the expected satellites are computed; empty if that
  /// is the present place.
  private func basis(
    _ current: [SatelliteOrbit], _ place: (coordinate: Coordinate, time: DeviceTime)?,
    _ now: Coordinate?, at time: DeviceTime
  ) -> HTML {
    guard !current.isEmpty else { return "" }
    guard let place else {
      return """
        <p class="notice notice-note">\(t("Your position is not known yet. The expected satellites are shown as soon as the receiver has a position."))</p>
        """
    }
    guard now == nil else { return "" }
    return """
      <p class="muted">\(t("There is no position now: the satellites shown are those expected where you were {1} ago.", age(place.time, at: time)))</p>
      """
  }
}
