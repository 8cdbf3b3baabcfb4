import Evidence
import FieldUnit
import Foundation
import Inspection
import OfficeExporting
import OfficeKeyring
import OfficeScenes
import Positioning
import Receivers
import Store
import Synchronization
import TestSupport
import Testing
import TimeAndText
import TimestampScenes
import Timestamps
import Transparency
import Verification

@testable import LogPublishing
@testable import Office

@Suite(
  "Timestamps over the office's log", .timeLimit(.minutes(5)),
  .enabled(if: TestTimeAuthority.isHere, TestTimeAuthority.absence))
struct LogStampingTests {
  /// An authority in this process, which can fail as others do.
  private final class Link: TimeAuthorityLink, Sendable {
    let authority: TestTimeAuthority
    private let state = Mutex<(failure: String?, earlier: [UInt8]?, questions: Int)>((nil, nil, 0))

    init(_ authority: TestTimeAuthority) { self.authority = authority }

    var questions: Int { state.withLock { $0.questions } }
    func fail(_ words: String?) { state.withLock { $0.failure = words } }
    func answer(always reply: [UInt8]?) { state.withLock { $0.earlier = reply } }

    func ask(_ query: [UInt8], at url: String) async throws -> [UInt8] {
      let (failure, earlier) = state.withLock { state in
        state.questions += 1
        return (state.failure, state.earlier)
      }
      if let failure { throw OutsideFailure("\(word: failure)") }
      if let earlier { return earlier }
      return try await authority.reply(to: query)
    }

    func revocationList(at url: String) async throws -> [UInt8] {
      try await authority.revocationList()
    }
  }

  private let url = "https://time.example.org/stamp"

  /// An office whose clock shows the real time, as that of the authority does.
  private func scene(_ folder: URL) async throws -> OfficeScene {
    let scene = try await OfficeScene(folder)
    advance(scene)
    return scene
  }

