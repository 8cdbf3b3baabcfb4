import Evidence
import Foundation
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Web

@Suite("While somebody else writes", .timeLimit(.minutes(5)))
struct BusyWriterTests {
  /// Opens the office's database once more, as another process does.
  private func otherStore(_ folder: URL) throws -> OfficeStore {
    try OfficeStore(
      path: folder.appendingPathComponent("office-data/office/standpoint.sqlite").path)
  }

  /// Runs `body` while somebody else has begun to write and does not end.
  private func whileWriting(
    _ other: OfficeStore, _ body: () async throws -> Void
  ) async throws {
    let (steps, step) = AsyncStream<Bool>.makeStream()
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do {
        try other.write { (_: RegistrySession) in
          step.yield(true)
          isOver.wait()
        }
      } catch {
        Issue.record(error)
      }
      step.finish()
    }
    var next = steps.makeAsyncIterator()
    #expect(await next.next() == true)
    do {
      try await body()
    } catch {
      Issue.record(error)
    }
    isOver.signal()
    #expect(await next.next() == nil)
  }

  @Test("a session is asked for without waiting, and holds on at the next occasion")
  func sessions() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      var configuration = scene.office.configuration
      configuration.freeSpace = PlannedSpace(nil)
      let office = try await OfficeServer.make(configuration: configuration, clock: scene.clock)
      let account = try await office.sessions.authenticate(
        login: "otto", password: OfficeScene.password)
      let token = try await office.sessions.beginSession(for: account)
      func advance(hours: Double) {
        scene.clock.advance(
          to: scene.clock.elapsed.advanced(bySeconds: hours * 3600), limit: nil)
      }
      func expires() async throws -> DeviceTime? {
        try await office.database.session(digest: Token.digest(token))?.expires
      }
      let first = try await expires()
      // A session lasts twelve hours: before a quarter of them has gone nothing is written.
      advance(hours: 2.9)
      _ = try await office.sessions.visitor(withToken: token)
      #expect(try await expires() == first)
      advance(hours: 0.2)
      let other = try otherStore(folder)
      defer { try? other.close() }
      let began = ContinuousClock.now
      try await whileWriting(other) { () async throws -> Void in
        #expect(try await office.sessions.visitor(withToken: token).account.login == "otto")
        #expect(await office.operation.isReady())
      }
      #expect(ContinuousClock.now - began < .seconds(9))
      #expect(try await expires() == first)
      _ = try await office.sessions.visitor(withToken: token)
      #expect(try await expires() == scene.clock.deviceTime.advanced(bySeconds: 12 * 3600))
    }
  }

  @Test("a file of parcels is read while others write")
  func imports() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let path = folder.appendingPathComponent("parcels.csv")
      let rows = (0..<2000).map { number in
        let west = 16 + Double(number) / 100
        return
          "P-\(number),\"POLYGON((\(west) 49,\(west + 0.005) 49,\(west) 49.005))\"\n"
      }
      try Data(("identifier,wkt\n" + rows.joined()).utf8).write(to: path)
      let other = try otherStore(folder)
      defer { try? other.close() }
      var looks = 0
      let report = try await scene.office.imports.importFile(
        ImportedFile(path: path.path), of: .parcels, in: "north", by: "otto", isCarriedOut: true
      ) { _, _ in
        looks += 1
        let agencies = try? other.writeIfFree { try $0.agencies().count }
        #expect(agencies == 2)
      }
      #expect(looks > 0)
      #expect(report.isTaken && report.new == 2000 && report.digest.count == 64)
      #expect(try await scene.office.places.parcelCount(in: "north") == 2000)
      let log = try await scene.office.database.read(in: "north") { try $0.log.newest(limit: 5) }
      #expect(log.contains { $0.action == "parcels-imported" })
    }
  }
}
