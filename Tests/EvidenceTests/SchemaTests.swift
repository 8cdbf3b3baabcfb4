import Foundation
import Imagery
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence

/// The files in `schemas/` describe the JSON that the code writes, to people and other programs.
@Suite("The JSON Schemas")
struct SchemaTests {
  private static let names = [
    "record", "link", "seal", "raw-window", "track", "receipt", "policy", "revocation", "log",
    "enrolment", "composite", "frames", "capture-challenge", "key-succession",
    "office-key-revocation", "receipt-proof", "key-attestation",
  ]

  private static func schema(_ name: String) throws -> JSONValue {
    let url = Repository.root.appendingPathComponent("schemas/\(name).schema.json")
    return try JSONValue(parsing: Array(try Data(contentsOf: url)))
  }

  /// Returns values that the code writes, with the names of their schemas.
  private static func samples() throws -> [(schema: String, value: JSONValue)] {
    var samples: [(String, JSONValue)] = []
    var days = [try FieldDay.ordinary.get()]
    var demonstration = try FieldDay(seed: 31)
    var repetition = RepeatClaims(
      point: Identifier(at: demonstration.now), referenceDigest: String(repeating: "0a", count: 32),
      distanceMetres: 1.234_5)
    repetition.distanceUncertaintyMetres95 = 2.5
    (repetition.angleDegrees, repetition.rollDegrees) = (3.2, -1.25)
    (repetition.pitchDegrees, repetition.yawDegrees) = (0.5, -179.9)
    (repetition.inliers, repetition.displacementPercent) = (88, 0.73)
    demonstration.note("It is gone.", task: repetition.point, point: repetition.point)
    demonstration.frame = try FrameRecordTests.claims()
    demonstration.source = "file:///walk.nmea?rate=max"
    try demonstration.capture(
      at: try FieldDay.place(-0.000_1, -179.999_9), sampler: try FieldDay.rules(1, .median),
      picture: FieldDay.pictures[0], isSimulated: true, repetition: repetition)
    var sparse = try FieldDay(seed: 32)
    let (surroundings, policy) = try (Self.surroundings(), CertifiedDay.ordinary.get().policy())
    sparse.surroundings = surroundings
    sparse.policy = policy
    let challenge = try CaptureChallenge(
      key: sparse.key.publicKey.thumbprint, issued: sparse.now,
      signedWith: try CertifiedDay.ordinary.get().officeKey,
      certificate: try CertifiedDay.ordinary.get().office)
    sparse.challenge = challenge.digest
    samples.append(("capture-challenge", try CompactJWS(challenge.jws).json()))
    samples.append(("policy", try CompactJWS(policy.jws).json()))
    let revocation = try CertifiedDay.ordinary.get().revocation(afterSeconds: 0)
    let office = try CertifiedDay.ordinary.get()
    samples += try Self.officeKeys(office, at: sparse.now)
    var export = LogExport()
    for entries in 0...1 {
      if entries == 1 {
        _ = export.line(
          of: LogEntry(agency: nil, time: sparse.now, person: "x", action: "x", subject: "x"))
      }
      let end = try export.end(
        at: sparse.now, signedWith: office.officeKey, certificate: office.office)
      let jws = String(decoding: end.dropLast(), as: UTF8.self)
      samples.append(("log", try CompactJWS(jws).json()))
    }
    samples.append(("revocation", try CompactJWS(revocation.jws).json()))
    var aim = Orientation(
      azimuthDegreesTrue: 359.97, elevationDegrees: nil, rollDegrees: nil, source: .stated)
    aim.headingDegreesMagnetic = -3.2
    try sparse.capture(
      at: try FieldDay.place(5, 5), sampler: nil, picture: FieldDay.pictures[1], origin: .imported,
      orientation: aim, sends: { sentence, _ in sentence == "GGA" })
    sparse.note("")
    sparse.track([])
    var task = InspectionTask(
      id: Identifier(at: sparse.now), agency: "example", inspector: "ada", name: "x",
      state: .returned, created: sparse.now)
    try sparse.transition(.provide, of: &task)
    try sparse.transition(.takeBack, of: &task)
    let day = try #require(CivilDate(iso8601: "2026-05-31"))
    let choice = try #require(ItemName(choice: "12"))
    for answer: ItemAnswer in [
      .value(.choice(choice)), .value(.several([choice])), .value(.number(2.5)),
      .value(.text("wet")), .value(.yes(true)), .value(.date(day)), .notPossible(reason: "a dog"),
    ] { try sparse.answer(answer, task: task.id, photos: [task.id]) }
    try sparse.frameSet(.turn, at: try FieldDay.place(5, 5), sectors: 4)
    days += [demonstration, sparse, try FieldDay.withSet.get()]
    for day in days {
      for (entry, file) in zip(day.entries, try day.sealFiles()) {
        samples.append(("record", entry.record))
        samples.append(("link", file.seal.link.json))
        samples.append(("seal", try JSONValue(parsing: file.bytes)))
        if let raw = entry.raw {
          let lines = try Gzip.decompress(raw, limit: 1 << 24)
          samples.append(("raw-window", try JSONValue(parsing: Array(lines.prefix { $0 != 0x0A }))))
        }
        if entry.kind == .around, let file = entry.file {
          samples.append(("frames", try JSONValue(parsing: file)))
        }
        if entry.kind == .track, let file = entry.file {
          samples.append(("track", try JSONValue(parsing: file)))
        }
      }
    }
    let receipt = try CertifiedDay.ordinary.get().receipt
    samples.append(("receipt", try CompactJWS(receipt.jws).json()))
    let request = try EnrolmentRequest(
      device: "018f0000-0000-7000-8000-000000000000", login: "ada", at: sparse.now,
      with: sparse.key)
    samples.append(("enrolment", try CompactJWS(request.jws).json()))
    return samples + (try composites(sparse.now))
  }

