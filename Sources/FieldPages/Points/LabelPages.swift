import Evidence
import FieldUnit
import Guide
import Imagery
import Inspection
import Joining
import Store
import TimeAndText
import Web

/// The page that reads the QR code of a photo point's label with the camera.
struct LabelPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.photoPoints

  static let path = "/nearby/label"

  static func unknown(_ t: Texts) -> String {
    t(
      "This photo point is not on this device: it is not near your tasks, or not your agency's. Ask your officer to name it in a task, then deliver."
    )
  }

  static func malformed(_ t: Texts) -> String {
    t("This is no code of a photo point: compare its eight letters and digits with the label.")
  }

  func add(to routes: inout Routes) {
    routes.get(Self.path) { request in try await reading(request) { form($0) } }
    routes.post(Self.path + "/frame") { request in
      try await reading(request) { _ in try await look(request) }
    }
    routes.post(Self.path + "/picture") { request in
      try await reading(request) { try await read($0) }
    }
  }

  /// Answers the script: the text of a label in its picture, if there is one.
  private func look(_ request: WebRequest) async throws -> WebResponse {
    guard request.header("content-type") == "image/jpeg" else {
      throw WebProblem.unsupportedMediaType
    }
    let bytes = try await request.bytes(limit: QRReader.bytesAtMost)
    let texts: [String]
    do {
      texts = try QRReader.texts(inJPEG: bytes)
    } catch is ImageryError {
      // A picture that cannot be decoded has no code: the next one comes in a moment.
      texts = []
    }
    var said: [String: JSONValue] = [:]
    if let text = texts.first(where: { PhotoPointCode.ofLabel($0) != nil }) ?? texts.first {
      said["ticket"] = .string(text)
    }
    return .json(JSONValue.object(said).canonicalBytes)
  }

  /// Reads a picture that was chosen: for browsers without scripts or without a live camera.
  private func read(_ reader: Reader) async throws -> WebResponse {
    var bytes: [UInt8] = []
    do {
      // The multipart wrapping around the file needs little room in the body.
      _ = try await reader.request.upload(limit: QRReader.bytesAtMost + 65_536) { bytes += $0 }
    } catch WebProblem.tooLarge {
      return form(reader, t("The picture is larger than {1} MB.", QRReader.bytesAtMost >> 20))
    }
    do {
      let texts = try QRReader.texts(inJPEG: bytes)
      guard let label = texts.first(where: { PhotoPointCode.ofLabel($0) != nil }) else {
        return form(
          reader,
          texts.isEmpty
            ? t("There is no QR code in this picture. Come nearer, and hold still.")
            : Self.malformed(t))
      }
      return .redirect("/points/\(try reader.unit.points.point(named: label).id)")
    } catch is ImageryError {
      return form(reader, t("This is not a JPEG picture that can be read."))
    } catch let error as QRReaderError {
      return form(reader, t(error.wording))
    } catch StoreError.unknown {
      return form(reader, Self.unknown(t))
    }
  }

  /// Returns the element in which the script looks for a label, with the form that opens its point.
  /// - Parameters:
  ///   - video: the selector of a live picture that the page shows already; nil if the script opens
  ///     the camera.
  ///   - content: the words above the live picture.
  ///   - more: further buttons.
  static func reader(
    _ formField: HTML, token: String, video: String? = nil, _ content: HTML, _ more: HTML? = nil
  ) -> HTML {
    let t = Texts.current
    let words: [String: JSONValue] = [
      "opening": .string(t("Opening the camera…")),
      "looking": .string(t("Hold the QR code in the picture.")),
      "other": .string(malformed(t)),
      "late": .string(
        video == nil
          ? t("No code was found. Try again, or type it.")
          : t("No code was found. Come nearer and try again, or type it in Photo points nearby.")),
      "noCamera": .string(
        video == nil
          ? t("The browser gives no camera. Take a picture of the code, or type it.")
          : t("There is no live picture to read from: wait until you see one.")),
    ]
    let told = String(decoding: JSONValue.object(words).canonicalBytes, as: UTF8.self)
    let own: HTML? = video == nil ? "<video muted playsinline hidden></video>" : nil
    return """
      <div class="code-reader" data-code data-words="\(told)" data-token="\(token)" \
      data-frames="\(path)/frame" data-field="code" data-prefix="\(PhotoPointCode.scheme)" data-video="\(video)">\(content)\(own)
      <p class="actions"><button type="button" class="button" data-code-start hidden>\(t("Read the QR code"))</button>\(more)</p>
      <p role="status" data-code-note></p>
      <form method="post" action="\(NearbyPages.path)/code" data-code-form hidden>\(formField)
      <input type="hidden" name="code" value=""></form></div>
      """
  }

  private func form(_ reader: Reader, _ refusal: String? = nil) -> WebResponse {
    let scan = Self.reader(
      reader.request.formField, token: reader.request.formToken,
      "<p>\(t("The label of a photo point has a QR code. It opens the photo point, and says nothing about where you are."))</p>",
      "<a class=\"button\" href=\"\(NearbyPages.path)\">\(t("Type the code"))</a>")
    return page(
      t("Read a label"), reader, current: "/photos",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: $0)] } ?? [],
      status: refusal == nil ? 200 : 422,
      scripts: [CodeReader.script.href], styles: [CodeReader.style.href],
      """
      <section class="card"><h1>\(t("Read a label"))</h1>\(scan)
      <details><summary>\(t("From a picture"))</summary>
      <form class="fields" method="post" action="\(Self.path)/picture" enctype="multipart/form-data">\(reader.request.formField)
      <label>\(t("Picture of the QR code"))<input type="file" name="picture" accept="image/jpeg" capture="environment" required></label>
      <p class="actions"><button class="button">\(t("Read the picture"))</button></p></form></details></section>
      """)
  }
}
