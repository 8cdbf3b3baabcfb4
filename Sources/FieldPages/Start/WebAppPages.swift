import FieldUnit
import Guide
import Web

/// The files that make the pages an app: manifest, icons, service worker.
struct WebAppPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldTrouble

  /// Adds the files that make the pages an app on the device: its name and icons, and the page
  /// shown while the field unit does not run. They need no sign-in.
  func add(to routes: inout Routes) {
    routes.get("/manifest.webmanifest") { _ in
      WebResponse.bytes(Array(AppManifest.text.utf8), mediaType: "application/manifest+json")
        .setting(header: "Cache-Control", to: "no-cache")
    }
    routes.get("/service-worker.js") { _ in
      WebResponse.bytes(
        Array(ServiceWorker.text.utf8), mediaType: "text/javascript; charset=utf-8"
      )
      .setting(header: "Cache-Control", to: "no-cache")
      // The service worker asks this server only, and holds no page.
      .setting(
        header: "Content-Security-Policy", to: "default-src 'none'; connect-src 'self'")
    }
    routes.get("/assets/app-192.png") { _ in try Self.picture(192) }
    routes.get("/assets/app-512.png") { _ in try Self.picture(512) }
    for asset in [AppScript.asset, SensesScript.asset, FieldStyle.asset, WaitingScript.asset] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
    routes.get("/not-running") { request in .page(notRunning(request)) }
  }

  private static func picture(_ side: Int) throws -> WebResponse {
    WebResponse.bytes(try AppIcon.bytes(side: side), mediaType: "image/png")
      .setting(header: "Cache-Control", to: "public, max-age=86400")
  }

  /// Returns the page that the browser keeps and shows while nothing answers. It holds no data of
  /// any person.
  private func notRunning(_ request: WebRequest) -> HTML {
    PageFrame.html(
      title: t("The program does not answer"), side: .field, language: t.language, navigation: [],
      person: nil, signOut: nil, help: help.href, notices: [],
      main: """
        <section class="card not-running"><h1>\(t("The program does not answer"))</h1>
        <p>\(t("Nothing is lost: everything captured is on the disk. Start the field unit again; this page continues by itself as soon as the field unit answers."))</p>
        <p>\(t("In a terminal of this device:"))</p>
        <p><code>systemctl --user start standpoint-field</code></p>
        <p class="actions"><a class="button primary" href="/">\(t("Try again"))</a></p></section>
        """, scripts: [WaitingScript.asset.href], styleSheets: [FieldStyle.asset.href])
  }
}
