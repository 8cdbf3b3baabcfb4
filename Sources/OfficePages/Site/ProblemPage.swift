import Foundation
import Guide
import Inspection
import Office
import OfficeFrame
import Store
import Web

/// The page that explains a problem.
package struct ProblemPage: OfficePage {
  package let office: OfficeServer
  package let help = GuidePart.officeTrouble

  /// Returns the page. A signed-in visitor who is no inspector gets the usual navigation on it.
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
    return outside(request, title: title, main)
  }

  /// Returns the signed-in visitor who asks; nil for inspectors and devices, without a session, and
  /// if the session cannot be read, which may be the problem itself.
  private func signedIn(_ request: WebRequest) async -> Reader? {
    let found: Visitor?
    do {
      found = try await office.sessions.visitorIfSignedIn(withToken: request.sessionToken)
    } catch {
      // The page explains a problem already, and this error may be the same one.
      office.configuration.log("who asks cannot be found out: \(error)")
      return nil
    }
    guard let visitor = found, visitor.key == nil, visitor.account.role != .inspector else {
      return nil
    }
    return PageReader(visitor: visitor, agency: visitor.account.agency ?? "", request: request)
  }
}
