import Foundation
import Inspection
import Office
import Store
import Web

/// The page that says a problem.
package struct ProblemPage: OfficePage {
  package let office: OfficeServer

  /// Whoever is signed in goes on from there as from any other.
  package func html(_ problem: Problem, _ request: WebRequest) async -> HTML {
    let title = t.title(of: problem)
    let reader = await signedIn(request)
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
  private func signedIn(_ request: WebRequest) async -> Reader? {
    let found: Visitor?
    do {
      found = try await office.visitorIfSignedIn(withToken: request.sessionToken)
    } catch {
      // The page says a problem already, and this may be the same one.
      office.configuration.log("who asks cannot be found out: \(error)")
      return nil
    }
    guard let visitor = found, visitor.key == nil, visitor.account.role != .inspector else {
      return nil
    }
    return PageReader(visitor: visitor, agency: visitor.account.agency ?? "", request: request)
  }
}
