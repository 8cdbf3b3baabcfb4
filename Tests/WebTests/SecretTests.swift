import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Web

@Suite("Tokens") struct TokenTests {
  @Test("a token is 32 random bytes in 43 characters that may stand anywhere")
  func make() {
    let tokens = (0..<100).map { _ in Token.make() }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.utf8.count == 43 && Base64URL.decode($0)?.count == 32 })
  }

  @Test("a digest is SHA-256 in hexadecimal")
  func digest() {
    // FIPS 180-2, appendix B.1.
    #expect(
      Token.digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test("base64url reads exactly what it writes")
  func base64() {
    forEachSeed { seed, generator in
      let count = Int.random(in: 0..<50, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes, "seed \(seed)")
    }
    #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
    for text in ["-_9", "-_8=", "+/8", "a", "-_8 ", "é", "AA==\n"] {
      #expect(Base64URL.decode(text) == nil, "\(text)")
    }
  }

  @Test("a form token belongs to one cookie and one secret")
  func formToken() {
    let token = FormToken(secret: testSecret)
    let value = token.value(forCookie: "a")
    #expect(token.isValid(value, forCookie: "a"))
    #expect(!token.isValid(value, forCookie: "b"))
    #expect(!FormToken(secret: [1]).isValid(value, forCookie: "a"))
    for wrong in ["", "a", value + "A", String(value.dropLast(2)), value + "="] {
      #expect(!token.isValid(wrong, forCookie: "a"), "\(wrong)")
    }
  }
}

@Suite("Passwords") struct PasswordTests {
  @Test("scrypt gives the vectors of RFC 7914, section 12")
  func vectors() throws {
    func hex(_ bytes: [UInt8]) -> String {
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    let first = try PasswordHash.derive(
      Array("password".utf8), salt: Array("NaCl".utf8),
      cost: .init(rounds: 1024, blockSize: 8, parallelism: 16), length: 64)
    #expect(
      hex(first)
        == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff1"
        + "09279d9830dac727afb94a83ee6d8360cbdfa2cc0640")
    let second = try PasswordHash.derive(
      Array("pleaseletmein".utf8), salt: Array("SodiumChloride".utf8),
      cost: .init(rounds: 16_384, blockSize: 8, parallelism: 1), length: 64)
    #expect(
      hex(second)
        == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d4"
        + "9705242a9af9e61e85dc0d651e40dfcf017b45575887")
  }

  @Test("a hash says how it was made, and only its password fits")
  func hashing() async throws {
    let hasher = PasswordHasher()
    let stored = try await hasher.hash("correct horse")
    #expect(stored.hasPrefix("scrypt$16384$8$5$"))
    let hash = try #require(PasswordHash(stored))
    #expect(hash.salt.count == 16)
    #expect(hash.key.count == 32)
    #expect(hash.text == stored)
    #expect(await hasher.verify("correct horse", against: stored))
    #expect(await !hasher.verify("correct horsf", against: stored))
    #expect(await !hasher.verify("", against: stored))
  }

  /// A hasher whose work is a word, not a third of a second.
  private func quickHasher(_ calls: @escaping @Sendable (PasswordHash.Cost) -> Void = { _ in })
    -> PasswordHasher
  {
    PasswordHasher(atATime: 2) { password, salt, cost in
      calls(cost)
      var key = [UInt8](repeating: 0, count: 32)
      for (index, byte) in (password + salt).enumerated() { key[index % 32] ^= byte }
      return key
    }
  }

  @Test("é is the same password from every keyboard, and every salt makes another text")
  func composition() async throws {
    let hasher = quickHasher()
    let stored = try await hasher.hash("caf\u{E9}")
    #expect(await hasher.verify("cafe\u{301}", against: stored))
    #expect(await !hasher.verify("cafe", against: stored))
    #expect(try await hasher.hash("caf\u{E9}") != stored)
  }

  @Test("without an account the same work is done, and the answer is no")
  func enumeration() async throws {
    let costs = Mutex<[PasswordHash.Cost]>([])
    let hasher = quickHasher { cost in costs.withLock { $0.append(cost) } }
    #expect(await !hasher.verify("x", against: nil))
    #expect(await !hasher.verify("x", against: "scrypt$1$1$1$AA$AA"))
    #expect(await !hasher.verify("", against: try hasher.hash("x")))
    #expect(costs.withLock { $0 } == [.standard, .standard, .standard, .standard])
  }

  @Test("1024 bytes are a password, and none or 1025 are not")
  func lengths() async throws {
    let hasher = quickHasher()
    let longest = String(repeating: "a", count: 1024)
    #expect(await hasher.verify(longest, against: try hasher.hash(longest)))
    await #expect(throws: WebProblem.malformedRequest) { try await hasher.hash(longest + "a") }
    await #expect(throws: WebProblem.malformedRequest) { try await hasher.hash("") }
    #expect(await !hasher.verify(longest + "a", against: nil))
  }

  @Test("two are hashed at a time, the others wait, and all get their turn")
  func twoAtATime() async throws {
    struct Count {
      var now = 0
      var most = 0
      var all = 0
    }
    let count = Mutex(Count())
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let release = DispatchSemaphore(value: 0)
    let hasher = PasswordHasher(atATime: 2) { _, _, _ in
      count.withLock { count in
        count.now += 1
        count.all += 1
        count.most = max(count.most, count.now)
      }
      start.yield()
      release.wait()
      count.withLock { $0.now -= 1 }
      return [UInt8](repeating: 0, count: 32)
    }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<9 { group.addTask { await hasher.verify("x", against: nil) } }
      var running = 0
      for await _ in started {
        running += 1
        // The first two only end when both have begun.
        if running == 2 { release.signal() }
        if running > 2 { release.signal() }
        if running == 9 { break }
      }
      release.signal()
    }
    #expect(count.withLock { $0.most } == 2)
    #expect(count.withLock { $0.all } == 9)
  }

  private static let salt = Base64URL.encode([UInt8](repeating: 1, count: 16))
  private static let key = Base64URL.encode([UInt8](repeating: 2, count: 32))

  @Test("stored text of other costs within bounds is read")
  func otherCosts() {
    for cost in ["1024$1$1", "65536$8$5", "16384$16$10", "32768$8$10"] {
      #expect(PasswordHash("scrypt$\(cost)$\(Self.salt)$\(Self.key)") != nil, "\(cost)")
    }
  }

  @Test(
    "hostile stored text is refused and not computed",
    arguments: [
      "", "scrypt", "bcrypt$16384$8$5$S$K", "scrypt$16384$8$5$S", "scrypt$16384$8$5$S$K$",
      "scrypt$16383$8$5$S$K", "scrypt$512$8$5$S$K", "scrypt$131072$8$1$S$K",
      "scrypt$65536$16$16$S$K", "scrypt$16384$8$0$S$K", "scrypt$16384$17$1$S$K",
      "scrypt$16384$8$17$S$K", "scrypt$16384$-8$5$S$K", "scrypt$+16384$8$5$S$K",
      "scrypt$016384$8$5$S$K", "scrypt$99999999999999999999$8$5$S$K", "scrypt$16384$8$5$$K",
      "scrypt$16384$8$5$S$", "scrypt$16384$8$5$AA$K", "scrypt$16384$8$5$S$AAAA",
      "scrypt$16384$8$5$S!$K", "scrypt$１６３８４$8$5$S$K", " scrypt$16384$8$5$S$K",
      "scrypt$16384$8$5$S$K\n",
    ])
  func hostile(text: String) {
    let full = text.replacing("$S", with: "$" + Self.salt).replacing("$K", with: "$" + Self.key)
    #expect(PasswordHash(full) == nil)
  }
}

