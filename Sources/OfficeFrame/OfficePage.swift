import Evidence
import Exports
import Foundation
import Guide
import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

/// A group of pages of the office. The extension has the things that all pages need: finding the
/// visitor, the frame, and small parts.
package protocol OfficePage: Sendable {
  /// The services that the pages show and ask.
  var office: OfficeServer { get }
  /// The part of the guide to which the pages lead.
  var help: GuidePart { get }
}

/// A visitor who looks at a page of an agency.
package struct PageReader: Sendable {
  package var visitor: Visitor
  /// The name of the agency; empty for a super-administrator, who belongs to none.
  package var agency: String
  package var request: WebRequest

  /// Creates a visitor who looks at a page.
  package init(visitor: Visitor, agency: String, request: WebRequest) {
    (self.visitor, self.agency, self.request) = (visitor, agency, request)
  }

  package var role: Role { visitor.account.role }
  /// The login whose things alone are shown: inspectors see their own. Nil if all things of the
  /// agency are shown.
  package var own: String? { role == .inspector ? visitor.account.login : nil }
}

extension OfficePage {
  package typealias Reader = PageReader

  /// The texts in the language of the current request.
  package var t: Texts { .current }

  /// The added services that show something on these pages.
  package var additions: [any PageAddition] {
    office.services.compactMap { $0 as? any PageAddition }
  }

  // MARK: frames

  /// Returns a page for a signed-in visitor, with the notice about the previous page's action.
  /// - Parameter part: the part of the guide for this page; nil if it is that of its group.
  package func page(
    _ title: String, _ reader: PageReader, current: String, help part: GuidePart? = nil,
    notices: [PageFrame.Notice] = [],
    undo: HTML? = nil, status: Int = 200, scripts: [String] = [], styles: [String] = [],
    _ main: HTML
  ) -> WebResponse {
    .page(
      framed(
        title, reader, current: current, help: part,
        notices: notices + flash(reader.request, undo),
        scripts: scripts, styles: styles, main), status: status)
  }

  /// Returns a page for a signed-in visitor, with the navigation to all other pages above it.
  package func framed(
    _ title: String, _ reader: PageReader, current: String? = nil, help part: GuidePart? = nil,
    notices: [PageFrame.Notice] = [],
    scripts: [String] = [], styles: [String] = [], _ main: HTML
  ) -> HTML {
    let governs = reader.role == .superAdministrator
    let sees = reader.own == nil
    let links: [(String, String, Bool)] =
      governs
      ? [(t("Agencies"), "/agencies", true)]
      : [
        (t("Tasks"), "/tasks", true), (t("Map"), "/map", sees),
        (t("Photos without a task"), "/photos", true), (t("Photo points"), "/points", sees),
        (t("Composites"), "/composites", sees),
        (t("Tracks"), "/tracks", true), (t("Sets of pictures"), "/sets", true),
        (t("Statistics"), "/statistics", sees), (t("Inspectors"), "/inspectors", sees),
        (t("People"), "/people", reader.role == .administrator),
        (t("Policy"), "/policy", reader.role == .administrator),
        (t("Base maps"), "/base-maps", reader.role == .administrator),

      ] + additions.flatMap { $0.links(for: reader, t) }.map { ($0.title, $0.href, true) }
        + [(t("Log"), "/log", sees)]
    return PageFrame.html(
      title: title, side: .office, language: t.language,
      navigation: links.filter(\.2).map {
        PageFrame.Link(title: $0.0, href: $0.1, isCurrent: $0.1 == current)
      }, person: (reader.visitor.account.title, "/account"),
      signOut: (href: "/sign-out", label: t("Sign out"), formToken: reader.request.formToken),
      help: (sees ? part ?? help : .ownThings).href, banner: banner, notices: notices, main: main,
      themes: PageFrame.ThemeChoice(for: reader.request), scripts: scripts, styleSheets: styles)
  }

