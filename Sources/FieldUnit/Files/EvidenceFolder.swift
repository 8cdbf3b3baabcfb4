import Evidence
import Foundation
import Store
import TimeAndText

/// Files on a disk, as the verifier reads them.
public struct EvidenceFolder: EvidenceFiles {
  /// The relative paths of everything that can be evidence, sorted.
  public let paths: [String]
  /// The relative paths of all files, sorted. In a data directory these are the files where evidence lies: the
  /// rest are the program's own.
  public let allPaths: [String]
  /// The absolute path of each of them.
  private let places: [String: String]

  /// Creates the evidence of everything below a folder, except hidden files, keys, the field unit's
  /// own previews, pictures from the office and sets that are not ended. The database and its files have names that mean nothing to the verifier.
  /// - Throws: `FieldUnitError.unreadable`.
  public init(folder: String) throws {
    guard let walk = FileManager.default.enumerator(atPath: folder) else {
      throw FieldUnitError.unreadable(path: folder, reason: "its permissions do not allow it")
    }
    // A database in a bundle does not make it a data directory.
    let isData =
      !Self.isBundle(folder)
      && ["", "field/", "office/"].contains { Self.hasDatabase("\(folder)/\($0)") }
    var places: [String: String] = [:]
    var others: [String] = []
    for case let path as String in walk {
      let type = walk.fileAttributes?[.type] as? FileAttributeType
      let isFolder = type == .typeDirectory
      let isPreviews = Self.isPreviews(path, below: folder)
      if !EvidencePath.mayBeEvidence(isFolder ? path + "/x" : path) || isPreviews {
        if isFolder, isData || isPreviews { walk.skipDescendants() }
        if !isFolder, !isPreviews { others.append(path) }
      } else if type == .typeRegular {
        places[path] = folder + "/" + path
      } else if !isFolder {
        others.append(path)
      }
    }
    self.init(places, others: others) { !isData || Self.isWhereEvidenceLies($0) }
  }

  private static let shelves = Set(
    DataFolder.Shelf.allCases.map(\.rawValue)
      + [
        "links", "certificates", "receipts", "revocations", "attestations", CaptureChallenge.folder,
      ]
  )

  private static func isWhereEvidenceLies(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().prefix(2).contains { shelves.contains(String($0)) }
  }

  private static func isBundle(_ folder: String) -> Bool {
    [BundleList.path, BundleList.statementPath, Evidence.Bundle.readmePath].contains {
      FileStatus(ofPath: "\(folder)/\($0)") != nil
    }
  }

  /// Returns true if a folder has a database: an empty file of that name is none. One that cannot be read is one.
  private static func hasDatabase(_ folder: String) -> Bool {
    let path = folder + "/standpoint.sqlite"
    guard FileStatus(ofPath: path) != nil else { return false }
    guard let file = FileHandle(forReadingAtPath: path) else { return true }
    let beginning = (try? file.read(upToCount: 16)) ?? nil
    return beginning?.elementsEqual("SQLite format 3\0".utf8) ?? false
  }

  private static let previews = [
    DataFolder.thumbnails, DataFolder.pointPictures, DataFolder.earlierPictures,
    DataFolder.openSetFrames, DataFolder.filesOfOrders,
  ]

  /// Returns true for folders beside a field unit's database that a verifier would take for photos without evidence.
  /// Elsewhere the names have no such meaning.
  private static func isPreviews(_ path: String, below folder: String) -> Bool {
    previews.contains { name in
      guard path == name || "/\(path)".hasSuffix("/field/\(name)") else { return false }
      let place = "\(folder)/\(path.dropLast(name.count))"
      return hasDatabase(place) && !isBundle(place) && !isBundle(place + "/..")
    }
  }

  /// The folders and endings of the files that show what an office's log held.
  private static let proofFiles = [
    ("receipts", ".receipt"), ("receipts", ReceiptProof.ending), ("log", "checkpoint"),
    ("log", ".tlog-proof"),
  ]

