import Foundation
import Testing

@testable import Web

/// Pages that show every part of the style sheet to a person: `STANDPOINT_WEB_SAMPLE=8099 swift
/// test --filter SampleServer` serves them until it is stopped.
enum SamplePages {
  static func routes() -> Routes {
    var routes = Routes()
    for side in PageFrame.Side.allCases {
      routes.get("/\(side.rawValue)") { request in .page(parts(side, request)) }
      routes.get("/\(side.rawValue)/gate/{state}") { request in
        .page(gate(side, request, state: request.parameters["state"] ?? ""))
      }
    }
    routes.get("/live") { _ in
      .events(
        AsyncStream { stream in
          let clock = Task {
            for number in 0... {
              stream.yield("<strong>\(number) of 15</strong><p id=\"p\">Spread ± 0.4 m</p>")
              try await Task.sleep(for: .seconds(1))
            }
          }
          stream.onTermination = { _ in clock.cancel() }
        })
    }
    routes.post("/form") { _ in .redirect("/field") }
    routes.put("/hold", machine: true) { request in
      try await request.stream { _ in try await Task.sleep(for: .seconds(3600)) }
      return .empty()
    }
    routes.get("/picture.svg") { _ in
      .bytes(
        Array(
          """
          <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"><rect width="400" \
          height="300" fill="#87b5d6"/><path d="M0 170l90-50 80 30 110-70 120 80v140H0z" \
          fill="#5a7d3a"/><path d="M0 210q200-60 400 10v80H0z" fill="#8f9e4a"/></svg>
          """.utf8), mediaType: "image/svg+xml")
    }
    return routes
  }

  private static func frame(
    _ side: PageFrame.Side, _ request: WebRequest, _ title: String, _ main: HTML,
    notices: [PageFrame.Notice] = []
  ) -> HTML {
    let names = side == .field ? ["Home", "Orders", "Photos", "Map"] : ["Orders", "People", "Log"]
    return PageFrame.html(
      title: title, side: side, language: "en",
      navigation: names.enumerated().map {
        .init(title: $1, href: "/\(side.rawValue)", isCurrent: $0 == 1)
      }, person: ("Jana Nováková", nil),
      signOut: (href: "/form", label: "Sign out", formToken: request.formToken),
      banner: "<p class=\"demonstration\">Demonstration: nothing here is real</p>",
      notices: notices, main: main, refreshSeconds: 10)
  }

  private static func gate(_ side: PageFrame.Side, _ request: WebRequest, state: String) -> HTML {
    let words = [
      "still": ("Still", "14 of 15 samples, ± 0.8 m"), "settling": ("Settling", "6 of 15 samples"),
      "moving": ("Moving", "1.4 m/s; stand still"), "refused": ("No position", "HDOP 9.1 > 2.0"),
    ][state, default: ("", "")]
    return frame(
      side, request, "Gate",
      """
      <h1 class="unseen">Gate</h1>
      <div class="gate gate-\(state)"><strong>\(words.0)</strong><p>\(words.1)</p>\
      <progress class="meter" value="6" max="15">6 of 15</progress></div>
      <dl class="facts"><dt>Latitude</dt><dd>49.195 061 2° N</dd><dt>Longitude</dt>\
      <dd>16.606 836 9° E</dd><dt>Accuracy</dt><dd>± 0.8 m (95 %)</dd></dl>
      <div class="actions"><button class="button primary">Take photo</button>\
      <a class="button" href="/field">Close</a></div>
      """)
  }

