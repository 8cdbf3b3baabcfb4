import FieldUnit
import Web

/// The page that explains a problem.
struct ProblemPage: FieldPage {
  let server: FieldServer

  func html(_ problem: Problem, _ request: WebRequest) -> HTML {
    PageFrame.html(
      title: t.title(of: problem), side: .field, language: t.language, navigation: [], person: nil,
      signOut: nil, banner: banner, notices: [],
      main: """
        <section class="card"><h1>\(t.title(of: problem))</h1><p>\(t.detail(of: problem))</p>
        <p class="muted">\(t("Code")) <code>\(problem.code)</code>
        · \(t("Request")) <code>\(request.id)</code></p>
        <p class="actions"><a class="button primary" href="/">\(t("Home"))</a></p></section>
        """, themes: PageFrame.ThemeChoice(for: request, isOffered: false),
      scripts: [AppScript.asset.href],
      styleSheets: [FieldStyle.asset.href], manifest: AppManifest.path)
  }
}
