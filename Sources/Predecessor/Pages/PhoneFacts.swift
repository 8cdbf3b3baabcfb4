import Evidence
import Geodesy
import Guide
import Inspection
import Office
import OfficeFrame
import OfficePages
import Store
import Sync
import TimeAndText
import Web

/// The fields that a phone's app sent with a photo, as a part of the photo's page.
struct PhoneFacts: OfficePage {
  let office: OfficeServer
  let help = GuidePart.phonePhoto

  func add(to routes: inout Routes) {
    routes.get("/photos/{id}/phone.json") { request in
      try await reading(request, own: true) { reader in
        let received = try await PhotoPages(office: office).photo(request, reader)
        guard let phone = try await phone(received, reader) else {
          throw OfficeRefusal(.unknown, "no phone has sent this photo")
        }
        return .bytes(
          Array(phone.fields.utf8), mediaType: "application/json",
          fileName: "\(received.photo.id).json", isAttachment: true)
      }
    }
  }

  private func phone(_ received: ReceivedPhoto, _ reader: Reader) async throws -> PhonePhoto? {
    guard received.photo.origin == .egnss4cap else { return nil }
    return try await office.database.read(in: reader.agency, ofInspector: reader.own) {
      try $0.phones.phonePhoto(received.photo.id)
    }
  }

  /// Returns the fields that a phone's app sent with a photo, every one as it came; nil for a photo
  /// that no phone's app sent.
  func facts(of received: ReceivedPhoto, _ reader: Reader) async throws -> HTML? {
    guard let phone = try await phone(received, reader) else { return nil }
    let fields = PhoneFields(text: phone.fields)
    var sent = SentFields(t: t)
    func code(_ text: String?) -> HTML {
      text.map { "<code>\($0.prefix(2000))</code>" } ?? .text(t("none"))
    }
    let heading = received.photo.orientation?.headingDegreesMagnetic.map {
      "\(t.decimal($0, places: 1))°"
    }
    let deviceNames = ["deviceManufacture", "deviceModel", "devicePlatform", "deviceVersion"]
    let device = deviceNames.compactMap(fields.text).joined(separator: " ")
    let facts = HTML.facts([
      (t("Time, as the app wrote it"), code(phone.created)),
      (t("Arrived"), t.time(phone.received)),
      (t("Phone"), device.isEmpty ? .text(t("not known")) : code(String(device.prefix(400)))),
      (t("Heading, magnetic"), .text(heading ?? t("not known"))),
      (t("The app's digest"), code(phone.digest)),
      (t("User number in the digest"), code(phone.userNumber)),
    ])
    let computed = self.computed(fields, from: received.photo.position.coordinate)
    let sentences = fields.json["NMEAMessage"]?.text ?? ""
    let parts: [(String, HTML)] = [
      (t("Positions computed by the app"), computed.html),
      (t("Satellites"), sent.html(of: fields.json["satsInfo"])),
      (t("Network"), sent.html(of: fields.json["networkInfo"])),
      (
        t("Receiver's sentences"),
        sentences.isEmpty ? .text(t("none")) : "<pre tabindex=\"0\">\(sent.take(sentences))</pre>"
      ),
    ]
    // Only fields that are shown above are left out below. A field that should be a text and is
    // none is shown there.
    let texts = (["photo", "note", "created", "digest", "NMEAMessage"] + deviceNames).filter {
      fields.json[$0]?.text != nil
    }
    let named = Set(["satsInfo", "networkInfo"] + texts).union(computed.names)
    let others = sent.html(of: fields.json.without(named))
    let all = parts + [(t("Other fields, under the app's own names"), others)]
    return """
      <p class="notice notice-note">\(t("No device key sealed it: a phone's app sent it, and the office keeps it as it arrived."))</p>
      \(try await OlderOfficeFacts(office: office).facts(of: .photo, received.photo.id, reader))
      <details><summary>\(t("What the app sent"))</summary>\(facts)
      \(all.map { "<h3>\($0.0)</h3><div class=\"sent\">\($0.1)</div>" as HTML })
      <p><a href="/photos/\(received.photo.id.description)/phone.json">\(t("Everything as it arrived, as JSON"))</a></p></details>
      """
  }

  /// Returns the positions that the app computed from raw measurements, and the names of the fields
  /// that show them.
  private func computed(
    _ fields: PhoneFields, from place: Coordinate
  ) -> (html: HTML, names: [String]) {
    var names: [String] = []
    let rows = fields.computedPositions.map { position -> HTML in
      let name = position.name
      // The apps misspell one of these names.
      let height = ["efkAlt\(name)", "efkAtl\(name)"].first { fields.number($0) != nil }
      let time = ["efkTime\(name)"].first { fields.text($0) != nil }
      names += ["efkLat\(name)", "efkLng\(name)"] + [height, time].compactMap(\.self)
      let metres = height.flatMap(fields.number).map { "\(t.decimal($0, places: 1)) m" }
      let away = Geodesic.distanceMetres(from: place, to: position.coordinate)
      let degrees = [position.coordinate.latitudeDegrees, position.coordinate.longitudeDegrees]
      return """
        <tr><th scope="row"><code>\(name)</code></th>
        <td data-label="\(t("Position"))">\(degrees.map { "\(t.decimal($0, places: 7))°" }.joined(separator: ", "))</td>
        <td class="number" data-label="\(t("Height"))">\(metres ?? "—")</td>
        <td data-label="\(t("Time"))"><code>\(time.flatMap(fields.text)?.prefix(100) ?? "—")</code></td>
        <td class="number" data-label="\(t("Distance from the position sent"))">\(t.decimal(away, places: 1)) m</td></tr>
        """
    }
    guard !rows.isEmpty else { return (.text(t("none")), []) }
    return (
      """
      <table class="list"><thead><tr><th scope="col">\(t("Signals"))</th><th scope="col">\(t("Position"))</th>
      <th scope="col" class="number">\(t("Height"))</th><th scope="col">\(t("Time"))</th>
      <th scope="col" class="number">\(t("Distance from the position sent"))</th></tr></thead><tbody>\(rows)</tbody></table>
      """, names
    )
  }
}

