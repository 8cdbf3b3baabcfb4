/// The look of the pages. The choice is kept in a cookie of this browser, so that a field unit that
/// is carried outdoors can be set for the sun while the office's screen stays as it is.
public enum Theme: String, Sendable, CaseIterable {
  /// Light or dark, with more contrast or not, as the system asks.
  case system
  /// Dark words on a light ground.
  case light
  /// Light words on a dark ground.
  case dark
  /// Black on white with strong edges: readable in direct sunlight.
  case sunlight
}

extension WebRequest {
  /// The theme chosen in this browser; `system` if none was chosen.
  public var theme: Theme {
    cookies[cookieNames.theme].flatMap(Theme.init(rawValue:)) ?? .system
  }
}

extension Routes {
  /// The path to which the choice of a theme is posted. It works without a sign-in.
  static let themePath = "/theme"

  /// Adds the path to which a page posts the choice of a theme; it leads back to the page.
  public mutating func addTheme() {
    post(Self.themePath) { request in
      guard let theme = try await request.form()["theme"].flatMap(Theme.init(rawValue:)) else {
        throw WebProblem.malformedRequest
      }
      // Browsers send a page's address only to its own server; the part after the host is a path.
      let from = request.header("referer").flatMap(Self.path(ofAddress:))
      return WebResponse.redirect(from ?? "/").settingTheme(theme)
    }
  }

  /// Returns the part of an address after scheme and host: `/tasks?text=a` of
  /// `https://office.example/tasks?text=a`; nil if there is none.
  static func path(ofAddress address: String) -> String? {
    guard let scheme = address.firstRange(of: "://") else { return nil }
    let rest = address[scheme.upperBound...]
    return rest.firstIndex(of: "/").map { String(rest[$0...]) }
  }
}

extension PageFrame {
  /// The choice of theme and language at the foot of a page, and the theme that is chosen now.
  public struct ThemeChoice: Sendable {
    let theme: Theme
    let form: HTML?

    /// Creates the choice for one request, in the language of the request.
    ///
    /// A page that answers a form has no choice: its address cannot be loaded again, and the words
    /// that a person has written there would be lost.
    /// - Parameter isOffered: false for a page without the choice at its foot, because a page of
    ///   settings has it.
    public init(for request: WebRequest, isOffered: Bool = true) {
      theme = request.theme
      guard isOffered, request.method == "GET", !request.formToken.isEmpty else {
        form = nil
        return
      }
      let t = Texts.current
      let name = t("Appearance")
      let buttons = Self.themes(request, style: "button quiet")
      form = """
        <footer class="foot"><form method="post" action="\(Routes.themePath)" aria-label="\(name)">\
        \(request.formField)<span aria-hidden="true">\(name)</span>\(buttons)</form>\
        \(Self.languages(request))\(Self.zone(t))</footer>

        """
    }

    /// Returns the line that names the zone of the page's times. A script fills and shows it.
    private static func zone(_ t: Texts) -> HTML {
      """
      <p class="zone muted" data-zone="\(t("Local time ({1}). Point at a time to see it in UTC."))" hidden></p>
      """
    }

    /// Returns the choices for a page of settings, where they are large and under headings of their
    /// own.
    public static func sections(for request: WebRequest) -> HTML {
      let t = Texts.current
      return """
        <h3>\(t("Theme"))</h3>
        <form method="post" action="\(Routes.themePath)" aria-label="\(t("Theme"))">\(request.formField)\
        <p class="actions">\(themes(request, style: "button"))</p></form>
        <h3>\(t("Language"))</h3>
        <form method="post" action="\(Routes.languagePath)" aria-label="\(t("Language"))">\(request.formField)\
        <p class="actions">\(languages(request, style: "button"))</p></form>
        """
    }

    /// Returns the themes as buttons; the one that is chosen is pressed.
    private static func themes(_ request: WebRequest, style: String) -> [HTML] {
      let t = Texts.current
      let titles: [Theme: String] = [
        .system: t("Same as system"), .light: t("Light"), .dark: t("Dark"),
        .sunlight: t("Sunlight"),
      ]
      return Theme.allCases.map { theme in
        """
        <button class="\(style)" name="theme" value="\(theme.rawValue)" \
        aria-pressed="\(theme == request.theme ? "true" : "false")">\(titles[theme] ?? "")</button>
        """
      }
    }

    /// Returns the languages as buttons: each under its own name.
    private static func languages(_ request: WebRequest, style: String) -> [HTML] {
      let current = Texts.current.language
      return Texts.languages.map { texts in
        """
        <button class="\(style)" name="language" value="\(texts.language)" lang="\(texts.language)" \
        aria-pressed="\(texts.language == current ? "true" : "false")">\(texts.ownName)</button>
        """
      }
    }

    /// Returns the form for the choice of a language.
    private static func languages(_ request: WebRequest) -> HTML {
      let t = Texts.current
      let name = t("Language")
      return """
        <form method="post" action="\(Routes.languagePath)" aria-label="\(name)">\(request.formField)\
        <span aria-hidden="true">\(name)</span>\(languages(request, style: "button quiet"))</form>
        """
    }
  }
}
