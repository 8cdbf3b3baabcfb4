import Foundation
import Imagery
import TimeAndText

/// The content of a capture's record as XMP: the usual EXIF properties for programs that read no
/// EXIF, and the record's own members under a namespace of ours. Measured numbers stay the text
/// that they are. Source: ISO 16684-1, and CIPA DC-010 for the EXIF namespace.
struct XMPClaims {
  /// The namespace of the record's members.
  static let namespace = "urn:standpoint:xmp:1:"

  /// The largest packet of another program to which ours is added, in bytes: a larger one would
  /// leave no room in a segment.
  private static let maximumForeignByteCount = 55_000
  /// The packet leaves no room for other programs to write in: a change would break the seal.
  private static let head = "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
  private static let tail = "<?xpacket end=\"r\"?>"
  private static let endOfDescriptions = "</rdf:RDF>"

  /// The place of the record's members in a file's XMP.
  enum Place: Hashable, Sendable {
    /// A packet of their own.
    case alone
    /// After the descriptions of the packet that is there.
    case added(to: String)
  }

  /// The names and texts of the usual attributes, and those of the record's members, in their order.
  private let usual: [(name: String, text: String)]
  private let members: [(name: String, text: String)]

  /// - Parameter record: the record of a capture.
  init(record: JSONValue) {
    usual = Self.usual(record)
    members = Self.members(of: record, prefix: "")
  }

  /// Returns the place of the members in a photo; nil leaves an imported photo's packet alone,
  /// because it has an unknown form, no room, or members of ours already.
  static func place(in packet: [UInt8]?, isImported: Bool) -> Place? {
    guard let packet else { return .alone }
    // A packet that is not understood may hold a second position, which a camera's photo must not
    // have: there it is replaced. An imported picture keeps what it has.
    guard packet.count <= maximumForeignByteCount,
      let text = String(validating: packet, as: UTF8.self), text.contains(endOfDescriptions),
      isPlain(packet)
    else { return isImported ? nil : .alone }
    return .added(to: text)
  }

  /// Returns true if another program's packet holds no member of ours, no position, and no part
  /// that readers pass over.
  private static func isPlain(_ packet: [UInt8]) -> Bool {
    let lower = packet.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return ["<!--", "<![cdata[", "gpsl", namespace].allSatisfy {
      lower.count(of: Array($0.utf8)) == 0
    }
  }

  private static func usual(_ record: JSONValue) -> [(String, String)] {
    let position = record["position"]
    let time = record["time"]
    var usual: [(String, String?)] = [
      ("exif:GPSVersionID", "2.3.0.0"),
      ("exif:GPSLatitude", degrees(position?["latitudeDegrees"], "N", "S")),
      ("exif:GPSLongitude", degrees(position?["longitudeDegrees"], "E", "W")),
      ("exif:GPSMapDatum", "WGS-84"),
    ]
    if let height = MeasuredFraction(position?["meanSeaLevelHeightMetres"]),
      let value = height.rational()
    {
      usual.append(("exif:GPSAltitude", "\(value.numerator)/\(value.denominator)"))
      usual.append(("exif:GPSAltitudeRef", height.isNegative ? "1" : "0"))
    }
    if let gnss = time?["gnss"]?.text, gnss.contains("T") {
      usual.append(("exif:GPSTimeStamp", gnss))
    }
    if let error = MeasuredFraction(position?["uncertaintyMetres95"])?.rational() {
      usual.append(("exif:GPSHPositioningError", "\(error.numerator)/\(error.denominator)"))
    }
    for (name, letter) in [("azimuthDegreesTrue", "T"), ("headingDegreesMagnetic", "M")] {
      guard let angle = MeasuredFraction(record["orientation"]?[name]), !angle.isNegative,
        let value = angle.rational()
      else { continue }
      usual.append(("exif:GPSImgDirection", "\(value.numerator)/\(value.denominator)"))
      usual.append(("exif:GPSImgDirectionRef", letter))
      break
    }
    usual.append(("photoshop:DateCreated", time?["device"]?.text))
    usual.append(("xmp:CreatorTool", record["device"]?["software"]?.text))
    return usual.compactMap { name, text in text.map { (name, $0) } }
  }

  /// Returns an angle as `DDD,MM.mmmmmmmN`; nil if it cannot be read. Seven places of a minute are 0.2 mm.
  private static func degrees(
    _ value: JSONValue?, _ positive: String, _ negative: String
  ) -> String? {
    guard let fraction = MeasuredFraction(value), let parts = fraction.sexagesimal else {
      return nil
    }
    let micro = Int(parts[2].numerator)
    let places = (micro * 10 + 30) / 60
    let (carry, rest) = (Int(parts[1].numerator) * 10_000_000 + places).quotientAndRemainder(
      dividingBy: 600_000_000)
    let (minutes, decimals) = rest.quotientAndRemainder(dividingBy: 10_000_000)
    let digits = String(decimals)
    return "\(Int(parts[0].numerator) + carry),\(minutes)."
      + String(repeating: "0", count: 7 - digits.count) + digits
      + (fraction.isNegative ? negative : positive)
  }