extension JSONValue {
  /// Returns an object without some of its members, and every other value as it is.
  fileprivate func without(_ names: Set<String>) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !names.contains($0.key) })
  }
}

/// A view of the values that an app has sent, whatever they are: objects as lists, arrays of
/// objects as tables, the rest as it is. Names and values may be anyone's words. Of very long ones
/// the page shows the beginning, and the file all.
private struct SentFields {
  let t: Texts
  /// The number of characters that the page still shows of one photo; the apps send up to 20,000.
  private var left = 60_000

  private static let depthAtMost = 4
  private static let columnsAtMost = 10
  private static let rowsAtMost = 100

  init(t: Texts) { self.t = t }

  mutating func html(of value: JSONValue?) -> HTML { html(of: value, depth: 0) }

  /// Returns the beginning of a text, as far as there is room.
  mutating func take(_ text: String) -> String {
    let shown = text.prefix(max(0, left))
    left -= shown.count
    return shown.count < text.count ? shown + " …" : String(shown)
  }

  private mutating func html(of value: JSONValue?, depth: Int) -> HTML {
    guard let value else { return .text(t("none")) }
    // Some apps send lists as texts.
    if let text = value.text, text.hasPrefix("[") || text.hasPrefix("{"),
      let inner = try? JSONValue(parsing: Array(text.utf8))
    {
      return html(of: inner, depth: depth)
    }
    guard depth < Self.depthAtMost else { return plain(value) }
    switch value {
    case .array([]): return .text(t("none"))
    case .object(let members) where members.isEmpty: return .text(t("none"))
    case .array(let elements): return table(elements) ?? list(elements, depth)
    case .object(let members):
      var rows: [HTML] = []
      for (name, member) in members.sorted(by: { $0.key < $1.key }).prefix(Self.rowsAtMost) {
        rows.append(
          "<dt><code>\(take(name))</code></dt><dd>\(html(of: member, depth: depth + 1))</dd>")
      }
      return "<dl class=\"facts\">\(rows)</dl>\(more(members.count))"
    case .null, .bool, .number, .string: return plain(value)
    }
  }

  /// Returns a table if all elements are objects with few, plain members; nil otherwise.
  private mutating func table(_ elements: [JSONValue]) -> HTML? {
    var columns: Set<String> = []
    for element in elements.prefix(Self.rowsAtMost) {
      guard case .object(let members) = element else { return nil }
      for (name, member) in members {
        switch member {
        case .array, .object: return nil
        case .null, .bool, .number, .string: columns.insert(name)
        }
      }
    }
    guard (1...Self.columnsAtMost).contains(columns.count) else { return nil }
    // The member that names the row's subject comes first.
    let first = ["prn", "type", "band"]
    func rank(_ name: String) -> Int { first.firstIndex(of: name) ?? first.count }
    let names = columns.sorted { (rank($0), $0) < (rank($1), $1) }
    let heads = names.map { "<th scope=\"col\"><code>\(take($0))</code></th>" as HTML }
    var rows: [HTML] = []
    for element in elements.prefix(Self.rowsAtMost) {
      let cells = names.map { name in
        "<td data-label=\"\(String(name.prefix(40)))\">\(element[name].map { plain($0) } ?? "—")</td>"
          as HTML
      }
      rows.append("<tr>\(cells)</tr>")
    }
    return """
      <table class="list"><thead><tr>\(heads)</tr></thead><tbody>\(rows)</tbody></table>\(more(elements.count))
      """
  }

  private mutating func list(_ elements: [JSONValue], _ depth: Int) -> HTML {
    var items: [HTML] = []
    for element in elements.prefix(Self.rowsAtMost) {
      items.append("<li>\(html(of: element, depth: depth + 1))</li>")
    }
    return "<ul>\(items)</ul>\(more(elements.count))"
  }

  private func more(_ count: Int) -> HTML? {
    count > Self.rowsAtMost
      ? "<p class=\"muted\">\(t("{1} more are in the file.", count - Self.rowsAtMost))</p>" : nil
  }

  private mutating func plain(_ value: JSONValue) -> HTML {
    let text =
      switch value {
      case .string(let words): words
      case .null: "null"
      default: String(decoding: value.canonicalBytes, as: UTF8.self)
      }
    return "<code>\(take(text))</code>"
  }
}
