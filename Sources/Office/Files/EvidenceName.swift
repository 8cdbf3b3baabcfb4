import Evidence
import Inspection

/// The names of what the office keeps, the same as on the field unit: whoever checks one can check the
/// other.
package enum EvidenceName {
  package static func file(_ kind: RecordKind, _ id: Identifier) -> String {
    switch kind {
    case .capture: "photos/\(id.folder)/\(id).jpg"
    case .track: "tracks/\(id.folder)/\(id).track"
    case .note, .transition, .deletion: "records/\(id.folder)/\(id)"
    }
  }

  package static func seal(_ kind: RecordKind, _ id: Identifier) -> String {
    file(kind, id) + ".seal"
  }

  package static func raw(_ id: Identifier) -> String { "photos/\(id.folder)/\(id).raw" }

  package static func receipt(_ id: Identifier) -> String { "receipts/\(id).receipt" }

  package static func links(ofKey key: String) -> String { "links/\(key).links" }

  /// The links that one batch brought: so that a thousandth batch writes no more than the first.
  package static func links(ofBatch id: Identifier, key: String) -> String {
    "links/\(key)-\(id).links"
  }

  package static func revocation(ofKey key: String) -> String { "revocations/\(key).revocation" }

  package static func certificate(ofKey key: String) -> String { "certificates/\(key).pem" }
}