  /// Creates the evidence of one photo with its seal and its raw window, and the certificates of
  /// the data directory or the bundle around it, since they say whose key sealed the photo.
  /// - Parameter readsReceipts: true to take all receipts around it, too, of which there may be many thousands.
  public init(photo: String, readsReceipts: Bool = false) {
    let url = URL(fileURLWithPath: photo.hasSuffix(".seal") ? String(photo.dropLast(5)) : photo)
    let folder = url.deletingLastPathComponent()
    let name = url.lastPathComponent
    let raw = url.deletingPathExtension().lastPathComponent + ".raw"
    var places: [String: String] = [:]
    for name in [name, name + ".seal", raw] {
      let path = folder.appendingPathComponent(name).path
      if FileManager.default.fileExists(atPath: path) { places[name] = path }
    }
    // Of the challenges, of which there may be many thousands, the one that the photo names.
    let seal = FileManager.default.contents(
      atPath: folder.appendingPathComponent(name + ".seal").path
    ).flatMap { try? SealFile(Array($0)) }
    let challenge = seal.flatMap { CaptureChallenge.digest(in: $0.record) }
    let key = seal?.seal.link.key ?? ""
    // The root is two folders above `photos/ab/ID.jpg`'s folder.
    var root = folder
    for _ in 0..<3 {
      func add(_ shelf: String, _ ending: String) -> Bool {
        let folder = root.appendingPathComponent(shelf)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let found = names.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }
        for name in found where places["\(shelf)/\(name)"] == nil {
          places["\(shelf)/\(name)"] = folder.appendingPathComponent(name).path
        }
        return !found.isEmpty
      }
      _ = add("certificates", ".pem")
      if let digest = challenge {
        // The office keeps them by the key that they were given to.
        for shelf in [CaptureChallenge.folder, "\(CaptureChallenge.folder)/\(key)"] {
          _ = add(shelf, digest + CaptureChallenge.ending)
        }
      }
      // If a key was revoked, the receipts say which records the office held before.
      if add("revocations", ".revocation") || readsReceipts { _ = add("receipts", ".receipt") }
      // A revoked key of the office counts for what its log held: receipts and their proofs show that.
      if add("revocations", OfficeKeyRevocation.ending) {
        for (shelf, ending) in Self.proofFiles { _ = add(shelf, ending) }
        let statement = root.appendingPathComponent(BundleList.statementPath).path
        if FileStatus(ofPath: statement) != nil { places[BundleList.statementPath] = statement }
      }
      root = root.deletingLastPathComponent()
    }
    self.init(places)
  }

  /// Creates the evidence of one file that needs no other, such as an office's log.
  public init(file: String) {
    self.init([URL(fileURLWithPath: file).lastPathComponent: file])
  }

  /// Creates the pictures among these files, under their whole paths: none of them is checked.
  public init(pictures: [String]) {
    var places: [String: String] = [:]
    for path in pictures where [".jpg", ".jpeg"].contains(where: path.lowercased().hasSuffix) {
      if FileStatus(ofPath: path)?.isFile ?? false { places[path] = path }
    }
    self.init(places)
  }

  private init(
    _ places: [String: String], others: [String] = [],
    all isShown: (String) -> Bool = { _ in true }
  ) {
    self.places = places
    paths = places.keys.sorted()
    allPaths = (paths + others).filter(isShown).sorted()
  }

  /// Returns a file's bytes.
  public func bytes(of path: String) throws -> [UInt8] {
    guard let place = places[path] else {
      throw FieldUnitError.unreadable(path: path, reason: "there is no such file")
    }
    do throws(StoreError) {
      return try DurableFile.read(place)
    } catch {
      if case .unavailable(_, let reason) = error {
        throw FieldUnitError.unreadable(path: path, reason: "\(word: reason)")
      }
      throw FieldUnitError.unreadable(path: path, reason: "\(error)")
    }
  }
}
