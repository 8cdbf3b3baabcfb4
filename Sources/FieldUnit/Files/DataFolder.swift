import Evidence
import Foundation
import Inspection
import Store

/// Where the field unit's files lie, below the data directory.
struct DataFolder {
  let root: String

  init(dataDirectory: URL) {
    root = dataDirectory.appendingPathComponent("field").path
  }

  var database: String { root + "/standpoint.sqlite" }
  var keys: String { root + "/keys" }
  var lock: String { root + "/lock" }
  /// Held by whoever records a track.
  var recordingLock: String { root + "/recording" }
  /// The base maps: those that somebody has put there, and those that came from the office.
  var maps: String { root + "/maps" }
  /// Where the program's own log lies.
  var log: String { root + "/log" }
  /// The office that was chosen on the sign-in page.
  var chosenOffice: String { root + "/office.choice" }
  /// Stands as soon as the first start was shown.
  var startShown: String { root + "/start.shown" }
  var staging: String { root + "/" + Verifier.stagingFolder }

  /// The kinds of files that are sealed, and those without a file of their own.
  enum Shelf: String, CaseIterable {
    case photos
    case tracks
    case records

    /// The ending of the sealed file; nil where the record has none.
    var ending: String? {
      switch self {
      case .photos: ".jpg"
      case .tracks: ".track"
      case .records: nil
      }
    }
  }

  func folder(_ shelf: Shelf, _ id: Identifier) -> String {
    "\(root)/\(shelf.rawValue)/\(id.folder)"
  }

  func file(_ shelf: Shelf, _ id: Identifier) -> String {
    folder(shelf, id) + "/\(id)" + (shelf.ending ?? "")
  }

  func raw(_ id: Identifier) -> String { folder(.photos, id) + "/\(id).raw" }

  /// The certificate of a key by an authority, and the authority's own behind it.
  func certificate(ofKey key: String, authority: EvidenceCertificate) -> String {
    "\(root)/certificates/\(key)-\(authority.fingerprint.prefix(8)).pem"
  }

  /// Makes the folders that are always there.
  func prepare() throws {
    for path in [root, keys, staging] { try DurableFile.makeFolder(path) }
  }
}
