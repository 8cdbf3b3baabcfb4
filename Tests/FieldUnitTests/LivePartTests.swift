import Foundation
import Positioning
import Receivers
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit

@Suite("What pages show live", .timeLimit(.minutes(5)))
struct LivePartTests {
  private func withPages(
    _ body: @escaping @Sendable (CameraPages, FieldScene, ReceiverFollower) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let follower = try scene.follower()
      let server = try FieldServer(
        configuration: scene.unit.configuration, clock: scene.clock, follower: follower,
        defaultOffice: nil, camera: nil)
      try await body(CameraPages(server: server), scene, follower)
    }
  }

  @Test("a part is sent when the receiver says something, and is then what it said last")
  func wakes() async throws {
    try await withPages { pages, _, follower in
      var pieces = pages.live { .text("\(await follower.state.wording)") }
        .makeAsyncIterator()
      #expect(await pieces.next()?.description.contains("connecting") == true)
      #expect(await pieces.next() == HTML.empty, "the page may expect a sign each second")
      try await follower.run()
      var last: HTML?
      // Pieces may be skipped on the way, but not the log's end.
      while last?.description.contains("the log has ended") != true {
        let piece = await pieces.next()
        if piece?.isEmpty == false { last = piece }
      }
    }
  }

  @Test("what is the same is not sent again: a sign of life is, and an empty part is no such sign")
  func signs() async throws {
    try await withPages { pages, _, _ in
      var pieces = pages.live { "<b>same</b>" }.makeAsyncIterator()
      #expect(await pieces.next() == "<b>same</b>")
      for _ in 0..<2 { #expect(await pieces.next() == HTML.empty) }
      var empty = pages.live { "" }.makeAsyncIterator()
      #expect(await empty.next()?.isEmpty == false)
    }
  }

  @Test("a bell wakes it as well, and nobody is told any more once the page has gone")
  func bell() async throws {
    try await withPages { pages, _, _ in
      let number = Counter()
      let stream = Task {
        var seen = 0
        for await piece in pages.live({ "\(number.value)" }) where !piece.isEmpty {
          seen += 1
          if piece == "2" { return seen }
          number.add()
          pages.server.bell.ring()
        }
        return -1
      }
      #expect(await stream.value == 3)
    }
  }

  @Test("the page's state says nothing that is not so: no receiver, no shutter")
  func state() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let server = try FieldServer(
        configuration: scene.unit.configuration, clock: scene.clock, follower: nil,
        defaultOffice: nil, camera: nil)
      let html = await CameraPages(server: server).cameraFragment(CameraView()).description
      #expect(html.contains("No receiver"))
      #expect(
        html.contains("&quot;isReady&quot;:false") && html.contains("&quot;isFresh&quot;:false"))
    }
  }

  @Test("a clock that was set while the page was open is told with the seconds")
  func clock() async throws {
    try await withPages { pages, scene, follower in
      try await follower.run()
      let opened = scene.clock.deviceTime.advanced(bySeconds: -3600)
      let view = CameraView(opened: (opened, scene.clock.elapsed))
      let html = await pages.cameraFragment(view).description
      #expect(html.contains("was set by 3600 s while this page was open"))
      let calm = CameraView(opened: (scene.clock.deviceTime, scene.clock.elapsed))
      #expect(!(await pages.cameraFragment(calm).description.contains("was set by")))
    }
  }
}

/// A counter that several tasks share.
private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0
  var value: Int { lock.withLock { number } }
  func add() { lock.withLock { number += 1 } }
}
