import Evidence
import Foundation
import Positioning
import Store

/// Files on a disk, as the verifier reads them.
public struct EvidenceFolder: EvidenceFiles {
  /// Relative paths of everything that can be evidence.
  public let paths: [String]
  /// Where each of them lies.
  private let places: [String: String]

  /// Everything below a folder, but hidden files, keys and the field unit's own previews. The database with what belongs to it has
  /// names that mean nothing to the verifier.
  /// - Throws: `FieldUnitError.unreadable`.
  public init(folder: String) throws {
    guard let walk = FileManager.default.enumerator(atPath: folder) else {
      throw FieldUnitError.unreadable(path: folder, reason: "its rights do not allow it")
    }
    var places: [String: String] = [:]
    for case let path as String in walk {
      let isFolder = walk.fileAttributes?[.type] as? FileAttributeType == .typeDirectory
      if !Verifier.mayBeEvidence(isFolder ? path + "/x" : path) || Self.isPreviews(path) {
        if isFolder { walk.skipDescendants() }
      } else if walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
        places[path] = folder + "/" + path
      }
    }
    self.init(places)
  }

  /// The folder of previews of the field unit's part of a data directory: nobody seals them, and whoever
  /// looks for evidence finds pictures there that are none. Elsewhere the name means nothing.
  private static func isPreviews(_ path: String) -> Bool {
    path == DataFolder.thumbnails || "/\(path)".hasSuffix("/field/\(DataFolder.thumbnails)")
  }

  /// One photo with its seal and its raw window; and the certificates of the data directory or the
  /// bundle in which it lies, since they say whose key sealed it.
  public init(photo: String) {
    let url = URL(fileURLWithPath: photo.hasSuffix(".seal") ? String(photo.dropLast(5)) : photo)
    let folder = url.deletingLastPathComponent()
    let name = url.lastPathComponent
    let raw = url.deletingPathExtension().lastPathComponent + ".raw"
    var places: [String: String] = [:]
    for name in [name, name + ".seal", raw] {
      let path = folder.appendingPathComponent(name).path
      if FileManager.default.fileExists(atPath: path) { places[name] = path }
    }
    // `photos/ab/ID.jpg` lies two folders below.
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
      // Where a key was revoked the receipts say what was held before.
      if add("revocations", ".revocation") { _ = add("receipts", ".receipt") }
      root = root.deletingLastPathComponent()
    }
    self.init(places)
  }

  /// One file that speaks for itself, such as an office's log.
  public init(file: String) {
    self.init([URL(fileURLWithPath: file).lastPathComponent: file])
  }

  private init(_ places: [String: String]) {
    self.places = places
    paths = places.keys.sorted()
  }

  /// A file's bytes.
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