  /// Returns a page for a visitor who is not signed in.
  package func outside(
    _ request: WebRequest, title: String, notices: [PageFrame.Notice] = [], styles: [String] = [],
    _ main: HTML
  ) -> HTML {
    PageFrame.html(
      title: title, side: .office, language: t.language, navigation: [], person: nil,
      signOut: nil, help: help.href, banner: banner, notices: notices, main: main,
      themes: PageFrame.ThemeChoice(for: request), styleSheets: styles)
  }

  /// Returns the notice about the action of the previous page; the address names only which of the
  /// fixed texts it is.
  /// - Parameter undo: the form that undoes that action; nil if it cannot be undone.
  private func flash(_ request: WebRequest, _ undo: HTML?) -> [PageFrame.Notice] {
    let words: [String: String] = [
      "accepted": t("The task is accepted."),
      "declined": t("The task is declined."),
      "returned": t("The task went back to its inspector."),
      "withdrawn": t("The task is withdrawn."),
      "dataProvided": t("You can decide on the task again."),
      "undone": t("Undone. No device has heard of the decision."),
      "reasons": t("Saved. Officers see the reasons at once."),
      "ordered": t("The task is ordered. The inspector gets it at the next contact."),
      "orderedEach": t(
        "The tasks are ordered, one for each inspector. They get them at their next contact."),
      "changed": t("The order is changed. The earlier order is kept."),
      "saved": t("Saved."),
      "composite": t("The composite is made. It says so in the picture."),
      "composite-removed": t("The composite is removed. Both photos stay."),
      "assigned": t("The photo now belongs to this task. Its sealed record is unchanged."),
      "moved": t("Moved. The photo itself is unchanged."),
      "unassigned": t("The photo has no task again."),
      "password": t("Your password is changed. You are signed out everywhere else."),
      "elsewhere": t("You are signed out everywhere else."),
      "session": t("You are signed out there."),
      "nothing": t("Select tasks in the list first."),
      "photos": t("Select photos in the list first."),
      "point": t("The photo point is made."),
      "pointSaved": t("The photo point is changed."),
      "pointWithdrawn": t("The photo point is withdrawn. You can bring it back below."),
      "pointBack": t("The photo point is back."),
      "nopoints": t("Select photo points in the list first."),
      "hidden": t("Hidden, not deleted. You can show it again."),
      "shown": t("Visible again."),
      "imported": t("The file is imported."),
      "template": t("The template is kept. New orders of its type ask for its items."),
      "templateSame": t("Nothing has changed: no new version was made."),
      "policy": t("Saved. Field units get it at their next contact."),
    ]
    guard let done = request.query["done"],
      let text = words[done] ?? additions.lazy.compactMap({ $0.words(forDone: done, t) }).first
    else { return [] }
    return [PageFrame.Notice(kind: .success, text: text, action: undo)]
  }

  package var banner: HTML? {
    office.configuration.isDemonstration
      ? "<p class=\"demonstration\">\(t("Demonstration: everything here is made up, and every record says so."))</p>"
      : nil
  }

  // MARK: the visitor

  /// Calls `body` with the signed-in visitor; without a session, a GET request is redirected to the
  /// sign-in page.
  private func signedIn(
    _ request: WebRequest, _ body: (Visitor) async throws -> WebResponse
  ) async throws -> WebResponse {
    try await office.requests.answering {
      let visitor: Visitor
      do {
        visitor = try await office.sessions.visitor(withToken: request.sessionToken)
      } catch let refusal
        where [.sessionMissing, .sessionExpired].contains((refusal as? OfficeRefusal)?.kind)
        && request.method == "GET"
      {
        let reason =
          (refusal as? OfficeRefusal)?.kind == .sessionExpired ? "&reason=expired" : ""
        return .redirect("/sign-in?to=\(AddressText.escaped(AddressText.of(request)))\(reason)")
          .clearingSession()
      }
      return try await body(visitor)
    }
  }

