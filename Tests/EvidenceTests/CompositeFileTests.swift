import Foundation
import Imagery
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

/// Composites of two sealed photos, as strangers check them.
@Suite("Composites")
struct CompositeFileTests {
  private let day: FieldDay
  private let below: CompositeSource
  private let above: CompositeSource
  private let file: [UInt8]
  private let record: CompositeRecord

  init() throws {
    day = try FieldDay.ordinary.get()
    below = try CompositeSource(sealed: try #require(day.captures[0].file))
    above = try CompositeSource(sealed: try #require(day.captures[1].file))
    var record = Self.record(below, above, .ellipse)
    file = try CompositeFile.make(
      &record, below: below, above: above, certificate: try day.certificate(), key: day.key)
    self.record = record
  }

  private static func record(
    _ below: CompositeSource, _ above: CompositeSource, _ shape: CompositePlan.Shape
  ) -> CompositeRecord {
    var plan = CompositePlan(layingWidth: 64, height: 48, overWidth: 64, height: 48, shape)
    if let base = try? below.size, let upper = try? above.size {
      plan = CompositePlan(
        layingWidth: upper.width, height: upper.height, overWidth: base.width, height: base.height,
        shape)
    }
    plan.softness = 0.3
    return CompositeRecord(
      id: "019f81d8-1e3b-7814-8996-eb3362c9895a", agency: "example", maker: "ada",
      made: DeviceTime(millisecondsSince1970: 1_778_600_000_000), software: "standpoint 0.1.0",
      below: below.original, above: above.original, plan: plan)
  }

  /// Returns the folder of the day with a composite in it.
  private func folder(_ file: [UInt8], originals: Bool = true) throws -> MemoryFiles {
    var files = originals ? try day.folder() : MemoryFiles()
    files["composites/a.jpg"] = file
    return files
  }

  // MARK: our own verifier

  @Test("beside its photos it is made again and found the same, and it counts as no evidence")
  func same() throws {
    let report = try folder(file).verified()
    expectIntact(report, seals: day.entries.count)
    #expect(report.composites == 1)
    let notes = report.findings.filter { $0.check == .composite }.map(\.message)
    #expect(notes.contains { $0.contains("a composite, not a photograph") })
    #expect(notes.contains { $0.contains("made again from both photos: the same picture") })
    #expect(!report.findings.contains { $0.check == .unnamed })
  }

  @Test("without its photos it still says which they were, and that nothing proves it")
  func alone() throws {
    let report = try folder(file, originals: false).verified(.single)
    #expect(report.verdict == .intact && report.checked == 0 && report.composites == 1)
    let notes = report.findings.map(\.message)
    #expect(notes.contains { $0.contains(below.original.id) && $0.contains(above.original.id) })
    #expect(notes.contains { $0.contains("are not both here") })
  }

  @Test("a picture that was changed and signed again by its maker is another one: altered")
  func repainted() throws {
    var plan = record.plan
    plan.softness = 0
    // The key's holder lets the record say that the edge is soft, and draws a hard one.
    var lie = record
    lie.plan = plan
    let drawn = try CompositeFile.picture(lie, below: below.file, above: above.file)
    let agreement = try #require(CompositeReading(file)).agreement(
      of: drawn, below: below.file, above: above.file)
    #expect(agreement == .different)
    let right = try #require(CompositeReading(file)).agreement(
      of: file, below: below.file, above: above.file)
    #expect(right == .same)
    let swapped = try #require(CompositeReading(file)).agreement(
      of: file, below: above.file, above: below.file)
    #expect(swapped == .different)
  }

  @Test("a byte of the picture, or of a photo's manifest in it, that was changed is altered")
  func changed() throws {
    let data = try JPEGMetadata(file)
    let places = [
      try #require(data.imageDataRanges.last).lowerBound + 200,
      try #require(file.firstRange(of: Array("c2pa.ingredient".utf8))).lowerBound + 60,
    ]
    for place in places {
      var file = file
      file[place] ^= 1
      let report = try folder(file).verified()
      #expect(report.verdict == .altered, "\(place): \(report.findings)")
      #expect(report.findings.contains { $0.check == .composite && $0.severity == .altered })
    }
  }

  @Test("a picture whose mark was cut off still says what it is by its manifest, and is altered")
  func cut() throws {
    let data = try JPEGMetadata(file)
    let store = try #require(data.manifestStore)
    let inside = try CompositeFile.mixed(record.plan, below: below.file, above: above.file)
    let bare = try JPEGMetadata(try inside.encodeJPEG(quality: 92)).parts(exif: nil, xmp: nil)
    let cut = bare.head + (try JPEGMetadata.manifestSegments(store)) + bare.tail
    let report = try folder(cut).verified()
    expect(report, .altered, .composite, about: "composites/a.jpg", says: "may be cut off")
    #expect(report.composites == 1)
    // Without the manifest, XMP still says it.
    let plain = try data.parts(exif: nil, xmp: nil)
    let stripped = try folder(plain.head + plain.tail).verified()
    expect(stripped, .altered, .composite, about: "composites/a.jpg", says: "manifest is gone")
  }

  // MARK: what it refuses

  @Test("one photo twice, another agency's, an unsealed one and a composite are refused in words")
  func refusals() throws {
    var record = record
    #expect(throws: CompositeProblem.samePhoto) {
      _ = try CompositeFile.make(
        &record, below: below, above: below, certificate: try day.certificate(), key: day.key)
    }
    record.agency = "other"
    #expect(throws: CompositeProblem.otherAgency) {
      _ = try CompositeFile.make(
        &record, below: below, above: above, certificate: try day.certificate(), key: day.key)
    }
    #expect(throws: CompositeProblem.notSealed) {
      _ = try CompositeSource(sealed: FieldDay.pictures[0])
    }
    #expect(throws: CompositeProblem.compositeOfComposite) {
      _ = try CompositeSource(sealed: file)
    }
    #expect(throws: CompositeProblem.compositeOfComposite) {
      _ = try CompositeSource(file: file, id: "a", taken: "2020-01-01", agency: nil)
    }
    record.agency = "example"
    record.plan.softness = .nan
    #expect(throws: CompositeProblem.plan(.number("softness"))) {
      _ = try CompositeFile.make(
        &record, below: below, above: above, certificate: try day.certificate(), key: day.key)
    }
  }

  @Test("a photo whose file was changed is refused, and its manifest is vouched for nowhere")
  func alteredSource() throws {
    var changed = below.file
    // One number of a quantization table: the picture changes, and every decoder still reads it.
    let table = try #require(
      changed.indices.dropLast().last { changed[$0] == 0xFF && changed[$0 + 1] == 0xDB })
    changed[table + 5 + 63] ^= 2
    #expect(throws: CompositeProblem.altered) { _ = try CompositeSource(sealed: changed) }
    #expect(throws: CompositeProblem.altered) {
      _ = try CompositeSource(
        file: changed, id: below.original.id, taken: below.original.taken, agency: "example",
        digest: below.original.digest)
    }
    // A side that knows no digest may use it: its manifest then stays out.
    let source = try CompositeSource(
      file: changed, id: "x", taken: "2020-01-01", agency: "example")
    #expect(source.manifests.isEmpty && source.original.manifest == nil)
    var record = Self.record(source, above, .ellipse)
    let file = try CompositeFile.make(
      &record, below: source, above: above, certificate: try day.certificate(), key: day.key)
    #expect(CompositeReading(file)?.problems == [])
  }

  @Test("each photo's sides and turn are followed: other proportions, upside down, one pixel wide")
  func shapes() throws {
    let wide = try PixelBuffer(width: 90, height: 30, colour: Colour(red: 250, green: 0, blue: 0))
    let thin = try PixelBuffer(width: 1, height: 40, colour: Colour(red: 0, green: 0, blue: 250))
    let turned = try ExifBlock().adding([.primary: [0x0112: .shorts([6])]])
    let parts = try JPEGMetadata(try wide.encodeJPEG(quality: 95)).parts(
      exif: turned.bytes, xmp: nil)
    for upper in [try thin.encodeJPEG(quality: 95), parts.head + parts.tail] {
      let source = try CompositeSource(file: upper, id: "x", taken: "1998-05-30", agency: nil)
      var record = Self.record(below, source, .rectangle)
      _ = try CompositeFile.make(
        &record, below: below, above: source, certificate: try day.certificate(), key: day.key)
    }
    let source = try CompositeSource(
      file: parts.head + parts.tail, id: "x", taken: "1998-05-30", agency: nil)
    let size = try source.size
    #expect(size == (30, 90))
    #expect(source.original.takenWords == "1998-05-30")
  }

  @Test("the same photos and numbers give the same picture, and a preview shows it smaller")
  func repeated() throws {
    let again = try CompositeFile.picture(record, below: below.file, above: above.file)
    #expect(try JPEGStructure.imageData(of: again) == JPEGStructure.imageData(of: file))
    let size = try below.size
    let side = max(size.width, size.height) / 2
    let whole = try CompositeFile.mixed(record.plan, below: below.file, above: above.file)
    let small = try CompositeFile.mixed(
      record.plan, below: below.file, above: above.file, maximumSide: side)
    #expect(max(small.width, small.height) == side)
    for (x, y) in [(0.5, 0.5), (0.05, 0.05), (0.9, 0.5), (0.5, 0.2)] {
      let one = try #require(
        whole.colour(x: Int(x * Double(whole.width)), y: Int(y * Double(whole.height))))
      let other = try #require(
        small.colour(x: Int(x * Double(small.width)), y: Int(y * Double(small.height))))
      #expect(abs(Int(one.green) - Int(other.green)) <= 40, "\(x) \(y)")
    }
  }

  @Test("the record reads back as it was written, and one that was broken is not read")
  func reading() throws {
    let read = try #require(CompositeRecord(record.json))
    #expect(read.json == record.json && read.plan == record.plan)
    var projected = record
    projected.plan.placement = .projected(
      try #require(Projection(rows: [1.01, 0.02, -3.5, 0.01, 0.99, 4.25, 1e-5, -2e-5, 1])))
    projected.plan.crop = CompositePlan.Crop(x: 1, y: 2, width: 30, height: 20)
    #expect(CompositeRecord(projected.json)?.plan == projected.plan)
    for name in ["schema", "notice", "id", "made", "below", "plan", "quality"] {
      guard case .object(var members) = record.json else { return }
      members[name] = nil
      #expect(CompositeRecord(.object(members)) == nil, "\(name)")
    }
  }

  // MARK: other programs

  @Test(
    "exiftool and exiv2 read that it is a composite, of which photos, and no position",
    .enabled(
      if: Program.tool("exiftool") != nil && Program.tool("exiv2") != nil,
      "exiftool or exiv2 is not installed"))
  func others() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("a.jpg").path
      try Data(file).write(to: URL(fileURLWithPath: path))
      let read = try await Program.run(
        try #require(Program.tool("exiftool")), ["-G1", "-s", "-a", "-EXIF:all", "-XMP:all", path])
      #expect(read.status == 0, "\(read.errors)")
      for words in [
        "compositeCapture", "Composite, not a photograph", below.original.id, above.original.id,
      ] { #expect(read.output.contains(words), "\(words)\n\(read.output)") }
      for words in ["GPS", "DateTimeOriginal"] {
        #expect(!read.output.contains(words), "\(words)")
      }
      let other = try await Program.run(
        try #require(Program.tool("exiv2")), ["-pa", path])
      #expect(other.output.contains("compositeCapture"), "\(other.output) \(other.errors)")
      #expect(other.output.contains("Exif.Image.ImageDescription"))
    }
  }

  @Test(
    "C2PA's own reader finds both photos with their manifests, and nothing wrong",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func manifest() async throws {
    try await withTemporaryDirectory { folder in
      let authority = folder.appendingPathComponent("authority.pem").path
      try Data(try FieldDay.office.get().certificate.pem.utf8).write(
        to: URL(fileURLWithPath: authority))
      let path = folder.appendingPathComponent("a.jpg").path
      try Data(file).write(to: URL(fileURLWithPath: path))
      let outcome = try await PythonTools.run("Manifests/read.py", [authority, path])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let answer = try JSONValue(parsing: Array(outcome.output.utf8))
      #expect(answer["trusted"]?["state"]?.text == "Trusted", "\(answer)")
      #expect(answer["trusted"]?["codes"]?.elements == [], "\(answer)")
      #expect(answer["record"] == record.json, "word by word")
      let actions = answer["actions"]?.elements?.compactMap { $0.elements?.first?.text }
      #expect(actions == ["c2pa.created", "c2pa.placed"])
      #expect(
        answer["actions"]?.elements?.first?.elements?.last?.text == CompositeFile.digitalSourceType)
      let ingredients = answer["ingredients"]?.elements?.compactMap { $0.elements }
      #expect(ingredients?.map { $0[0].text } == ["componentOf", "componentOf"])
      #expect(
        ingredients?.map { $0[2].text } == [below.original.manifest, above.original.manifest])
    }
  }
}
