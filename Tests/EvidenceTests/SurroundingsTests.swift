import Foundation
import Inspection
import Positioning
import Testing
import TimeAndText

@testable import Evidence

@Suite("Radio surroundings and policies")
struct SurroundingsTests {
  private func heard(_ secondsBefore: Double) -> ElapsedTime {
    FieldDay.shutter.advanced(bySeconds: -secondsBefore)
  }

  @Test("a record tells what was heard with its age, and nothing that is older than a minute")
  func ages() throws {
    var surroundings = RadioSurroundings()
    for seconds in [-0.5, 0, 60, 60.001] {
      surroundings.cells.append(
        RadioSurroundings.Cell(technology: .lte, isServing: false, heard: heard(seconds)))
      surroundings.accessPoints.append(
        RadioSurroundings.AccessPoint(
          address: "02:00:5e:10:00:00", channel: nil, signalPercent: nil, heard: heard(seconds)))
    }
    let value = Record.surroundings(surroundings, at: FieldDay.shutter)
    for list in ["cells", "accessPoints"] {
      let ages = try #require(value[list]?.elements).map { $0["ageSeconds"]?.text }
      #expect(ages == ["0.000", "0.000", "60.000"], "\(list)")
    }
    #expect(
      Record.surroundings(RadioSurroundings(), at: FieldDay.shutter) == .object([:]),
      "listened, and heard nothing")
  }

  @Test(
    "a channel is that of its frequency",
    arguments: [
      (2412, 1), (2437, 6), (2472, 13), (2484, 14), (5180, 36), (5825, 165), (5955, 1), (5935, 2),
      (7115, 233), (2413, nil), (5181, nil), (0, nil), (-2412, nil), (60480, nil),
    ] as [(Int, Int?)])
  func channels(frequency: Int, channel: Int?) {
    #expect(RadioSurroundings.AccessPoint.channel(ofMegahertz: frequency) == channel)
  }

  @Test("a policy reads back as it was signed, and its digest is that of its bytes")
  func policy() throws {
    let day = try CertifiedDay.ordinary.get()
    let signed = try day.policy(revision: 3)
    let read = try SignedPolicy(jws: signed.jws)
    #expect(read == signed)
    #expect(read.policy.readsSurroundings)
    #expect(read.policy.revision == 3)
    #expect(read.certificate.isIssued(by: day.authority.certificate))
    #expect(read.digest == Digest.hexadecimal(Array(signed.jws.utf8)))
  }

  @Test("a policy that was changed, is no policy, or is under another key is none")
  func refused() throws {
    let day = try CertifiedDay.ordinary.get()
    let jws = try day.policy().jws
    var parts = jws.split(separator: ".").map(String.init)
    let payload = try #require(Base64URL.bytes(Substring(parts[1])))
    parts[1] = Base64URL.text(
      Array(
        String(decoding: payload, as: UTF8.self).replacing(
          "\"surroundings\":true", with: "\"surroundings\":false"
        ).utf8))
    #expect(parts[1] != Base64URL.text(payload))
    for text in [
      parts.joined(separator: "."), day.receipt.jws, "", String(repeating: "x", count: 70_000),
    ] {
      #expect(throws: EvidenceError.self) { try SignedPolicy(jws: text) }
    }
    let other = SoftwareDeviceKey()
    #expect(throws: EvidenceError.self) {
      try SignedPolicy(
        CapturePolicy(revision: 1, issued: day.day.now), agency: "example", signedWith: other,
        certificate: day.office)
    }
  }
}