  private static func parts(_ side: PageFrame.Side, _ request: WebRequest) -> HTML {
    let states = [
      ("new", "New"), ("open", "Open"), ("returned", "Returned"), ("dataProvided", "Submitted"),
      ("accepted", "Accepted"), ("declined", "Declined"), ("withdrawn", "Withdrawn"),
    ]
    let badges = states.map { "<span class=\"state state-\($0.0)\">\($0.1)</span> " as HTML }
    let verdicts = ["intact", "doubtful", "incomplete", "altered"].map {
      "<span class=\"verdict-\($0)\">\($0.capitalized)</span> " as HTML
    }
    let rows = states.enumerated().map { number, state -> HTML in
      """
      <tr><td data-label="Name"><a href="/field">N-\(117 + number) Dolní louka</a></td>
      <td data-label="State"><span class="state state-\(state.0)">\(state.1)</span></td>
      <td class="number" data-label="Photos">\(number * 3)</td>
      <td class="number" data-label="Area">\(number + 1).\(number)4 ha</td>
      <td data-label="Due">2026-12-0\(number + 1)</td></tr>
      """
    }
    let photos = (1...4).map { number -> HTML in
      """
      <figure class="photo"><a href="/field"><img src="/picture.svg" alt="A meadow">\
      <figcaption><strong>Photo \(number)</strong><br><span class="muted">± 0.\(number) m, 143° \
      </span> <span class="verdict-intact">Intact</span></figcaption></a></figure>
      """
    }
    return frame(
      side, request, "Orders",
      """
      <h1>Dolní louka <span class="muted">N-117</span></h1>
      <ul class="tabs"><li><a href="#a" aria-current="page">Overview</a></li>\
      <li><a href="#b">Photos</a></li><li><a href="#c">History</a></li></ul>
      <div class="split"><div>
      <section class="card"><h2>Order</h2><dl class="facts"><dt>State</dt>\
      <dd><span class="state state-returned">Returned</span></dd><dt>Latitude</dt>\
      <dd>49.195 061 2° N</dd><dt>Height</dt><dd>231.4 m ± 1.2 m</dd><dt>Due</dt>\
      <dd>2026-12-01, in 11 days</dd><dt>Digest</dt><dd><code class="digest">\
      ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad</code></dd></dl>
      <div class="actions"><a class="button primary" href="/field" data-key="a">Send</a>\
      <a class="button" href="/field">Open map</a><form method="post" action="/form" \
      data-confirm="Really?">\(request.formField)<button class="button danger">Delete</button>\
      </form><a class="button quiet" href="/field">Cancel</a><button disabled>Wait</button></div>
      </section>
      <p>\(badges)</p><p>\(verdicts)</p>
      <p><span class="light light-good">Position</span> <span class="light light-warn">Galileo: not \
      seen yet</span> <span class="light light-bad">Camera missing</span></p>
      <div class="gate gate-settling" data-live="/live" data-live-lost="Connection lost">\
      <strong>Settling</strong><p>6 of 15</p></div>
      </div><div>
      <form class="card fields" method="post" action="/form">\(request.formField)
      <div><label for="n">Name</label><input id="n" name="n" placeholder="As on the map">\
      <span class="hint">As it stands on the map.</span></div>
      <div><label for="e">Due</label><input id="e" name="e" aria-invalid="true" value="yesterday">\
      <span class="field-error">A date is needed, such as 2026-12-01.</span></div>
      <div><label for="s">Type</label><select id="s"><option>Meadow<option>Field</select></div>
      <div><label for="t">Note</label><textarea id="t"></textarea></div>
      <fieldset><legend>Sides</legend><label><input type="checkbox" checked>North</label>\
      <label><input type="checkbox">South</label></fieldset>
      <div class="actions"><button class="button primary">Save</button></div></form>
      <section class="card"><h2>History</h2><ol class="timeline"><li><p><strong>Returned</strong> \
      by P. Malý</p><time>2026-11-20 10:12</time><p>North side is missing.</p></li>\
      <li><p><strong>Created</strong></p><time>2026-11-01 08:00</time></li></ol></section>
      <details><summary>Raw data</summary><p>1 204 sentences, <kbd>j</kbd> next.</p></details>
      </div></div>
      <h2>Orders</h2>
      <table class="list"><thead><tr><th aria-sort="ascending"><a href="#">Name</a></th><th>State\
      </th><th class="number">Photos</th><th class="number">Area</th><th>Due</th></tr></thead>\
      <tbody>\(rows)</tbody></table>
      <nav class="pager"><span class="muted">1–7 of 1 204</span><a class="button" href="#">Next</a>\
      </nav>
      <h2>Photos</h2><div class="photos">\(photos)</div>
      <figure class="photo-large"><img src="/picture.svg" alt="A meadow"><figcaption>49.195° N, \
      16.606° E, ± 0.8 m</figcaption></figure>
      <div class="empty"><strong>No tracks yet</strong><p>Press Record on the map to begin one.</p>\
      <div class="actions"><a class="button" href="#">Open map</a></div></div>
      """,
      notices: [
        .init(kind: .success, text: "The order was saved."),
        .init(kind: .warning, text: "Two photos wait for delivery."),
        .init(kind: .error, text: "The receiver does not answer."),
        .init(kind: .note, text: "A new version is ready."),
      ])
  }
}

/// The server of the sample pages, which runs for as long as somebody looks at them.
@Suite("SampleServer") struct SampleServerTests {
  private static let port = ProcessInfo.processInfo.environment["STANDPOINT_WEB_SAMPLE"]
    .flatMap(Int.init)

  @Test("sample pages are served until the test is stopped", .enabled(if: port != nil))
  func serve() async throws {
    let server = WebServer(
      configuration: testConfiguration(port: Self.port ?? 0), routes: SamplePages.routes(),
      problemPage: { problem, _ in "<h1>\(problem.title)</h1>" })
    try await server.run()
  }
}
