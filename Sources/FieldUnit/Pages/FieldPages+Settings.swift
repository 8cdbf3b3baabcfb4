import Foundation
import Receivers
import Web

extension FieldPages {
  func addSettings(to routes: inout Routes) {
    routes.get("/settings") { request in
      try await reading(request) { try await settings($0, given: nil, refusal: nil) }
    }
    routes.post("/settings/receiver") { request in
      try await reading(request) { reader in
        let text = try await request.form()["receiver"] ?? ""
        do {
          try await server.useReceiver(text)
          return .redirect("/settings?done=receiver")
        } catch let error as ReceiverError {
          return try await settings(reader, given: text, refusal: "\(error)")
        }
      }
    }
  }

  private func settings(
    _ reader: Reader, given: String?, refusal: String?
  ) async throws -> WebResponse {
    let source = server.follower.map { "\($0.source)" }
    return page(
      t("Settings"), reader, current: "/",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: $0)] } ?? [],
      status: refusal == nil ? 200 : 422,
      """
      <h1>\(t("Settings"))</h1>
      <section class="card" data-live="/live/light" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\
      \(await lightFragment())</section>
      <section class="card"><h2>\(t("Receiver"))</h2>
      <p>\(t("One receiver serves gate, photos and tracks alike. It is followed for ever and comes back by itself; only what you choose here changes it."))</p>
      <form class="fields" method="post" action="/settings/receiver">\(reader.request.formField)
      <label>\(t("Receiver"))<input name="receiver" required autocapitalize="none" autocomplete="off" spellcheck="false"
      value="\(given ?? source ?? "")" placeholder="gpsd://localhost:2947"></label>
      <p class="hint"><code>gpsd://localhost:2947</code>, <code>serial:///dev/ttyACM0?baud=115200</code>,
      <code>bluetooth://AA:BB:CC:DD:EE:FF</code>, <code>tcp://192.168.1.5:9001</code></p>
      <p class="actions"><button class="button primary" data-confirm="\(t("Change the receiver? A photo in progress is broken off, and the samples begin anew."))">\(t("Use this receiver"))</button></p></form></section>
      """)
  }
}
