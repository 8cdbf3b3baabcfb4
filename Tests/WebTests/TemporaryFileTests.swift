import Foundation
import Testing
import Web

@Suite("Files that are made for one answer")
struct TemporaryFileTests {
  @Test("lie in a folder that is their owner's only, and go with all that lies beside them")
  func rights() throws {
    var file: TemporaryFile? = TemporaryFile(ending: "kml")
    let path = try #require(file?.path)
    let folder = (path as NSString).deletingLastPathComponent
    #expect(path.hasSuffix(".kml"))
    #expect(!FileManager.default.fileExists(atPath: path), "nothing is there yet")
    let attributes = try FileManager.default.attributesOfItem(atPath: folder)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    for name in [path, folder + "/.scratch"] {
      try Data([1]).write(to: URL(fileURLWithPath: name))
    }
    file = nil
    #expect(!FileManager.default.fileExists(atPath: folder))
  }
}
