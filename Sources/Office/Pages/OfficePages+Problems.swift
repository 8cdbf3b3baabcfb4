import Foundation
import Inspection
import Store
import Web

extension OfficePages {
  /// The page that says a problem. Whoever is signed in goes on from there as from any other.
  func problem(_ problem: Problem, _ request: WebRequest) -> HTML {
    let title = t.title(of: problem)
    let reader = signedIn(request)
    let way =
      problem.status == 401
      ? (href: "/sign-in", words: t("Sign in"))
      : reader?.role == .superAdministrator
        ? (href: "/agencies", words: t("To the agencies"))
        : (href: "/tasks", words: t("To the tasks"))
    let main: HTML = """
      <section class="card"><h1>\(title)</h1><p>\(t.detail(of: problem))</p>
      <p class="muted">\(t("Code")) <code>\(problem.code)</code>
      · \(t("Request")) <code>\(request.id)</code></p>
      <p class="actions"><a class="button primary" href="\(way.href)">\(way.words)</a></p></section>
      """
    if let reader { return framed(title, reader, main) }
    return PageFrame.html(
      title: title, side: .office, language: t.language, navigation: [], person: nil,
      signOut: nil, banner: banner, notices: [], main: main,
      themes: PageFrame.ThemeChoice(for: request))
  }

  /// Whoever may look at these pages; nil also where that cannot be found out, which may be the problem.
  private func signedIn(_ request: WebRequest) -> Reader? {
    guard let visitor = try? office.visitor(withToken: request.sessionToken), visitor.key == nil,
      visitor.account.role != .inspector
    else { return nil }
    return Reader(visitor: visitor, agency: visitor.account.agency ?? "", request: request)
  }
}
