import Evidence
import FieldUnit
import Foundation
import Geodesy
import Imagery
import Inspection
import NIOConcurrencyHelpers
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Verification

@Suite("The inspector's device", .timeLimit(.minutes(5)))
struct InspectorUnitTests {
  @Test("a photo is refused while walking, with the reason, and nothing is kept")
  func refused() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      await #expect(throws: FieldUnitError.self) {
        try await scene.capture(scene.request(wait: 10))
      }
      #expect(try scene.unit.photos().isEmpty)
      let files = FileManager.default.subpaths(atPath: scene.data) ?? []
      #expect(!files.contains { $0.hasSuffix(".jpg") || $0.hasSuffix(".seal") })
    }
  }

  @Test("standing still, a photo is captured, sealed, durable, and recomputes")
  func captured() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let task = try scene.tasks()[0]
      try scene.unit.openTask(task.id)
      let photo = try await scene.capture(scene.request(task: task.id))
      #expect(photo.standpoint?.samples == 20)
      #expect(photo.isSimulated)
      #expect(try scene.unit.photo(photo.id) == photo)
      let stored = try Data(contentsOf: URL(fileURLWithPath: scene.unit.path(ofPhoto: photo.id)))
      #expect(Digest.hexadecimal(stored) == photo.fileDigest && stored.count == photo.bytes)
      #expect(
        try JPEGStructure.imageData(of: Array(stored))
          == JPEGStructure.imageData(of: FieldScene.picture), "the picture itself is untouched")
      // The declination there is 4.9° east in 2026: the magnetic heading became a true one.
      let azimuth = try #require(photo.orientation?.azimuthDegreesTrue)
      #expect((103...107).contains(azimuth))
      let report = try scene.verify()
      #expect(report.verdict == .intact)
      #expect(report.checked == 2)
    }
  }

  @Test("a single fix is a position, too")
  func singleFix() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let photo = try await scene.capture(scene.request(samples: nil))
      #expect(photo.standpoint == nil)
      #expect(photo.position.method == .fix)
      #expect(try scene.verify().verdict == .intact)
    }
  }

  @Test("a picture that is none, or is cut, is refused before anybody has to stand still")
  func badPictures() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let file = folder.appendingPathComponent("picture.jpg")
      for bytes in [
        Data("no picture".utf8), Data(FieldScene.picture.prefix(2000)), Data(),
      ] {
        try bytes.write(to: file)
        let error = await #expect(throws: FieldUnitError.self) {
          try await scene.capture(scene.request(camera: .imported(path: file.path)))
        }
        #expect(error?.code == "picture-unusable")
      }
      let absent = await #expect(throws: FieldUnitError.self) {
        try await scene.capture(scene.request(camera: .imported(path: "/nonexistent.jpg")))
      }
      #expect(absent?.code == "file-unreadable")
      #expect(try scene.unit.photos().isEmpty)
    }
  }

  @Test("a camera's command gives the frame; one that fails gives a reason and no photo")
  func cameraCommands() async throws {
    try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("frame with space.jpg")
      try Data(FieldScene.picture).write(to: file)
      let scene = try FieldScene(folder)
      let photo = try await scene.capture(
        scene.request(camera: .command(["cp", file.path, "{file}"])))
      #expect(photo.origin == .camera)
      for words in [["false"], ["true"], ["standpoint-has-no-such-camera"]] {
        let again = try FieldScene(folder, seed: 2)
        let error = await #expect(throws: FieldUnitError.self) {
          try await again.capture(again.request(camera: .command(words)))
        }
        #expect(error?.code == "camera-failed")
      }
      #expect(try scene.unit.photos().count == 1)
      #expect(try scene.verify().verdict == .intact)
    }
  }

  @Test("Send locks a task and queues it; taking it back undoes both until its batch has begun")
  func sending() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let unit = scene.unit
      let task = try scene.tasks()[0]
      #expect(throws: InspectionError.transitionForbidden(action: .provide, from: .new)) {
        try unit.provideTask(task.id)
      }
      try unit.openTask(task.id)
      #expect(throws: InspectionError.photosMissing(have: 0, need: 1)) {
        try unit.provideTask(task.id)
      }
      let photo = try await scene.capture(scene.request(task: task.id))
      #expect(try unit.outbox().isEmpty)
      try unit.noteTask(task.id, "wet")
      #expect(try unit.provideTask(task.id).state == .dataProvided)
      // Each thing has a row with its digest, and the task itself comes last.
      let entries = try unit.outbox()
      #expect(
        entries.map(\.kind) == [.note, .photo, .task]
          || entries.map(\.kind) == [.photo, .note, .task])
      #expect(entries.last?.id == task.id && entries.contains { $0.id == photo.id })
      #expect(entries.allSatisfy { $0.whole == task.id && $0.digest?.count == 64 && $0.bytes > 0 })
      #expect(
        entries.first { $0.kind == .photo }?.digest == (try unit.photo(photo.id).fileDigest))
      #expect(throws: InspectionError.taskLocked(.dataProvided)) {
        try unit.noteTask(task.id, "late")
      }
      #expect(throws: InspectionError.alreadySent(what: "photo")) {
        try unit.deletePhoto(photo.id, reason: "late")
      }
      await #expect(throws: InspectionError.taskLocked(.dataProvided)) {
        try await scene.capture(scene.request(task: task.id))
      }
      #expect(try unit.takeBackTask(task.id).state == .open)
      #expect(try unit.outbox().isEmpty)
      #expect(try unit.photo(photo.id).sent == nil)
      #expect(try unit.task(task.id).history.map(\.action) == [.open, .provide, .takeBack])
      #expect(try scene.verify().verdict == .intact)
    }
  }

  @Test("a deleted photo's bytes go, its record and the deletion stay, and all is intact")
  func deleting() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let photo = try await scene.capture(scene.request())
      try scene.unit.notePhoto(photo.id, "blurred")
      try scene.unit.deletePhoto(photo.id, reason: "blurred")
      #expect(try scene.unit.photos().isEmpty)
      #expect(!FileManager.default.fileExists(atPath: scene.unit.path(ofPhoto: photo.id)))
      let report = try scene.verify()
      #expect(report.verdict == .intact)
      #expect(report.findings.contains { $0.check == .deletion && $0.message.contains("blurred") })
      #expect(throws: StoreError.unknown(what: "photo", id: photo.id.description)) {
        try scene.unit.deletePhoto(photo.id, reason: "again")
      }
    }
  }

  @Test("a track is recorded second by second, sealed, and kept; one without points is not")
  func track() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let follower = try scene.follower()
      let unit = scene.unit
      let recording = Task {
        try await unit.recordTrack(name: nil, task: nil, with: follower, seconds: 60)
      }
      while await follower.listenerCount == 0 { await Task.yield() }
      try await follower.run()
      let track = try #require(try await recording.value)
      #expect(track.points.count == 61)
      #expect(track.name == "2026-06-01 09:30:00")
      #expect(try unit.track(track.id) == track)
      try unit.sendTracks([track.id])
      #expect(try unit.outbox().first?.kind == .track)
      let empty = try unit.beginTrack(name: "none", task: nil, source: "", isSimulated: true)
      #expect(try unit.finishTrack(empty.id, source: nil) == nil)
      #expect(try unit.tracks().count == 1)
      #expect(try scene.verify().verdict == .intact)
    }
  }

  @Test(
    "pause, corners, deleting the last point and finishing by hand make the track that they say")
  func trackByHand() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let follower = try scene.follower()
      let unit = scene.unit
      let (controls, hand) = AsyncStream.makeStream(of: TrackControl.self)
      let done = NIOLockedValueBox<[TrackProgress]>([])
      let answers = NIOLockedValueBox(0)
      let recording = Task {
        try await unit.recordTrack(
          name: "by hand", task: nil, with: follower, seconds: nil, controls: controls
        ) { progress in
          if case .point(let point, _) = progress, point.kind == .recorded { return }
          done.withLockedValue { $0.append(progress) }
          answers.withLockedValue { $0 += 1 }
        }
      }
      while await follower.listenerCount == 0 { await Task.yield() }
      // The replay waits for this listener, and this listener waits for each control.
      let plan: [Int: TrackControl] = [
        5: .pauseOrResume, 10: .vertex, 12: .pauseOrResume, 15: .deleteLast, 30: .centroidVertex,
        70: .centroidVertex,
      ]
      let epoch = NIOLockedValueBox(0)
      _ = await follower.listen { event in
        guard case .positioning(.fix) = event else { return }
        let number = epoch.withLockedValue { value -> Int in
          value += 1
          return value
        }
        if number == 75 { hand.yield(.finish) }
        guard let control = plan[number] else { return }
        let before = answers.withLockedValue(\.self)
        hand.yield(control)
        while answers.withLockedValue(\.self) == before { await Task.yield() }
      }
      try await follower.run()
      let track = try #require(try await recording.value)
      let kinds = track.points.map(\.kind)
      #expect(kinds.filter { $0 == .vertex }.count == 1)
      #expect(kinds.filter { $0 == .centroidVertex }.count == 1)
      #expect(track.points.compactMap(\.gapBefore) == [.paused, .paused, .deleted])
      let said = done.withLockedValue(\.self)
      #expect(said.contains(.paused(true)) && said.contains(.paused(false)))
      #expect(
        said.contains {
          if case .refused(let words) = $0 { "\(words)".contains("no corner yet") } else { false }
        },
        "standing begins at 24 s: at 30 s there are no 20 samples")
      #expect(try scene.verify().verdict == .intact)
    }
  }

  @Test("points of a recording that was cut off are there, and can be finished and sealed")
  func interruptedTrack() throws {
    try withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let begun = try scene.unit.beginTrack(
        name: "cut", task: nil, source: "", isSimulated: true)
      let place = try #require(Coordinate(latitudeDegrees: 1, longitudeDegrees: 2))
      for second in 0..<5 {
        let time = scene.clock.deviceTime.advanced(bySeconds: Double(second)).gnssTime
        try scene.unit.append(
          TrackPoint(kind: .recorded, time: time, coordinate: place), to: begun.id)
      }
      let again = try FieldScene.unit(folder, clock: scene.clock)
      #expect(try again.tracks().first?.points.count == 5)
      #expect(try again.tracks().first?.ended == nil)
      let finished = try #require(try again.finishTrack(begun.id, source: nil))
      #expect(finished.ended != nil)
      // A program that still records the track is refused, because sealed points do not change.
      let late = TrackPoint(
        kind: .recorded, time: scene.clock.deviceTime.gnssTime, coordinate: place)
      let refusal = StoreError.unknown(what: "unfinished track", id: begun.id.description)
      #expect(throws: refusal) { try scene.unit.append(late, to: begun.id) }
      #expect(throws: refusal) { try scene.unit.deleteLastPoint(of: begun.id) }
      #expect(try again.track(begun.id).points.count == 5)
      #expect(try scene.verify().verdict == .intact)
    }
  }

  @Test("a simulator's positions make no track unless they were asked for")
  func simulatedTrack() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let configuration = FieldUnitConfiguration(
        dataDirectory: folder.appendingPathComponent("strict"), person: FieldScene.person,
        software: "standpoint test")
      let unit = try InspectorUnit.make(configuration: configuration, clock: scene.clock)
      let follower = try scene.follower()
      let said = NIOLockedValueBox<[TrackProgress]>([])
      let recording = Task {
        try await unit.recordTrack(name: nil, task: nil, with: follower, seconds: nil) { progress in
          said.withLockedValue { $0.append(progress) }
        }
      }
      while await follower.listenerCount == 0 { await Task.yield() }
      try await follower.run()
      #expect(try await recording.value == nil)
      #expect(said.withLockedValue(\.self) == [.refused(GateReason.simulated.wording)])
    }
  }

  @Test(
    "whatever was staged when it was killed is finished if it was committed, and cleared if not")
  func recovery() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let photo = try await scene.capture(scene.request())
      let placed = URL(fileURLWithPath: scene.unit.path(ofPhoto: photo.id))
      let staging = URL(fileURLWithPath: scene.data).appendingPathComponent("field/staging")
      let names = ["\(photo.id).raw", "\(photo.id).jpg", "\(photo.id).jpg.seal"]
      // A kill between any two of the three moves leaves this state.
      for moved in 0...2 {
        for name in names[moved...] {
          try FileManager.default.moveItem(
            at: placed.deletingLastPathComponent().appendingPathComponent(name),
            to: staging.appendingPathComponent(name))
        }
        // Nothing is missing even before a start finishes the moves.
        #expect(try scene.verify().verdict == .intact)
        _ = try FieldScene.unit(folder, clock: scene.clock)
        #expect(try FileManager.default.contentsOfDirectory(atPath: staging.path).isEmpty)
        #expect(try scene.verify().verdict == .intact)
        #expect(FileManager.default.fileExists(atPath: placed.path))
      }
      // A kill before the commit leaves files of an unknown capture.
      let stranger = Identifier(at: scene.clock.deviceTime)
      for ending in ["raw", "jpg", "jpg.seal"] {
        try Data("half".utf8).write(to: staging.appendingPathComponent("\(stranger).\(ending)"))
      }
      #expect(try scene.verify().verdict == .intact)
      _ = try FieldScene.unit(folder, clock: scene.clock)
      #expect(try FileManager.default.contentsOfDirectory(atPath: staging.path).isEmpty)
      #expect(try scene.unit.photos().count == 1)
    }
  }

  @Test("two inspectors on one device have chains of their own and see nothing of each other")
  func twoInspectors() async throws {
    try await withTemporaryDirectory { folder in
      let ines = try FieldScene(folder)
      _ = try await ines.capture(ines.request())
      let otto = try FieldScene(
        folder, seed: 2, person: Person(agency: "north", login: "otto", role: .inspector))
      #expect(try otto.unit.photos().isEmpty)
      _ = try await otto.capture(otto.request())
      #expect(try ines.unit.photos().count == 1)
      let report = try ines.verify()
      #expect(report.verdict == .intact)
      #expect(report.keys.count == 2)
    }
  }

  @Test("keys are readable by their owner only")
  func keys() throws {
    try withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let keys = URL(fileURLWithPath: scene.data).appendingPathComponent("field/keys")
      let names = try FileManager.default.contentsOfDirectory(atPath: keys.path)
      #expect(names.count == 1)
      for name in names {
        let attributes = try FileManager.default.attributesOfItem(
          atPath: keys.appendingPathComponent(name).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
      }
      let folderAttributes = try FileManager.default.attributesOfItem(
        atPath: scene.data + "/field")
      #expect(folderAttributes[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test("a data directory that cannot be made is said in one line")
  func unwritable() throws {
    try withTemporaryDirectory { folder in
      try Data().write(to: folder.appendingPathComponent("data"))
      let error = #expect(throws: StoreError.self) {
        try FieldScene.unit(folder, clock: MachineClock())
      }
      #expect(error?.code == "data-unwritable")
    }
  }
}
