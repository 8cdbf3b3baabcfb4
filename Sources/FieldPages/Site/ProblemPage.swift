import FieldUnit
import Guide
import Web

/// The page that explains a problem.
struct ProblemPage: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldTrouble

  func html(_ problem: Problem, _ request: WebRequest) -> HTML {
    outside(
      request, title: t.title(of: problem), offersThemes: false,
      """
      <section class="card"><h1>\(t.title(of: problem))</h1><p>\(t.detail(of: problem))</p>
      <p class="muted">\(t("Code")) <code>\(problem.code)</code>
      · \(t("Request")) <code>\(request.id)</code></p>
      <p class="actions"><a class="button primary" href="/">\(t("Home"))</a></p></section>
      """)
  }
}
