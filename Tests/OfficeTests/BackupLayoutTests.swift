import OfficeScenes
import Testing

@testable import BackupArchives
@testable import Office
@testable import OfficePages
@testable import Store

@Suite("What a backup of an office holds")
struct BackupLayoutTests {
  @Test(
    "an office holds files of known kinds below its folder, and nothing else",
    arguments: [
      ("office/standpoint.sqlite", true), ("office/keys/authority.key", true),
      ("office/photos/ab/1.jpg.seal", true), ("office/links/k.links", true),
      ("office/receipts/1.receipt", true),
      ("office/log/checkpoints/12", false), ("standpoint.sqlite", false), ("office/", false),
      ("office/other.sqlite", false), ("office/keys/a/b", false), ("office/photos", false),
      ("office/photos/a/b/c", false), ("office/incoming/x", false), ("office/photos/../x", false),
      ("office/../etc/passwd", false), ("/office/photos/ab/x", false), ("office//photos/x", false),
      ("office/photos/ab/.hidden", false), ("office/photos/ab/x y", false),
      ("office/standpoint.sqlite-wal", false), ("office/photos/ab/\u{e9}", false),
    ] as [(String, Bool)])
  func names(name: String, isTaken: Bool) {
    #expect((BackupLayout.office.name(ofEntry: name) != nil) == isTaken)
  }
}
