import Testing

@testable import Store

@Suite("Files that are there whole or not at all")
struct DurableFileTests {
  @Test("a name without a folder is in the present one")
  func folders() {
    for (path, folder) in [
      ("a.jpg", "."), ("./a.jpg", "."), ("b/a.jpg", "b"), ("/a.jpg", "/"), ("/b/c/a.jpg", "/b/c"),
    ] {
      #expect(DurableFile.folder(of: path) == folder, "\(path)")
    }
  }
}