  /// Returns the records of two composites: placed by hand and cropped, and by a projection.
  private static func composites(_ now: DeviceTime) throws -> [(String, JSONValue)] {
    let day = try FieldDay.ordinary.get()
    let sources = try day.captures.prefix(2).map {
      try CompositeSource(sealed: try #require($0.file))
    }
    let (size, other) = (try sources[0].size, try sources[1].size)
    var plan = CompositePlan(
      layingWidth: other.width, height: other.height, overWidth: size.width, height: size.height,
      .ellipse)
    plan.placement = .byHand(centreX: 1e-7, centreY: 20.25, scale: 1, angleDegrees: -3.5)
    plan.crop = CompositePlan.Crop(x: 1, y: 0, width: 20, height: 10)
    var projected = plan
    let rows = [1, 0.001, -2, 0, 1.01, 3, 1e-6, 0, 1]
    projected.placement = .projected(try #require(Projection(rows: rows)))
    return try [plan, projected].map { plan in
      var record = CompositeRecord(
        id: "019f81d8-1e3b-7814-8996-eb3362c9895a", agency: "example", maker: "ada", made: now,
        software: "standpoint 0.1.0", below: sources[0].original, above: sources[1].original,
        plan: plan)
      _ = try CompositeFile.make(
        &record, below: sources[0], above: sources[1], certificate: try day.certificate(),
        key: day.key)
      return ("composite", record.json)
    }
  }

  /// Returns a cell with all its members, a neighbour with few, and an access point.
  private static func surroundings() -> RadioSurroundings {
    let heard = FieldDay.shutter.advanced(bySeconds: -1.25)
    var cell = RadioSurroundings.Cell(technology: .lte, isServing: true, heard: heard)
    cell.countryCode = "262"
    cell.networkCode = "01"
    cell.areaCode = 7
    cell.cell = 99
    cell.physicalCell = 0
    cell.channel = 6300
    cell.signalDecibelMilliwatts = -97
    return RadioSurroundings(
      cells: [cell, RadioSurroundings.Cell(technology: .nr, isServing: false, heard: heard)],
      accessPoints: [
        RadioSurroundings.AccessPoint(
          address: "02:00:5e:10:00:00", channel: 11, signalPercent: 60, heard: heard)
      ])
  }

  @Test("each schema names its dialect and itself, and says in words what every member is")
  func words() throws {
    for name in Self.names {
      let schema = try Self.schema(name)
      #expect(schema["$schema"]?.text == "https://json-schema.org/draft/2020-12/schema")
      #expect(schema["$id"]?.text == "urn:standpoint:schema:\(name):1")
      #expect(schema["title"]?.text?.isEmpty == false)
      try Self.requireWords(schema, name)
    }
  }

  private static func requireWords(_ schema: JSONValue, _ path: String) throws {
    guard schema["$ref"] == nil || schema["description"] != nil else { return }
    let words = schema["description"]?.text ?? ""
    #expect(words.hasSuffix("."), "\(path) has no description")
    for group in ["properties", "$defs"] {
      guard case .object(let members)? = schema[group] else { continue }
      for (name, member) in members {
        // A reference may leave the description to its target.
        if member["$ref"] != nil, member["description"] == nil { continue }
        try requireWords(member, "\(path).\(name)")
      }
    }
    if let items = schema["items"], items["$ref"] == nil { try requireWords(items, "\(path)[]") }
  }

  private static func officeKeys(
    _ office: CertifiedDay, at now: DeviceTime
  ) throws -> [(String, JSONValue)] {
    let key = SoftwareDeviceKey().publicKey.thumbprint
    let succession = try KeySuccession(
      follower: key, time: now, signedWith: office.officeKey, certificate: office.office)
    let revocation = try OfficeKeyRevocation(
      key: key, time: now, reason: "stolen", entries: 7, signedWith: office.officeKey,
      certificate: office.office)
    let receipt = try Receipt(
      id: Identifier(at: now), batch: Identifier(at: now), agency: "north", inspector: "ines",
      key: key, head: nil, records: [], files: [], received: now, signedWith: office.officeKey,
      certificate: office.office)
    let proof = try ReceiptProof(
      of: receipt, entry: 3, log: "name+0+key", proof: "proof", given: now,
      signedWith: office.officeKey,
      certificate: office.office)
    let attestation = try KeyAttestation(
      .init(
        agency: "north", key: key, time: now, area: [1, 2], makersCertificate: [3], root: "CN=A"),
      signedWith: office.officeKey, certificate: office.office)
    return [
      ("key-attestation", try CompactJWS(attestation.jws).json()),
      ("key-succession", try CompactJWS(succession.jws).json()),
      ("office-key-revocation", try CompactJWS(revocation.jws).json()),
      ("receipt-proof", try CompactJWS(proof.jws).json()),
    ]
  }

  @Test("the versions that the schemas name are those that the code writes")
  func versions() throws {
    for (name, version) in [
      ("record", Record.schema), ("link", Link.schema), ("seal", SealFile.schema),
      ("raw-window", RawWindow.schema), ("track", "standpoint.track/1"),
      ("frames", FrameList.schema),
      ("receipt", Receipt.schema), ("policy", SignedPolicy.schema),
      ("revocation", Revocation.schema), ("capture-challenge", CaptureChallenge.schema),
      ("log", LogExport.schema),
      ("key-succession", KeySuccession.schema), ("key-attestation", KeyAttestation.schema),
      ("office-key-revocation", OfficeKeyRevocation.schema),
      ("receipt-proof", ReceiptProof.schema), ("enrolment", EnrolmentRequest.schema),
      ("composite", CompositeRecord.schema),
    ] {
      #expect(try Self.schema(name)["properties"]?["schema"]?["const"]?.text == version)
    }
  }

  @Test("the words that may stand somewhere are those that the code knows")
  func enumerations() throws {
    func words(_ name: String, _ path: String...) throws -> Set<String> {
      let member = path.reduce(try Self.schema(name)) { $0?[$1] }
      return Set(try #require(member?["enum"]?.elements).compactMap(\.text))
    }
    let kinds = Set(RecordKind.allCases.map(\.rawValue))
    #expect(try words("record", "properties", "kind") == kinds)
    #expect(try words("link", "properties", "kind") == kinds)
    let methods = Set(CentroidMethod.allCases.map(\.rawValue))
    #expect(try words("record", "$defs", "method") == methods)
    #expect(try words("raw-window", "$defs", "method") == methods)
    #expect(
      try words("record", "properties", "position", "properties", "method")
        == methods.union([PhotoPosition.Method.fix.name]))
    #expect(
      try words(
        "record", "properties", "surroundings", "properties", "cells", "items", "properties",
        "technology") == Set(RadioSurroundings.Cell.Technology.allCases.map(\.rawValue)))
    #expect(
      try words("record", "$defs", "state") == Set(TaskState.allCases.map(\.rawValue)))
    #expect(
      try words("record", "properties", "transition", "properties", "action")
        == Set(TaskAction.allCases.filter { $0 != .undo }.map(\.rawValue)),
      "an undone decision is never told to a device")
    let qualities = Set((0...8).compactMap { FixQuality(rawValue: $0)?.name })
    #expect(
      try words("record", "properties", "integrity", "properties", "quality") == qualities)
  }

  @Test(
    "no member is written that a schema does not describe, and none that it requires is missing")
  func membersAreDescribed() throws {
    let schemas = Dictionary(
      uniqueKeysWithValues: try Self.names.map {
        ("urn:standpoint:schema:\($0):1", try Self.schema($0))
      })
    var seen: Set<String> = []
    for (name, value) in try Self.samples() {
      let schema = try #require(schemas["urn:standpoint:schema:\(name):1"])
      try Self.compare(value, schema, in: schema, schemas, path: name, &seen)
    }
    // Together the samples have all members of the schemas but these.
    let described = schemas.values.reduce(into: Set<String>()) { names, schema in
      Self.collect(schema, &names)
    }
    let unfilled: Set = [
      "jamming", "spoofing", "state", "level", "azimuthAccuracyDegrees", "tiltAccuracyDegrees",
      "correctionAgeSeconds", "correctionStation", "keeping", "serial",
    ]
    #expect(described.subtracting(seen) == unfilled)
  }

  private static func collect(_ schema: JSONValue, _ names: inout Set<String>) {
    if case .object(let members)? = schema["properties"] {
      names.formUnion(members.keys)
      for member in members.values { collect(member, &names) }
    }
    if case .object(let definitions)? = schema["$defs"] {
      for definition in definitions.values { collect(definition, &names) }
    }
    if let items = schema["items"] { collect(items, &names) }
  }

  private static func compare(
    _ value: JSONValue, _ schema: JSONValue, in root: JSONValue, _ schemas: [String: JSONValue],
    path: String, _ seen: inout Set<String>
  ) throws {
    if let reference = schema["$ref"]?.text {
      let parts = reference.split(separator: "#", omittingEmptySubsequences: false)
      let document = parts[0].isEmpty ? root : try #require(schemas[String(parts[0])])
      let target = (parts.count > 1 ? parts[1].split(separator: "/") : [])
        .reduce(document as JSONValue?) { $0?[String($1)] }
      try compare(
        value, try #require(target, "\(reference)"), in: document, schemas, path: path, &seen)
      return
    }
    switch value {
    case .object(let members):
      for (name, member) in members {
        // One schema covers all members whose names the agency chooses.
        let others = schema["additionalProperties"].flatMap { $0.flag == nil ? $0 : nil }
        guard let described = schema["properties"]?[name] ?? others else {
          Issue.record("\(path).\(name) stands in no schema")
          continue
        }
        seen.insert(name)
        try compare(member, described, in: root, schemas, path: "\(path).\(name)", &seen)
      }
      for name in (schema["required"]?.elements ?? []).compactMap(\.text) {
        #expect(members[name] != nil, "\(path).\(name) is required")
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        let prefix = schema["prefixItems"]?.elements ?? []
        let described = index < prefix.count ? prefix[index] : schema["items"]
        try compare(
          element, try #require(described), in: root, schemas, path: "\(path)[]", &seen)
      }
    case .string, .number, .bool:
      let one = schema["type"]?.text
      let types = one.map { [$0] } ?? (schema["type"]?.elements ?? []).compactMap(\.text)
      let isRight =
        switch value {
        case .string: types.contains("string") || schema["const"] == value
        case .number: types.contains("integer") || schema["enum"] != nil
        default: types.contains("boolean") || schema["const"] == value
        }
      #expect(isRight, "\(path) is of another type")
    case .null: Issue.record("\(path) is null")
    }
  }

  // MARK: an independent reader

  /// Returns one line for each value: `ok`, or the fault.
  private static func validate(
    _ cases: [(schema: String, value: JSONValue)]
  ) async throws -> [Substring] {
    let pairs = JSONValue.array(cases.map { .array([.string($0.schema), $0.value]) })
    return try await PythonTools.validate(cases: pairs.canonicalBytes)
  }

  @Test(
    "PyPI's jsonschema accepts everything of these kinds that the code makes",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func accepted() async throws {
    let samples = try Self.samples()
    #expect(Set(samples.map(\.schema)) == Set(Self.names))
    let kinds = Set(samples.filter { $0.schema == "record" }.compactMap { $0.value["kind"]?.text })
    #expect(kinds == Set(RecordKind.allCases.map(\.rawValue)))
    let answers = try await Self.validate(samples)
    #expect(answers.count == samples.count)
    for (sample, answer) in zip(samples, answers) {
      #expect(answer == "ok", "\(sample.schema): \(sample.value["kind"]?.text ?? "")")
    }
  }

  @Test(
    "what the code does not fill yet has its place, and unknown members are no fault",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func later() async throws {
    let record = try FieldDay.ordinary.get().captures[0].record
    let text = #"""
      {"cells":[{"technology":"lte","countryCode":"262","networkCode":"01","areaCode":7,"cell":99,
        "signalDecibelMilliwatts":"-97.0","ageSeconds":"1.200"}],
       "accessPoints":[{"address":"02:00:5e:10:00:00","channel":11,
        "signalDecibelMilliwatts":"-61.5","ageSeconds":"0.400"}]}
      """#
    let surroundings = try JSONValue(parsing: Array(text.utf8))
    let jamming = JSONValue.object([
      "state": .string("warning"), "level": .integer(120), "source": .string("UBX-MON-RF"),
    ])
    let full =
      record.setting(["surroundings"], to: surroundings)
      .setting(["integrity", "jamming"], to: jamming)
      .setting(["integrity", "spoofing"], to: .object(["state": .string("none")]))
      .setting(["integrity", "correctionAgeSeconds"], to: .string("1.000"))
      .setting(["integrity", "correctionStation"], to: .string("0042"))
      .setting(["orientation", "azimuthAccuracyDegrees"], to: .string("5.0"))
      .setting(["weather"], to: .object(["sky": .string("clear")]))
    #expect(try await Self.validate([("record", full)]) == ["ok"])
    let wrong = full.setting(["surroundings", "cells"], to: .array([.object([:])]))
    #expect(try await Self.validate([("record", wrong)]) != ["ok"])
  }

  @Test(
    "what the code never writes is refused",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func refused() async throws {
    let day = try FieldDay.ordinary.get()
    let record = day.captures[0].record
    let link = try day.sealFiles()[1].seal.link.json
    let seal = try JSONValue(parsing: try day.sealFiles()[1].bytes)
    let lines = try Gzip.decompress(try #require(day.captures[0].raw), limit: 1 << 24)
    let window = try JSONValue(parsing: Array(lines.prefix { $0 != 0x0A }))
    let entry = try #require(day.entries.first { $0.kind == .track })
    let track = try JSONValue(parsing: try #require(entry.file))
    let note = try #require(day.entries.first { $0.kind == .note }).record
    let receipt = try CompactJWS(try CertifiedDay.ordinary.get().receipt.jws).json()
    let request = try EnrolmentRequest(device: "x", login: "ada", at: day.now, with: day.key)
    let enrolment = try CompactJWS(request.jws).json()
    let cases: [(schema: String, value: JSONValue)] = [
      ("record", record.setting(["position", "latitudeDegrees"], to: .number(48.2))),
      ("record", record.setting(["position", "latitudeDegrees"], to: .string("48.2"))),
      ("record", record.setting(["position", "latitudeDegrees"], to: .string("91.000000000"))),
      ("record", record.setting(["position", "longitudeDegrees"], to: .string("180.000000001"))),
      ("record", record.setting(["position", "uncertaintyMetres95"], to: .string("nan"))),
      ("record", record.setting(["position", "uncertaintyMetres95"], to: .null)),
      ("record", record.setting(["position", "standpoint"], to: nil)),
      ("record", record.setting(["position"], to: nil)),
      ("record", record.setting(["position", "method"], to: .string("fix"))),
      ("record", record.setting(["orientation", "azimuthDegreesTrue"], to: .string("360.0"))),
      ("record", record.setting(["orientation", "screenDegrees"], to: .integer(45))),
      ("record", record.setting(["photo", "image"], to: .string("AB"))),
      ("record", record.setting(["kind"], to: .string("photo"))),
      ("record", record.setting(["kind"], to: .string("note"))),
      ("record", record.setting(["id"], to: .string("1"))),
      ("record", record.setting(["simulated"], to: .bool(false))),
      ("record", record.setting(["device", "key"], to: .string("x"))),
      ("record", record.setting(["device", "receiver"], to: nil)),
      ("record", record.setting(["time", "device"], to: .string("2026-05-12T10:00:00Z"))),
      ("record", record.setting(["time", "device"], to: .string("2026-13-12T10:00:00.000Z"))),
      ("record", record.setting(["time", "gnss"], to: .string("25:00:00.000"))),
      ("record", record.setting(["gate", "limits", "windowSeconds"], to: .integer(6))),
      ("record", record.setting(["schema"], to: .string("standpoint.record/2"))),
      ("record", note.setting(["note"], to: nil)),
      ("link", link.setting(["sequence"], to: .integer(0))),
      ("link", link.setting(["previous"], to: nil)),
      ("link", link.setting(["sequence"], to: .integer(1))),
      ("link", link.setting(["raw"], to: nil)), ("link", link.setting(["file"], to: .null)),
      ("seal", seal.setting(["seal"], to: .string("a.b.c"))),
      ("seal", seal.setting(["further"], to: .bool(true))),
      ("seal", seal.setting(["record", "agency"], to: nil)),
      ("raw-window", window.setting(["cycleEnd"], to: .string("GNGSV/1"))),
      ("raw-window", window.setting(["gate", "setBy"], to: nil)),
      ("raw-window", window.setting(["sampler", "samples"], to: .integer(501))),
      ("track", track.setting(["points"], to: .array([.object([:])]))),
      ("track", track.setting(["id"], to: nil)),
      ("receipt", receipt.setting(["records"], to: .array([.string("ab")]))),
      ("receipt", receipt.setting(["files"], to: nil)),
      ("receipt", receipt.setting(["head", "sequence"], to: .integer(0))),
      ("receipt", receipt.setting(["head", "link"], to: nil)),
      ("receipt", receipt.setting(["received"], to: .string("2026-05-12T10:00:00Z"))),
      ("receipt", receipt.setting(["key"], to: .string("x"))),
      ("enrolment", enrolment.setting(["device"], to: .string(""))),
      ("enrolment", enrolment.setting(["login"], to: nil)),
      ("enrolment", enrolment.setting(["time"], to: .string("2026-13-12T10:00:00.000Z"))),
    ]
    let answers = try await Self.validate(cases)
    #expect(answers.count == cases.count)
    for (index, answer) in answers.enumerated() { #expect(answer != "ok", "case \(index)") }
  }
}
