/// The sentence with which a receiver ends each epoch: kind, talker, and how often the kind has
/// come in the epoch by then.
public struct CycleEnd: Hashable, Sendable {
  var kind: NMEAReport.Kind
  var talker: UInt16
  var ordinal: Int
  /// Whether sentences without a time that come after it tell of the next epoch: the receiver begins
  /// its epochs with them.
  public var leads: Bool

  /// `GNRMC/1`, or `GNGGA/1>` where sentences without a time lead: the form in which a raw window
  /// names what had been learned before it began.
  public var text: String {
    let first = Character(Unicode.Scalar(UInt8(talker >> 8)))
    let second = Character(Unicode.Scalar(UInt8(talker & 0xFF)))
    return "\(first)\(second)\(kind.name)/\(ordinal)\(leads ? ">" : "")"
  }

  /// Reads what `text` wrote; nil for anything else.
  public init?(text: String) {
    let leads = text.hasSuffix(">")
    let bytes = Array((leads ? text.dropLast() : text[...]).utf8)
    guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")), slash >= 4,
      let ordinal = Int(String(decoding: bytes[(slash + 1)...], as: UTF8.self)),
      Self.ordinals.contains(ordinal),
      let kind = NMEAReport.Kind.allCases.first(where: {
        $0.name.utf8.elementsEqual(bytes[2..<slash])
      })
    else { return nil }
    self.init(
      kind: kind, talker: UInt16(bytes[0]) << 8 | UInt16(bytes[1]), ordinal: ordinal, leads: leads)
    guard self.text == text else { return nil }
  }

  init(kind: NMEAReport.Kind, talker: UInt16, ordinal: Int, leads: Bool) {
    self.kind = kind
    self.talker = talker
    self.ordinal = ordinal
    self.leads = leads
  }

  /// More of one kind in an epoch is no receiver's rhythm.
  static let ordinals = 1...99
}
