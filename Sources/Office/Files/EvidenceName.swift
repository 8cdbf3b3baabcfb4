import Evidence
import Inspection

/// The names of the office's files. The field unit uses the same names, so that one check fits
/// both.
package enum EvidenceName {
  /// Returns the name of a capture's or a track's file; for other kinds, the name that the seal's
  /// name begins with.
  package static func file(_ kind: RecordKind, _ id: Identifier) -> String {
    part(.file, kind, id)
  }

  /// Returns the name of a file that a seal names.
  package static func part(_ part: SealedPart, _ kind: RecordKind, _ id: Identifier) -> String {
    "\(kind.folder)/\(id.folder)/\(part.name(of: id, kind))"
  }

  /// Returns the name of an archive picture of an agency, which no record seals.
  package static func archive(_ id: Identifier, agency: String) -> String {
    "archive/\(folder(of: agency))/\(id).jpg"
  }

  /// Returns the name of a file that orders of an agency carry: an attachment, or an example picture.
  package static func orderFile(_ digest: String, agency: String) -> String {
    "\(orderFiles(of: agency))/\(digest)"
  }

  /// Returns the name of the folder of the files that orders of an agency carry.
  static func orderFiles(of agency: String) -> String { "order-files/\(folder(of: agency))" }

  /// Returns the name of the folder of an agency's composites.
  static func composites(of agency: String) -> String { "composites/\(folder(of: agency))" }

  /// An agency's name is no folder's: its digest is.
  private static func folder(of agency: String) -> String {
    String(Digest.hexadecimal(Array(agency.utf8)).prefix(16))
  }

  /// Returns the name of the file of a picture that a photo point rests on: of the sealed photo, or
  /// of the archive picture.
  package static func original(of point: PhotoPoint, _ picture: PhotoPoint.Picture) -> String {
    point.pose == .estimated && picture == point.reference
      ? archive(picture.photo, agency: point.agency) : file(.capture, picture.photo)
  }

  /// Returns the name of a record's seal.
  package static func seal(_ kind: RecordKind, _ id: Identifier) -> String {
    file(kind, id) + ".seal"
  }

  /// Returns the name of a capture's raw window.
  package static func raw(_ id: Identifier) -> String { "photos/\(id.folder)/\(id).raw" }

  /// Returns the name of a challenge that was given to a key.
  package static func challenge(_ digest: String, ofKey key: String) -> String {
    "\(CaptureChallenge.folder)/\(key)/\(digest)\(CaptureChallenge.ending)"
  }

  /// Returns the name of the request with which a key was enrolled.
  package static func enrolment(ofKey key: String) -> String { "enrolments/\(key).jws" }

  /// The folder with the certificates of TPMs' makers.
  package static let makers = "tpm-makers"

  /// Returns the name of the office's word about a key in a TPM.
  package static func attestation(ofKey key: String) -> String {
    "attestations/\(key)\(KeyAttestation.ending)"
  }

  /// Returns the name of a receipt.
  package static func receipt(_ id: Identifier) -> String { "receipts/\(id).receipt" }

  /// Returns the name of all links of a key.
  package static func links(ofKey key: String) -> String { "links/\(key).links" }

  /// Returns the name of the links that one batch brought: with a file of their own, a thousandth
  /// batch writes no more than the first.
  package static func links(ofBatch id: Identifier, key: String) -> String {
    "links/\(key)-\(id).links"
  }

  /// Returns the name of a key's revocation.
  package static func revocation(ofKey key: String) -> String { "revocations/\(key).revocation" }

  /// Returns the name of a key's certificate, followed by the authority's in the same file.
  package static func certificate(ofKey key: String) -> String { "certificates/\(key).pem" }
}
