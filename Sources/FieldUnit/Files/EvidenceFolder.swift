import Evidence
import Foundation

/// Files on a disk, as the verifier reads them.
public struct EvidenceFolder: EvidenceFiles {
  /// Relative paths of everything that can be evidence.
  public let paths: [String]
  private let root: String

  /// Everything below a folder. Hidden files and the database with what belongs to it are no
  /// evidence; neither are keys.
  /// - Throws: `FieldUnitError.unreadable`.
  public init(folder: String) throws {
    root = folder
    guard let walk = FileManager.default.enumerator(atPath: folder) else {
      throw FieldUnitError.unreadable(path: folder, reason: "its rights do not allow it")
    }
    var paths: [String] = []
    for case let path as String in walk {
      let name = (path as NSString).lastPathComponent
      if name.hasPrefix(".") {
        walk.skipDescendants()
      } else if walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
        paths.append(path)
      }
    }
    self.paths = paths
  }

  /// One photo with its seal and its raw window.
  public init(photo: String) {
    let url = URL(fileURLWithPath: photo.hasSuffix(".seal") ? String(photo.dropLast(5)) : photo)
    root = url.deletingLastPathComponent().path
    let name = url.lastPathComponent
    let raw = url.deletingPathExtension().lastPathComponent + ".raw"
    let folder = root
    paths = [name, name + ".seal", raw].filter {
      FileManager.default.fileExists(atPath: folder + "/" + $0)
    }
  }

  /// A file's bytes.
  public func bytes(of path: String) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: root + "/" + path) else {
      throw FieldUnitError.unreadable(path: path, reason: "its rights do not allow it")
    }
    return Array(data)
  }
}
