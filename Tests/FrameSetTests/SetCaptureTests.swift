import Evidence
import FieldUnit
import Foundation
import Inspection
import Positioning
import SetCapture
import SetViewing
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Verification

@Suite("A set is one capture of many frames", .timeLimit(.minutes(5)))
struct SetCaptureTests {
  @Test("a walk round a thing is complete, in order by angle, and verifies from the files alone")
  func around() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: SetScene.legs(degrees: 360))
      let terms = try FrameSetTerms(kind: .around)
      let head = try await scene.take(terms, try scene.walk(degrees: 360))
      let set = try scene.unit.frameSet(head.id)
      #expect(head.filled == 72 && head.isComplete)
      #expect(set.frames.allSatisfy { $0.isMoving }, "no frame of a walk is an ordinary photo")
      #expect(set.summary.walked?.isRound == true)
      #expect(set.summary.walked?.isClosed == true)
      #expect(set.summary.shortcomings.isEmpty)
      let angles = set.frames.map(\.attitude.angleDegrees)
      #expect(angles == angles.sorted())
      let report = try scene.verify()
      #expect(report.verdict == .intact)
      #expect(report.findings.allSatisfy { $0.severity == .note })
      #expect(try scene.unit.openSets().isEmpty)
      #expect(try scene.unit.photos().isEmpty)
    }
  }

  @Test("half a walk says what is missing, and that the way does not go round")
  func half() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: SetScene.legs(degrees: 180))
      let head = try await scene.take(
        try FrameSetTerms(kind: .around, sectors: 36), try scene.walk(degrees: 180, seconds: 30))
      let summary = try scene.unit.frameSet(head.id).summary
      #expect(!head.isComplete)
      #expect((18...20).contains(head.filled))
      #expect(summary.missingDegrees.contains(270))
      #expect(summary.walked?.isRound == false)
      #expect(summary.walked?.isClosed == false)
      #expect(summary.shortcomings.count == 3)
      #expect(try scene.verify().verdict == .intact)
    }
  }

  @Test("who only turns on one spot has not walked round anything")
  func turnedOnly() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: SetScene.legs(degrees: 0, endSeconds: 150))
      let head = try await scene.take(
        try FrameSetTerms(kind: .around), try scene.walk(degrees: 360))
      let summary = try scene.unit.frameSet(head.id).summary
      #expect(head.isComplete)
      #expect(summary.walked?.isRound != true)
      #expect(summary.shortcomings.count == 1)
    }
  }

  @Test("a turn on the spot is proven to stand still from start to end", arguments: [4, 8, 12])
  func turn(views: Int) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: SetScene.legs(degrees: 0, endSeconds: 120))
      let head = try await scene.take(
        try FrameSetTerms(kind: .turn, sectors: views),
        try scene.walk(degrees: 360, waitSeconds: 2, seconds: 30))
      let set = try scene.unit.frameSet(head.id)
      #expect(head.filled == views && head.isComplete)
      #expect(set.frames.allSatisfy { !$0.isMoving })
      #expect(set.summary.walked == nil)
      #expect(try scene.verify().verdict == .intact)
    }
  }

  @Test("a turn during which the inspector walks is refused, and leaves nothing")
  func walkedTurn() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: SetScene.legs(degrees: 90))
      await #expect(throws: FieldUnitError.self) {
        try await scene.take(
          try FrameSetTerms(kind: .turn), try scene.walk(degrees: 360, waitSeconds: 2, seconds: 40))
      }
      #expect(try scene.unit.sets().isEmpty)
      #expect(try scene.unit.openSets().isEmpty)
      #expect(try scene.verify().checked == 0)
    }
  }

  @Test("a turn that a kill has left behind is not gone on with")
  func killedTurn() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: SetScene.legs(degrees: 0, endSeconds: 120))
      let copy = folder.appendingPathComponent("copy").path
      let open = scene.unit.folder.openSets
      let head = try await scene.take(
        try FrameSetTerms(kind: .turn),
        try scene.walk(degrees: 360, waitSeconds: 2, seconds: 30)
      ) { try FileManager.default.copyItem(atPath: open, toPath: copy) }
      // The folder as it was before the seal, in a unit that knows nothing of the set.
      let other = try SetScene(
        folder.appendingPathComponent("other", isDirectory: true),
        legs: SetScene.legs(degrees: 0), seed: 2)
      try FileManager.default.moveItem(atPath: copy, toPath: other.unit.folder.openSets)
      let left = try #require(try other.unit.openSets().first)
      #expect(left.id == head.id)
      await #expect(throws: InspectionError.self) { try await other.resume(left, nil) }
      try left.discard()
      #expect(try other.unit.openSets().isEmpty)
    }
  }

  @Test("a walk whose receiver ends is kept as it is, with every frame that was told kept")
  func interrupted() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: SetScene.legs(degrees: 360, endSeconds: 3))
      await #expect(throws: FieldUnitError.self) {
        try await scene.take(try FrameSetTerms(kind: .around), try scene.walk(degrees: 360))
      }
      #expect(try scene.unit.sets().isEmpty)
      let open = try #require(try scene.unit.openSets().first)
      #expect(try open.frames().count > 60)
      #expect(open.terms.sectors == 72)
      #expect(
        try scene.verify().verdict == .intact, "nothing of it is sealed yet, and nothing missing")
      // Another inspector of the device does not see it.
      var configuration = FieldUnitConfiguration(
        dataDirectory: folder.appendingPathComponent("data"),
        person: Person(agency: "north", login: "ivan", role: .inspector), software: "test")
      configuration.gate.allowsSimulated = true
      let other = try InspectorUnit.make(configuration: configuration, clock: scene.unit.clock)
      #expect(try other.openSets().isEmpty)
    }
  }

  @Test("an interrupted walk is gone on with, or ended as it is, or thrown away")
  func resumed() async throws {
    try await withTemporaryDirectory { folder in
      let terms = try FrameSetTerms(kind: .around, sectors: 24)
      // The receiver ends in the middle of the way, and then stands where the walk began.
      func interrupted() async throws {
        let scene = try SetScene(folder, legs: Array(SetScene.legs(degrees: 360).prefix(20)))
        await #expect(throws: FieldUnitError.self) {
          try await scene.take(terms, try scene.walk(degrees: 180, seconds: 30))
        }
      }
      try await interrupted()
      let scene = try SetScene(
        folder, legs: SetScene.legs(degrees: 0, endSeconds: 100), seed: 3)
      let open = try #require(try scene.unit.openSets().first)
      let before = try open.frames()
      #expect((11...14).contains(before.count))
      let walk = try scene.walk(degrees: 180, waitSeconds: 1, seconds: 30, seed: 6)
      let head = try await scene.resume(open, walk)
      let set = try scene.unit.frameSet(head.id)
      #expect(head.id == open.id && head.filled == 24, "\(head.filled)")
      let kept = Set(set.frames.map(\.digest))
      #expect(before.values.filter { !kept.contains($0.digest) }.count <= 2)
      #expect(try scene.unit.openSets().isEmpty)
      let report = try scene.verify()
      #expect(report.verdict == .intact, "\(report.findings)")
      // Ended as it is.
      try await interrupted()
      let again = try SetScene(
        folder, legs: SetScene.legs(degrees: 0, endSeconds: 100), seed: 4)
      let second = try #require(try again.unit.openSets().first)
      let ended = try await again.resume(second, nil)
      #expect(ended.filled == (try again.unit.frameSet(ended.id).frames.count) && !ended.isComplete)
      try await interrupted()
      try #require(try again.unit.openSets().first).discard()
      #expect(try again.unit.openSets().isEmpty)
      #expect(try again.unit.sets().count == 2)
      #expect(try again.verify().verdict == .intact)
    }
  }

  @Test("an interrupted walk belongs to one page or program at a time")
  func held() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: Array(SetScene.legs(degrees: 360).prefix(20)))
      let terms = try FrameSetTerms(kind: .around, sectors: 24)
      await #expect(throws: FieldUnitError.self) {
        try await scene.take(terms, try scene.walk(degrees: 180, seconds: 30)) {
          // While it is taken, it can be neither gone on with nor thrown away from elsewhere.
          let taken = try #require(try scene.unit.openSets().first)
          #expect(throws: FieldUnitError.self) { try taken.discardUnlessHeld() }
        }
      }
      let open = try #require(try scene.unit.openSets().first)
      let follower = try scene.follower()
      var run: SetRun? = try SetRun(
        resuming: open, unit: scene.unit, follower: follower, waitSeconds: 1)
      let refusal = #expect(throws: FieldUnitError.self) {
        try SetRun(resuming: open, unit: scene.unit, follower: follower, waitSeconds: 1)
      }
      #expect(refusal?.code == "set-held")
      #expect(throws: FieldUnitError.self) { try open.discardUnlessHeld() }
      #expect(try scene.unit.openSets().count == 1 && run != nil)
      run = nil
      try open.discardUnlessHeld()
      #expect(try scene.unit.openSets().isEmpty)
    }
  }

  @Test("a crash between the seal and the removal of the open folder leaves one set, not two")
  func sealedTwice() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: SetScene.legs(degrees: 360))
      let copy = folder.appendingPathComponent("copy").path
      let open = scene.unit.folder.openSets
      let taking = try FrameSetTerms(kind: .around, sectors: 4)
      let walk = try scene.walk(degrees: 360)
      let head = try await scene.take(taking, walk) {
        try FileManager.default.copyItem(atPath: open, toPath: copy)
      }
      try FileManager.default.removeItem(atPath: open)
      try FileManager.default.moveItem(atPath: copy, toPath: open)
      #expect(try scene.unit.openSets().isEmpty)
      #expect(try scene.unit.sets().map(\.id) == [head.id])
      #expect(try scene.verify().verdict == .intact)
    }
  }

  @Test("frames without a word of the sensors near them are discarded")
  func lostSensors() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: SetScene.legs(degrees: 360))
      let player = WalkPlayer(try scene.walk(degrees: 360, losing: 30...40))
      let head = try await scene.take(
        SetRequest(
          task: nil, terms: try FrameSetTerms(kind: .around), waitSeconds: 120, source: player))
      #expect(await player.answers["noSample"] ?? 0 > 90)
      #expect((55...65).contains(head.filled))
    }
  }

  @Test("a changed, missing or swapped file is found")
  func changed() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: SetScene.legs(degrees: 360))
      let head = try await scene.take(
        try FrameSetTerms(kind: .around, sectors: 8), try scene.walk(degrees: 360))
      let first = scene.unit.path(ofFrame: 1, of: head)
      let second = scene.unit.path(ofFrame: 2, of: head)
      let bytes = try DurableFile.read(first)
      try DurableFile.replace(first, with: try DurableFile.read(second))
      #expect(try scene.verify().verdict == .altered)
      try DurableFile.remove(first)
      #expect(try scene.verify().verdict == .incomplete)
      try DurableFile.replace(first, with: bytes)
      #expect(try scene.verify().verdict == .intact)
      let list = scene.unit.path(ofSet: head)
      let sound = try DurableFile.read(list)
      try DurableFile.replace(list, with: sound + [0x20])
      #expect(try scene.verify().verdict == .altered)
      try DurableFile.replace(list, with: sound)
      try DurableFile.replace(
        URL(fileURLWithPath: list).deletingLastPathComponent().path + "/stray.set", with: [1])
      #expect(try scene.verify().verdict == .incomplete)
    }
  }

  @Test("is exported as a folder and as a ZIP that others can read, and never over something")
  func export() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: SetScene.legs(degrees: 360))
      let head = try await scene.take(
        try FrameSetTerms(kind: .around, sectors: 12), try scene.walk(degrees: 360))
      let path = folder.appendingPathComponent("heap").path
      #expect(try AroundExport.write(head, of: scene.unit, to: path) == 12)
      let document = try AroundDocument(try DurableFile.read(path + "/around.json"))
      #expect(document.uid == head.id.description)
      #expect(document.radiusDegrees == 30)
      #expect(document.elements.map(\.image).prefix(2) == ["001.jpg", "002.jpg"])
      for (index, element) in document.elements.enumerated() {
        let image = try DurableFile.read("\(path)/\(element.image)")
        let frame = try DurableFile.read(scene.unit.path(ofFrame: index + 1, of: head))
        #expect(image == frame)
      }
      let zip = folder.appendingPathComponent("heap.zip").path
      #expect(try AroundExport.write(head, of: scene.unit, to: zip) == 12)
      #expect(try DurableFile.read(zip).starts(with: Array("PK".utf8)))
      let pdf = folder.appendingPathComponent("heap.pdf").path
      #expect(try AroundExport.write(head, of: scene.unit, to: pdf) == 8)
      #expect(try DurableFile.read(pdf).starts(with: Array("%PDF-".utf8)))
      for made in [path, zip, pdf] {
        #expect(throws: FieldUnitError.self) {
          try AroundExport.write(head, of: scene.unit, to: made)
        }
      }
    }
  }

  @Test("goes with its task, and is deleted only before it is sent")
  func task() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: SetScene.legs(degrees: 360))
      let walk = try scene.walk(degrees: 360)
      let head = try await scene.take(try FrameSetTerms(kind: .around, sectors: 4), walk)
      try scene.unit.deleteSet(head.id, reason: "the wrong heap")
      #expect(try scene.unit.sets().isEmpty)
      let report = try scene.verify()
      #expect(report.verdict == .intact, "\(report.findings)")
      let again = try await SetScene(folder, legs: SetScene.legs(degrees: 360), seed: 2).take(
        try FrameSetTerms(kind: .around, sectors: 4), walk)
      try scene.unit.sendSets([again.id])
      #expect(try scene.unit.outbox().map(\.kind) == [.set])
      #expect(throws: InspectionError.self) {
        try scene.unit.deleteSet(again.id, reason: "too late")
      }
    }
  }
}
