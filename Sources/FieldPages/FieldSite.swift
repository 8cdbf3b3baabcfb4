import FieldUnit
import Matching
import Web

/// All addresses that the field unit answers.
extension FieldServer {
  /// Returns the routes of the inspector's pages.
  /// - Parameter matcher: Compares the live picture with an earlier one.
  package func routes(matcher: PictureMatcher = PictureMatcher(program: nil)) -> Routes {
    var routes = Routes()
    WebAppPages(server: self).add(to: &routes)
    SignInPages(server: self).add(to: &routes)
    CodePages(server: self).add(to: &routes)
    HomePages(server: self).add(to: &routes)
    StartPages(server: self).add(to: &routes)
    AboutPages(server: self).add(to: &routes)
    TaskPages(server: self).add(to: &routes)
    CameraPages(server: self, matcher: matcher).add(to: &routes)
    MatchPages(server: self, matcher: matcher).add(to: &routes)
    SentPages(server: self).add(to: &routes)
    NearbyPages(server: self).add(to: &routes)
    LabelPages(server: self).add(to: &routes)
    PointPages(server: self).add(to: &routes)
    TaskPoints(server: self).add(to: &routes)
    RepeatPages(server: self).add(to: &routes)
    PhotoListPages(server: self).add(to: &routes)
    ComposePages(server: self, matcher: matcher).add(to: &routes)
    SetPages(server: self).add(to: &routes)
    OutboxPages(server: self).add(to: &routes)
    SettingsPages(server: self).add(to: &routes)
    MapPages(server: self).add(to: &routes)
    TrackPages(server: self).add(to: &routes)
    ExportPages(server: self).add(to: &routes)
    SkyPages(server: self).add(to: &routes)
    FieldHelpPages(server: self).add(to: &routes)
    routes.addTheme()
    routes.addLanguage()
    return routes
  }

  /// Returns the page that explains a problem.
  package func problemPage(_ problem: Problem, _ request: WebRequest) -> HTML {
    ProblemPage(server: self).html(problem, request)
  }
}
