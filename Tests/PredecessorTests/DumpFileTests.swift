import Evidence
import Foundation
import Imports
import Office
import Store
import TestSupport
import Testing

@testable import Predecessor

@Suite("Files of dumps")
struct DumpFileTests {
  /// Counts the rows that the reader finds in a file of these bytes.
  private func count(_ bytes: [UInt8], _ path: String) throws -> Int {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let pieces = try DumpFile(path: path).open()
    let reader = DumpReader(tables: ["pa"], pieceBytes: 1000) { try pieces.read(into: $0) }
    var count = 0
    while try reader.next() != nil { count += 1 }
    return count
  }

  @Test(
    "a packed dump is unpacked while it is read, in several members, and refused where it is cut")
  func packed() throws {
    let text = (0..<3000).map { "INSERT INTO pa (id) VALUES (\($0));\n" }
    let half = text.count / 2
    let first = try Gzip.compress(Array(text[..<half].joined().utf8))
    let packed = first + (try Gzip.compress(Array(text[half...].joined().utf8)))
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("dump.sql.gz").path
      let counts = (try count(packed, path), try count(Array(text.joined().utf8), path))
      #expect(counts == (3000, 3000))
      for length in [3, 10, first.count - 1, first.count + 4, packed.count - 1] {
        #expect(throws: OfficeRefusal.self, "\(length)") {
          try count(Array(packed[..<length]), path)
        }
      }
      var broken = packed
      broken[first.count / 2] ^= 0x55
      #expect(throws: (any Error).self) { try count(broken, path) }
      for path in [folder.path, path + ".none"] {
        #expect(throws: OfficeRefusal.self) { try DumpFile(path: path).open() }
      }
    }
  }
}
