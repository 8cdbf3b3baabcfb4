import Exports
import Foundation
import Inspection
import OfficeExporting
import OfficeScenes
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("Exports of nothing")
struct EmptyExportTests {
  @Test("are refused by a rule, and not as something unknown")
  func emptyExport() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.order()
      await #expect {
        try await scene.office.exports.bundle(ofTask: task.id, in: "north")
      } throws: {
        ($0 as? OfficeRefusal)?.kind == .ruleForbids
      }
      await #expect {
        try await scene.office.exports.export(
          .all, in: "south", as: .kml, toFile: folder.appendingPathComponent("all.kml").path)
      } throws: {
        ($0 as? OfficeRefusal)?.kind == .ruleForbids
      }
    }
  }
}
