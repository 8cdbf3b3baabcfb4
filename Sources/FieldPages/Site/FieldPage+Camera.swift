import FieldUnit
import Foundation
import Geodesy
import Inspection
import Positioning
import TimeAndText
import Web

extension FieldPage {
  /// Returns the place of the receiver; nil if it is not fresh. An old place is never shown as the
  /// present one.
  func freshPlace() async -> Coordinate? {
    guard let follower = server.follower, let judged = await follower.lastFix else { return nil }
    let age = server.clock.elapsed.seconds(since: judged.arrival)
    return age <= server.configuration.gate.maximumAgeSeconds ? judged.fix.coordinate : nil
  }

  /// Returns the button that leads from a task straight to its camera; nil for a task that takes no
  /// more photos.
  func cameraButton(_ task: InspectionTask) -> HTML? {
    guard task.state.isEditable else { return nil }
    return """
      <a class="button primary to-camera" href="/camera?task=\(task.id.description)" aria-label="\(t("Take a photo for \"{1}\"", task.name))">\
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 7h4l2-3h6l2 3h4v13H3Z"/><circle cx="12" cy="13" r="4"/></svg></a>
      """
  }

  // MARK: answers

  /// Answers a form with a redirect to the address that `body` returns, and a script with a JSON
  /// success.
  func answering(
    _ request: WebRequest, _ body: (Reader, WebForm) async throws -> String
  ) async throws -> WebResponse {
    try await saying(request) { reader in
      let address = try await body(reader, try await request.form())
      return request.prefersJSON ? Self.said([:]) : .redirect(address)
    }
  }

  /// Answers a script's request; a refusal becomes JSON with its code and its words in the reader's
  /// language.
  func saying(
    _ request: WebRequest, _ body: (Reader) async throws -> WebResponse
  ) async throws -> WebResponse {
    do {
      return try await reading(request, body)
    } catch let refusal as FieldRefusal where request.prefersJSON {
      return Self.said(["code": refusal.code, "words": t(refusal.wording)])
        .with(status: refusal.status)
    }
  }

  static func said(_ words: [String: String]) -> WebResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return .json((try? encoder.encode(words)).map(Array.init) ?? Array("{}".utf8))
  }
}
