import Evidence

/// A folder in memory.
struct MemoryFiles: EvidenceFiles {
  struct Unreadable: Error {}

  var contents: [String: [UInt8]] = [:]
  /// The paths of files that exist and cannot be read.
  var unreadable: Set<String> = []

  var paths: [String] { Array(contents.keys) }

  func bytes(of path: String) throws -> [UInt8] {
    guard !unreadable.contains(path), let bytes = contents[path] else { throw Unreadable() }
    return bytes
  }

  subscript(_ path: String) -> [UInt8]? {
    get { contents[path] }
    set { contents[path] = newValue }
  }

  /// Changes one byte of a file, `offset` bytes from its start.
  mutating func flip(_ path: String, at offset: Int) {
    contents[path]?[offset] ^= 0x01
  }

  mutating func move(_ path: String, to other: String) {
    contents[other] = contents.removeValue(forKey: path)
  }

  mutating func exchange(_ path: String, _ other: String) {
    let kept = contents[path]
    contents[path] = contents[other]
    contents[other] = kept
  }
}
