import Office
import Web

/// The console as an interface for programs of officers and administrators, under
/// `/api/v1/console`: it shows and does the same as the pages, by the same services, so that each
/// rule is in one place. `schemas/openapi.yaml` describes all of it.
///
/// Cookies are ignored: a bearer token is needed, which a page of another site cannot make a
/// browser send.
package struct ConsoleRoutes {
  let office: OfficeServer

  /// Creates the routes of an office.
  package init(office: OfficeServer) { self.office = office }

  /// Adds the routes.
  package func add(to routes: inout Routes) {
    AccountConsole(office: office).add(to: &routes)
    TaskConsole(office: office).add(to: &routes)
    ItemConsole(office: office).add(to: &routes)
    AcceptanceConsole(office: office).add(to: &routes)
    ImportConsole(office: office).add(to: &routes)
    MapConsole(office: office).add(to: &routes)
    PhotoConsole(office: office).add(to: &routes)
    TrackConsole(office: office).add(to: &routes)
    StandaloneConsole(office: office).add(to: &routes)
    ExportConsole(office: office).add(to: &routes)
    PeopleConsole(office: office).add(to: &routes)
    DeviceConsole(office: office).add(to: &routes)
    PolicyConsole(office: office).add(to: &routes)
    LogConsole(office: office).add(to: &routes)
    AgencyConsole(office: office).add(to: &routes)
  }
}
