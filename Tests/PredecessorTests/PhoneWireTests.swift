import Crypto
import Evidence
import Foundation
import Geodesy
import Inspection
import OfficeScenes
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Predecessor

@Suite("The EGNSS4CAP wire: forms, JSON, base64, times, networks")
struct PhoneWireTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("a form is read as PHP reads it")
  func forms() {
    let form = PHPForm(bytes("a=1&b=x+y%20%C5%99&a=2&c&user.id=5&d=%zz%4&e=%09t%0A"))
    #expect(!form.isRaw)
    #expect(form["a"] == "2" && form["b"] == "x y ř" && form["c"] == "" && form["user_id"] == "5")
    #expect(form["d"] == "%zz%4" && form["e"] == "t" && form["none"] == "")
    #expect(form.has("c") && !form.has("none"))
    #expect(PHPForm([])["a"] == "")
  }

  @Test("a raw body is taken as it is, and its last field is all the rest")
  func raw() {
    let form = PHPForm(
      bytes("task_id=18&status=data provided&note=a & b=c 100 % + ř"), last: "note")
    #expect(form.isRaw && form["task_id"] == "18" && form["status"] == "data provided")
    #expect(form["note"] == "a & b=c 100 % + ř")
    #expect(PHPForm(bytes("note=x y"), last: "note")["note"] == "x y")
  }

  @Test("a percent encoding may be cut anywhere")
  func decoder() {
    let text = Array("%C5%99%+a%4%41%%42".utf8)
    #expect(String(decoding: PHPForm.decoded(text), as: UTF8.self) == "ř% a%4A%B")
  }

  @Test("answers are as PHP writes them")
  func json() {
    let value = PHPJSON.object([
      ("a", .text("ř/\"\\\n\u{1}\u{7F}😀")), ("b", .null), ("c", .number(7)),
      ("d", .array([.text("5"), .count(3)])), ("e", .object([])),
    ])
    #expect(
      String(decoding: value.bytes, as: UTF8.self)
        == "{\"a\":\"\\u0159\\/\\\"\\\\\\n\\u0001\u{7F}\\ud83d\\ude00\",\"b\":null,\"c\":7,\"d\":[\"5\",\"3\"],\"e\":{}}"
    )
  }

  @Test("times are read in each form, and in the zone that they leave out")
  func times() throws {
    let prague = PHPTime(zone: "Europe/Prague")
    func instant(_ text: String) -> String? { prague.instant(text)?.rfc3339 }
    #expect(instant("2023-06-01T12:34:56.789+02:00") == "2023-06-01T10:34:56.789Z")
    #expect(instant("2023-06-01T12:34:56.7Z") == "2023-06-01T12:34:56.700Z")
    #expect(instant("2023-06-01 12:34:56") == "2023-06-01T10:34:56.000Z")
    #expect(instant("01.06.2023 12:34") == "2023-06-01T10:34:00.000Z")
    #expect(instant("2023-12-01 12:34:56") == "2023-12-01T11:34:56.000Z")
    // A form has decoded the plus as a blank.
    #expect(instant("2023-06-01T12:34:56 02:00") == "2023-06-01T10:34:56.000Z")
    // An iPhone may show twelve hours, and newer systems write other blanks.
    #expect(instant("2026-06-01 2:20:00 PM") == "2026-06-01T12:20:00.000Z")
    #expect(instant("2026-06-01 2:20:00\u{202F}PM") == "2026-06-01T12:20:00.000Z")
    #expect(instant("2026-06-01 11:20:07\u{A0}am") == "2026-06-01T09:20:07.000Z")
    #expect(instant("2026-06-01 12:00:00 AM") == "2026-05-31T22:00:00.000Z")
    #expect(instant("2026-06-01 12:00:00 PM") == "2026-06-01T10:00:00.000Z")
    #expect(instant("2026-06-01 2:20PM") == "2026-06-01T12:20:00.000Z")
    // The hour that comes twice is the first; the one that is left out is the hour after it.
    #expect(instant("2023-10-29 02:30:00") == "2023-10-29T00:30:00.000Z")
    #expect(instant("2023-03-26 02:30:00") == "2023-03-26T01:30:00.000Z")
    for broken in [
      "", "0", "yesterday", "2023-13-01 00:00:00", "2023-06-01 25:00:00", "2023-06-01T12:34:56+",
      "9999999999", "2026-06-01 14:20:00 PM", "2026-06-01 0:20:00 AM", "2026-06-01 2:20:00 P",
      "2026-06-01 2:20:00 PMX", "2026-06-01 2:20:00 PM Z", "2026-06-01 PM",
    ] {
      #expect(instant(broken) == nil, "\(broken)")
    }
    let time = try #require(DeviceTime(rfc3339: "2023-06-01T10:34:56.789Z"))
    #expect(prague.text(time) == "2023-06-01 12:34:56")
    #expect(PHPTime(zone: "no such").text(time) == "2023-06-01 10:34:56")
  }

  @Test("the app's digest is that of the published vectors")
  func digest() {
    let picture = Digest.hexadecimal(Array("hello".utf8))
    #expect(
      AppDigest.make(
        pictureDigest: picture, created: "2023-06-01T12:34:56.789+02:00", user: "5")
        == "af553ab93f262031fb6e83016494e6e6ecb59f3568c8a8d74d5c5a3d40412920")
    #expect(
      AppDigest.make(pictureDigest: picture, created: "2023-06-01 12:34:56", user: "5")
        == "8103acf7a80718f4444027e33146193a1bdfdc8e2d97db29725faf08989bb66b")
  }

  @Test("a network holds its own addresses")
  func networks() throws {
    let four = try #require(PhoneNetwork(rule: "192.0.2.64/26"))
    #expect(four.contains("192.0.2.65") && !four.contains("192.0.2.1") && !four.contains("::1"))
    #expect(four.contains("::ffff:192.0.2.127") && !four.contains(nil) && !four.contains("x"))
    let six = try #require(PhoneNetwork(rule: "2001:db8::/33"))
    #expect(six.contains("2001:db8:7fff::1") && !six.contains("2001:db8:8000::1"))
    #expect(PhoneNetwork(rule: "0.0.0.0/0")?.contains("8.8.8.8") == true)
    for broken in [
      "", "192.0.2.1/33", "192.0.2.1/", "192.0.2.1/-1", "::/129", "host", "1.2.3.4/1/2",
    ] {
      #expect(PhoneNetwork(rule: broken) == nil, "\(broken)")
    }
    let (one, other) = ("198.51.100.7", "198.51.100.200")
    #expect(
      PhoneNetwork(around: one, bits4: 24, bits6: 64).text
        == PhoneNetwork(around: other, bits4: 24, bits6: 64).text)
    #expect(
      PhoneNetwork(around: one, bits4: 32, bits6: 64).text
        != PhoneNetwork(around: other, bits4: 32, bits6: 64).text)
    // The sizes end at the last bit that counts, and at the first that does not.
    func network(_ address: String?, _ bits4: Int, _ bits6: Int) -> String {
      PhoneNetwork(around: address, bits4: bits4, bits6: bits6).text
    }
    #expect(network("198.51.100.7", 24, 64) == "c6336400/24")
    #expect(network("198.51.100.7", 23, 64) == network("198.51.101.7", 23, 64))
    #expect(network("198.51.100.7", 24, 64) != network("198.51.101.7", 24, 64))
    #expect(network("::ffff:198.51.100.7", 24, 64) == network("198.51.100.7", 24, 64))
    #expect(network("2001:db8::1", 24, 64) == network("2001:db8:0:0:ffff::2", 24, 64))
    #expect(network("2001:db8::1", 24, 64) != network("2001:db8:0:1::1", 24, 64))
    #expect(network("2001:db8::1", 24, 63) == network("2001:db8:0:1::1", 24, 63))
    // A size of 0 is one network of both kinds, and the one that IPv4 always had.
    for address in ["198.51.100.7", "10.0.0.1", "2001:db8::1", "::1", nil] {
      #expect(network(address, 0, 0) == "00000000/0")
    }
    #expect(network("2001:db8::1", 0, 64) != network("198.51.100.7", 0, 64))
  }

  // MARK: bodies that come in pieces

  /// Reads a body that comes in pieces of a size, and hands out the reader with its pictures.
  private func read(
    _ body: [UInt8], pieces: Int, field: String = "photo", picturesAtMost: Int = 1 << 20,
    _ check: (PhoneBodyReader, [[UInt8]]) throws -> Void
  ) throws {
    try withTemporaryDirectory { folder in
      var count = 0
      let reader = PhoneBodyReader(photoFields: [field]) {
        PhotoObjectReader {
          count += 1
          return PictureSpool(
            file: SpoolFile(path: folder.path + "/\(count)"), bytesAtMost: picturesAtMost)
        }
      }
      var start = 0
      while start < body.count {
        let end = min(body.count, start + pieces)
        Array(body[start..<end]).withUnsafeBytes { reader.append($0) }
        start = end
      }
      reader.finish()
      let pictures = (reader.photos?.elements ?? []).map { element in
        element.picture.flatMap { FileManager.default.contents(atPath: $0.file.path) }.map {
          Array($0)
        } ?? []
      }
      try check(reader, pictures)
    }
  }

  private func encoded(_ text: String) -> String { OfficeBrowser.encoded(text) }

  @Test("a picture is the same in each encoding, however the body is cut", arguments: 0..<40)
  func pictures(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) + 1)
    let picture = (0..<Int.random(in: 1...100_000, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    let base64 = Data(picture).base64EncodedString()
    let lines = Data(picture).base64EncodedString(
      options: [.lineLength76Characters, .endLineWithLineFeed])
    func json(_ text: String, note: String = "a") -> String {
      "{ \"note\" : \"\(note)\", \"x\":{\"photo\":\"no\"}, \"photo\" : \"\(text.replacingOccurrences(of: "/", with: "\\/").replacingOccurrences(of: "\n", with: "\\n"))\",\"d\":[1,{\"photo\":2}]}"
    }
    let cases = [
      "user_id=5&task_id=17&photo=\(json(base64, note: "a & b=c \\\"d\\\" 100 %41"))",
      "photo=\(encoded(json(lines)))&user_id=5&task_id=17",
      // The pluses of this body were not encoded, and came as blanks.
      "user_id=5&photo=\(encoded(json(base64)).replacingOccurrences(of: "%2B", with: "+"))&task_id=17",
      "user_id=5&photo=\(json(base64))&task_id=17",
    ]
    for (number, body) in cases.enumerated() {
      let pieces = Int.random(in: 1...70_000, using: &random)
      try read(bytes(body), pieces: pieces) { reader, pictures in
        #expect(pictures == [picture], "case \(number), pieces of \(pieces)")
        #expect(reader.form["user_id"] == "5")
        #expect(reader.photos?.isComplete == true)
        let element = try #require(reader.photos?.elements.first)
        #expect(element.picture?.digest == Digest.hexadecimal(picture))
        let fields = try JSONValue(parsing: element.fields)
        #expect(fields["photo"] == .string("") && fields["x"]?["photo"] == .string("no"))
        if number == 0 { #expect(fields["note"]?.text == "a & b=c \"d\" 100 %41") }
        if number != 0 { #expect(reader.form["task_id"] == "17") }
      }
    }
  }

  @Test("several photos come in one field")
  func several() throws {
    let one = Data([1, 2, 3]).base64EncodedString()
    let two = Data([4]).base64EncodedString()
    let body = "photos=[{\"a\":1,\"photo\":\"\(one)\"}, {\"photo\":\"\(two)\"},{\"b\":2}]&user_id=5"
    try read(bytes(body), pieces: 3, field: "photos") { reader, pictures in
      #expect(pictures == [[1, 2, 3], [4], []])
      #expect(reader.form["user_id"] == "5")
    }
  }

  @Test("hostile bytes end in a refusal and never in a trap", arguments: 0..<200)
  func hostile(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) + 1)
    var body = bytes(
      "user_id=5&photo={\"lat\":1,\"photo\":\"\\/9j\\u002b\\n%2BAA==\",\"note\":\"x\"}&task_id=%3")
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let place = Int.random(in: 0..<body.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: body[place] = UInt8.random(in: 0...255, using: &random)
      case 1: body.remove(at: place)
      default:
        body.insert(Array("{}[]\"\\&=%+u".utf8).randomElement(using: &random) ?? 0, at: place)
      }
    }
    try read(body, pieces: Int.random(in: 1...20, using: &random)) { reader, _ in
      for element in reader.photos?.elements ?? [] {
        _ = try? JSONValue(parsing: element.fields)
      }
    }
  }

  @Test("a picture that is too large or no base64 says so")
  func flaws() throws {
    let large = Data(repeating: 7, count: 100_001).base64EncodedString()
    try read(
      bytes("photo={\"photo\":\"\(large)\"}"), pieces: 999, picturesAtMost: 100_000
    ) { reader, _ in
      #expect(reader.photos?.elements.first?.picture?.flaw == .tooLarge)
    }
    try read(bytes("photo={\"photo\":\"AA*A\"}"), pieces: 5) { reader, _ in
      #expect(reader.photos?.elements.first?.picture?.flaw == .notBase64)
    }
  }
}
