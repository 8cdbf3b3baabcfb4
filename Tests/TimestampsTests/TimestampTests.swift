import Foundation
import TestSupport
import Testing
import TimeAndText
import TimestampScenes

@testable import Timestamps

@Suite(
  "Timestamps of an authority outside",
  .enabled(if: TestTimeAuthority.isHere, TestTimeAuthority.absence))
struct TimestampTests {
  private let stamped = Array("standpoint.office/1\n7\nroot\n".utf8)
  private let nonce: [UInt8] = [0xF1, 2, 3, 4, 5, 6, 7, 8]

  private func withAuthority(
    _ make: (URL) throws -> TestTimeAuthority = { try TestTimeAuthority($0) },
    _ body: (TestTimeAuthority) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in try await body(try make(folder)) }
  }

  private func standing(
    _ authority: TestTimeAuthority, roots: String? = nil, revocations: [RevocationList] = []
  ) async throws -> TimeAuthorities.Standing {
    let query = TimestampQuery(about: stamped, nonce: nonce)
    let stamp = try query.stamp(inReply: try await authority.reply(to: try query.der))
    var trusted = TimeAuthorities()
    try trusted.trust(pem: roots ?? authority.rootPEM)
    return await trusted.standing(of: stamp, revocations: revocations)
  }

  @Test("openssl answers our question, we read its answer, and openssl verifies the same bytes")
  func agreesWithOpenSSL() async throws {
    try await withAuthority { authority in
      let query = TimestampQuery(about: stamped, nonce: nonce)
      let reply = try await authority.reply(to: try query.der)
      let stamp = try query.stamp(inReply: reply)
      let now = DeviceTime(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
      #expect(abs(stamp.time.gnssTime.seconds(since: now.gnssTime)) < 60)
      #expect(stamp.accuracySeconds == 1.5)
      #expect(stamp.authority == "Test Time Authority")
      #expect(stamp.digest == query.digest && stamp.nonce == query.nonce)
      try Data(stamped).write(to: authority.folder.appendingPathComponent("data"))
      try Data(reply).write(to: authority.folder.appendingPathComponent("reply"))
      #expect(
        try await authority.opensslVerifies(authority.path("reply"), of: authority.path("data")))
    }
  }

  @Test("the root of the caller vouches; another root, or none, does not")
  func roots() async throws {
    try await withAuthority { authority in
      let own = try await standing(authority)
      #expect(own.root == "Test Root" && own.doubts.isEmpty)
      #expect(own.gaps.count == 2, "nothing says of two certificates that they are not revoked")
      let other = try TestTimeAuthority(authority.folder.appendingPathComponent("other"))
      let foreign = try await standing(authority, roots: other.rootPEM)
      #expect(foreign.root == nil && foreign.doubts.isEmpty)
      #expect("\(try #require(foreign.gaps.first))".contains("none of the trusted"))
    }
  }

  @Test(
    "an authority whose certificate had ended, or one above it, or which may not stamp, proves nothing"
  )
  func invalidCertificates() async throws {
    let makers: [(String, (URL) throws -> TestTimeAuthority)] = [
      ("was not valid at the time", { try TestTimeAuthority($0, signerEnds: -3600) }),
      ("Test Issuer", { try TestTimeAuthority($0, issuerEnds: -3600) }),
    ]
    for (words, make) in makers {
      try await withAuthority(make) { authority in
        let standing = try await standing(authority)
        #expect(standing.root == nil)
        #expect(
          (standing.doubts + standing.gaps).contains { "\($0)".contains(words) }, "\(standing)")
      }
    }
    // openssl itself refuses to stamp with a server's certificate: it signs a good stamp once more with one.
    try await withTemporaryDirectory { folder in
      let good = try TestTimeAuthority(folder.appendingPathComponent("good"))
      let server = try TestTimeAuthority(
        folder.appendingPathComponent("server"), purpose: .serving)
      let query = TimestampQuery(about: stamped, nonce: nonce)
      let reply = try await good.reply(to: try query.der)
      let stamp = try query.stamp(inReply: try await server.signedAgain(reply))
      var trusted = TimeAuthorities()
      try trusted.trust(pem: server.rootPEM)
      let standing = await trusted.standing(of: stamp)
      #expect(standing.root == nil)
      #expect(standing.doubts.contains { "\($0)".contains("not one for timestamps alone") })
      // The same with an authority's certificate is a stamp, if the signature names the certificate.
      let again = try query.stamp(inReply: try await good.signedAgain(reply))
      var own = TimeAuthorities()
      try own.trust(
        pem: good.rootPEM + (try String(contentsOfFile: good.path("issuer.pem"), encoding: .utf8)))
      #expect(await own.standing(of: again).root == "Test Root")
      let nameless = try await good.signedAgain(reply, namesCertificate: false)
      let problem = #expect(throws: TimestampProblem.self) { try query.stamp(inReply: nameless) }
      #expect("\(try #require(problem).wording)".contains("does not name the certificate"))
    }
  }

  @Test("many certificates that all vouch for each other cost no time", .timeLimit(.minutes(1)))
  func circle() async throws {
    try await withAuthority { authority in
      try authority.addCircle(of: 15)
      let query = TimestampQuery(about: stamped, nonce: nonce)
      let stamp = try query.stamp(inReply: try await authority.reply(to: try query.der))
      let other = try TestTimeAuthority(authority.folder.appendingPathComponent("other"))
      var trusted = TimeAuthorities()
      try trusted.trust(pem: other.rootPEM)
      #expect(await trusted.standing(of: stamp).root == nil)
      try trusted.trust(pem: authority.rootPEM)
      #expect(await trusted.standing(of: stamp).root == "Test Root")
    }
  }

  @Test(
    "a certificate that was revoked before the stamp proves nothing, one that was revoked later does"
  )
  func revoked() async throws {
    try await withAuthority { authority in
      let before = try RevocationList(
        der: try await authority.revocationList(revokedAt: Date() - 3600))
      let doubtful = try await standing(authority, revocations: [before])
      #expect(doubtful.doubts.contains { "\($0)".contains("was revoked at") }, "\(doubtful)")
      // Without a reason, or with a stolen key, no stamp is good, whatever its time: the thief writes it.
      for (reason, isGood) in [
        ("superseded", true), ("cessationOfOperation", true), (nil, false),
        ("keyCompromise", false),
      ] {
        let later = try RevocationList(
          der: try await authority.revocationList(revokedAt: Date() + 3600, reason: reason))
        let standing = try await standing(authority, revocations: [later])
        #expect(standing.doubts.isEmpty == isGood, "\(reason ?? "none"): \(standing)")
      }
      let none = try RevocationList(der: try await authority.revocationList())
      let good = try await standing(authority, revocations: [none])
      #expect(good.doubts.isEmpty && good.gaps.count == 1, "only the issuer's own state is unknown")
      let other = try TestTimeAuthority(authority.folder.appendingPathComponent("other"))
      let foreign = try RevocationList(
        der: try await other.revocationList(revokedAt: Date() - 3600))
      let ignored = try await standing(authority, revocations: [foreign])
      #expect(ignored.doubts.isEmpty, "a list that another authority signed says nothing")
    }
  }

  @Test("an answer to another question, about something else, or a refusal is none")
  func wrongAnswers() async throws {
    try await withAuthority { authority in
      let query = TimestampQuery(about: stamped, nonce: nonce)
      let reply = try await authority.reply(to: try query.der)
      let repeated = TimestampQuery(about: stamped, nonce: [1] + nonce.dropFirst())
      let other = TimestampQuery(about: [1], nonce: nonce)
      for (question, words) in [(repeated, "another question"), (other, "something else")] {
        let problem = #expect(throws: TimestampProblem.self) {
          try question.stamp(inReply: reply)
        }
        #expect("\(try #require(problem).wording)".contains(words))
      }
      // A digest that this authority does not take.
      let refusal = try await authority.reply(to: Array("not a query".utf8))
      let problem = #expect(throws: TimestampProblem.self) { try query.stamp(inReply: refusal) }
      #expect("\(try #require(problem).wording)".contains("refuses"))
    }
  }

  @Test("every changed byte of a token is noticed, or changes nothing that is signed")
  func changedBytes() async throws {
    try await withAuthority { authority in
      let query = TimestampQuery(about: stamped, nonce: nonce)
      let reply = try await authority.reply(to: try query.der)
      let stamp = try query.stamp(inReply: reply)
      var unnoticed = 0
      for place in reply.indices {
        var changed = reply
        changed[place] ^= 0x01
        guard let other = try? query.stamp(inReply: changed) else { continue }
        unnoticed += 1
        #expect(other.time == stamp.time && other.authority == stamp.authority, "byte \(place)")
      }
      // The answer's status, the version, the list of digests and the issuer's certificate are not signed.
      #expect(unnoticed < reply.count / 2)
      for length in stride(from: 0, to: reply.count, by: 7) {
        #expect(throws: TimestampProblem.self) {
          try Timestamp(reply: Array(reply.prefix(length)))
        }
      }
    }
  }

  @Test("anything else in place of an answer is refused with words: HTML, noughts, endless depth")
  func strangeBytes() throws {
    let strange: [[UInt8]] = [
      [], Array("<html><title>Sign in</title></html>".utf8), [UInt8](repeating: 0, count: 5000),
      [UInt8](repeating: 0x30, count: 5000), [0x30, 0x80, 0, 0],
      [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
      (0..<3000).flatMap { _ in [0x30, 0x82, 0x20, 0x00] as [UInt8] },
      [UInt8](repeating: 0x30, count: Timestamp.bytesAtMost + 1),
    ]
    for bytes in strange {
      #expect(throws: TimestampProblem.self) { try Timestamp(reply: bytes) }
      #expect(throws: TimestampProblem.self) { try RevocationList(der: bytes) }
    }
    var trusted = TimeAuthorities()
    #expect(throws: TimestampProblem.self) { try trusted.trust(pem: "none") }
  }
}
