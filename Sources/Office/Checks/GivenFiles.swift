import Evidence
import TimeAndText

/// Evidence files in memory.
struct GivenFiles: EvidenceFiles {
  let contents: [String: [UInt8]]

  init(_ contents: [String: [UInt8]]) { self.contents = contents }

  var paths: [String] { contents.keys.sorted() }

  func bytes(of path: String) throws -> [UInt8] {
    guard let bytes = contents[path] else {
      throw OfficeRefusal(.storeUnavailable, "\(path) is not there")
    }
    return bytes
  }
}
