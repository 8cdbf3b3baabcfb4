import Evidence
import FieldUnit
import Foundation
import Guide
import Imagery
import Joining
import Sync
import TimeAndText
import Web

/// The pages on which an inspector signs in by a code: read with the camera, from a picture, or
/// typed. Before the code is used, a page shows who is signed in, and at which office.
struct CodePages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldSignIn

  static let path = "/sign-in/code"

  func add(to routes: inout Routes) {
    for asset in [CodeReader.script, CodeReader.style] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
    routes.get(Self.path) { request in
      try whileSignedOut { .page(try codeForm(request)) }
    }
    routes.post(Self.path) { request in try await ask(request) }
    routes.post(Self.path + "/picture") { request in try await read(request) }
    routes.post(Self.path + "/frame") { request in try await look(request) }
    routes.post(Self.path + "/sign-in") { request in try await signIn(request) }
  }

  private func whileSignedOut(_ body: () throws -> WebResponse) throws -> WebResponse {
    guard try server.desk.signedIn() == nil else { return .redirect("/") }
    return try explained(body)
  }

  // MARK: reading

  /// Answers the script: the text of a code in its picture, if there is one.
  private func look(_ request: WebRequest) async throws -> WebResponse {
    guard try server.desk.signedIn() == nil else { return .empty(404) }
    guard request.header("content-type") == "image/jpeg" else {
      throw WebProblem.unsupportedMediaType
    }
    let bytes = try await request.bytes(limit: QRReader.bytesAtMost)
    var said: [String: JSONValue] = [:]
    let texts: [String]
    do {
      texts = try QRReader.texts(inJPEG: bytes)
    } catch is ImageryError {
      // A picture that cannot be decoded has no code: the next one comes in a moment.
      texts = []
    }
    // A screen or a desk may show other codes beside the office's. Without one of the office, the
    // script says that this is another code.
    if let text = texts.first(where: { InvitationTicket(text: $0) != nil }) ?? texts.first {
      said["ticket"] = .string(text)
    }
    return .json(JSONValue.object(said).canonicalBytes)
  }

  /// Reads a picture that was chosen: for browsers without scripts or without a live camera.
  private func read(_ request: WebRequest) async throws -> WebResponse {
    guard try server.desk.signedIn() == nil else { return .redirect("/") }
    var bytes: [UInt8] = []
    do {
      // The multipart wrapping around the file needs little room in the body.
      _ = try await request.upload(limit: QRReader.bytesAtMost + 65_536) { bytes += $0 }
    } catch WebProblem.tooLarge {
      return .page(
        try codeForm(
          request, refusal: t("The picture is larger than {1} MB.", QRReader.bytesAtMost >> 20)),
        status: 413)
    }
    let texts: [String]
    do {
      texts = try QRReader.texts(inJPEG: bytes)
    } catch is ImageryError {
      return .page(
        try codeForm(request, refusal: t("This is not a JPEG picture that can be read.")),
        status: 422)
    } catch let error as QRReaderError {
      return .page(try codeForm(request, refusal: t(error.wording)), status: 500)
    }
    guard let ticket = texts.lazy.compactMap({ InvitationTicket(text: $0) }).first else {
      return .page(
        try codeForm(
          request,
          refusal: texts.isEmpty
            ? t("There is no QR code in this picture. Come nearer, and hold still.")
            : Self.noTicket(t)), status: 422)
    }
    return try await confirm(ticket, request)
  }

  private static func noTicket(_ t: Texts) -> String {
    t("This QR code does not sign in: take the one that your office shows for you.")
  }

  // MARK: who, and where

  private func ask(_ request: WebRequest) async throws -> WebResponse {
    guard try server.desk.signedIn() == nil else { return .redirect("/") }
    let form = try await request.form()
    if let text = form["ticket"] {
      guard let ticket = InvitationTicket(text: text) else {
        return .page(try codeForm(request, refusal: Self.noTicket(t)), status: 422)
      }
      return try await confirm(ticket, request)
    }
    let (office, written) = (form["office"] ?? "", form["code"] ?? "")
    guard let code = OneTimeCode(written) else {
      return .page(
        try codeForm(
          request, office: office, code: written,
          refusal: t("A code has eight letters and digits, such as K7PM-3XQ9.")), status: 422)
    }
    // The fingerprint that was checked for this office earlier holds for a typed code, too.
    let chosen = try explained { try server.desk.chosenOffice(at: office) }
    let ticket = InvitationTicket(office: office, code: code, fingerprint: chosen?.fingerprint)
    return try await confirm(ticket, request)
  }

  private func find(_ ticket: InvitationTicket) async throws -> Invitation {
    let server = server
    return try await Invitation.find(
      ticket, knownCertificate: try server.desk.knownCertificate(ofOffice: ticket.office)
    ) { try server.link(toChosen: $0, certificate: $1) }
  }

  private func confirm(
    _ ticket: InvitationTicket, _ request: WebRequest
  ) async throws -> WebResponse {
    do {
      let found = try await find(ticket)
      await found.close()
      return .page(
        outside(
          request, title: t("Sign in"), notice: nil,
          """
          <section class="card"><h1>\(t("Sign in as {1}?", found.holder.name ?? found.holder.login))</h1>
          \(HTML.facts([
            (t("Agency"), .text(found.holder.title)),
            (t("Login"), .text(found.holder.login)),
            (t("Office"), "<span class=\"office-shown\">\(found.ticket.office)</span>"),
            (t("Its fingerprint"), "<code class=\"digest\">\(found.fingerprint)</code>"),
          ]))
          <form method="post" action="\(Self.path)/sign-in">\(request.formField)
          <input type="hidden" name="ticket" value="\(found.ticket.text)">
          <p class="actions"><button class="button primary">\(t("Sign in"))</button>
          <a class="button" href="\(Self.path)">\(t("Cancel"))</a></p></form></section>
          """))
    } catch {
      return try refused(error, ticket, request)
    }
  }

  private func signIn(_ request: WebRequest) async throws -> WebResponse {
    guard try server.desk.signedIn() == nil else { return .redirect("/") }
    let form = try await request.form()
    guard let ticket = form["ticket"].flatMap({ InvitationTicket(text: $0) }) else {
      return .page(try codeForm(request, refusal: Self.noTicket(t)), status: 422)
    }
    do {
      try await find(ticket).accept(
        at: server.desk, dataDirectory: server.configuration.dataDirectory)
      Task { await server.deliverOnce() }
      return .redirect(server.showsStartOnce() ? "/start?done=signed-in" : "/?done=signed-in")
    } catch {
      return try refused(error, ticket, request)
    }
  }

  private func refused(
    _ error: any Error, _ ticket: InvitationTicket, _ request: WebRequest
  ) throws -> WebResponse {
    guard let refusal = FieldRefusal(of: error) else { throw error }
    return .page(
      try codeForm(
        request, office: ticket.office, code: ticket.code.grouped, refusal: t(refusal.wording)),
      status: refusal.status)
  }

  // MARK: the page

  private func codeForm(
    _ request: WebRequest, office: String? = nil, code: String? = nil, refusal: String? = nil
  ) throws -> HTML {
    let words: [String: JSONValue] = [
      "opening": .string(t("Opening the camera…")),
      "looking": .string(t("Hold the QR code in the picture.")),
      "other": .string(Self.noTicket(t)),
      "late": .string(t("No code was found. Try again, or type it.")),
      "noCamera": .string(
        t("The browser gives no camera. Take a picture of the code, or type it.")),
    ]
    let told = String(decoding: JSONValue.object(words).canonicalBytes, as: UTF8.self)
    let known = try office ?? explained { try server.officeToSignIn }?.address ?? ""
    return outside(
      request, title: t("Sign in with a code"),
      notice: refusal.map { PageFrame.Notice(kind: .error, text: $0) },
      scripts: [CodeReader.script.href], styles: [CodeReader.style.href],
      """
      <section class="card code-reader" data-code data-words="\(told)" data-token="\(request.formToken)"
      data-frames="\(Self.path)/frame" data-field="ticket" data-prefix="\(InvitationTicket.prefix)"><h1>\(t("Sign in with a code"))</h1>
      <p>\(t("Your administrator shows a QR code for you. It holds the office's address and signs you in once."))</p>
      <video muted playsinline hidden></video>
      <p class="actions"><button type="button" class="button primary" data-code-start hidden>\(t("Read the QR code"))</button></p>
      <p role="status" data-code-note></p>
      <form method="post" action="\(Self.path)" data-code-form hidden>\(request.formField)
      <input type="hidden" name="ticket" value=""></form>
      <details><summary>\(t("From a picture"))</summary>
      <form class="fields" method="post" action="\(Self.path)/picture" enctype="multipart/form-data">\(request.formField)
      <label>\(t("Picture of the QR code"))<input type="file" name="picture" accept="image/jpeg" capture="environment" required></label>
      <p class="actions"><button class="button">\(t("Read the picture"))</button></p></form></details></section>
      <section class="card"><h2>\(t("Type the code"))</h2>
      <form class="fields" method="post" action="\(Self.path)">\(request.formField)
      <label>\(t("Office"))<input name="office" type="url" required maxlength="300" autocapitalize="none" spellcheck="false"
      value="\(known)" placeholder="https://office.example"></label>
      <label>\(t("Code"))<input class="code-field" name="code" required maxlength="64" autocomplete="off"
      autocapitalize="characters" spellcheck="false" value="\(code ?? "")" placeholder="XXXX-XXXX"></label>
      <p class="actions"><button class="button primary">\(t("Next"))</button>
      <a class="button" href="/sign-in">\(t("Use a password"))</a></p></form></section>
      """)
  }
}
