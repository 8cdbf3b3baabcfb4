import Evidence
import FieldUnit
import Foundation
import Guide
import Inspection
import Positioning
import Store
import Sync
import TimeAndText
import Web

/// A group of pages of the field unit. The extension has the things that all pages need: reading
/// the sign-in, the frame, and small parts.
package protocol FieldPage: Sendable {
  /// The field unit that the pages show.
  var server: FieldServer { get }
  /// The part of the guide to which the pages lead.
  var help: GuidePart { get }
}

/// A signed-in inspector who looks at a page.
package struct PageReader: Sendable {
  package var unit: InspectorUnit
  package var signIn: SignIn
  package var request: WebRequest
}

extension FieldPage {
  package typealias Reader = PageReader

  /// The texts in the language of the current request.
  package var t: Texts { .current }

  // MARK: frames

  /// Returns a page for the signed-in inspector.
  /// - Parameter part: the part of the guide for this page; nil if it is that of its group.
  package func page(
    _ title: String, _ reader: Reader, current: String, help part: GuidePart? = nil,
    notices: [PageFrame.Notice] = [],
    status: Int = 200, refreshSeconds: Int? = nil, scripts: [String] = [], styles: [String] = [],
    _ main: HTML
  ) -> WebResponse {
    let links: [(title: String, href: String, icon: FieldIcon)] = [
      (t("Home"), "/", .home), (t("Tasks"), "/tasks", .task), (t("Camera"), "/camera", .camera),
      (t("Map"), "/map", .map), (t("Outbox"), "/outbox", .outbox),
    ]
    return .page(
      PageFrame.html(
        title: title, side: .field, language: t.language,
        navigation: links.map {
          PageFrame.Link(
            title: $0.title, href: $0.href, isCurrent: $0.href == current, icon: $0.icon.html)
        }, person: (reader.signIn.name ?? reader.signIn.person.login, nil), signOut: nil,
        help: (part ?? help).href, banner: banner,
        notices: notices + flash(reader.request), main: main, refreshSeconds: refreshSeconds,
        themes: PageFrame.ThemeChoice(for: reader.request, isOffered: false),
        scripts: [AppScript.asset.href] + scripts, styleSheets: [FieldStyle.asset.href] + styles,
        manifest: AppManifest.path),
      status: status)
  }

  /// Returns a page for a visitor who is not signed in.
  /// - Parameter offersThemes: false if the page has no choice of theme and language at its foot.
  package func outside(
    _ request: WebRequest, title: String, notice: PageFrame.Notice? = nil, scripts: [String] = [],
    styles: [String] = [], offersThemes: Bool = true, _ main: HTML
  ) -> HTML {
    PageFrame.html(
      title: title, side: .field, language: t.language, navigation: [], person: nil,
      signOut: nil, help: help.href, banner: banner, notices: notice.map { [$0] } ?? [],
      main: main,
      themes: PageFrame.ThemeChoice(for: request, isOffered: offersThemes),
      scripts: [AppScript.asset.href] + scripts, styleSheets: [FieldStyle.asset.href] + styles,
      manifest: AppManifest.path)
  }

  /// Returns the notice about the action of the previous page; the address names only which of the
  /// fixed texts it is.
  private func flash(_ request: WebRequest) -> [PageFrame.Notice] {
    let words: [String: String] = [
      "signed-in": t("You are signed in. You can now work without a network."),
      "opened": t("The task is open."),
      "sent": t("The task is sent: it is locked and waits in the outbox."),
      "taken-back": t("You took it back and can change it again."),
      "noted": t("The note is saved."),
      "deleted": t("Deleted. Its record stays, and says that it was deleted."),
      "queued": t("It is waiting in the outbox."),
      "receiver": t("This receiver is now in use."),
      "compared": t("Compared with the office."), "rule": t("Saved."),
      "paired": t("This phone is paired with the field unit."),
      "lens-set": t("The distance is set for the photos to come."),
      "phone-ended": t("The phone is ended: it sees nothing any more."),
      "recorded": t("The track is finished and sealed."),
      "track-empty": t("The track had no points and was not saved."),
      "reason": t("The reason is saved."),
      "answered": t("All that was asked for is done. You can send the task."),
      "default": t("The default applies again."),
      "composite": t("The composite is made. It says so in the picture."),
      "composite-removed": t("The composite is removed. Both photos stay."),
      "point": t("The photo point is made. The office is told after the next delivery."),
    ]
    guard let done = request.query["done"], let text = words[done] else { return [] }
    return [PageFrame.Notice(kind: .success, text: text)]
  }

