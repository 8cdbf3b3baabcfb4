import Evidence
import FieldUnit
import Foundation
import Guide
import Store
import TimeAndText
import Upkeep
import Web

/// The pages about the program, and the support bundle.
struct AboutPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldTrouble

  func add(to routes: inout Routes) {
    routes.get("/about") { request in try await reading(request) { about($0) } }
    routes.get("/about/support") { request in
      try await reading(request) { reader in
        supportPage(reader, await server.supportBundle())
      }
    }
    routes.get("/about/support.zip") { request in
      try await reading(request) { _ in
        let bundle = await server.supportBundle()
        let folder = DataFolder(dataDirectory: server.configuration.dataDirectory).staging
        do {
          return .bytes(
            try bundle.bytes(in: folder), mediaType: "application/zip",
            fileName: "standpoint-support-\(bundle.made.rfc3339.prefix(10)).zip",
            isAttachment: true
          ).setting(header: "Cache-Control", to: "no-store")
        } catch let error as EvidenceError {
          throw FieldUnitError.unwritable(path: folder, reason: "\(error)")
        }
      }
    }
  }

  /// The libraries of other authors in this program, each with its licence.
  private static let libraries: [(name: String, licence: String)] = [
    ("Swift, Foundation", "Apache-2.0 with Swift's exception"),
    ("SwiftNIO, swift-nio-ssl, swift-crypto, swift-certificates, swift-asn1", "Apache-2.0"),
    ("swift-log, swift-http-types, swift-service-lifecycle, AsyncHTTPClient", "Apache-2.0"),
    ("swift-argument-parser, swift-system, swift-subprocess", "Apache-2.0 with Swift's exception"),
    ("Hummingbird", "Apache-2.0"), ("GRDB.swift", "MIT"), ("SQLite", "public domain"),
    ("libgps (gpsd)", "BSD-2-Clause"), ("GeographicLib", "MIT"),
    ("libjpeg-turbo", "IJG and BSD-3-Clause"),
    ("libzip", "BSD-3-Clause"), ("zlib", "Zlib"), ("libharu", "Zlib"),
    ("libqrencode", "LGPL-2.1-or-later"), ("libzbar", "LGPL-2.1-or-later"),
    ("cmark-gfm", "BSD-2-Clause"),
    ("libbluetooth (BlueZ)", "GPL-2.0-or-later"), ("libdbus", "AFL-2.1 or GPL-2.0-or-later"),
    ("Leaflet", "BSD-2-Clause"), ("DejaVu Sans", "Bitstream Vera"),
  ]

  private func about(_ reader: Reader) -> WebResponse {
    let machine = MachineDescription.current
    let sizes = DataSizes(dataDirectory: server.configuration.dataDirectory)
    let rows = sizes.folders.map { folder -> HTML in
      """
      <tr><th scope="row"><code>\(folder.name)</code></th>
      <td class="number" data-label="\(t("Files"))">\(folder.files)</td>
      <td class="number" data-label="\(t("Size"))">\(Self.size(folder.bytes))</td></tr>
      """
    }
    let libraries = Self.libraries.map {
      "<dt>\($0.name)</dt><dd>\($0.licence)</dd>" as HTML
    }
    return page(
      t("About"), reader, current: "/",
      """
      <h1>\(t("About"))</h1>
      <section class="card"><h2>Standpoint</h2>\(HTML.facts([
        (t("Software version"), .text(server.configuration.software)),
        (t("Licence"), .text(t("GPL-3.0-or-later: you may use, study, share and change it, and so may everyone you give it to"))),
        (t("Device"), .text(machine.device ?? t("not known"))), (t("System"), .text(machine.system)),
      ]))</section>
      <section class="card"><h2>\(t("Help"))</h2>
      <p class="actions"><a class="button" href="/help">\(t("Open the guide"))</a></p>
      <p>\(t("Support may ask you for a support bundle: the program's log and settings in one file, without keys, passwords, photos, positions or names. You see all of it before it is made."))</p>
      <p class="actions"><a class="button primary" href="/about/support">\(t("Support bundle"))</a>
      <a class="button" href="/start">\(t("First start"))</a></p></section>
      <section class="card"><h2>\(t("Data directory"))</h2>
      <p><code class="digest">\(server.configuration.dataDirectory.path)</code></p>
      <table class="list"><thead><tr><th scope="col">\(t("Folder"))</th><th scope="col" class="number">\(t("Files"))</th>
      <th scope="col" class="number">\(t("Size"))</th></tr></thead><tbody>\(rows)</tbody></table>
      <p class="muted">\(t("{1} in total. Do not move or change anything in it by hand: the seals would no longer be valid.", Self.size(sizes.bytes)))</p></section>
      <section class="card"><h2>\(t("Third-party software"))</h2>
      <p>\(t("The program uses these libraries, each under its own licence. On Debian the licence texts are in /usr/share/doc."))</p>
      <dl class="facts" lang="en">\(libraries)</dl></section>
      """)
  }

  /// The number of last lines of a log that the page shows; the bundle has all of them.
  private static let shownLines = 100

  private func supportPage(_ reader: Reader, _ bundle: SupportBundle) -> WebResponse {
    let parts = bundle.parts.map { part -> HTML in
      let lines = part.text.split(separator: "\n", omittingEmptySubsequences: false)
      let more: HTML? =
        lines.count > Self.shownLines
        ? "<p class=\"muted\">\(t("and {1} earlier lines", lines.count - Self.shownLines))</p>"
        : nil
      let id = part.path.replacing("/", with: "-").replacing(".", with: "-")
      return """
        <details id="part-\(id)"><summary>\(part.path), \(Self.size(part.text.utf8.count))</summary>\(more)
        <pre class="said" lang="en">\(lines.suffix(Self.shownLines).joined(separator: "\n"))</pre></details>
        """
    }
    return page(
      t("Support bundle"), reader, current: "/",
      """
      <h1>\(t("Support bundle"))</h1>
      <section class="card"><p>\(t("This is everything in the bundle as it is now, in English. It is made again when you press the button. It is not sent anywhere: you pass it on yourself."))</p>
      <p>\(t("Not included: keys, passwords, tokens, photos, tracks, positions, tasks, and people's names. If the log contained one of them, [secret], [long] or [name] stands in its place."))</p>
      \(parts)
      <p class="actions"><a class="button primary" href="/about/support.zip">\(t("Create bundle"))</a>
      <a class="button quiet" href="/about">\(t("Back"))</a></p></section>
      """)
  }
}
