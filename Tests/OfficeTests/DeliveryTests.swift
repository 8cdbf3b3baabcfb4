import Evidence
import FieldUnit
import Foundation
import Geodesy
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Verification

@testable import Office
@testable import OfficePages

@Suite("Delivery, from Send to the receipt")
struct DeliveryTests {
  /// Returns the verifier's report on a whole side, which trusts the office.
  private func verify(_ scene: OfficeScene, _ side: String) throws -> VerificationReport {
    Verifier.verify(
      try EvidenceFolder(folder: scene.folder.appendingPathComponent(side).path), scope: .whole,
      trust: .fingerprint(scene.office.fingerprint))
  }

  @Test("nothing enters the outbox before Send; then task, photo and records arrive whole")
  func wholeWay() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let order = try await scene.order()
      let (unit, task) = try await scene.working(photos: 2)
      #expect(task.id == order.id)
      try unit.noteTask(task.id, "wet at the edge")
      #expect(try unit.outbox().isEmpty)
      let nothing = try await unit.delivery.deliver(over: scene.link)
      #expect(nothing.delivered == 0)
      #expect(try await scene.office.review.view(of: task.id, in: "north").photos.isEmpty)

      try unit.provideTask(task.id)
      let outcome = try await unit.delivery.deliver(over: scene.link)
      // Two photos and the task: the note was told before, as opening was.
      #expect(outcome.delivered == 3)
      #expect(outcome.waiting == 0)
      let view = try await scene.office.review.view(of: task.id, in: "north")
      #expect(view.task.state == .dataProvided)
      #expect(view.task.note == "wet at the edge")
      #expect(view.task.history.map(\.action) == [.open, .provide])
      #expect(view.photos.count == 2)
      for received in view.photos {
        #expect(received.verdict == .intact, "\(received.findings)")
        let mine = try unit.photo(received.photo.id)
        #expect(mine.delivered != nil)
        // Records carry nine decimals of a degree: a tenth of a millimetre.
        #expect(
          Geodesic.distanceMetres(
            from: received.photo.position.coordinate, to: mine.position.coordinate) < 0.0002)
        #expect(received.photo.position.method == mine.position.method)
        #expect(received.photo.fileDigest == mine.fileDigest)
      }
      for side in ["tablet", "office-data"] {
        let report = try verify(scene, side)
        #expect(report.verdict == .intact, "\(side): \(report.findings)")
        #expect(report.issuer == .trusted)
      }
      #expect(try await scene.office.operation.differences().isEmpty)
    }
  }

  @Test("a policy that is laid down comes with the tasks, and never goes back to an earlier one")
  func policy() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try unit.policy() == nil, "nothing was laid down")
      let first = try await scene.office.policies.setPolicy(of: "north", by: "anna") {
        $0.readsSurroundings = true
      }
      try await scene.office.policies.setPolicy(of: "south", by: "test") {
        $0.readsSurroundings = true
      }
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try unit.policy() == first)
      #expect(first.policy.revision == 1)
      let same = try await scene.office.policies.setPolicy(of: "north", by: "anna") {
        $0.readsSurroundings = true
      }
      #expect(same == first, "no change is no revision")
      let second = try await scene.office.policies.setPolicy(of: "north", by: "anna", seen: 1) {
        $0.readsSurroundings = false
      }
      #expect(second.policy.revision == 2)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      #expect(try unit.policy()?.policy.readsSurroundings == false)

      let authority = scene.office.core.authority.certificate
      let southern = try #require(try await scene.office.policies.policy(of: "south"))
      let stranger = SoftwareDeviceKey()
      let elsewhere = try Authority.make(name: "office", at: scene.clock.deviceTime)
      let forged = try SignedPolicy(
        CapturePolicy(revision: 9, issued: scene.clock.deviceTime, readsSurroundings: true),
        agency: "north", signedWith: stranger,
        certificate: try elsewhere.certifyOffice(stranger.publicKey, at: scene.clock.deviceTime))
      let device = try #require(
        try await scene.office.database.read(in: "north") { try $0.devices.devices(of: "ines") }
          .first)
      let inspector = SoftwareDeviceKey()
      let byDevice = try SignedPolicy(
        CapturePolicy(revision: 9, issued: scene.clock.deviceTime, readsSurroundings: true),
        agency: "north", signedWith: inspector,
        certificate: try scene.office.core.authority.certify(
          inspector.publicKey,
          subject: DeviceSubject(agency: "north", inspector: "ines", device: device.device),
          at: scene.clock.deviceTime))
      let old = TaskListMessage(tasks: [], policy: first.jws)
      #expect(
        try old.policy(for: unit.person, authority: authority, known: second) == nil,
        "an old answer that is played again")
      for (jws, words) in [
        (byDevice.jws, "or by none"), (southern.jws, "another agency's"),
        (forged.jws, "another office"),
        ("x", "JWS"),
      ] {
        let message = TaskListMessage(tasks: [], policy: jws)
        let error = #expect(throws: SyncError.self) {
          try message.policy(for: unit.person, authority: authority, known: second)
        }
        #expect("\(try #require(error))".contains(words))
      }
    }
  }

  @Test("whichever request or answer is lost, a repetition ends with one copy of everything")
  func losses() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      // A conversation has four calls that matter: held, two files, batch.
      var faults: [[LocalLink.Fault?]] = []
      for place in 0..<4 {
        for fault in [LocalLink.Fault.lostRequest, .lostAnswer] {
          faults.append(Array(repeating: nil, count: place) + [fault])
        }
      }
      let unit = try await scene.unit()
      for (number, plan) in faults.enumerated() {
        let photo = try await scene.capture(unit, nil, number)
        try unit.sendPhotos([photo.id])
        scene.link.plan(plan)
        await #expect(throws: DeliveryError.self) {
          try await unit.delivery.deliver(over: scene.link)
        }
        #expect(try unit.photo(photo.id).delivered == nil)
        #expect(try unit.outbox().first?.lastAnswer != nil)
        let outcome = try await unit.delivery.deliver(over: scene.link)
        #expect(outcome.delivered == 1)
        #expect(try unit.photo(photo.id).delivered != nil)
      }
      let held = try await scene.office.database.read(in: "north") {
        try $0.photos.list(.standalone)
      }
      #expect(held.count == faults.count)
      #expect(try unit.delivery.receipts().count == faults.count)
      #expect(try verify(scene, "office-data").verdict == .intact)
      #expect(try await scene.office.operation.differences().isEmpty)
    }
  }

  @Test("a batch that has begun cannot be taken back; one that has not can, and goes again later")
  func takeBack() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await _ = scene.order()
      let (unit, task) = try await scene.working()
      try unit.provideTask(task.id)
      try unit.takeBackTask(task.id)
      #expect(try unit.outbox().isEmpty)
      #expect(try unit.photos(.task(task.id)).allSatisfy { $0.sent == nil })
      try unit.provideTask(task.id)
      scene.link.plan([.lostRequest])
      await #expect(throws: DeliveryError.self) {
        try await unit.delivery.deliver(over: scene.link)
      }
      #expect(throws: InspectionError.batchBegun) { try unit.takeBackTask(task.id) }
      _ = try await unit.delivery.deliver(over: scene.link)
      let view = try await scene.office.review.view(of: task.id, in: "north")
      #expect(view.task.history.map(\.action) == [.open, .provide, .takeBack, .provide])
      #expect(view.conflicts.isEmpty)
    }
  }

  @Test("what stays on the device travels as bare links only")
  func bareLinks() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let kept = try await scene.capture(unit, nil, 1)
      let sent = try await scene.capture(unit, nil, 2)
      try unit.sendPhotos([sent.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      let (photos, seal) = try await scene.office.database.read(in: "north") {
        (try $0.photos.list(.all).map(\.photo.id), try $0.seals.seal(of: kept.id, .capture))
      }
      #expect(photos == [sent.id])
      #expect(seal == nil)
      #expect(try verify(scene, "office-data").verdict == .intact)
      // When the photo is sent later, its record fills the place that was bare.
      try unit.sendPhotos([kept.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      let report = try verify(scene, "office-data")
      #expect(report.verdict == .intact, "\(report.findings)")
      #expect(report.checked == 2)
    }
  }

  @Test("a deleted photo's record is delivered without its bytes, and says why")
  func deletion() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await _ = scene.order()
      let (unit, task) = try await scene.working(photos: 2)
      let first = try #require(try unit.photos(.task(task.id)).first)
      try unit.deletePhoto(first.id, reason: "finger before the lens")
      try unit.provideTask(task.id)
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.waiting == 0)
      let view = try await scene.office.review.view(of: task.id, in: "north")
      let deleted = try #require(view.photos.first { $0.photo.id == first.id })
      #expect(deleted.deletedReason == "finger before the lens")
      #expect(deleted.verdict == .intact, "\(deleted.findings)")
      #expect(try verify(scene, "office-data").verdict == .intact)
      #expect(try await scene.office.operation.differences().isEmpty)
    }
  }

  @Test("a receipt that does not match turns nothing to delivered")
  func receiptMismatch() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let photo = try await scene.capture(unit, nil, 1)
      try unit.sendPhotos([photo.id])
      // The link brings another office's receipt over the same things.
      let other = try Authority.make(name: "elsewhere", at: scene.clock.deviceTime)
      let key = SoftwareDeviceKey()
      let certificate = try other.certifyOffice(key.publicKey, at: scene.clock.deviceTime)
      scene.link.forge { jws in
        let real = try Receipt(jws: jws)
        return try Receipt(
          id: real.id, batch: real.batch, agency: real.agency, inspector: real.inspector,
          key: real.key, head: real.head, records: real.records, files: real.files,
          received: real.received, signedWith: key, certificate: certificate
        ).jws
      }
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.refusal?.code == "receipt-mismatch")
      #expect(outcome.delivered == 0)
      #expect(try unit.photo(photo.id).delivered == nil)
      #expect(try unit.outbox().first?.lastAnswer?.contains("does not match") == true)
      // The real receipt still comes.
      scene.link.forge(nil)
      #expect(try await unit.delivery.deliver(over: scene.link).delivered == 1)
    }
  }

  @Test("nobody delivers another's records, nor with another's key")
  func strangers() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let ines = try await scene.unit("ines")
      let photo = try await scene.capture(ines, nil, 1)
      try ines.sendPhotos([photo.id])
      scene.link.plan([.lostRequest])
      await #expect(throws: DeliveryError.self) {
        try await ines.delivery.deliver(over: scene.link)
      }
      let batch = try #require(
        try FieldStore(path: folder.appendingPathComponent("tablet/field/standpoint.sqlite").path)
          .read(as: ines.person) { session in
            try session.batches.unfinished().first.map { try session.batches.batch($0) }
          })
      _ = try await scene.unit("igor", on: "other")
      let signIn = try #require(try scene.desk("other").signedIn())
      let igor = try await scene.office.sessions.visitor(withToken: signIn.token)
      let error = await #expect(throws: OfficeRefusal.self) {
        try await scene.office.deliveries.receive(batch: batch.message, id: batch.id, from: igor)
      }
      #expect(error?.kind == .keyNotEnrolled)
      // A batch under another identifier than its own is refused, too.
      let token = try scene.desk().signedIn()?.token
      let owner = try await scene.office.sessions.visitor(withToken: token)
      let second = await #expect(throws: OfficeRefusal.self) {
        try await scene.office.deliveries.receive(
          batch: batch.message, id: Identifier(at: scene.clock.deviceTime), from: owner)
      }
      #expect(second?.kind == .batchMalformed)
      // A batch under a known identifier with other contents is refused, too.
      _ = try await ines.delivery.deliver(over: scene.link)
      var other = try BatchMessage(batch.message)
      other.files = []
      let third = await #expect(throws: OfficeRefusal.self) {
        try await scene.office.deliveries.receive(batch: other.bytes, id: other.id, from: owner)
      }
      #expect(third?.kind == .batchChanged)
    }
  }

  @Test("an identifier that is another's is refused, and what is there is not written over")
  func takenIdentifier() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let ines = try await scene.unit("ines")
      let photo = try await scene.capture(ines, nil, 1)
      try ines.sendPhotos([photo.id])
      _ = try await ines.delivery.deliver(over: scene.link)
      // Somebody of another agency makes a record of their own under her photo's identifier.
      _ = try await scene.unit("sven", on: "other")
      let signIn = try #require(try scene.desk("other").signedIn())
      let sven = try await scene.office.sessions.visitor(withToken: signIn.token)
      let keys = folder.appendingPathComponent("other/field/keys")
      let pem = try #require(
        try FileManager.default.contentsOfDirectory(atPath: keys.path).first {
          $0.hasPrefix(sven.key ?? "?")
        })
      let key = try SoftwareDeviceKey(
        pem: try String(contentsOf: keys.appendingPathComponent(pem), encoding: .utf8))
      let seal = try #require(
        try await scene.office.database.read(in: "north") {
          try $0.seals.seal(of: photo.id, .capture)
        })
      guard case .object(var members) = seal.record, case .object(var device)? = members["device"]
      else { return }
      members["agency"] = .string("south")
      members["inspector"] = .string("sven")
      device["key"] = .string(key.publicKey.thumbprint)
      members["device"] = .object(device)
      let record = JSONValue.object(members)
      var link = seal.seal.link
      link.key = key.publicKey.thumbprint
      link.sequence = 1
      link.previous = nil
      link.record = Digest.hexadecimal(record.canonicalBytes)
      let forged = SealFile(record: record, seal: try Seal(link, with: key))
      let batch = BatchMessage(
        id: Identifier(at: scene.clock.deviceTime), key: link.key, made: scene.clock.deviceTime,
        links: [], seals: [forged], files: [])
      let before = try scene.office.photos.bytes(of: EvidenceName.seal(.capture, photo.id))
      let error = await #expect(throws: OfficeRefusal.self) {
        try await scene.office.deliveries.receive(batch: batch.bytes, id: batch.id, from: sven)
      }
      #expect(error?.kind == .recordsOfAnother)
      // She may not make a note under it herself: the office would take one seal for the other.
      guard case .object(var parts) = seal.record else {
        Issue.record("a record is an object")
        return
      }
      parts["note"] = .object(["photo": .string("\(photo.id)"), "text": .string("wet")])
      parts["kind"] = .string("note")
      let note = JSONValue.object(parts)
      let own = try #require(try ines.store.signedIn())
      let visitor = try await scene.office.sessions.visitor(withToken: own.token)
      let place = folder.appendingPathComponent("tablet/field/keys/\(seal.seal.link.key).pem")
      let ownKey = try SoftwareDeviceKey(pem: try String(contentsOf: place, encoding: .utf8))
      link = seal.seal.link
      (link.kind, link.sequence, link.previous) = (.note, 2, seal.seal.digest)
      (link.file, link.raw) = (nil, nil)
      link.record = Digest.hexadecimal(note.canonicalBytes)
      let second = BatchMessage(
        id: Identifier(at: scene.clock.deviceTime), key: link.key, made: scene.clock.deviceTime,
        links: [], seals: [SealFile(record: note, seal: try Seal(link, with: ownKey))], files: [])
      let twice = await #expect(throws: OfficeRefusal.self) {
        try await scene.office.deliveries.receive(batch: second.bytes, id: second.id, from: visitor)
      }
      #expect(twice?.kind == .recordsOfAnother, "\(twice?.detail ?? "")")
      #expect(try scene.office.photos.bytes(of: EvidenceName.seal(.capture, photo.id)) == before)
      #expect(try verify(scene, "office-data").verdict == .intact)
    }
  }

  @Test("bytes that are no batch are refused with a code, and never trap")
  func hostile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let photo = try await scene.capture(unit, nil, 1)
      try unit.sendPhotos([photo.id])
      scene.link.plan([.lostRequest])
      await #expect(throws: DeliveryError.self) {
        try await unit.delivery.deliver(over: scene.link)
      }
      let batch = try #require(
        try FieldStore(path: folder.appendingPathComponent("tablet/field/standpoint.sqlite").path)
          .read(as: unit.person) { session in
            try session.batches.unfinished().first.map { try session.batches.batch($0) }
          })
      let visitor = try await scene.office.sessions.visitor(
        withToken: try scene.desk().signedIn()?.token)
      await forEachSeed(0..<80) { seed, random in
        var bytes = batch.message
        for _ in 0...Int.random(in: 0...3, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        if seed % 4 == 0 { bytes = Array(bytes.prefix(Int(seed) * 11)) }
        // The bytes may still be a batch that names other files; they are never one that is taken.
        let answer = try? await scene.office.deliveries.receive(
          batch: bytes, id: batch.id, from: visitor)
        #expect(answer?.receipt == nil, "seed \(seed)")
      }
      #expect(try await unit.delivery.deliver(over: scene.link).delivered == 1)
    }
  }

  @Test("the office is killed between its steps: a new one on the same folder goes on")
  func restarts() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let photo = try await scene.capture(unit, nil, 1)
      try unit.sendPhotos([photo.id])
      scene.link.plan([nil, nil, nil, .lostAnswer])
      await #expect(throws: DeliveryError.self) {
        try await unit.delivery.deliver(over: scene.link)
      }
      // The commit was made, and what follows from it is lost.
      let receipts = folder.appendingPathComponent("office-data/office/receipts")
      try FileManager.default.removeItem(at: receipts)
      let again = try await OfficeScene.office(folder, scene.clock)
      #expect(try FileManager.default.contentsOfDirectory(atPath: receipts.path).count == 1)
      #expect(try await unit.delivery.deliver(over: LocalLink(again)).delivered == 1)
      #expect(try verify(scene, "office-data").verdict == .intact)
    }
  }
}