  var banner: HTML? {
    server.configuration.isDemonstration
      ? "<p class=\"demonstration\">\(t("Demonstration: everything here is made up, and every record says so."))</p>"
      : nil
  }

  /// Calls `body` with the signed-in reader of a page; if no inspector is signed in, redirects to
  /// the sign-in page. Known errors are thrown as `FieldRefusal`.
  package func reading(
    _ request: WebRequest, _ body: (Reader) async throws -> WebResponse
  ) async throws -> WebResponse {
    do {
      guard let unit = try server.unit(), let signIn = try server.desk.signedIn() else {
        return .redirect("/sign-in")
      }
      return try await body(Reader(unit: unit, signIn: signIn, request: request))
    } catch {
      throw FieldRefusal(of: error) ?? error
    }
  }

  /// Calls `body`; known errors are thrown as `FieldRefusal`.
  func explained<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw FieldRefusal(of: error) ?? error }
  }

  func identifier(_ request: WebRequest) throws -> Identifier {
    try InspectorUnit.identifier(request.parameters["id"] ?? "")
  }

  // MARK: parts of pages

  func contact(_ status: FieldServer.DeliveryStatus) -> HTML {
    guard let words = status.wording, let time = status.time else { return .text(t("not yet")) }
    let style = status.isGood ? "light-good" : "light-warn"
    return """
      <span class="light \(style)"><span class="muted">\(t.time(time)): \(t(words))</span></span>
      """
  }

  func state(_ state: TaskState) -> HTML {
    "<span class=\"state state-\(state.rawValue)\">\(t(state.title))</span>"
  }

  /// Returns a moment in UTC, for titles, options and other text that cannot be made local.
  static func time(_ time: DeviceTime) -> String { Texts.current.moment(time) }

  /// Returns when a photo point's earlier photo was taken; the day if more is not known.
  static func taken(_ point: PhotoPoint) -> String {
    point.isTimeOfDayKnown ? time(point.taken) : Texts.current.form.day(point.taken.date)
  }

  /// Returns a number of bytes for people, in B, kB, MB or GB of powers of 1000.
  static func size(_ bytes: Int) -> String { Texts.current.size(bytes: bytes) }

  func accuracy(_ metres: Double?) -> String {
    metres.map { "± \(t.decimal($0, places: 1)) m" } ?? t("accuracy not known")
  }

  /// Returns the number of points in words.
  func count(points: Int) -> String { points == 1 ? t("1 point") : t("{1} points", points) }

  /// Returns the length of the way, in metres, or in kilometres from 1 km on.
  func length(_ measures: TrackMeasures) -> String {
    measures.lengthMetres < 1000
      ? "\(t.decimal(measures.lengthMetres, places: 1)) m"
      : "\(t.decimal(measures.lengthMetres / 1000, places: 2)) km"
  }

  /// Returns the area with its uncertainty (95 %) in square metres; nil if the track has no area.
  func area(_ measures: TrackMeasures) -> String? {
    measures.areaSquareMetres.map { area in
      let uncertainty = measures.areaUncertaintySquareMetres95.map {
        " ± \(t.decimal($0, places: 0))"
      }
      return "\(t.decimal(area, places: 0))\(uncertainty ?? "") m²"
    }
  }
}
