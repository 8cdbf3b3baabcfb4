/// The frame of every page: one document, readable without script, with the same landmarks in the
/// same order everywhere.
public struct PageFrame: Sendable {
  /// The side that a page belongs to; `body` carries its name as its class.
  public enum Side: String, Sendable, CaseIterable {
    /// The field unit: a small screen outdoors, used with gloves.
    case field
    /// The office: a screen at a desk, with dense pages, used with the keyboard.
    case office
  }

  /// An entry of the navigation.
  public struct Link: Sendable, Hashable {
    /// The words of the entry.
    public let title: String
    /// A path of this server.
    public let href: String
    /// True if the entry leads to the page that is shown.
    public let isCurrent: Bool
    /// A drawing beside the words, which says nothing that they do not say; nil for none.
    public let icon: HTML?

    /// Creates an entry.
    public init(title: String, href: String, isCurrent: Bool, icon: HTML? = nil) {
      self.title = title
      self.href = href
      self.isCurrent = isCurrent
      self.icon = icon
    }

    /// Creates an entry without labels.
    public init(_ title: String, _ href: String, _ isCurrent: Bool = false) {
      self.init(title: title, href: href, isCurrent: isCurrent)
    }
  }

  /// A message above the contents.
  public struct Notice: Sendable, Hashable {
    /// The meaning of a message, shown by sign, word order and colour together.
    public enum Kind: String, Sendable, CaseIterable {
      /// The action is done.
      case success
      /// The action is done or possible, but needs a look.
      case warning
      /// The action is not done.
      case error
      /// Information that is good to know.
      case note
    }

    /// The meaning of the message.
    public let kind: Kind
    /// The words of the message.
    public let text: String
    /// A form behind the words, to do something about the message; nil for none.
    public let action: HTML?

    /// Creates a message.
    public init(kind: Kind, text: String, action: HTML? = nil) {
      self.kind = kind
      self.text = text
      self.action = action
    }

    /// The message as a piece of a page.
    public var html: HTML {
      let role: HTML = kind == .error ? "alert" : "status"
      guard let action else {
        return """
          <p class="notice notice-\(kind.rawValue)" role="\(role)">\(text)</p>
          """
      }
      return """
        <div class="notice notice-\(kind.rawValue)"><p role="\(role)">\(text)</p>\(action)</div>
        """
    }
  }

  /// Returns the whole document.
  ///
  /// `help` is the path of the page's part of the guide; without it the page leads to none.
  /// `banner` is placed directly under the bar of every page; its words are in the language of the
  /// request. `refreshSeconds` reloads the page at that interval in a browser without scripts.
  /// `scripts` and `styleSheets` are paths of this server, for pages that need more than the
  /// library's own. Without `themes` a page looks as the system asks, and offers no choice.
  /// `manifest` is the path of the file that makes the pages installable as a program of their own.
  public static func html(
    title: String, side: Side, language: String, navigation: [Link],
    person: (name: String, href: String?)? = nil,
    signOut: (href: String, label: String, formToken: String)? = nil, help: String? = nil,
    banner: HTML? = nil, notices: [Notice] = [], main: HTML, refreshSeconds: Int? = nil,
    product: String = "Standpoint",
    themes: ThemeChoice? = nil, scripts: [String] = [],
    styleSheets: [String] = [], manifest: String? = nil
  ) -> HTML {
    let refresh: HTML? = refreshSeconds.map {
      "<noscript><meta http-equiv=\"refresh\" content=\"\($0)\"></noscript>\n"
    }
    let theme = themes?.theme ?? .system
    let t = Texts.current
    let chosen: HTML? =
      theme == .system ? nil : " data-theme=\"\(theme.rawValue)\""
    return """
      <!DOCTYPE html>
      <html lang="\(language)"\(chosen)>
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
      <meta name="color-scheme" content="\(colourScheme(of: theme))">
      <title>\(title) – \(product)</title>
      <link rel="icon" href="\(Asset.icon.href)" type="image/svg+xml">
      \(manifest.map { "<link rel=\"manifest\" href=\"\($0)\">\n" as HTML })\
      <link rel="stylesheet" href="\(Asset.styleSheet.href)">
      \(styleSheets.map { "<link rel=\"stylesheet\" href=\"\($0)\">\n" as HTML })\
      <script type="module" src="\(Asset.liveScript.href)"></script>
      \(scripts.map { "<script type=\"module\" src=\"\($0)\"></script>\n" as HTML })\
      \(refresh)\
      </head>
      <body class="\(side.rawValue)">
      <a class="skip" href="#main">\(t("Skip to content"))</a>
      \(bar(navigation, person, signOut, help, product, t))
      \(banner.map { "<aside aria-label=\"\(t("About this page"))\">\($0)</aside>" as HTML })
      <main id="main" tabindex="-1">
      \(notices.isEmpty ? nil : "<div class=\"notices\">\(notices.map(\.html))</div>\n" as HTML)\
      \(main)
      </main>
      \(themes?.form)\
      \(person == nil ? nil : takeAway(t))\
      </body>
      </html>

      """
  }

