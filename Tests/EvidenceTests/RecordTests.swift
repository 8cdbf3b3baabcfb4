import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence

@Suite("Records")
struct RecordTests {
  @Test("measured numbers are text with fixed places, and no number is written where there is none")
  func measured() {
    #expect(JSONValue.degrees(48.123_456_789_4) == .string("48.123456789"))
    #expect(JSONValue.degrees(-0.000_000_000_1) == .string("0.000000000"))
    #expect(JSONValue.metres(-1.2345) == .string("-1.235"))
    #expect(JSONValue.seconds(2) == .string("2.000"))
    #expect(JSONValue.ratio(0.9) == .string("0.900"))
    #expect(JSONValue.angle(-12.34) == .string("-12.3"))
    for value in [Double.nan, .infinity, -.infinity, 1e20] {
      #expect(JSONValue.metres(value) == nil)
      #expect(JSONValue.angle(value) == nil)
    }
  }

  @Test("an azimuth that rounds to 360 is north")
  func azimuth() {
    #expect(JSONValue.azimuth(359.949) == .string("359.9"))
    #expect(JSONValue.azimuth(359.951) == .string("0.0"))
    #expect(JSONValue.azimuth(359.999_999) == .string("0.0"))
    #expect(JSONValue.azimuth(0.04) == .string("0.0"))
  }

  @Test("a capture's record carries everything that the design lists, and nothing it does not know")
  func capture() throws {
    let day = try FieldDay.ordinary.get()
    let record = day.captures[0].record
    for path in [
      ["schema"], ["id"], ["kind"], ["agency"], ["inspector"], ["device", "id"],
      ["device", "key"], ["device", "software"], ["device", "receiver", "name"],
      ["device", "receiver", "source"], ["task", "id"], ["task", "revision"], ["task", "parcel"],
      ["photo", "frame"], ["photo", "image"], ["photo", "bytes"], ["photo", "mediaType"],
      ["photo", "widthPixels"], ["photo", "heightPixels"], ["photo", "origin"],
      ["position", "method"], ["position", "uncertaintyMetres95"], ["position", "fix"],
      ["position", "standpoint", "innermostLayer"], ["position", "standpoint", "mean"],
      ["position", "standpoint", "median"], ["position", "standpoint", "samples"],
      ["position", "standpoint", "effectiveSamples"], ["position", "standpoint", "hull"],
      ["gate", "limits", "setBy"], ["gate", "statistics"], ["orientation", "quaternion", "w"],
      ["orientation", "screenDegrees"], ["orientation", "azimuthDegreesTrue"],
      ["orientation", "elevationDegrees"], ["orientation", "rollDegrees"],
      ["orientation", "declinationDegrees"], ["orientation", "source"],
      ["camera", "horizontalDegrees"], ["camera", "source"], ["camera", "facing"],
      ["time", "gnss"], ["time", "device"], ["time", "deviceMinusGNSSSeconds"],
      ["time", "fixAgeSeconds"], ["time", "dateFrom"], ["integrity", "mode"],
      ["integrity", "quality"], ["integrity", "satellitesUsed"], ["integrity", "satellites"],
    ] {
      let member = path.reduce(record) { $0?[$1] }
      #expect(member != nil && member != .null, "\(path)")
    }
    for absent in ["simulated", "surroundings", "deletion", "note", "transition"] {
      #expect(record[absent] == nil)
    }
    let text = String(decoding: record.canonicalBytes, as: UTF8.self)
    #expect(!text.contains("null") && !text.contains("nan"))
  }

  @Test("photo, frame and stored file: the record names the first two, the link the third")
  func digests() throws {
    let day = try FieldDay.ordinary.get()
    let entry = day.captures[0]
    let picture = try #require(entry.file)
    let link = try day.sealFiles()[1].seal.link
    let frame = try #require(entry.frame)
    #expect(frame != picture, "its claims are in it")
    #expect(entry.record["photo"]?["frame"]?.text == Digest.hexadecimal(frame))
    #expect(link.file == Digest.hexadecimal(picture))
    let image = try CaptureDigests.image(of: picture)
    #expect(entry.record["photo"]?["image"]?.text == image)
    #expect(image != link.file)
  }

  @Test("the digest is everybody's SHA-256")
  func sha256() {
    #expect(
      Digest.hexadecimal(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      Digest.hexadecimal([UInt8]())
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    let bytes = Array("xxaxxbcxx".utf8)
    #expect(
      Digest.hexadecimal(bytes, ranges: [2..<3, 5..<7]) == Digest.hexadecimal(Array("abc".utf8)))
  }

  @Test(
    "a parcel's digest changes with its identifier and each of its corners, and with their order")
  func parcelDigest() throws {
    let ring = FieldDay.parcelRing
    let parcel = try #require(Parcel(identifier: "A", rings: [ring]))
    let digest = Record.parcelDigest(parcel)
    #expect(digest == Record.parcelDigest(parcel))
    let others = [
      Parcel(identifier: "B", rings: [ring]), Parcel(identifier: "A", rings: [ring.reversed()]),
      Parcel(identifier: "A", rings: [ring, ring]),
      Parcel(
        identifier: "A", rings: [ring.dropLast() + [try FieldDay.place(48.201, 11.601_000_01)]]),
    ]
    for other in others { #expect(Record.parcelDigest(try #require(other)) != digest) }
  }

  @Test("Base64 for URLs has one text for some bytes, and no other is read")
  func base64() {
    forEachSeed(0..<200) { seed, random in
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let text = Base64URL.text(bytes)
      #expect(Base64URL.bytes(text) == bytes, "seed \(seed)")
      #expect(!text.contains { "+/=".contains($0) })
    }
    for text in [
      "A", "AAAAA", "AB", "AAB", "+AAA", "/AAA", "AA==", "A A", "AA\n", "ä", "\u{212A}AAA",
    ] {
      #expect(Base64URL.bytes(text) == nil, "\(text)")
    }
  }
}
