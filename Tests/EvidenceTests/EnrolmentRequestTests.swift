import Positioning
import Testing
import TimeAndText

@testable import Evidence

@Suite("Enrolment")
struct EnrolmentRequestTests {
  private let key = SoftwareDeviceKey()
  private let time = DeviceTime(millisecondsSince1970: 1_778_565_600_123)

  private func request() throws -> EnrolmentRequest {
    try EnrolmentRequest(
      device: "018f0000-0000-7000-8000-000000000000", login: "ada", at: time, with: key)
  }

  @Test("a request is read again as what was asked, and by whom")
  func roundTrip() throws {
    let made = try request()
    let read = try EnrolmentRequest(jws: made.jws)
    #expect(read == made)
    #expect(read.publicKey == key.publicKey)
    #expect(read.device == "018f0000-0000-7000-8000-000000000000")
    #expect(read.login == "ada")
    #expect(read.time == time)
  }

  @Test("a character changed anywhere in a request is noticed")
  func everyCharacter() throws {
    let characters = Array(try request().jws)
    for index in characters.indices {
      var changed = characters
      changed[index] = changed[index] == "A" ? "B" : "A"
      #expect(throws: EvidenceError.self, "character \(index)") {
        try EnrolmentRequest(jws: String(changed))
      }
    }
  }

  @Test("a request for a key that somebody else holds is refused")
  func otherKey() throws {
    let other = SoftwareDeviceKey()
    let parts = try request().jws.split(separator: ".").map(String.init)
    let header = CompactJWS.header(carrying: other.publicKey)
    let payload = try JSONValue(parsing: try #require(Base64URL.bytes(parts[1])))
    let forged = try CompactJWS.make(header: header, payload: payload, with: key)
    #expect(throws: EvidenceError.malformedEnrolment("the signature is not valid")) {
      try EnrolmentRequest(jws: forged)
    }
  }

  @Test("a member that is missing or of another type is refused, and so is another kind of JWS")
  func members() throws {
    let parts = try request().jws.split(separator: ".").map(String.init)
    let payload = try JSONValue(parsing: try #require(Base64URL.bytes(parts[1])))
    let header = CompactJWS.header(carrying: key.publicKey)
    func jws(_ payload: JSONValue) throws -> String {
      try CompactJWS.make(header: header, payload: payload, with: key)
    }
    #expect(throws: Never.self) { try EnrolmentRequest(jws: try jws(payload)) }
    for (name, value) in [
      ("schema", JSONValue.string("standpoint.enrolment/2")), ("device", .string("")),
      ("login", .integer(1)), ("time", .string("today")),
    ] {
      for value in [value, nil] {
        #expect(throws: EvidenceError.self, "\(name)") {
          try EnrolmentRequest(jws: try jws(payload.setting([name], to: value)))
        }
      }
    }
    // A seal is no request, and the other way round.
    var day = try FieldDay(seed: 3)
    day.note("x")
    let seal = try #require(try day.sealFiles().first?.seal)
    #expect(throws: EvidenceError.self) { try EnrolmentRequest(jws: seal.jws) }
    #expect(throws: EvidenceError.self) { try Seal(jws: try request().jws) }
    for text in ["", "a.b.c", "..", try request().jws + "\n"] {
      #expect(throws: EvidenceError.self) { try EnrolmentRequest(jws: text) }
    }
  }
}