  /// Returns the dialog that is shown while a file is being made.
  private static func takeAway(_ t: Texts) -> HTML {
    """
    <dialog class="take-away" data-take-away aria-label="\(t("A file"))" \
    data-making="\(t("Preparing the file."))" data-coming="\(t("The download is starting."))" \
    data-failed="\(t("The file did not arrive completely, and nothing was saved: try again."))">\
    <p data-take-words role="status"></p><progress aria-label="\(t("A file"))"></progress>\
    <form method="dialog"><button class="button">\(t("Stop"))</button></form></dialog>

    """
  }

  /// Returns the colour scheme for the browser's own parts, such as scroll bars and fields.
  private static func colourScheme(of theme: Theme) -> String {
    switch theme {
    case .system: "light dark"
    case .light, .sunlight: "light"
    case .dark: "dark"
    }
  }

  private static func bar(
    _ navigation: [Link], _ person: (name: String, href: String?)?,
    _ signOut: (href: String, label: String, formToken: String)?, _ help: String?,
    _ product: String, _ t: Texts
  ) -> HTML {
    let links = navigation.map { link -> HTML in
      let current: HTML = link.isCurrent ? " aria-current=\"page\"" : ""
      let words: HTML = link.icon.map { "\($0)<span>\(link.title)</span>" } ?? .text(link.title)
      return "<li><a href=\"\(link.href)\"\(current)>\(words)</a></li>"
    }
    let list: HTML? =
      links.isEmpty
      ? nil : "<nav aria-label=\"\(t("Main navigation"))\"><ul>\(links)</ul></nav>"
    let out: HTML? = signOut.map {
      """
      <form method="post" action="\($0.href)"><input type="hidden" name="csrf" \
      value="\($0.formToken)"><button class="button quiet">\($0.label)</button></form>
      """
    }
    let name: HTML? = person.map { name, href in
      href.map { "<a class=\"person\" href=\"\($0)\">\(name)</a>" }
        ?? "<span class=\"person\">\(name)</span>"
    }
    let guide: HTML? = help.map { "<a class=\"help\" href=\"\($0)\">\(t("Help"))</a>" }
    let who: HTML? =
      person == nil && signOut == nil && help == nil
      ? nil : "<div class=\"who\">\(guide)\(name)\(out)</div>"
    return """
      <header class="bar"><a class="brand" href="/">\(mark)<span>\(product)</span></a>\(list)\(who)</header>
      """
  }

  /// The icon again, in the colour of the text.
  private static let mark: HTML = """
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><circle cx="16" cy="16" r="10"/>\
    <path d="M16 1v8M16 23v8M1 16h8M23 16h8"/><circle class="dot" cx="16" cy="16" r="3"/></svg>
    """
}
