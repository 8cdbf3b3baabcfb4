import Evidence
import Geodesy
import Inspection
import Positioning
import Store
import Sync
import Web

extension OfficePages {
  /// What a phone's app sent with a photo, every field as it came; nothing for a photo that was sealed.
  func phoneFacts(of received: ReceivedPhoto, _ reader: Reader) throws -> HTML? {
    guard received.photo.origin == .egnss4cap,
      let phone = try office.database.read(
        in: reader.agency, ofInspector: reader.own, { try $0.phonePhoto(received.photo.id) })
    else { return nil }
    let fields = PhoneFields(text: phone.fields)
    func code(_ text: String?) -> HTML { text.map { "<code>\($0)</code>" } ?? .text(t("none")) }
    func sent(_ name: String) -> HTML { code(fields.json[name].map(Self.text(of:))) }
    let computed = fields.computedPositions.map { position in
      "\(position.name): \(DecimalText.fixed(position.coordinate.latitudeDegrees, places: 7))°, "
        + "\(DecimalText.fixed(position.coordinate.longitudeDegrees, places: 7))°"
    }
    let heading = received.photo.orientation?.headingDegreesMagnetic.map {
      "\(DecimalText.fixed($0, places: 1))°"
    }
    let facts = HTML.facts([
      (t("Time, as the app wrote it"), code(phone.created)),
      (t("The app's digest"), code(phone.digest)), (t("Came"), .text(Self.time(phone.received))),
      (t("Heading, magnetic"), .text(heading ?? t("not known"))),
      (
        t("Positions computed by the app"),
        .text(computed.isEmpty ? t("none") : computed.joined(separator: "; "))
      ), (t("Satellites"), sent("satsInfo")), (t("Network"), sent("networkInfo")),
      (t("Receiver's sentences"), sent("NMEAMessage")),
    ])
    return """
      <p class="notice notice-note">\(t("Not sealed by a device key: a phone's app sent it, and the office keeps it as it came."))</p>
      <details><summary>\(t("What the app sent"))</summary>\(facts)
      <p class="muted">\(t("Further fields"))</p><ul>\(others(fields))</ul></details>
      """
  }

  /// Fields that have no line of their own: none is left out.
  private func others(_ fields: PhoneFields) -> [HTML] {
    let named: Set<String> = [
      "photo", "note", "created", "digest", "satsInfo", "NMEAMessage", "networkInfo",
    ]
    guard case .object(let members) = fields.json else { return [] }
    return members.sorted { $0.key < $1.key }.filter { !named.contains($0.key) }.map {
      "<li><code>\($0.key)</code>: \(Self.text(of: $0.value))</li>"
    }
  }

  /// A value as it came, and no more of it than somebody reads.
  private static func text(of value: JSONValue) -> String {
    let text: String
    switch value {
    case .string(let words): text = words
    case .null: text = "null"
    default: text = String(decoding: value.canonicalBytes, as: UTF8.self)
    }
    return text.count > 20_000 ? text.prefix(20_000) + " …" : text
  }
}
