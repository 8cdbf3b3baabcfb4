import Evidence
import Foundation
import Inspection
import Store

/// Where the field unit's files lie, below the data directory.
package struct DataFolder {
  package let root: String

  package init(dataDirectory: URL) {
    root = dataDirectory.appendingPathComponent("field").path
  }

  package var database: String { root + "/standpoint.sqlite" }
  package var keys: String { root + "/keys" }
  package var lock: String { root + "/lock" }
  /// Held by whoever records a track.
  var recordingLock: String { root + "/recording" }
  /// The base maps: those that somebody has put there, and those that came from the office.
  package var maps: String { root + "/maps" }
  /// Where the program's own log lies.
  package var log: String { root + "/log" }
  /// The office that was chosen on the sign-in page.
  package var chosenOffice: String { root + "/office.choice" }
  /// Stands as soon as the first start was shown.
  var startShown: String { root + "/start.shown" }
  package var staging: String { root + "/" + Verifier.stagingFolder }

  /// The kinds of files that are sealed, and those without a file of their own.
  package enum Shelf: String, CaseIterable {
    case photos
    case tracks
    case records

    /// The ending of the sealed file; nil where the record has none.
    package var ending: String? {
      switch self {
      case .photos: ".jpg"
      case .tracks: ".track"
      case .records: nil
      }
    }
  }

  package func folder(_ shelf: Shelf, _ id: Identifier) -> String {
    "\(root)/\(shelf.rawValue)/\(id.folder)"
  }

  package func file(_ shelf: Shelf, _ id: Identifier) -> String {
    folder(shelf, id) + "/\(id)" + (shelf.ending ?? "")
  }

  package func raw(_ id: Identifier) -> String { folder(.photos, id) + "/\(id).raw" }

  /// The certificate of a key by an authority, and the authority's own behind it.
  package func certificate(ofKey key: String, authority: EvidenceCertificate) -> String {
    "\(root)/certificates/\(key)-\(authority.fingerprint.prefix(8)).pem"
  }

  /// Makes the folders that are always there.
  package func prepare() throws {
    for path in [root, keys, staging] { try DurableFile.makeFolder(path) }
  }
}