@Suite("Requests") struct RequestLimiterTests {
  @Test("what costs as much as many is owed, and comes back before the next one") func charged() {
    var limiter = RequestLimiter(perSecond: 2, burst: 5)
    #expect(limiter.take("jan", at: 0) == nil)
    limiter.charge("jan", 10, at: 0)
    #expect(limiter.take("jan", at: 0) == 3.5)
    #expect(limiter.take("eva", at: 0) == nil)
    #expect(limiter.take("jan", at: 3.4) != nil)
    #expect(limiter.take("jan", at: 3.5) == nil)
    // The limiter never holds more than it began with.
    limiter.charge("jan", -50, at: 3.5)
    #expect((0..<5).allSatisfy { _ in limiter.take("jan", at: 3.5) == nil })
    #expect(limiter.take("jan", at: 3.5) != nil)
  }
}

@Suite("Attempts") struct AttemptLimiterTests {
  private func limiter(failures: Int, at seconds: Double = 0) -> AttemptLimiter {
    var limiter = AttemptLimiter()
    for _ in 0..<failures { limiter.failed("jan", at: seconds) }
    return limiter
  }

  @Test("four failures are free, the fifth must wait")
  func free() {
    var four = limiter(failures: 4)
    #expect(four.wait(for: "jan", at: 0) == nil)
    var five = limiter(failures: 5)
    #expect(five.wait(for: "jan", at: 0) == 2)
    #expect(five.wait(for: "jan", at: 1.5) == 0.5)
    #expect(five.wait(for: "jan", at: 2) == nil)
    #expect(five.wait(for: "eva", at: 0) == nil)
  }

  @Test("each further failure doubles the wait, up to a quarter of an hour")
  func doubling() {
    var limiter = limiter(failures: 5)
    var waits: [Double?] = []
    for _ in 0..<12 {
      waits.append(limiter.wait(for: "jan", at: 0))
      limiter.failed("jan", at: 0)
    }
    #expect(waits == [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
    for _ in 0..<200 { limiter.failed("jan", at: 0) }
    #expect(limiter.wait(for: "jan", at: 0) == 900)
  }

  @Test("failures count for 15 minutes")
  func window() {
    var spread = AttemptLimiter()
    for number in 0..<20 { spread.failed("jan", at: Double(number) * 226) }
    #expect(spread.wait(for: "jan", at: 19 * 226) == nil)
    var dense = AttemptLimiter()
    for number in 0..<5 { dense.failed("jan", at: Double(number) * 225) }
    #expect(dense.wait(for: "jan", at: 900) == 2)
  }

  @Test("success forgets, and so does half an hour without a try")
  func forgetting() {
    var succeeded = limiter(failures: 9)
    succeeded.succeeded("jan")
    #expect(succeeded.wait(for: "jan", at: 0) == nil)
    #expect(succeeded.count == 0)
    var patient = limiter(failures: 20)
    patient.failed("jan", at: 1800)
    #expect(patient.wait(for: "jan", at: 1800) == 900)
    patient = limiter(failures: 20)
    patient.failed("jan", at: 1801)
    #expect(patient.wait(for: "jan", at: 1801) == nil)
  }

  @Test("a clock that is set back does not lock anybody out for longer")
  func clockBack() {
    var limiter = limiter(failures: 5, at: 1_000_000)
    #expect(limiter.wait(for: "jan", at: 0) == 2)
  }

  @Test("memory is bounded, and a flood of names does not wash away who must wait")
  func bounded() {
    var limiter = AttemptLimiter(keysAtMost: 100)
    for _ in 0..<6 { limiter.failed("jan", at: 0) }
    for number in 0..<1000 {
      limiter.failed("name \(number)", at: 1)
      #expect(limiter.count <= 100)
    }
    #expect(limiter.wait(for: "jan", at: 1) == 3)
  }
}
