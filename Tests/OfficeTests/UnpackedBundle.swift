import Evidence
import Testing

/// The files of a bundle, some of which a test changes.
struct UnpackedBundle: EvidenceFiles {
  var contents: [String: [UInt8]] = [:]
  var allPaths: [String] { contents.keys.sorted() }
  var paths: [String] { allPaths.filter(EvidencePath.mayBeEvidence) }
  let isSelection = true

  init(_ path: String) throws {
    let archive = try EvidenceArchive(path: path)
    for name in archive.allPaths { contents[name] = try archive.bytes(of: name) }
  }

  func bytes(of path: String) throws -> [UInt8] { try #require(contents[path]) }
}
