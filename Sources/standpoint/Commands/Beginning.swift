import Enrolment
import Foundation
import Office
import Sync

/// The words of an office without people at its start: the way to its first agency and
/// administrator.
struct Beginning: Sendable {
  /// The code that opens the page; nil if there is an agency already, and the terminal goes on.
  let code: OneTimeCode?
  let folder: String

  /// Returns nil if somebody can sign in already.
  init?(of office: OfficeServer, _ firstRun: FirstRun) async throws {
    guard try await office.people.accounts().isEmpty else { return nil }
    code = try await firstRun.isOpen() ? firstRun.code : nil
    folder = office.configuration.dataDirectory.path
  }

  /// Returns the lines that are printed.
  /// - Parameter address: the address at which the office's pages are.
  func words(at address: String) -> String {
    // The whole paths, so that the lines can be pasted anywhere: without --data they would make a
    // second office elsewhere.
    let program = Terminal.shellWord(Self.program)
    let data = Terminal.shellWord(folder)
    let agency = "  \(program) office agency add NAME --data \(data)"
    let person =
      "  \(program) office user add LOGIN --role administrator --agency NAME --data \(data)"
    guard let code else {
      return "There are no accounts yet. In another terminal, run:\n\(person)"
    }
    return """
      This office is empty. Set it up in a browser:
        \(address)/first-run?code=\(code.grouped)
      The code \(code.grouped) works until the office is set up or this program ends.
      There are no accounts yet. Without a browser, run in another terminal:
      \(agency)
      \(person)
      """
  }

  /// The program as another terminal finds it: a path with a folder is made whole, a name is looked
  /// up in PATH there, too.
  private static var program: String {
    let name = CommandLine.arguments.first ?? "standpoint"
    return name.contains("/") ? URL(fileURLWithPath: name).standardizedFileURL.path : name
  }
}