  /// Returns the scalar members, each with its path. Lists (satellites, corners, transmitters) stay
  /// in the record.
  static func members(of value: JSONValue, prefix: String) -> [(name: String, text: String)] {
    guard case .object(let members) = value else { return [] }
    return members.sorted { $0.key < $1.key }.flatMap {
      name, member -> [(name: String, text: String)] in
      // A later version may add members: those whose names are no XML names are left out.
      guard
        name.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) }),
        let first = name.utf8.first, first > 0x39
      else { return [] }
      let path = prefix.isEmpty ? name : "\(prefix).\(name)"
      switch member {
      case .object: return Self.members(of: member, prefix: path)
      case .string(let text): return [("standpoint:\(path)", text)]
      case .bool(let flag): return [("standpoint:\(path)", flag ? "True" : "False")]
      case .number:
        let text = String(decoding: member.canonicalBytes, as: UTF8.self)
        return [("standpoint:\(path)", text)]
      case .array, .null: return []
      }
    }
  }

  /// Returns a description, always the same text for the same record. In another program's packet
  /// it has the record's members alone: some readers refuse a property that comes twice.
  private func description(about: String, isAlone: Bool) -> String {
    Self.description(
      about: about,
      spaces: isAlone
        ? [
          ("exif", "http://ns.adobe.com/exif/1.0/"),
          ("photoshop", "http://ns.adobe.com/photoshop/1.0/"),
          ("xmp", "http://ns.adobe.com/xap/1.0/"),
        ] : [], (isAlone ? usual : []) + members)
  }

  private static func description(
    about: String, spaces: [(name: String, address: String)],
    _ properties: [(name: String, text: String)]
  ) -> String {
    let attributes =
      properties
      .map { "\n   \($0.name)=\"\(XMLText.escaped($0.text, isAttribute: true))\"" }.joined()
    let named = spaces.map { "   xmlns:\($0.name)=\"\($0.address)\"\n" }.joined()
    return "<rdf:Description rdf:about=\"\(about)\"\n\(named)"
      + "   xmlns:standpoint=\"\(Self.namespace)\"\(attributes)/>"
  }

  /// Returns a packet of its own with these properties, and the spaces of their names except ours.
  static func packet(
    spaces: [(name: String, address: String)], properties: [(name: String, text: String)]
  ) -> [UInt8] {
    packet(description(about: "", spaces: spaces, properties))
  }

  private static func packet(_ description: String) -> [UInt8] {
    let text =
      "\(head)\n<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
      + " <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
      + "  \(description)\n \(endOfDescriptions)\n</x:xmpmeta>\n\(tail)"
    return Array(text.utf8)
  }

  /// Returns the packet with the record's members in it.
  func packet(at place: Place) -> [UInt8] {
    switch place {
    case .alone: return Self.packet(description(about: "", isAlone: true))
    case .added(let known):
      guard let end = known.range(of: Self.endOfDescriptions, options: .backwards) else {
        return Array(known.utf8)
      }
      let own = description(about: Self.about(known), isAlone: false)
      return Array((known[..<end.lowerBound] + " \(own)\n " + known[end.lowerBound...]).utf8)
    }
  }

  /// Returns the `rdf:about` of a packet, empty without one: all its descriptions are about one thing.
  private static func about(_ packet: String) -> String {
    guard let start = packet.range(of: "rdf:about=\"") else { return "" }
    return String(packet[start.upperBound...].prefix { $0 != "\"" && $0 != "<" })
  }

  /// Returns the names of the properties in which a packet differs from the record; empty if none does.
  func differences(in packet: [UInt8]) -> [Wording] {
    if packet == self.packet(at: .alone) { return [] }
    let text = String(decoding: packet, as: UTF8.self)
    let own = Array(description(about: Self.about(text), isAlone: false).utf8)
    // Our description must be there once, byte by byte, and the rest must not contradict or hide it.
    if packet.count(of: own) == 1, let range = packet.firstRange(of: own),
      Self.isPlain(Array(packet[..<range.lowerBound] + packet[range.upperBound...]))
    {
      return []
    }
    let isAlone = text.contains("exif:GPS")
    let others = ((isAlone ? usual : []) + members).filter {
      packet.count(of: Array("\($0.name)=\"\(XMLText.escaped($0.text, isAttribute: true))\"".utf8))
        != 1
    }
    return others.isEmpty ? ["its form"] : others.map { Wording(verbatim: $0.name) }
  }
}

extension Array where Element == UInt8 {
  /// Returns how often some bytes occur, without overlaps.
  fileprivate func count(of bytes: [UInt8]) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: bytes) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
