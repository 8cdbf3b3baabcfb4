import Evidence
import Foundation
import Imagery
import Imports
import Inspection
import Positioning
import Receivers
import TestSupport
import Testing
import TimeAndText
import Verification
import Web

@testable import FieldPages
@testable import FieldUnit

/// Tests of photos that a page's browser takes when the field unit asks for one.
@Suite("A photo from the camera page", .timeLimit(.minutes(5)))
struct CameraPageTests {
  /// Presses the shutter as soon as it is available, and answers the exposure with `answer`.
  private func capture(
    _ site: CameraSite,
    _ answer: @escaping @Sendable (CameraSite, String) async throws -> Void
  ) async throws {
    try await site.replay { site in
      let begun = try await site.press()
      #expect(begun.location == "/camera")
      Task {
        guard let number = await site.exposure() else { return }
        do {
          try await answer(site, number)
        } catch {
          Issue.record(error)
        }
      }
    }
  }

  @Test("the page's bytes are sealed unchanged, with how the device was held and how it was taken")
  func captured() async throws {
    try await CameraSite.with { site in
      try await capture(site) { site, number in
        let words = #"{"alpha":270,"beta":80,"gamma":0,"screen":0,"taken":"still","facing":""}"#
        let answer = try await site.browser.post(
          "/camera/frame?number=\(number)", bytes: CameraSite.picture, words: words)
        #expect(answer.status == 200 && answer.body == "{}")
      }
      guard case .captured(let captured) = await site.outcome() else {
        Issue.record("\(site.server.captureStatus)")
        return
      }
      let photo = captured.photo
      #expect(photo.standpoint?.samples == 20 && photo.origin == .camera)
      let orientation = try #require(photo.orientation)
      #expect(orientation.source == .deviceSensors)
      let magnetic = try #require(orientation.headingDegreesMagnetic)
      let declination = try #require(orientation.declinationDegrees)
      #expect(abs(magnetic - 90) < 0.001 && (3...7).contains(declination))
      #expect(abs((orientation.azimuthDegreesTrue ?? 0) - magnetic - declination) < 0.001)
      #expect(abs((orientation.angleDegrees ?? 0) - 80) < 0.001)
      let report = try site.scene.verify()
      #expect(report.verdict == .intact || report.verdict == .doubtful, "\(report.findings)")
      let path = try site.unit().path(ofPhoto: photo.id)
      let file = try #require(FileManager.default.contents(atPath: path))
      let (one, other) = (try JPEGMetadata(Array(file)), try JPEGMetadata(CameraSite.picture))
      #expect(
        Digest.hexadecimal(Array(file), ranges: one.imageDataRanges)
          == Digest.hexadecimal(CameraSite.picture, ranges: other.imageDataRanges))
      let seal = try String(contentsOfFile: path + ".seal", encoding: .utf8)
      #expect(
        seal.contains(Digest.hexadecimal(CameraSite.picture)), "the frame as it was handed over")
      #expect(seal.contains(#""taken":"still""#) && !seal.contains("facing"))
      // The button Keep clears the page, and the photo stays.
      let kept = try await site.browser.post("/camera/keep", ["photo": photo.id.description])
      #expect(kept.location == "/camera")
      guard case .none = site.server.captureStatus else {
        Issue.record("it is still shown")
        return
      }
      #expect(try site.unit().photos().count == 1)
    }
  }

  @Test(
    "Again deletes the photo with that reason, and a frame of the live picture says that it is one")
  func again() async throws {
    try await CameraSite.with { site in
      try await capture(site) { site, number in
        _ = try await site.browser.post(
          "/camera/frame?number=\(number)", bytes: CameraSite.picture,
          words: #"{"taken":"live-frame","facing":"user","alpha":1,"beta":2,"gamma":3}"#)
      }
      guard case .captured(let captured) = await site.outcome() else {
        Issue.record("\(site.server.captureStatus)")
        return
      }
      #expect(captured.canRepeat)
      #expect(captured.photo.orientation == nil, "a camera towards the person looks elsewhere")
      let seal = try String(
        contentsOfFile: try site.unit().path(ofPhoto: captured.photo.id) + ".seal", encoding: .utf8)
      #expect(seal.contains(#""taken":"live-frame""#) && seal.contains(#""facing":"towards""#))
      let answer = try await site.browser.post(
        "/camera/again", ["photo": captured.photo.id.description])
      #expect(answer.location == "/camera")
      #expect(try site.unit().photos().isEmpty)
      #expect(try site.scene.verify().findings.contains { $0.message.contains("taken again") })
    }
  }

  @Test("the shutter is not available before the samples are complete, and the reasons are said")
  func early() async throws {
    try await CameraSite.with { site in
      let none = try await site.press()
      #expect(none.status == 422 && none.body.contains("capture-refused"))
      try await site.replay { site in
        // As after a photo, the next one needs samples of its own.
        await site.follower.beginSamples(SamplerPolicy())
      }
      guard case .none = site.server.captureStatus else {
        Issue.record("something was begun")
        return
      }
    }
  }

  @Test("walking during the countdown rejects the photo, and nothing is kept")
  func violated() async throws {
    try await CameraSite.with(standSeconds: 60, countdownSeconds: 100) { site in
      try await capture(site) { _, _ in Issue.record("the shutter fell") }
      let words = try #require(await site.refusal())
      #expect(words.contains("moving") || words.contains("not yet sure"))
      #expect(try site.unit().photos().isEmpty)
      let page = try await site.browser.get("/camera")
      #expect(!page.body.contains("No photo"), "it is the other page's news")
    }
  }

  @Test("a page that vanished is given up in words, and its late frame is refused")
  func vanished() async throws {
    try await CameraSite.with(frames: FrameLimits(patienceSeconds: 1)) { site in
      let number = Mailbox()
      try await capture(site) { _, exposure in number.put(exposure) }
      let words = try #require(await site.refusal())
      #expect(words.contains("the page sent no picture within"))
      let late = try await site.browser.post(
        "/camera/frame?number=\(try #require(number.taken))", bytes: CameraSite.picture)
      #expect(late.status == 422 && late.body.contains("exposure-over"))
      #expect(try site.unit().photos().isEmpty)
    }
  }

  @Test("a frame for another number is refused, and the exposure goes on")
  func otherNumber() async throws {
    try await CameraSite.with { site in
      let before = try await site.browser.post("/camera/frame?number=1", bytes: CameraSite.picture)
      #expect(before.status == 422)
      try await capture(site) { site, number in
        for other in ["", "0", number + "x", String(number.dropLast())] {
          let answer = try await site.browser.post(
            "/camera/frame?number=\(other)", bytes: CameraSite.picture)
          #expect(answer.status == 422 && answer.body.contains("exposure-over"), "\(other)")
        }
        let right = try await site.browser.post(
          "/camera/frame?number=\(number)", bytes: CameraSite.picture)
        #expect(right.status == 200)
        let twice = try await site.browser.post(
          "/camera/frame?number=\(number)", bytes: CameraSite.picture)
        #expect(twice.status == 422, "one frame for one exposure")
      }
      guard case .captured = await site.outcome() else {
        Issue.record("\(site.server.captureStatus)")
        return
      }
      #expect(try site.unit().photos().count == 1)
    }
  }

  @Test(
    "what is no JPEG, too large, or told in words that cannot be read ends the capture with words",
    arguments: [
      ("text/plain", 3, nil, "it is not a JPEG"), ("image/jpeg", 3, nil, "it is not a JPEG"),
      ("image/jpeg", (1 << 20) + 1, nil, "it is larger than 1 MiB"),
      ("image/jpeg", 0, "{", "data about the picture cannot be read"),
      ("image/jpeg", 0, #"{"beta":1e4,"gamma":0}"#, "are not angles"),
    ] as [(String, Int, String?, String)])
  func badFrame(type: String, bytes: Int, words: String?, said: String) async throws {
    try await CameraSite.with(frames: FrameLimits(bytesAtMost: 1 << 20)) { site in
      try await capture(site) { site, number in
        let body = bytes == 0 ? CameraSite.picture : Array(repeating: 65, count: bytes)
        let answer = try await site.browser.post(
          "/camera/frame?number=\(number)", bytes: body, type: type, words: words)
        #expect(answer.status == 422 && answer.body.contains(said), "\(answer.body)")
      }
      let refusal = try #require(await site.refusal())
      #expect(refusal.contains(said))
      #expect(try site.unit().photos().isEmpty)
    }
  }

  @Test("a picture that only begins like one is refused where it is looked at")
  func torn() async throws {
    try await CameraSite.with { site in
      try await capture(site) { site, number in
        let torn = Array(CameraSite.picture.prefix(CameraSite.picture.count / 2))
        _ = try await site.browser.post("/camera/frame?number=\(number)", bytes: torn)
      }
      #expect(await site.refusal()?.contains("this picture cannot be used") == true)
      #expect(try site.unit().photos().isEmpty)
    }
  }

  @Test("a second page is told who takes a photo, begins nothing, and cannot close it")
  func two() async throws {
    try await CameraSite.with(countdownSeconds: 20) { site in
      try await capture(site) { site, number in
        let other = try #require(
          CameraSite.name(in: try await site.browser.get("/camera").body))
        #expect(other != site.page)
        let refused = try await site.press(page: other)
        #expect(refused.status == 422 && refused.body.contains("capture-busy"))
        _ = try await site.browser.post("/camera/close", ["page": other])
        #expect(site.server.cameraDesk.isExposing(number))
        let pages = CameraPages(server: site.server)
        let own = await pages.cameraFragment(CameraView(page: site.page)).description
        let foreign = await pages.cameraFragment(CameraView(page: other)).description
        #expect(own.contains(number) && !foreign.contains(number))
        #expect(foreign.contains("Another page is taking a photo"))
        _ = try await site.browser.post(
          "/camera/frame?number=\(number)", bytes: CameraSite.picture)
      }
      guard case .captured = await site.outcome() else {
        Issue.record("\(site.server.captureStatus)")
        return
      }
      #expect(try site.unit().photos().count == 1)
    }
  }

  /// Takes a photo for a task from a page of its own, and returns the photo and the page's name.
  private func capture(
    for task: InspectionTask, _ site: CameraSite
  ) async throws -> (photo: Photo, page: String) {
    let camera = try await site.browser.get("/camera?task=\(task.id)").body
    let page = try #require(CameraSite.name(in: camera))
    #expect(try site.unit().task(task.id).state == .new, "to look through it decides nothing")
    try await site.replay { site in
      let begun = try await site.browser.post(
        "/camera/capture", ["page": page, "task": task.id.description])
      #expect(begun.location == "/camera?task=\(task.id)")
      Task {
        guard let number = await site.exposure() else { return }
        _ = try? await site.browser.post(
          "/camera/frame?number=\(number)", bytes: CameraSite.picture)
      }
    }
    guard case .captured(let captured) = await site.outcome() else {
      throw CameraFailure(status: "\(site.server.captureStatus)")
    }
    return (captured.photo, page)
  }

  @Test("the shutter opens a New task, the photo is shown with all that can follow, and Send sends")
  func send() async throws {
    try await CameraSite.with { site in
      let task = try #require(try site.unit().importTasks([TaskOrder(name: "Beet")]).first)
      let (photo, page) = try await capture(for: task, site)
      #expect(try site.unit().task(task.id).state == .open)
      let view = CameraView(task: try site.unit().task(task.id), page: page)
      let review = await CameraPages(server: site.server).cameraFragment(view).description
      for words in [
        "/photos/\(photo.id)/photo.jpg", ">Retake<", ">Next<", ">Done<", ">Send<", ">Not yet<",
        "Send &quot;Beet&quot;?", "/camera/sent?task=\(task.id)",
      ] {
        #expect(review.contains(words), "\(words)")
      }
      #expect(
        review == (await CameraPages(server: site.server).cameraFragment(view)).description,
        "nothing in it changes under a finger")
      #expect(
        try await site.browser.get("/camera/sent?task=\(task.id)").location == "/tasks/\(task.id)")
      let sent = try await site.browser.post(
        "/camera/send", ["photo": photo.id.description, "page": page])
      #expect(sent.location == "/camera/sent?task=\(task.id)")
      #expect(try site.unit().task(task.id).state == .dataProvided)
      guard case .none = site.server.captureStatus else {
        Issue.record("the photo is still shown")
        return
      }
      #expect(try await site.browser.get("/camera/sent?task=\(task.id)").body.contains("Beet"))
      // A delivery begins by itself.
      while try !site.unit().outbox().isEmpty { await Task.yield() }
      let done = try await site.browser.get("/camera/sent?task=\(task.id)").body
      #expect(done.contains("Delivered: the office holds it"))
      let again = try await site.browser.post("/camera/send", ["photo": photo.id.description])
      #expect(again.status == 422, "a task is sent once")
    }
  }

  @Test("a photo of a task that lacks something offers no Send, and says what is missing")
  func missing() async throws {
    try await CameraSite.with { site in
      let task = try #require(try site.unit().importTasks([TaskOrder(name: "Beet")]).first)
      let (photo, page) = try await capture(for: task, site)
      try site.unit().deletePhoto(photo.id, reason: "blurred")
      let view = CameraView(task: try site.unit().task(task.id), page: page)
      let review = await CameraPages(server: site.server).cameraFragment(view).description
      #expect(review.contains("Something is missing:") && review.contains("○ 1 photo, missing"))
      #expect(!review.contains("action=\"/camera/send\""))
      let refused = try await site.browser.post("/camera/send", ["photo": photo.id.description])
      #expect(refused.status == 404)
      #expect(try site.unit().task(task.id).state == .open)
    }
  }

  @Test("a photo without a task is sent by itself from the camera")
  func sendAlone() async throws {
    try await CameraSite.with { site in
      try await capture(site) { site, number in
        _ = try await site.browser.post(
          "/camera/frame?number=\(number)", bytes: CameraSite.picture)
      }
      guard case .captured(let captured) = await site.outcome() else {
        Issue.record("\(site.server.captureStatus)")
        return
      }
      let id = captured.photo.id
      let sent = try await site.browser.post("/camera/send", ["photo": id.description])
      #expect(sent.location == "/camera/sent?photo=\(id)")
      while try site.unit().photo(id).delivered == nil { await Task.yield() }
      let page = try await site.browser.get("/camera/sent?photo=\(id)").body
      #expect(page.contains("Delivered: the office holds it"))
      for unknown in ["", "?task=x", "?photo=\(Identifier(at: site.scene.clock.deviceTime))"] {
        #expect(try await site.browser.get("/camera/sent" + unknown).status == 404, "\(unknown)")
      }
    }
  }

  @Test("Close in the countdown leaves at once and keeps nothing")
  func closed() async throws {
    try await CameraSite.with(countdownSeconds: 100) { site in
      try await site.replay { site in
        _ = try await site.press()
        while true {
          guard case .running = site.server.captureStatus else { break }
          if await site.follower.listenerCount == 2 { break }
          await Task.yield()
        }
        let answer = try await site.browser.post("/camera/close", ["page": site.page])
        #expect(answer.location == "/photos")
      }
      guard case .none = await site.outcome() else {
        Issue.record("\(site.server.captureStatus)")
        return
      }
      while await site.follower.listenerCount > 0 { await Task.yield() }
      #expect(try site.unit().photos().isEmpty)
    }
  }
}

/// A text that one task hands to another.
private final class Mailbox: @unchecked Sendable {
  private let lock = NSLock()
  private var text: String?
  var taken: String? { lock.withLock { text } }
  func put(_ new: String) { lock.withLock { text = new } }
}

/// A capture that did not end with a photo.
private struct CameraFailure: Error {
  var status: String
}
