import Foundation
import Geodesy
import Inspection
import Positioning
import Receivers
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit

@Suite("What is sent, and what keeps a task from being sent", .timeLimit(.minutes(5)))
struct SentPagesTests {
  private func withOpenTask(
    _ body: @escaping @Sendable (FieldSite, InspectorUnit, InspectionTask) async throws -> Void
  ) async throws {
    try await FieldSite.with { site in
      try await site.signIn()
      let unit = try #require(try site.server.unit())
      let task = try #require(try site.scene.tasks().last)
      try await body(site, unit, try unit.openTask(task.id))
    }
  }

  @Test("a task is delivered once its entries are gone, and not if it was taken back or withdrawn")
  func taskStates() {
    for state in TaskState.allCases {
      let isEditable = [.new, .open, .returned].contains(state)
      #expect(SentState(of: state, isWaiting: true) == (isEditable ? .notSent : .waiting))
      let isWithInspector = isEditable || state == .withdrawn
      #expect(SentState(of: state, isWaiting: false) == (isWithInspector ? .notSent : .delivered))
    }
  }

  @Test("a task that was taken back is not said to be delivered, on a page that was left open")
  func takenBack() async throws {
    try await withOpenTask { site, unit, task in
      _ = try await site.scene.capture(site.scene.request(task: task.id))
      try unit.provideTask(task.id)
      let pages = SentPages(server: site.server)
      let sent = pages.fragment(unit, .task(task.id)).text
      #expect(sent.contains("Waiting in the outbox.") && !sent.contains("Delivered"))
      try unit.takeBackTask(task.id)
      let back = pages.fragment(unit, .task(task.id)).text
      #expect(back.contains("It is no longer sent.") && !back.contains("Delivered"))
      #expect(back.contains("href=\"/tasks/\(task.id)\""))
    }
  }

  @Test("a photo that was never sent, or goes with its task, is not said to be delivered")
  func photo() async throws {
    try await withOpenTask { site, unit, task in
      let photo = try await site.scene.capture(site.scene.request(task: task.id))
      let pages = SentPages(server: site.server)
      #expect(pages.fragment(unit, .photo(photo.id)).text.contains("It is no longer sent."))
      try unit.provideTask(task.id)
      let sent = pages.fragment(unit, .photo(photo.id)).text
      #expect(sent.contains("Waiting in the outbox.") && !sent.contains("Delivered"))
    }
  }

  @Test("a task with an unfinished track says so before Send, and is refused in the same words")
  func unfinishedTrack() async throws {
    try await withOpenTask { site, unit, task in
      _ = try await site.scene.capture(site.scene.request(task: task.id))
      let track = try unit.beginTrack(name: "Edge", task: task.id, source: "", isSimulated: true)
      let place = try #require(Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.63))
      let time = site.scene.clock.deviceTime.gnssTime
      try unit.append(TrackPoint(kind: .recorded, time: time, coordinate: place), to: track.id)
      for path in ["/tasks/\(task.id)", "/tasks/\(task.id)/send"] {
        let page = try await site.browser.get(path).body
        #expect(page.contains("○ a track is not finished: finish it, or delete it"), "\(path)")
      }
      #expect(throws: InspectionError.trackUnfinished) { try unit.provideTask(task.id) }
      let refused = try await site.browser.post("/tasks/\(task.id)/send")
      #expect(refused.status == 422 && refused.body.contains("a track of the task is not finished"))
      _ = try unit.finishTrack(track.id, source: nil)
      #expect(!(try await site.browser.get("/tasks/\(task.id)").body.contains("not finished")))
      #expect(try unit.provideTask(task.id).state == .dataProvided)
    }
  }

  @Test("the question before sending is read once a second, not with each epoch")
  func question() async throws {
    try await withOpenTask { site, unit, task in
      let photo = try await site.scene.capture(site.scene.request(task: task.id))
      let clock = site.scene.clock
      // The log is over: the clock shall stand still until the test moves it.
      clock.advance(to: clock.elapsed, limit: clock.elapsed)
      let captured = CameraDesk.Captured(photo: photo, canRepeat: true)
      let pages = CameraPages(server: site.server)
      let view = CameraView(task: try unit.task(task.id), page: nil)
      let before = await pages.review(captured, view)
      #expect(before.text.contains(">Not yet<") && before.text.contains("1 photo,"))
      try unit.deletePhoto(photo.id, reason: "blurred")
      #expect(await pages.review(captured, view) == before)
      clock.advance(to: clock.elapsed.advanced(bySeconds: 1), limit: nil)
      #expect(await pages.review(captured, view).text.contains("Something is missing:"))
    }
  }
}
