import BulkActs
import Console
import Enrolment
import FieldInterface
import Inspection
import LogPublishing
import Matching
import Office
import OfficeFrame
import OrderFiles
import Web

/// All addresses that the office answers: the field units' interface under `/api/v1`, the programs'
/// interface, and the officers' pages.
extension OfficeServer {
  /// Returns the routes of the office and of its added services.
  /// - Parameters:
  ///   - firstRun: sets the office up while it is empty; nil for one whose code nobody knows.
  ///   - tlsFingerprint: the SHA-256 of the office's own TLS certificate; nil if it has none.
  ///   - matcher: compares two photos.
  package func routes(
    firstRun: FirstRun? = nil, tlsFingerprint: String? = nil,
    matcher: PictureMatcher = PictureMatcher(program: nil)
  ) -> Routes {
    var routes = Routes()
    let invitations = Invitations(of: self)
    DeviceRoutes(office: self, invitations: invitations).add(to: &routes)
    OrderFileRoutes(office: self).add(to: &routes)
    ConsoleRoutes(office: self).add(to: &routes)
    OperationRoutes(office: self).add(to: &routes)
    LogRoutes(office: self).add(to: &routes)
    addPages(to: &routes, firstRun ?? FirstRun(of: self))
    ComparePages(office: self, matcher: matcher).add(to: &routes)
    ComposePages(office: self, matcher: matcher).add(to: &routes)
    SetPages(office: self).add(to: &routes)
    PhotoPointPages(office: self, matcher: matcher).add(to: &routes)
    InvitationPages(office: self, invitations: invitations, tlsFingerprint: tlsFingerprint)
      .add(to: &routes)
    for service in services { (service as? any PageAddition)?.add(to: &routes, of: self) }
    return routes
  }

  /// Returns the page that explains a problem.
  package func problemPage(_ problem: Problem, _ request: WebRequest) async -> HTML {
    await ProblemPage(office: self).html(problem, request)
  }

  private func addPages(to routes: inout Routes, _ firstRun: FirstRun) {
    routes.get("/") { request in
      try await self.requests.answering {
        if try await firstRun.isOpen() { return .redirect(FirstRunPages.path) }
        let role = try await self.sessions.visitorIfSignedIn(withToken: request.sessionToken)?
          .account.role
        return .redirect(role == .superAdministrator ? "/agencies" : "/tasks")
      }
    }
    routes.addTheme()
    routes.addLanguage()
    FirstRunPages(office: self, firstRun: firstRun).add(to: &routes)
    SetUpPages(office: self).add(to: &routes)
    SignInPages(office: self, firstRun: firstRun).add(to: &routes)
    TaskPages(office: self).add(to: &routes)
    ImportPages(office: self).add(to: &routes)
    PhotoPages(office: self).add(to: &routes)
    PeoplePages(office: self).add(to: &routes)
    PolicyPages(office: self).add(to: &routes)
    LogPages(office: self).add(to: &routes)
    StatisticsPages(office: self).add(to: &routes)
    TemplatePages(office: self).add(to: &routes)
    AccountPages(office: self).add(to: &routes)
    AgencyPages(office: self).add(to: &routes)
    MapPages(office: self).add(to: &routes)
    BaseMapPages(office: self).add(to: &routes)
    ListAssets.add(to: &routes)
    TaskListPages(office: self).add(to: &routes)
    StandaloneListPages(office: self).add(to: &routes)
    SelectionPages(office: self).add(to: &routes)
    PhotoItemPages(office: self).add(to: &routes)
    PlacePages(office: self).add(to: &routes)
    AttachmentPages(office: self).add(to: &routes)
    BulkPages(office: self).add(to: &routes)
    UndoPages(office: self).add(to: &routes)
    ReviewDesk(office: self).add(to: &routes)
    ExportPages(office: self).add(to: &routes)
    TrackPages(office: self).add(to: &routes)
    InspectorPages(office: self).add(to: &routes)
    OfficeHelpPages(office: self).add(to: &routes)
  }
}
