import Guide
import Inspection
import Office
import OfficeFrame
import Web

/// The guide in the office's frame. It can be read without a sign-in.
struct OfficeHelpPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.office

  func add(to routes: inout Routes) {
    HelpPages(first: [.officer], forDesks: true) { request, title, main in
      try await office.requests.answering { try await framed(request, title, main) }
    }.add(to: &routes)
  }

  private func framed(
    _ request: WebRequest, _ title: String, _ main: HTML
  ) async throws -> WebResponse {
    let found = try await office.sessions.visitorIfSignedIn(withToken: request.sessionToken)
    guard let visitor = found, visitor.key == nil else {
      return .page(outside(request, title: title, styles: [HelpPages.style.href], main))
    }
    let reader = PageReader(
      visitor: visitor, agency: visitor.account.agency ?? "", request: request)
    return page(title, reader, current: HelpPages.path, styles: [HelpPages.style.href], main)
  }
}
