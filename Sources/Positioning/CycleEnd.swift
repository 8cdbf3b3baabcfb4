/// The sentence with which a receiver ends each epoch: its kind, its talker, and its number among
/// the sentences of that kind and epoch.
public struct CycleEnd: Hashable, Sendable {
  var kind: NMEAReport.Kind
  var talker: UInt16
  var ordinal: Int
  /// True if sentences without a time that come after this one belong to the next epoch: the
  /// receiver begins its epochs with them.
  public var leads: Bool

  /// The text form, such as `GNRMC/1`, or `GNGGA/1>` if sentences without a time lead. A raw window
  /// carries it to name the rhythm that was learned before the window began.
  public var text: String {
    let first = Character(Unicode.Scalar(UInt8(talker >> 8)))
    let second = Character(Unicode.Scalar(UInt8(talker & 0xFF)))
    return "\(first)\(second)\(kind.name)/\(ordinal)\(leads ? ">" : "")"
  }

  /// Reads the form that `text` has; nil for anything else.
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

  /// The possible numbers; no receiver sends more sentences of one kind in an epoch.
  static let ordinals = 1...99
}
