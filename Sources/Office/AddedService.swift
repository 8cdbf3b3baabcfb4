import Evidence
import Inspection
import Positioning
import Store
import Sync
import Web

/// A web service that the executable adds to the office, beside the office's own interface. It has taken
/// photos and tracks in its own way. The office asks each added service about those, and knows none of
/// them by name.
package protocol AddedService: Sendable {
  /// Makes ready what the service needs, before the first request.
  func begin(in office: OfficeServer) async throws
  /// Measures a photo that this service took; nil where it took none of this identifier.
  func measure(
    _ photo: Identifier, in agency: String, of office: OfficeServer
  ) async throws -> ArrivalMeasure?
  /// The findings and checks of a photo that this service took, on what was measured; nil where it took
  /// none of this identifier.
  func conclude(
    _ received: ReceivedPhoto, _ measure: ArrivalMeasure, _ similar: inout SimilarPictures,
    in session: any AgencyTransaction
  ) throws -> ReceivedPhoto?
  /// A track that this service took; nil where it took none of this identifier.
  func track(_ id: Identifier, in session: any ReadingTransaction) throws -> Track?
  /// Calls `body` for each file that this service has put into the photo store: the file's name there, and
  /// the SHA-256 of its bytes as they came, in hexadecimal.
  func forEachFile(
    in session: any AgencyTransaction, _ body: (_ name: String, _ digest: String) throws -> Void
  ) throws
  /// A check of a photo that this service took, in words; nil for a check that reads as any other.
  func words(for check: PhotoCheck, _ t: Texts) -> String?
}

extension OfficeServer {
  /// A track that an added service took; nil where none of them did.
  func addedTrack(_ id: Identifier, _ session: any ReadingTransaction) throws -> Track? {
    for service in services {
      if let track = try service.track(id, in: session) { return track }
    }
    return nil
  }
}