  @discardableResult
  private func advance(_ scene: OfficeScene) -> DeviceTime {
    let now = DeviceTime(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
    let away = now.gnssTime.seconds(since: scene.clock.deviceTime.gnssTime)
    scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: away), limit: nil)
    return now
  }

  private func stamping(
    _ scene: OfficeScene, _ folder: URL, revocationAddress: String? = "http://time.example.org/crl"
  ) throws -> (LogStamping, Link) {
    let authority = try TestTimeAuthority(
      folder.appendingPathComponent("authority"), revocationAddress: revocationAddress)
    let link = Link(authority)
    return (LogStamping(core: scene.office.core, link: link), link)
  }

  private func verify(
    _ path: String, _ scene: OfficeScene, roots: String?
  ) async throws -> VerificationReport {
    let files = try EvidenceArchive(path: path)
    var trusted = TimeAuthorities()
    if let roots { try trusted.trust(pem: roots) }
    return Verifier.verify(
      files, scope: .whole, trust: try Trust(scene.office.fingerprint),
      times: await StampedTimes(in: files, trusting: trusted))
  }

  @Test(
    "a bundle has the stamp over its deliveries, and whoever trusts the authority knows the time")
  func bundle() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 2)
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      let now = advance(scene)
      let (stamping, link) = try stamping(scene, folder)
      _ = try await stamping.use(url, roots: link.authority.rootPEM)
      try await PublicLog(core: scene.office.core).makeCheckpoint()
      try await stamping.stampDue()
      #expect(try stamping.authorities().first?.state.problem == nil)
      let path = folder.appendingPathComponent("bundle.zip").path
      try await scene.office.exports.write(
        "bundle.zip", ofTask: task.id, in: "north", toFile: path)
      let trusted = try await verify(path, scene, roots: link.authority.rootPEM)
      #expect(trusted.verdict == .intact, "\(trusted.findings)")
      #expect(trusted.stamped.seals == trusted.checked && trusted.checked > 2)
      #expect(trusted.stamped.roots == ["Test Root"])
      let before = try #require(trusted.stamped.last)
      #expect(abs(before.gnssTime.seconds(since: now.gnssTime)) < 120)
      // A stamped checkpoint that is damaged is left out, and the rest of the log's proofs is there.
      let shelf = try #require(try stamping.shelf.stamped().first)
      let kept = try DurableFile.read(shelf.path + "/checkpoint")
      try DurableFile.replace(shelf.path + "/checkpoint", with: [0x78])
      let lame = folder.appendingPathComponent("lame.zip").path
      try await scene.office.exports.write(
        "bundle.zip", ofTask: task.id, in: "north", toFile: lame)
      let without = try await verify(lame, scene, roots: nil)
      #expect(without.verdict == .intact && without.stamped.seals == 0)
      #expect(without.findings.contains { $0.check == .log })
      try DurableFile.replace(shelf.path + "/checkpoint", with: kept)
      // Without a trusted authority the stamps are told, and not by whom.
      let unknown = try await verify(path, scene, roots: nil)
      #expect(unknown.stamped.seals == unknown.checked && unknown.stamped.roots.isEmpty)
      let other = try TestTimeAuthority(folder.appendingPathComponent("other"))
      let foreign = try await verify(path, scene, roots: other.rootPEM)
      #expect(foreign.verdict == .intact && foreign.stamped.seals == 0)
      try await opensslAgrees(path, link.authority, scene.office.fingerprint, folder)
    }
  }

  /// openssl verifies the stamp of a bundle over the checkpoint beside it.
  private func opensslAgrees(
    _ path: String, _ authority: TestTimeAuthority, _ fingerprint: String, _ folder: URL
  ) async throws {
    let archive = try EvidenceArchive(path: path)
    let stamp = try #require(archive.paths.first { $0.hasSuffix(".tsr") })
    let place = try #require(BundleList.StampedPath(stamp))
    for (name, from) in [("reply", stamp), ("data", place.checkpoint)] {
      try Data(try archive.bytes(of: from)).write(to: folder.appendingPathComponent(name))
    }
    let (reply, data) = (
      folder.appendingPathComponent("reply").path, folder.appendingPathComponent("data").path
    )
    #expect(try await authority.opensslVerifies(reply, of: data))
    try Data([1]).write(to: folder.appendingPathComponent("data"))
    #expect(try await !authority.opensslVerifies(reply, of: data))
    #expect(archive.paths.contains { $0.hasSuffix("-1.crl") }, "the revocation list is kept")
    guard PythonTools.areHere else { return }
    let stranger = try await PythonTools.run(
      "Bundles/check.py", [path, fingerprint],
      environment: ["TIME_ROOTS": authority.path("root.pem")])
    #expect(stranger.status == 0 && stranger.output.contains("stamp log/"), "\(stranger.errors)")
  }

  @Test(
    "a stamp that was exchanged, an entry's proof that leads elsewhere, a stamp of another checkpoint are noticed"
  )
  func changed() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 1)
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      advance(scene)
      let (stamping, link) = try stamping(scene, folder)
      _ = try await stamping.use(url, roots: nil)
      try await PublicLog(core: scene.office.core).makeCheckpoint()
      try await stamping.stampDue()
      let path = folder.appendingPathComponent("bundle.zip").path
      try await scene.office.exports.write(
        "bundle.zip", ofTask: task.id, in: "north", toFile: path)
      let archive = try EvidenceArchive(path: path)
      let stamp = try #require(archive.paths.first { $0.hasSuffix(".tsr") })
      let place = try #require(BundleList.StampedPath(stamp))
      let proof = try #require(archive.paths.first { BundleList.StampedPath($0)?.receipt != nil })
      let other = TimestampQuery(about: [1, 2, 3], nonce: [1, 2, 3, 4, 5, 6, 7, 8])
      let foreign = try await link.authority.reply(to: try other.der)
      let changes: [(String, [UInt8], String, Finding.Severity)] = [
        (stamp, foreign, "something else than the checkpoint", .altered),
        (stamp, Array("<html>".utf8), "no timestamp", .altered),
        (
          place.checkpoint, try archive.bytes(of: "log/checkpoint") + [0x0A], "something else",
          .altered
        ),
        (proof, Array("nonsense".utf8), "proof", .altered),
      ]
      // The office signs another receipt of the same name, which says more.
      let receiptPath = try #require(BundleList.StampedPath(proof)?.receipt)
      let receipt = try Receipt(
        jws: String(decoding: try archive.bytes(of: receiptPath), as: UTF8.self))
      let ring = scene.office.core.keys.ring
      let other2 = try Receipt(
        id: receipt.id, batch: receipt.batch, agency: receipt.agency,
        inspector: receipt.inspector, key: receipt.key, head: receipt.head,
        records: receipt.records + [String(repeating: "a", count: 64)], files: receipt.files,
        received: receipt.received, signedWith: ring.receiptKey,
        certificate: ring.receiptCertificate)
      let exchanged = (
        receiptPath, Array(other2.jws.utf8), "another receipt with this identifier",
        Finding.Severity.altered
      )
      for (name, bytes, words, severity) in changes + [exchanged] {
        let files = Changed(archive: archive, name: name, bytes: bytes)
        let report = Verifier.verify(
          files, scope: .whole, trust: try Trust(scene.office.fingerprint),
          times: await StampedTimes(in: files, trusting: TimeAuthorities()))
        #expect(
          report.findings.contains {
            $0.check == .timestamp && $0.severity == severity && $0.message.contains(words)
          }, "\(name): \(report.findings)")
        #expect(report.stamped.seals == 0, "\(name)")
      }
    }
  }

  private struct Changed: EvidenceFiles {
    var archive: EvidenceArchive
    var name: String
    var bytes: [UInt8]
    var paths: [String] { archive.paths }
    let isSelection = true

    func bytes(of path: String) throws -> [UInt8] {
      path == name ? bytes : try archive.bytes(of: path)
    }
  }

  @Test("an authority that fails is asked again and told, and a later stamp ends the complaint")
  func failing() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await scene(folder)
      let (stamping, link) = try stamping(scene, folder, revocationAddress: nil)
      let log = PublicLog(core: scene.office.core)
      link.fail("it answers 500")
      let refusal = await #expect(throws: OfficeRefusal.self) {
        try await stamping.use(url, roots: nil)
      }
      #expect("\(try #require(refusal))".contains("it answers 500"))
      #expect(try stamping.authorities().isEmpty, "an authority that does not answer is not kept")
      link.fail(nil)
      _ = try await stamping.use(url, roots: nil)
      try await log.makeCheckpoint()
      link.fail("it has not answered within 30 seconds")
      try await stamping.stampDue()
      let since = try #require(try stamping.authorities().first?.state)
      #expect(since.problem == "it has not answered within 30 seconds" && since.size == nil)
      link.fail(nil)
      try await stamping.stampDue()
      let state = try #require(try stamping.authorities().first?.state)
      let last = try log.sizes().last
      #expect(state.problem == nil && state.size == last)
      // Asked again, the authority stamps again, and the earlier stamp stays: it says more.
      let stamp = try #require(try stamping.shelf.stamped().first)
      let path =
        "\(stamp.path)/"
        + (try #require(try stamping.shelf.files(of: stamp).last { $0.hasSuffix(".tsr") }))
      let first = try DurableFile.read(path)
      _ = try await stamping.use(url, roots: link.authority.rootPEM)
      #expect(try DurableFile.read(path) == first)
      let asked = link.questions
      try await stamping.stampDue()
      #expect(link.questions == asked, "a checkpoint that is stamped is not stamped again")
      // An answer to an earlier question is no answer to this one.
      let earlier = TimestampQuery(about: [9], nonce: [1, 2, 3, 4, 5, 6, 7, 8])
      link.answer(always: try await link.authority.reply(to: try earlier.der))
      try await scene.office.database.writeRegistry { registry in
        try registry.log(
          scene.office.core.log("x", on: "1", by: "test", agency: nil, detail: nil))
      }
      try await log.makeCheckpoint()
      try await stamping.stampDue()
      #expect(try stamping.authorities().first?.state.problem == "it is a stamp of something else")
      try stamping.remove(url)
      #expect(try stamping.authorities().isEmpty)
      #expect(throws: OfficeRefusal.self) { try stamping.remove(url) }
    }
  }

  @Test("the page of the log says who has stamped, or since when somebody has not")
  func page() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await scene(folder)
      let (stamping, link) = try stamping(scene, folder, revocationAddress: nil)
      try await PublicLog(core: scene.office.core).makeCheckpoint()
      try await withSite(scene.office) { site in
        let browser = site.browser()
        try await browser.signIn("otto")
        #expect(try await browser.get("/log").body.contains("Nobody outside stamps or witnesses"))
        _ = try await stamping.use(url, roots: nil)
        let good = try await browser.get("/log").body
        #expect(good.contains("time.example.org has stamped the first"))
        #expect(!good.contains("&lt;time") && !good.contains("&lt;span"))
        try await scene.office.database.writeRegistry { registry in
          try registry.log(
            scene.office.core.log("x", on: "1", by: "test", agency: nil, detail: nil))
        }
        try await PublicLog(core: scene.office.core).makeCheckpoint()
        link.fail("it answers 500")
        try await stamping.stampDue()
        let failing = try await browser.get("/log").body
        #expect(failing.contains("It has not answered as it should since <time"))
        #expect(failing.contains("it answers 500"))
      }
    }
  }

  @Test(
    "an authority whose clock is far from the office's, or for which its certificate does not vouch, is refused"
  )
  func refused() async throws {
    try await withTemporaryDirectory { folder in
      // The clock of this scene stands in June.
      let wrong = try await OfficeScene(folder.appendingPathComponent("a"))
      let (early, _) = try stamping(wrong, folder.appendingPathComponent("a"))
      let clock = await #expect(throws: OfficeRefusal.self) {
        try await early.use(url, roots: nil)
      }
      #expect("\(try #require(clock))".contains("one of both clocks is wrong"))
      let right = try await scene(folder.appendingPathComponent("b"))
      let (stamping, _) = try stamping(right, folder.appendingPathComponent("b"))
      let other = try TestTimeAuthority(folder.appendingPathComponent("c"))
      let foreign = await #expect(throws: OfficeRefusal.self) {
        try await stamping.use(url, roots: other.rootPEM)
      }
      #expect("\(try #require(foreign))".contains("do not vouch"))
      for address in ["ftp://x", "x", "https://user:word@x.org", "https://", ""] {
        await #expect(throws: OfficeRefusal.self, "\(address)") {
          try await stamping.use(address, roots: nil)
        }
      }
    }
  }

  private func log(of office: OfficeServer) throws -> SignedNote {
    try #require(try PublicLog(core: office.core).lastCheckpoint())
  }

  @Test("a backup holds the stamps, and a restored office still proves by them")
  func restored() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await scene(folder)
      let (stamping, _) = try stamping(scene, folder)
      _ = try await stamping.use(url, roots: nil)
      try await PublicLog(core: scene.office.core).makeCheckpoint()
      try await stamping.stampDue()
      let backup = folder.appendingPathComponent("office.tar").path
      _ = try await scene.office.operation.backup(to: backup)
      var configuration = OfficeConfiguration(
        dataDirectory: folder.appendingPathComponent("restored"), software: "test")
      configuration.log = { _ in }
      // A log's name has the second of its beginning.
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 2), limit: nil)
      _ = try await OfficeRestore.run(backup, configuration: configuration, clock: scene.clock)
      let office = try await OfficeServer.make(configuration: configuration, clock: scene.clock)
      let again = LogStamping(core: office.core)
      #expect(try again.authorities().map(\.authority.url) == [url])
      // The restored office begins a new log; what the stamp covers is still its beginning.
      try await PublicLog(core: office.core).makeCheckpoint()
      var stamped = try StampedProofs(core: office.core)
      let digest = try await office.database.readRegistry { registry in
        var digest: String?
        try registry.forEachLogDigest(from: 1) { digest = digest ?? $1 }
        return try #require(digest)
      }
      let found = try #require(try await stamped.proof(ofEntry: 1, line: [1]))
      let proof = try EntryProof(found.text)
      let checkpoint = try #require(stamped.used.first)
      #expect(stamped.used.count == 1 && checkpoint.size == found.size)
      let leaf = try #require(TreeHash.leaf(ofHexadecimal: digest))
      #expect(proof.leads(from: leaf, to: try Checkpoint(text: checkpoint.note.text)))
      #expect(checkpoint.note.text != (try log(of: office)).text, "its own log is a new one")
    }
  }
}
