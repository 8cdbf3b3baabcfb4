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
      let current = request.theme
      let name = t("Look of the pages")
      let titles: [Theme: String] = [
        .system: t("As the system"), .light: t("Light"), .dark: t("Dark"), .sunlight: t("Sunlight"),
      ]
      let buttons = Theme.allCases.map { theme -> HTML in
        """
        <button class="button quiet" name="theme" value="\(theme.rawValue)" \
        aria-pressed="\(theme == current ? "true" : "false")">\(titles[theme] ?? "")</button>
        """
      }
      form = """
        <footer class="foot"><form method="post" action="\(Routes.themePath)" aria-label="\(name)">\
        \(request.formField)<span aria-hidden="true">\(name)</span>\(buttons)</form>\
        \(Self.languages(request))</footer>

        """
    }

    /// The choice of a language: each under its own name, and there only where there is one to choose.
    private static func languages(_ request: WebRequest) -> HTML {
      let t = Texts.current
      let name = t("Language")
      let buttons = Texts.languages.map { texts -> HTML in
        """
        <button class="button quiet" name="language" value="\(texts.language)" lang="\(texts.language)" \
        aria-pressed="\(texts.language == t.language ? "true" : "false")">\(texts.ownName)</button>
        """
      }
      return """
        <form method="post" action="\(Routes.languagePath)" aria-label="\(name)">\(request.formField)\
        <span aria-hidden="true">\(name)</span>\(buttons)</form>
        """
    }
  }
}
