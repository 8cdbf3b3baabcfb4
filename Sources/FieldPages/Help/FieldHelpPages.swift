import FieldUnit
import Guide
import Web

/// The guide in the field unit's frame. It can be read without a sign-in, because signing in is
/// what its first part is about.
struct FieldHelpPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.field

  func add(to routes: inout Routes) {
    HelpPages(first: [.inspector, .settings], forDesks: false) { request, title, main in
      try framed(request, title, main)
    }.add(to: &routes)
  }

  private func framed(
    _ request: WebRequest, _ title: String, _ main: HTML
  ) throws -> WebResponse {
    guard let unit = try server.unit(), let signIn = try server.desk.signedIn() else {
      return .page(outside(request, title: title, styles: [HelpPages.style.href], main))
    }
    let reader = Reader(unit: unit, signIn: signIn, request: request)
    return page(title, reader, current: HelpPages.path, styles: [HelpPages.style.href], main)
  }
}
