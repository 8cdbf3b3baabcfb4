import Evidence
import Inspection
import Store
import Sync
import Web

/// A web service that the executable adds to the office, next to the office's own interface. The
/// service has taken photos and tracks in its own way. The office asks each added service about
/// those and knows no service by name.
package protocol AddedService: Sendable {
  /// Prepares everything that the service needs, before the first request.
  func begin(in core: OfficeCore) async throws
  /// Measures a photo that this service took; nil if the service took no photo of this identifier.
  func measure(
    _ photo: Identifier, in agency: String, of core: OfficeCore
  ) async throws -> ArrivalMeasure?
  /// Returns a photo that this service took with the findings and checks that follow from the
  /// measure; nil if the service took no photo of this identifier.
  func conclude(
    _ received: ReceivedPhoto, _ measure: ArrivalMeasure, _ similar: inout SimilarPictures,
    in session: any AgencyTransaction
  ) throws -> ReceivedPhoto?
  /// Returns a track that this service took; nil if the service took no track of this identifier.
  func track(_ id: Identifier, in session: any ReadingTransaction) throws -> Track?
  /// Calls `body` for each file that this service has put into the photo store: with the file's
  /// name in the store, and the SHA-256 of the bytes as they arrived, in hexadecimal.
  func forEachFile(
    in session: any AgencyTransaction, _ body: (_ name: String, _ digest: String) throws -> Void
  ) throws
  /// Returns the words for a check of a photo that this service took; nil if the office's own words
  /// fit.
  func words(for check: PhotoCheck, _ t: Texts) -> String?
}

extension [any AddedService] {
  /// Finds the track that an added service took; nil if none of them took it.
  package func track(_ id: Identifier, _ session: any ReadingTransaction) throws -> Track? {
    for service in self {
      if let track = try service.track(id, in: session) { return track }
    }
    return nil
  }
}
