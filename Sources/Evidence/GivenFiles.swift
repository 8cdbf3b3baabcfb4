import Foundation

/// Evidence files in memory.
package struct GivenFiles: EvidenceFiles {
  private let contents: [String: [UInt8]]

  /// Creates files from their bytes, by path.
  package init(_ contents: [String: [UInt8]]) { self.contents = contents }

  package var paths: [String] { contents.keys.sorted() }

  package func bytes(of path: String) throws -> [UInt8] {
    guard let bytes = contents[path] else { throw CocoaError(.fileReadNoSuchFile) }
    return bytes
  }
}
