/// How pages look. What somebody chooses is kept in a cookie of this browser, so that a field unit that
/// is carried outdoors can be set for the sun while the office's screen stays as it is.
public enum Theme: String, Sendable, CaseIterable {
  /// Light or dark, with more contrast or not: whatever the system asks for.
  case system
  /// Dark words on a light ground.
  case light
  /// Light words on a dark ground.
  case dark
  /// Black on white with strong edges: readable in direct sunlight.
  case sunlight
}

extension WebRequest {
  /// What was chosen in this browser; `system` where nothing was.
  public var theme: Theme {
    cookies[cookieNames.theme].flatMap(Theme.init(rawValue:)) ?? .system
  }
}

extension Routes {
  /// Where the choice of a page's theme is posted to. It needs nobody to be signed in.
  static let themePath = "/theme"

  /// Takes the choice that stands at the foot of each page, and leads back to the page.
  public mutating func addTheme() {
    post(Self.themePath) { request in
      guard let theme = try await request.form()["theme"].flatMap(Theme.init(rawValue:)) else {
        throw WebProblem.malformedRequest
      }
      // Browsers tell our own pages' addresses to ourselves; the rest of an address is a path here.
      let from = request.header("referer").flatMap(Self.path(ofAddress:))
      return WebResponse.redirect(from ?? "/").settingTheme(theme)
    }
  }

  /// What stands behind scheme and host: `/tasks?text=a` of `https://office.example/tasks?text=a`.
  static func path(ofAddress address: String) -> String? {
    guard let scheme = address.firstRange(of: "://") else { return nil }
    let rest = address[scheme.upperBound...]
    return rest.firstIndex(of: "/").map { String(rest[$0...]) }
  }
}

extension PageFrame {
  /// The choice of a theme at the foot of a page, and what is chosen now.
  public struct ThemeChoice: Sendable {
    let theme: Theme
    let form: HTML?

    /// The choice for one request, in the words of whoever asks.
    ///
    /// A page that answers a form has no choice: its address cannot be loaded again, and what somebody
    /// has written there would be gone.
    public init(for request: WebRequest) {
      theme = request.theme
      guard request.method == "GET", !request.formToken.isEmpty else {
        form = nil
        return
      }
      let t = Texts.current
      let name = t("Look of the pages")
      let buttons = Self.themes(request, style: "button quiet")
      form = """
        <footer class="foot"><form method="post" action="\(Routes.themePath)" aria-label="\(name)">\
        \(request.formField)<span aria-hidden="true">\(name)</span>\(buttons)</form>\
        \(Self.languages(request))</footer>

        """
    }

    /// The same choices for a page of settings, where they are large and under headings of their own. Their
    /// names differ from those at the foot: two landmarks of one name cannot be told apart.
    public static func sections(for request: WebRequest) -> HTML {
      let t = Texts.current
      return """
        <h3>\(t("Theme"))</h3>
        <form method="post" action="\(Routes.themePath)" aria-label="\(t("Settings")): \(t("Theme"))">\(request.formField)\
        <p class="actions">\(themes(request, style: "button"))</p></form>
        <h3>\(t("Language"))</h3>
        <form method="post" action="\(Routes.languagePath)" aria-label="\(t("Settings")): \(t("Language"))">\(request.formField)\
        <p class="actions">\(languages(request, style: "button"))</p></form>
        """
    }

    /// The themes as buttons; the one that is chosen is pressed.
    private static func themes(_ request: WebRequest, style: String) -> [HTML] {
      let t = Texts.current
      let titles: [Theme: String] = [
        .system: t("As the system"), .light: t("Light"), .dark: t("Dark"), .sunlight: t("Sunlight"),
      ]
      return Theme.allCases.map { theme in
        """
        <button class="\(style)" name="theme" value="\(theme.rawValue)" \
        aria-pressed="\(theme == request.theme ? "true" : "false")">\(titles[theme] ?? "")</button>
        """
      }
    }

    /// The languages as buttons: each under its own name.
    private static func languages(_ request: WebRequest, style: String) -> [HTML] {
      let current = Texts.current.language
      return Texts.languages.map { texts in
        """
        <button class="\(style)" name="language" value="\(texts.language)" lang="\(texts.language)" \
        aria-pressed="\(texts.language == current ? "true" : "false")">\(texts.ownName)</button>
        """
      }
    }

    /// The choice of a language, there only where there is one to choose.
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
