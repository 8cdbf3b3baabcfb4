import Evidence
import Foundation
import Inspection
import Store

/// The paths of the field unit's files, below the data directory.
package struct DataFolder {
  package let root: String

  package init(dataDirectory: URL) {
    root = dataDirectory.appendingPathComponent("field").path
  }

  package var database: String { root + "/standpoint.sqlite" }
  package var keys: String { root + "/keys" }
  package var lock: String { root + "/lock" }
  /// The lock that is held while a track is recorded.
  var recordingLock: String { root + "/recording" }
  /// The folder of the base maps: those that people have put there, and those from the office.
  package var maps: String { root + "/maps" }
  /// The folder of the parcels around each inspector's tasks, from the office.
  package var neighbours: String { root + "/parcels" }
  /// The folder of the pictures of photo points, from the office.
  package var points: String { root + "/" + Self.pointPictures }
  /// The name of that folder.
  static let pointPictures = "photo-points"
  /// The folder of the small pictures of earlier photos around the tasks, from the office.
  package var earlierPhotos: String { root + "/" + Self.earlierPictures }
  /// The name of that folder.
  static let earlierPictures = "earlier-photos"
  /// The folder of the files that the orders carry, from the office.
  package var orderFiles: String { root + "/" + Self.filesOfOrders }
  /// The name of that folder.
  static let filesOfOrders = "order-files"
  /// The folder of the composites that were made on this device.
  var composites: String { root + "/composites" }
  /// The folder of the sets that are not ended yet.
  package var openSets: String { root + "/" + Self.openSetFrames }
  /// The name of that folder.
  static let openSetFrames = "open-sets"
  /// The folder of the program's own log.
  package var log: String { root + "/log" }
  /// The office that was chosen on the sign-in page.
  package var chosenOffice: String { root + "/office.choice" }
  /// The file that exists once the first start was shown.
  var startShown: String { root + "/start.shown" }
  package var staging: String { root + "/" + EvidencePath.stagingFolder }

  /// The kinds of sealed things, which are kept in folders of their own.
  package enum Shelf: String, CaseIterable {
    case photos
    case tracks
    case sets
    case records

    /// Creates the shelf of a kind of records.
    package init(_ kind: RecordKind) { self = Shelf(rawValue: kind.folder) ?? .records }

    /// The ending of the sealed file; nil if the record has no file.
    package var ending: String? {
      switch self {
      case .photos: RecordKind.capture.fileEnding
      case .tracks: RecordKind.track.fileEnding
      case .sets: RecordKind.around.fileEnding
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

  /// Returns the path of a file that a seal names.
  package func part(_ part: SealedPart, of id: Identifier, _ kind: RecordKind) -> String {
    folder(Shelf(kind), id) + "/" + part.name(of: id, kind)
  }

  package func raw(_ id: Identifier) -> String { folder(.photos, id) + "/\(id).raw" }

  /// Returns the path of a key's certificate by an authority; the file holds the authority's own
  /// after it.
  package func certificate(ofKey key: String, authority: EvidenceCertificate) -> String {
    "\(root)/certificates/\(key)-\(authority.fingerprint.prefix(8)).pem"
  }

  /// Makes the folders that always exist.
  package func prepare() throws {
    for path in [root, keys, staging] { try DurableFile.makeFolder(path) }
  }
}
