import Evidence

extension Finding {
  /// Returns the subject of a finding about a record's place in its key's chain. The verifier's findings
  /// about a record alone name the record's file instead.
  package static func subject(ofKey key: String) -> String { "key \(key)" }

  /// True if this is about a record's place among the others: it stays when the record is examined again.
  package var isOfChain: Bool { subject.hasPrefix(Self.subject(ofKey: "")) }
}