  /// Calls `body` with the reader of an agency's page.
  /// - Parameter isOwn: true if inspectors may see the page, too: the page then reads through
  ///   `PageReader.own`, and only shows data.
  /// - Throws: `OfficeRefusal` (role-forbidden) if the visitor belongs to no agency, is a device,
  ///   or is an inspector and `isOwn` is false.
  package func reading(
    _ request: WebRequest, own isOwn: Bool = false, _ body: (PageReader) async throws -> WebResponse
  ) async throws -> WebResponse {
    try await signedIn(request) { visitor in
      guard let agency = visitor.account.agency, visitor.key == nil else {
        throw OfficeRefusal(
          .roleForbidden,
          "this page is for an agency's officers and administrators; find agencies under /agencies"
        )
      }
      guard isOwn || visitor.account.role != .inspector else {
        throw OfficeRefusal(
          .roleForbidden,
          "this page is for officers; inspectors see their own tasks, photos and tracks here")
      }
      let reader = PageReader(visitor: visitor, agency: agency, request: request)
      return try await office.database.near { try await body(reader) }
    }
  }

  /// Calls `body` with any visitor who is signed in in a browser, including super-administrators
  /// and inspectors.
  package func anybody(
    _ request: WebRequest, _ body: (PageReader) async throws -> WebResponse
  ) async throws -> WebResponse {
    try await signedIn(request) { visitor in
      guard visitor.key == nil else {
        throw OfficeRefusal(
          .roleForbidden, "this page is for browsers: open it in one and sign in with the password")
      }
      return try await body(
        PageReader(visitor: visitor, agency: visitor.account.agency ?? "", request: request))
    }
  }

  package func requireRole(_ role: Role, _ reader: PageReader) throws {
    try OfficeRefusal.require(role, of: reader.role)
  }

  package func identifier(_ request: WebRequest) throws -> Identifier {
    guard let id = request.parameters["id"].flatMap(Identifier.init(_:)) else {
      throw OfficeRefusal(.unknown, "there is nothing at this address")
    }
    return id
  }

  // MARK: parts of pages

  package func state(_ state: TaskState) -> HTML {
    "<span class=\"state state-\(state.rawValue)\">\(t(state.title))</span>"
  }

  /// Returns two badges: the first says if a photo is authentic, by its seal, the second if it is
  /// fit to decide upon. A photo without a verdict gets one badge, which says that it is still
  /// being checked.
  package func badges(_ received: ReceivedPhoto) -> HTML {
    guard let verdict = received.verdict else {
      return "<span class=\"verdict-incomplete\">\(t("being checked"))</span>"
    }
    let word = verdict == .intact ? t("authentic") : t("evidence {1}", t(verdict.rawValue))
    let suitability = Suitability(received.photo, checks: received.checks)
    let fit: HTML =
      suitability.isSuitable
      ? "<span class=\"verdict-intact\">\(t("suitable"))</span>"
      : """
      <span class="verdict-doubtful">\(t("check: {1}", suitability.reasons.map { t($0.wording) }.joined(separator: ", ")))</span>
      """
    // Phones of the predecessor's app seal nothing and get no receipt.
    let standing: HTML? =
      verdict == .intact && received.photo.origin != .egnss4cap
      ? received.photo.delivered.map {
        " title=\"\(t("Seal and chain hold; the office gave its receipt on {1}", Self.time($0)))\""
      } : nil
    return "<span class=\"verdict-\(verdict.rawValue)\"\(standing)>\(word)</span> \(fit)"
  }

  /// Returns a moment in UTC, for titles, options and other text that cannot be made local.
  package static func time(_ time: DeviceTime) -> String { Texts.current.moment(time) }

  /// Returns the links to the previous and the next page of a list; empty if there is only one
  /// page.
  package func pager(_ number: Int, of pages: Int, _ address: (Int) -> String) -> HTML {
    Pager(number, of: pages).links(t, address) ?? ""
  }
}
