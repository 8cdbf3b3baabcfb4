import ContentBoxes
import Foundation
import Geodesy
import Imagery
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence

/// EXIF, XMP and the C2PA manifest in a photo's file, as other programs and ours read them.
@Suite("Claims in the photo")
struct EmbeddingTests {
  private let day: FieldDay
  private let record: JSONValue
  private static let picture = FieldDay.pictures[0]

  init() throws {
    day = try FieldDay.ordinary.get()
    record = day.captures[0].record
  }

  /// Returns a frame with the claims of a record in it.
  private func stored(
    _ record: JSONValue, frame: [UInt8] = EmbeddingTests.picture,
    source: PictureSource = .camera, parcel: Parcel? = nil
  ) throws -> [UInt8] {
    let place = try #require(
      Coordinate(
        latitudeDegrees: record["position"]?["latitudeDegrees"]?.measured ?? 0,
        longitudeDegrees: record["position"]?["longitudeDegrees"]?.measured ?? 0))
    let position = PhotoPosition(
      kept: place, ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
      uncertaintyMetres95: nil, method: .fix)
    return try day.embedding(frame, source).file(
      record: record, parcel: parcel, position: position, key: day.key)
  }

  /// Returns the record with the names of the claims that are embedded in a frame.
  private func naming(
    _ frame: [UInt8], _ source: PictureSource = .camera, in record: JSONValue? = nil
  ) throws -> JSONValue {
    let names = try day.embedding(frame, source).claims.map(\.rawValue).sorted()
    return (record ?? self.record).setting(
      ["photo", "claims"], to: .array(names.map { .string($0) }))
  }

  private func at(_ latitude: String, _ longitude: String) -> JSONValue {
    record.setting(["position", "latitudeDegrees"], to: .string(latitude))
      .setting(["position", "longitudeDegrees"], to: .string(longitude))
  }

  /// Returns records with values that EXIF and XMP writers tend to get wrong.
  private func records() -> [JSONValue] {
    let north = at("49.083938512", "16.638993443")
      .setting(["orientation"], to: .object(["azimuthDegreesTrue": .string("271.3")]))
    return [
      north, at("-33.900000001", "18.400000009"), at("40.712345678", "-74.999999999"),
      at("-0.000000001", "-179.999999999"), at("-90.000000000", "0.000000000"),
      at("31.500000000", "35.500000000")
        .setting(["position", "meanSeaLevelHeightMetres"], to: .string("-430.125"))
        .setting(["orientation"], to: nil),
      north.setting(["position", "meanSeaLevelHeightMetres"], to: nil)
        .setting(["time", "gnss"], to: .string("2026-12-31T23:59:59.875Z"))
        .setting(["time", "device"], to: .string("2027-01-01T00:00:01.025Z"))
        .setting(["position", "uncertaintyMetres95"], to: nil),
      // No date from the receiver: the day is the one before the device's midnight.
      north.setting(["time", "gnss"], to: .string("23:59:58.500"))
        .setting(["time", "device"], to: .string("2027-01-01T00:00:01.025Z"))
        .setting(["integrity", "mode"], to: .integer(2))
        .setting(["integrity", "quality"], to: .string("rtk fixed"))
        .setting(
          ["orientation"], to: .object(["headingDegreesMagnetic": .string("12.5")])),
      north.setting(["simulated"], to: .bool(true)),
    ]
  }

  // MARK: other programs

  private static let exiftool = Program.tool("exiftool")

  @Test(
    "exiftool reads every value equal to the record, in all hemispheres, below the sea, without some",
    .enabled(if: exiftool != nil, "exiftool is not installed"))
  func readByExiftool() async throws {
    let records = records()
    try await withTemporaryDirectory { folder in
      var paths: [String] = []
      for (index, record) in records.enumerated() {
        let path = folder.appendingPathComponent("\(index).jpg").path
        try Data(try stored(record)).write(to: URL(fileURLWithPath: path))
        paths.append(path)
      }
      let outcome = try await Program.run(
        try #require(Self.exiftool), ["-j", "-n", "-G1", "-a"] + paths)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let answers = try #require(
        JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
      #expect(answers.count == records.count)
      for (record, answer) in zip(records, answers) { try compare(record, answer) }
    }
  }

  private func compare(_ record: JSONValue, _ answer: [String: Any]) throws {
    let position = record["position"]
    let fix = position?["fix"]
    func number(_ name: String) -> Double? { (answer[name] as? NSNumber)?.doubleValue }
    func text(_ name: String) -> String? { answer[name].map { "\($0)" } }
    func equal(_ name: String, _ value: JSONValue?, times factor: Double = 1, within: Double) {
      let expected = value?.measured.map { $0 * factor }
      let found = number(name)
      guard let expected, let found else {
        #expect(expected == nil && found == nil, "\(name): \(String(describing: found))")
        return
      }
      #expect(abs(found - expected) <= within, "\(name): \(found), and not \(expected)")
    }
    for (name, member) in [("Latitude", "latitudeDegrees"), ("Longitude", "longitudeDegrees")] {
      let degrees = try #require(position?[member]?.measured)
      let found = try #require(number("GPS:GPS\(name)"))
      #expect(abs(found - abs(degrees)) < 1e-9)
      let letters = name == "Latitude" ? ["N", "S"] : ["E", "W"]
      let isBelow = position?[member]?.text?.hasPrefix("-") == true
      #expect(text("GPS:GPS\(name)Ref") == letters[isBelow ? 1 : 0])
      #expect(abs(try #require(number("XMP-exif:GPS\(name)")) - degrees) < 1e-9)
    }
    let height = position?["meanSeaLevelHeightMetres"]?.measured
    #expect(number("GPS:GPSAltitude") == height.map(abs))
    #expect(number("GPS:GPSAltitudeRef") == height.map { $0 < 0 ? 1 : 0 })
    equal("GPS:GPSHPositioningError", position?["uncertaintyMetres95"], within: 1e-9)
    equal("GPS:GPSSpeed", fix?["speedMetresPerSecond"], times: 3.6, within: 1e-9)
    equal("GPS:GPSTrack", fix?["courseDegreesTrue"], within: 1e-9)
    let isFlat = record["integrity"]?["mode"]?.wholeNumber == 2
    equal(
      "GPS:GPSDOP", fix?[isFlat ? "horizontalDilution" : "positionDilution"], within: 1e-9)
    #expect(text("GPS:GPSMeasureMode") == (isFlat ? "2" : "3"))
    let azimuth = record["orientation"]?["azimuthDegreesTrue"]
    equal(
      "GPS:GPSImgDirection", azimuth ?? record["orientation"]?["headingDegreesMagnetic"],
      within: 1e-9)
    #expect(
      text("GPS:GPSImgDirectionRef")
        == (azimuth != nil ? "T" : record["orientation"] == nil ? nil : "M"))
    #expect(text("GPS:GPSMapDatum") == "WGS-84")
    #expect(text("GPS:GPSVersionID") == "2 3 0 0")
    let isSimulated = record["simulated"]?.flag == true
    #expect(text("GPS:GPSProcessingMethod") == (isSimulated ? "SIMULATED" : "GPS"))
    let isCorrected = record["integrity"]?["quality"]?.text == "rtk fixed"
    #expect(number("GPS:GPSDifferential") == (isCorrected ? 1 : 0))
    let gnss = try #require(record["time"]?["gnss"]?.text)
    let hasDate = gnss.contains("T")
    let day = hasDate ? String(gnss.prefix(10)) : "2026-12-31"
    #expect(text("GPS:GPSDateStamp") == day.replacing("-", with: ":"))
    let time = hasDate ? gnss.dropFirst(11).dropLast() : gnss[...]
    let stamp = try #require(text("GPS:GPSTimeStamp"))
    #expect(stamp == time || stamp + ".000" == time || stamp + "00" == time, "\(stamp), \(time)")
    let device = try #require(record["time"]?["device"]?.text)
    #expect(
      text("ExifIFD:DateTimeOriginal")
        == "\(device.prefix(10).replacing("-", with: ":")) \(device.dropFirst(11).prefix(8))")
    #expect(Int(text("ExifIFD:SubSecTimeOriginal") ?? "") == Int(device.dropFirst(20).prefix(3)))
    #expect(text("ExifIFD:OffsetTimeOriginal") == "+00:00")
    #expect(
      text("ExifIFD:ImageUniqueID") == record["id"]?.text?.replacing("-", with: ""))
    #expect(text("IFD0:Software") == "standpoint 0.1.0")
    #expect(text("XMP-standpoint:Inspector") == "ada")
    #expect(
      text("XMP-standpoint:PositionlatitudeDegrees").flatMap(Double.init)
        == position?["latitudeDegrees"]?.measured)
  }

  private static let exiv2 = Program.tool("exiv2")

  @Test(
    "exiv2 reads the same, and bearing and distance to the parcel from outside",
    .enabled(if: exiv2 != nil, "exiv2 is not installed"))
  func readByExiv2() async throws {
    try await withTemporaryDirectory { folder in
      let ring = try [(49.09, 16.64), (49.09, 16.65), (49.1, 16.65)].map {
        try #require(Coordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1))
      }
      let path = folder.appendingPathComponent("x.jpg").path
      let file = try stored(
        at("49.080000000", "16.645000000"), parcel: Parcel(identifier: "P", rings: [ring]))
      try Data(file).write(to: URL(fileURLWithPath: path))
      let outcome = try await Program.run(try #require(Self.exiv2), ["-Pkv", path])
      let lines = outcome.output.split(separator: "\n").map {
        $0.split(separator: " ", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      }
      func value(_ key: String) -> String? { lines.first { $0.first == key }?.last }
      #expect(value("Exif.GPSInfo.GPSLatitude") == "49/1 4/1 48000000/1000000")
      #expect(value("Exif.GPSInfo.GPSLongitude") == "16/1 38/1 42000000/1000000")
      #expect(value("Exif.GPSInfo.GPSDestBearingRef") == "T")
      #expect(value("Exif.GPSInfo.GPSDestBearing") == "0/10")
      #expect(value("Exif.GPSInfo.GPSDestDistanceRef") == "K")
      let distance = try #require(value("Exif.GPSInfo.GPSDestDistance"))
      // A hundredth of a degree of latitude there is 1112.2 m.
      #expect(distance.hasPrefix("1112") && distance.hasSuffix("/1000000"), "\(distance)")
      #expect(value("Xmp.exif.GPSLatitude") == "49,4.8000000N")
      #expect(value("Xmp.standpoint.gate.verdict") == "still")
    }
  }

  @Test(
    "C2PA's own reader finds nothing wrong under the office's authority, and a changed byte",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func manifest() async throws {
    try await withTemporaryDirectory { folder in
      let authority = folder.appendingPathComponent("authority.pem").path
      try Data(try FieldDay.office.get().certificate.pem.utf8).write(
        to: URL(fileURLWithPath: authority))
      let imported = record.setting(["photo", "origin"], to: .string("imported"))
      var files = [
        try stored(record), try stored(record, source: .drawn),
        try stored(imported, source: .imported), try stored(record), try stored(record),
      ]
      files[3][files[3].count - 100] ^= 1
      let latitude = try #require(
        files[4].firstRange(of: Array("\"latitudeDegrees\":\"".utf8)))
      files[4][latitude.upperBound] ^= 1
      var paths: [String] = []
      for (index, file) in files.enumerated() {
        paths.append(folder.appendingPathComponent("\(index).jpg").path)
        try Data(file).write(to: URL(fileURLWithPath: paths[index]))
      }
      let outcome = try await PythonTools.run("Manifests/read.py", [authority] + paths)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let answers = try outcome.output.split(separator: "\n").map {
        try JSONValue(parsing: Array($0.utf8))
      }
      #expect(answers.count == files.count)
      func codes(_ answer: JSONValue, _ how: String) -> [String] {
        answer[how]?["codes"]?.elements?.compactMap(\.text) ?? ["?"]
      }
      let terms = "http://cv.iptc.org/newscodes/digitalsourcetype/"
      for (answer, action) in zip(
        answers,
        [
          ["c2pa.created", terms + "digitalCapture"], ["c2pa.created", terms + "algorithmicMedia"],
          ["c2pa.opened", ""],
        ])
      {
        #expect(codes(answer, "alone") == ["signingCredential.untrusted"])
        #expect(codes(answer, "trusted") == [], "\(answer)")
        #expect(answer["trusted"]?["state"]?.text == "Trusted")
        #expect(answer["actions"]?.elements?.first?.elements?.compactMap(\.text) == action)
      }
      #expect(answers[0]["record"] == record, "word by word")
      #expect(codes(answers[3], "trusted") == ["assertion.dataHash.mismatch"])
      #expect(codes(answers[4], "trusted").contains("assertion.hashedURI.mismatch"))
    }
  }

  // MARK: foreign metadata

  @Test("the picture itself is untouched, whatever stands round it")
  func untouched() throws {
    for frame in FieldDay.pictures {
      let scan = try #require(frame.firstRange(of: [0xFF, 0xDB]))
      let thumbnail = Array("Exif\0\0".utf8) + FieldDay.pictures[1].prefix(3000)
      for added in [
        [], segment(0xE1, thumbnail), segment(0xE1, Array(repeating: 7, count: 65_533)),
        segment(0xEB, Array("JP".utf8) + [9]), segment(0xED, [1]) + segment(0xFE, [2]),
        segment(0xE1, []) + segment(0xE1, []) + segment(0xEB, []),
      ] {
        for tail in [[], Array("a film behind the picture".utf8)] {
          let whole = Array(frame[..<scan.lowerBound]) + added + frame[scan.lowerBound...] + tail
          let record = try naming(whole)
          let file = try stored(record, frame: whole)
          #expect(
            try JPEGStructure.imageData(of: file) == JPEGStructure.imageData(of: frame))
          #expect(file.suffix(tail.count).elementsEqual(tail))
          #expect(
            PhotoEmbedding.problems(in: file, record: record, key: day.key.publicKey.thumbprint)
              .isEmpty)
          // Foreign segments stay byte by byte.
          if !added.isEmpty, !added.starts(with: [0xFF, 0xE1]) {
            #expect(file.firstRange(of: added) != nil)
          }
        }
      }
    }
  }

  private func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
  }

  /// Returns a frame with EXIF, and XMP if given.
  private func frame(_ exif: [UInt8], xmp: String? = nil) -> [UInt8] {
    let picture = Self.picture
    let packet = xmp.map { Array("http://ns.adobe.com/xap/1.0/\0\($0)".utf8) }
    return Array(picture[..<2]) + segment(0xE1, Array("Exif\0\0".utf8) + exif)
      + (packet.map { segment(0xE1, $0) } ?? []) + picture[2...]
  }

  /// Returns a camera's EXIF: little-endian, with maker notes and a second directory.
  private func cameras(hasPosition: Bool) throws -> ExifBlock {
    let empty = Array("II".utf8) + [42, 0, 8, 0, 0, 0, 0, 0, 0x44, 0x33, 0x22, 0x11]
    var values: [ExifBlock.Directory: [UInt16: ExifBlock.Value]] = [
      .primary: [0x010F: .text("Maker"), 0x0110: .text("Model 7"), 0x0112: .shorts([6])],
      .exif: [
        0x9003: .text("2026:05:12 08:00:00"), 0x927C: .undefined(Array(0...255)),
        0x829D: .rationals([ExifBlock.Rational(28, 10)]),
      ],
    ]
    if hasPosition {
      values[.gps] = [
        0x01: .text("S"), 0x02: .rationals(Array(repeating: ExifBlock.Rational(1, 1), count: 3)),
        0x1C: .undefined(Array("ASCII\0\0\0Area".utf8)),
      ]
    }
    return try ExifBlock(empty).adding(values)
  }

  @Test("what a camera wrote stays where it was, maker notes and their offsets among it")
  func camera() throws {
    let before = try cameras(hasPosition: true)
    let own = frame(before.bytes)
    let file = try stored(try naming(own), frame: own)
    let bytes = try #require(try JPEGMetadata(file).exif)
    // All bytes stay but the pointer to the first directory.
    #expect(bytes[8..<before.bytes.count].elementsEqual(before.bytes[8...]))
    let after = try ExifBlock(bytes)
    for (directory, tag) in [
      (.primary, 0x010F), (.primary, 0x0110), (.primary, 0x0112), (.exif, 0x9003),
      (.exif, 0x927C), (.exif, 0x829D),
    ] as [(ExifBlock.Directory, UInt16)] {
      #expect(after[directory, tag] == before[directory, tag])
      #expect(after[directory, tag] != nil)
    }
    #expect(after[.exif, 0x9011] == nil, "the camera's own time keeps its own zone")
    #expect(after[.gps, 0x1C] == nil, "one position, whole")
    #expect(after[.gps, 0x01] == .text("N"))
    #expect(bytes.firstRange(of: [0x44, 0x33, 0x22, 0x11], of: 2), "the directory after it")
    // A second embedding adds no tag.
    let again = try ExifBlock(
      try #require(try JPEGMetadata(try stored(try naming(file), frame: file)).exif))
    #expect(again.tags(of: .gps) == after.tags(of: .gps))
    #expect(again.tags(of: .exif) == after.tags(of: .exif))
  }

  @Test("a file that was taken earlier keeps its own position, and one without gets none but ours")
  func importedPosition() throws {
    let imported = record.setting(["photo", "origin"], to: .string("imported"))
    for hasPosition in [true, false] {
      let before = try cameras(hasPosition: hasPosition)
      let own = frame(before.bytes)
      let imported = try naming(own, .imported, in: imported)
      let file = try stored(imported, frame: own, source: .imported)
      let after = try ExifBlock(try #require(try JPEGMetadata(file).exif))
      #expect(after[.gps, 0x01] == .text(hasPosition ? "S" : "N"))
      #expect((after[.gps, 0x1C] != nil) == hasPosition)
      #expect(
        PhotoEmbedding.problems(in: file, record: imported, key: day.key.publicKey.thumbprint)
          .isEmpty)
    }
  }

  @Test(
    "EXIF that cannot be read or has no room stays in an imported file; a camera's has one position"
  )
  func noRoom() throws {
    let full = try cameras(hasPosition: true).adding([
      .exif: [0x9286: .undefined(Array(repeating: 32, count: 64_000))]
    ])
    let imported = record.setting(["photo", "origin"], to: .string("imported"))
    let key = day.key.publicKey.thumbprint
    for exif in [full.bytes, Array("MM\0*".utf8), Array("nonsense".utf8), [UInt8](), [77, 77]] {
      let own = frame(exif)
      let theirs = try naming(own, .imported, in: imported)
      let file = try stored(theirs, frame: own, source: .imported)
      let metadata = try JPEGMetadata(file)
      #expect(metadata.exif == exif)
      #expect(metadata.manifestStore != nil && metadata.xmp != nil)
      #expect(PhotoEmbedding.problems(in: file, record: theirs, key: key).isEmpty)

      let ours = try naming(own)
      let captured = try stored(ours, frame: own)
      let block = try ExifBlock(try #require(try JPEGMetadata(captured).exif))
      #expect(block[.gps, 0x01] == (exif == full.bytes ? nil : .text("N")))
      #expect(PhotoEmbedding.problems(in: captured, record: ours, key: key).isEmpty)
    }
  }

  @Test("of two EXIF segments that a camera wrote one is left, and a second one is said")
  func twice() throws {
    let second = segment(0xE1, Array("Exif\0\0".utf8) + (try cameras(hasPosition: true).bytes))
    let own = frame(try cameras(hasPosition: true).bytes)
    let frame = Array(own[..<2]) + second + own[2...]
    let record = try naming(frame)
    let file = try stored(record, frame: frame)
    let key = day.key.publicKey.thumbprint
    #expect(try !JPEGMetadata(file).isAmbiguous)
    #expect(PhotoEmbedding.problems(in: file, record: record, key: key).isEmpty)
    let added = Array(file[..<2]) + second + file[2...]
    #expect(
      PhotoEmbedding.problems(in: added, record: record, key: key).contains {
        $0.check == .exif && $0.words.description.contains("more than once")
      })
  }

  @Test("what stands behind a list of further pictures does not move")
  func furtherPictures() throws {
    let list = segment(0xE2, Array("MPF\0MM\0*".utf8) + Array(repeating: 1, count: 40))
    let packet = segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x></rdf:RDF>".utf8))
    let frame = Array(Self.picture[..<2]) + list + packet + Self.picture[2...] + [9, 9, 9]
    let file = try stored(try naming(frame), frame: frame)
    func distance(_ bytes: [UInt8]) throws -> Int {
      try #require(bytes.firstRange(of: Array("MPF\0".utf8))).lowerBound - bytes.count
    }
    #expect(try distance(file) == distance(frame))
    #expect(try JPEGStructure.imageData(of: file) == JPEGStructure.imageData(of: frame))
    #expect(try JPEGMetadata(file).isAmbiguous == false)
  }

  @Test("XMP that is there stays, with ours behind it; what is none stays alone")
  func otherXMP() throws {
    let theirs = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="uuid:7" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:title="Beet"/></rdf:RDF></x:xmpmeta>
      """
    let exif = try cameras(hasPosition: false).bytes
    let packet = try #require(
      try JPEGMetadata(try stored(record, frame: frame(exif, xmp: theirs))).xmp)
    let text = String(decoding: packet, as: UTF8.self)
    #expect(
      text.contains("rdf:about=\"uuid:7\"\n") && !text.contains("exif:GPS"), "no second of it")
    #expect(text.contains("dc:title=\"Beet\"") && text.hasPrefix("<x:xmpmeta"))
    #expect(text.contains("standpoint:inspector=\"ada\""))
    // An imported photo keeps XMP that is not understood or tells another position. A camera's
    // photo has one position, so that our packet replaces it.
    let imported = record.setting(["photo", "origin"], to: .string("imported"))
    let key = day.key.publicKey.thumbprint
    for odd in [
      "<x:xmpmeta/>", "", String(repeating: "x", count: 65_000) + "</rdf:RDF>",
      theirs.replacing("dc:title=\"Beet\"", with: "exif:GPSLatitude=\"1,2N\""),
      theirs.replacing("dc:title=", with: "drone:GpsLongitude="),
      theirs.replacing("<rdf:Description", with: "<!-- a scanner's --><rdf:Description"), theirs,
    ] {
      let frame = frame(exif, xmp: odd)
      let theirRecord = try naming(frame, .imported, in: imported)
      let theirFile = try stored(theirRecord, frame: frame, source: .imported)
      #expect(PhotoEmbedding.problems(in: theirFile, record: theirRecord, key: key).isEmpty)
      let ourRecord = try naming(frame)
      let ourFile = try stored(ourRecord, frame: frame)
      #expect(PhotoEmbedding.problems(in: ourFile, record: ourRecord, key: key).isEmpty)
      guard odd != theirs else { continue }
      #expect(try JPEGMetadata(theirFile).xmp == Array(odd.utf8))
      #expect(
        try JPEGMetadata(ourFile).xmp == XMPClaims(record: ourRecord).packet(at: .alone))
    }
  }

  @Test("EXIF just below and above its room is written whole or left, and never an error")
  func room() throws {
    let key = day.key.publicKey.thumbprint
    for entries in [1, 100, 300] {
      for filling in stride(from: 55_000, through: 64_500, by: 500) {
        var tags = Dictionary(
          uniqueKeysWithValues: (0..<entries).map {
            (UInt16(0xC000 + $0), ExifBlock.Value.shorts([1]))
          })
        tags[0xBFFF] = .undefined(Array(repeating: 1, count: filling))
        guard let block = try? ExifBlock().adding([.primary: tags]) else { continue }
        let own = frame(block.bytes)
        let record = try naming(own)
        let file = try stored(record, frame: own)
        #expect(PhotoEmbedding.problems(in: file, record: record, key: key).isEmpty)
      }
    }
  }

  @Test("XMP is compared byte by byte, once, and not in what no reader reads")
  func hiddenXMP() throws {
    let claims = XMPClaims(record: record.setting(["inspector"], to: .string("\u{E9}ve")))
    let packet = claims.packet(at: .alone)
    #expect(claims.differences(in: packet) == [])
    let text = String(decoding: packet, as: UTF8.self)
    let own = try #require(text.range(of: "<rdf:Description"))
    let end = try #require(text.range(of: "/>", range: own.lowerBound..<text.endIndex))
    let description = String(text[own.lowerBound..<end.upperBound])
    let lie = description.replacing("GPSLatitude=\"48", with: "GPSLatitude=\"59")
    for changed in [
      text.replacing(description, with: "<!-- \(description) -->\(lie)"),
      text.replacing(description, with: description + lie),
      text.replacing("\u{E9}ve", with: "e\u{301}ve"), String(text.dropLast()),
    ] {
      #expect(!claims.differences(in: Array(changed.utf8)).isEmpty)
    }
  }

  @Test("hostile words of a record are text in XMP")
  func hostileText() throws {
    let hostile = record.setting(["inspector"], to: .string("\"/><x a='&'>\u{1}\n\u{1F600}"))
    let file = try stored(hostile)
    let text = String(decoding: try #require(try JPEGMetadata(file).xmp), as: UTF8.self)
    #expect(
      text.contains(
        "standpoint:inspector=\"&quot;/&gt;&lt;x a='&amp;'&gt;&#10;\u{1F600}\""))
  }

  @Test("EXIF and XMP add at most 8 kB, the manifest at most 12 kB, also with many satellites")
  func sizes() throws {
    let satellite = JSONValue.object([
      "constellation": .string("GLONASS"), "id": .integer(88),
      "carrierToNoiseDecibelHertz": .string("45.0"),
    ])
    let rich = record.setting(
      ["integrity", "satellites"], to: .array(Array(repeating: satellite, count: 40)))
    let file = try stored(rich)
    let manifest = try #require(try JPEGMetadata(file).manifestRange).count
    #expect(manifest <= 12_000, "\(manifest)")
    let others = file.count - Self.picture.count - manifest
    #expect(others <= 8_000, "\(others)")
  }

  // MARK: hostile bytes

  @Test("bytes that are no EXIF, no manifest or damaged ones are said, and never a trap")
  func hostile() throws {
    let file = try stored(record)
    let metadata = try JPEGMetadata(file)
    let store = try #require(metadata.manifestStore)
    let exif = try #require(metadata.exif)
    let key = day.key.publicKey.thumbprint
    forEachSeed(0..<400) { _, random in
      var (box, block, whole) = (store, exif, file)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        box[Int.random(in: box.indices, using: &random)] = .random(in: 0...255, using: &random)
        block[Int.random(in: block.indices, using: &random)] = .random(in: 0...255, using: &random)
        whole[Int.random(in: 0..<12_000, using: &random)] = .random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        box = Array(box.prefix(.random(in: 0...box.count, using: &random)))
      }
      if let read = try? JUMBF(reading: box) { #expect(read.bytes.count == box.count) }
      if let read = try? ExifBlock(block) {
        for directory in ExifBlock.Directory.allCases {
          for tag in read.tags(of: directory) { _ = read[directory, tag] }
        }
        _ = try? read.adding([.gps: [1: .text("N")]])
      }
      _ = PhotoEmbedding.problems(in: whole, record: record, key: key)
      if let parts = try? metadata.parts(exif: exif, xmp: nil),
        let segments = try? JPEGMetadata.manifestSegments(box)
      {
        _ = PhotoEmbedding.problems(
          in: parts.head + segments + parts.tail, record: record, key: key)
      }
    }
  }

  @Test("CBOR reads back as it was written, and lengths that lie are refused")
  func cbor() throws {
    let value = CBOR.map([
      "a": .unsigned(.max), "b": .negative(0), "c": .array([.null, .bool(true), .bytes([1, 2])]),
      "d": .tagged(18, .text("ž")), "e": .float([0, 0]),
    ])
    #expect(try CBOR(value.encoded[...]) == value)
    for number in [0, 23, 24, 255, 256, 65_535, 65_536, 4_294_967_296] as [UInt64] {
      #expect(try CBOR(CBOR.unsigned(number).encoded[...]) == .unsigned(number))
    }
    for hostile in [
      [], [0x18], [0x5B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x9B, 0, 0, 0, 1, 0, 0, 0, 0], [0xBB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x9F, 0xFF], [0x5F, 0xFF], [0x00, 0x00], [0x61, 0xFF], [0xF8, 0x20],
      [0xA2, 0x01, 0x01, 0x01, 0x02], [0x99, 0xFF, 0xFF] + Array(repeating: 0xA0, count: 65_535),
      Array(repeating: 0x81, count: 100) + [0],
    ] as [[UInt8]] {
      #expect(throws: CBOR.Problem.self) { try CBOR(hostile[...]) }
    }
  }
}

extension Array where Element == UInt8 {
  /// True if the array contains some bytes at least so many times.
  fileprivate func firstRange(of bytes: [UInt8], of times: Int) -> Bool {
    var rest = self[...]
    for _ in 0..<times {
      guard let range = rest.firstRange(of: bytes) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
