import Evidence
import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Sync

/// The messages that travel, as `schemas/` describes them: an independent reader compares the
/// code's.
@Suite("The messages and their JSON Schemas")
struct MessageSchemaTests {
  private static let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)
  private static let device = "018f0000-0000-7000-8000-000000000000"

  /// Returns every kind of message, as the code writes it.
  private static func samples() throws -> [(schema: String, value: JSONValue)] {
    func json(_ message: some Encodable) throws -> JSONValue {
      try JSONValue(parsing: try WireJSON.bytes(message))
    }
    let key = SoftwareDeviceKey()
    let authority = try Authority.make(name: "office", at: now)
    let officeKey = SoftwareDeviceKey()
    let enrolment = try EnrolmentRequest(device: device, login: "ines", at: now, with: key)
    let certificate = try authority.certify(
      key.publicKey, subject: DeviceSubject(agency: "north", inspector: "ines", device: device),
      at: now)
    let batch = try batch(key)
    let receipt = try Receipt(
      id: Identifier(at: now), batch: batch.id, agency: "north", inspector: "ines", key: batch.key,
      head: nil, records: Array(batch.recordDigests), files: Array(batch.fileDigests),
      received: now, signedWith: officeKey,
      certificate: try authority.certifyOffice(officeKey.publicKey, at: now))
    func answer(name: String?) -> SignInAnswer {
      SignInAnswer(
        token: String(repeating: "t", count: 43), agency: "north", login: "ines", name: name,
        certificate: certificate.pem, authority: authority.certificate.pem,
        bridges: name.map { _ in authority.certificate.pem }, software: "test")
    }
    return [
      (
        "sign-in",
        try json(
          SignInRequest(login: "ines", password: "", enrolment: enrolment.jws, software: "test"))
      ),
      ("invitation-question", try json(InvitationQuestion(code: "K7PM-3XQ9"))),
      (
        "invitation",
        try json(
          InvitationAnswer(
            agency: "north", title: "North", login: "ines", name: nil, expires: now.rfc3339))
      ),
      (
        "invited-sign-in",
        try json(
          InvitedSignInRequest(code: "K7PM3XQ9", enrolment: enrolment.jws, software: "test"))
      ),
      ("session", try json(answer(name: "Ines"))), ("session", try json(answer(name: nil))),
      (
        "office",
        try json(
          OfficeMessage(
            software: "test", fingerprint: authority.certificate.fingerprint,
            authorities: authority.certificate.pem))
      ), ("tasks", try json(TaskListMessage(tasks: []))),
      (
        "tasks",
        try json(
          TaskListMessage(tasks: try tasks().map { TaskMessage($0, items: try items(of: $0)) }))
      ),
      (
        "tasks",
        try json(
          TaskListMessage(
            tasks: [], cursor: "12-00ff", hasMore: true,
            head: ChainHead(sequence: 3, link: Digest.hexadecimal(Array("link".utf8)), records: 2),
            proofs: ["a.b.c"]))
      ),
      (
        "held-question",
        try json(
          HeldQuestion(
            things: [
              .init(id: batch.id.description),
              .init(id: device, record: Digest.hexadecimal(Array("record".utf8))),
            ], digests: Array(batch.fileDigests), isDeep: true))
      ),
      (
        "held",
        try json(
          HeldAnswer(
            things: [
              .init(id: batch.id.description, state: .held, receipt: receipt.jws),
              .init(id: device, state: .incomplete),
            ], missing: Array(batch.fileDigests),
            offsets: [Digest.hexadecimal([7]): 1_048_576],
            head: ChainHead(sequence: 1, link: Digest.hexadecimal(Array("link".utf8)), records: 2)))
      ), ("challenge", try json(ChallengeMessage(challenge: "1.r.m"))),
      (
        "attestation-question",
        try json(
          AttestationQuestion(
            area: "ACMACw", makersCertificate: "MIID", challenge: "1.r.m", secret: "c2VjcmV0"))
      ),
      (
        "attestation-answer",
        try json(
          AttestationAnswer(
            challenge: "1.r.m", credential: "ACAB", seed: "c2VlZA", attestation: "a.b.c"))
      ),
      (
        "renew",
        try json(
          RenewalMessage(
            renewal: try SessionRenewal(
              agency: "north", login: "ines", device: device, challenge: "1.r.m",
              authority: authority.certificate.fingerprint, with: key
            ).jws, certificate: certificate.pem, software: "test"))
      ),
      (
        "parcels",
        try json(
          ParcelListMessage(nearest: try tasks().compactMap(\.parcel), isCut: true))
      ),
      (
        "photo-points",
        try json(
          PhotoPointListMessage(
            points: try points(), isCut: true, withdrawn: try points().map(\.id)))
      ),
      ("earlier-photos", try json(try earlierPhotos())),
      ("new-photo-point", try json(NewPhotoPointMessage(try points()[0]))),
      (
        "progress",
        try json(
          ProgressMessage(
            tasks: try tasks().map { .init(task: $0.id, ItemProgress(answered: 3, asked: 8)) }))
      ),
      ("batch", try JSONValue(parsing: batch.bytes)),
      (
        "batch-answer",
        try json(
          BatchAnswer(
            id: batch.id.description, missing: Array(batch.fileDigests), receipt: nil))
      ),
      (
        "batch-answer",
        try json(BatchAnswer(id: batch.id.description, missing: [], receipt: receipt.jws))
      ),
    ]
  }

  private static func earlierPhotos() throws -> EarlierPhotosMessage {
    let place = try #require(Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.63))
    let grid = MapGrid(level: EarlierPhotoRule.gridLevel)
    let box = try #require(grid.box(of: grid.cell(of: place)))
    let shown = EarlierPhotosMessage.Shown(
      id: try points()[0].id, at: place, taken: DeviceTime(millisecondsSince1970: 1_561_975_200_000)
    )
    return EarlierPhotosMessage(
      clusters: [
        .init(at: place, count: 1, zoom: 17, box: box, photos: [shown]),
        .init(at: place, count: 9, zoom: 17, box: box, photos: []),
      ], isCut: true)
  }

  /// Returns a bare task, one with land and all that can happen to it, and one that was withdrawn.
  private static func tasks() throws -> [InspectionTask] {
    let bare = InspectionTask(
      id: Identifier(at: now), agency: "north", inspector: "ines", name: "Beet", created: now)
    var full = bare
    full.id = Identifier(at: now)
    full.type = "eligibility"
    full.instructions = "One photo."
    full.due = now.advanced(bySeconds: 86_400)
    let corners = try [(-49.07, -179.9), (-49.07, 179.9), (49.09, 16.64)].map {
      try #require(Coordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1))
    }
    let parcel: Parcel = try #require(Parcel(identifier: "P-1", rings: [corners]))
    full.parcel = parcel
    full.repeats = RepeatWish(points: [Identifier(at: now), Identifier(at: now)], isStrict: true)
    full.sets = try OrderedSets(aroundSectors: 72, turnViews: 12)
    full.places = try OrderedPlaces([OrderedPlace(.section, name: "A", rings: [corners])])
    full.attachments = try Attachments([
      AttachedFile(name: "plan", kind: .pdf, digest: Digest.hexadecimal([1]), bytes: 20_000_000)
    ])
    let ines = Person(agency: "north", login: "ines", role: .inspector)
    let otto = Person(agency: "north", login: "otto", role: .officer)
    let anna = Person(agency: "north", login: "anna", role: .administrator)
    for (action, person, reason) in [
      (TaskAction.open, ines, nil), (.provide, ines, nil), (.takeBack, ines, nil),
      (.provide, ines, nil), (.returnToInspector, otto, "blurred"), (.provide, ines, nil),
      (.decline, otto, "wrong field"), (.reopen, anna, "appeal"), (.accept, otto, nil),
    ] {
      _ = try full.perform(
        action, by: person, id: Identifier(at: now), at: now, reason: reason,
        contents: TaskContents(photos: 1))
    }
    var withdrawn = bare
    withdrawn.id = Identifier(at: now)
    withdrawn.sets = try OrderedSets(aroundSectors: nil, turnViews: 4)
    _ = try withdrawn.perform(
      .withdraw, by: otto, id: Identifier(at: now), at: now, contents: TaskContents(photos: 0))
    return [bare, full, withdrawn]
  }

  /// Returns items for a task that has a type.
  private static func items(of task: InspectionTask) throws -> OrderedItems? {
    try task.type.map { type in
      let name: ItemName = try #require(ItemName("roof"))
      return OrderedItems(
        type: type, version: 3,
        items: try OrderItems([
          OrderItem(name: name, wording: "The roof", content: .shot(WantedShot(least: 4)))
        ]))
    }
  }

  /// Returns a photo point with everything that one can have, and a bare one.
  private static func points() throws -> [PhotoPoint] {
    func picture() -> PhotoPoint.Picture {
      PhotoPoint.Picture(photo: Identifier(at: now), digest: String(repeating: "0a", count: 32))
    }
    let place: Coordinate = try #require(Coordinate(latitudeDegrees: -17, longitudeDegrees: 180))
    let bare = PhotoPoint(
      id: Identifier(at: now), agency: "north", reference: picture(), taken: now,
      widthPixels: 4000, heightPixels: 3000,
      stand: RepeatMeasure.Stand(coordinate: place, uncertaintyMetres95: nil, orientation: nil),
      pose: .estimated, camera: .assumed(widthPixels: 4000, heightPixels: 3000), maker: "otto",
      made: now)
    var attitude = Orientation(
      azimuthDegreesTrue: 12.5, elevationDegrees: 3, rollDegrees: -1, source: .deviceSensors,
      screenDegrees: 270)
    attitude.quaternion = Quaternion(w: 0.5, x: 0.5, y: -0.5, z: 0.5)
    attitude.azimuthAccuracyDegrees = 5
    var random = SeededGenerator(seed: 6)
    var full = bare
    full.id = Identifier(at: now)
    full.pose = .measured
    full.stand.uncertaintyMetres95 = 1.5
    full.stand.orientation = attitude
    full.code = PhotoPointCode(using: &random)
    full.name = "Živý plot"
    full.parcel = "P-1"
    full.footing = picture()
    full.subject = place
    return [full, bare]
  }

  /// Makes a batch of two notes: one whole, and one of which only the link travels.
  private static func batch(_ key: SoftwareDeviceKey) throws -> BatchMessage {
    let thumbprint = key.publicKey.thumbprint
    let context = RecordContext(
      person: Person(agency: "north", login: "ines", role: .inspector), device: device,
      key: thumbprint, software: "test", isSimulated: true)
    var files: [SealFile] = []
    for place in 1...2 {
      let id = Identifier(at: now)
      let record = Record.note(id: id, task: nil, photo: nil, text: "note", at: now, in: context)
      let link = Link(
        key: thumbprint, sequence: place, previous: files.last?.seal.digest, kind: .note, id: id,
        record: Digest.hexadecimal(record.canonicalBytes), file: nil, raw: nil)
      files.append(SealFile(record: record, seal: try Seal(link, with: key)))
    }
    return BatchMessage(
      id: Identifier(at: now), key: thumbprint, made: now, links: [files[0].seal],
      seals: [files[1]],
      files: [BatchMessage.File(digest: Digest.hexadecimal([7]), bytes: 1)])
  }

  // MARK: the independent reader

  /// Returns one line for each value: `ok`, or its fault.
  private static func validate(
    _ cases: [(schema: String, value: JSONValue)]
  ) async throws -> [Substring] {
    let pairs = JSONValue.array(cases.map { .array([.string($0.schema), $0.value]) })
    return try await PythonTools.validate(cases: pairs.canonicalBytes)
  }

  @Test(
    "every message that the code writes is what its schema says",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func accepted() async throws {
    let samples = try Self.samples()
    let answers = try await Self.validate(samples)
    #expect(answers.count == samples.count)
    for (sample, answer) in zip(samples, answers) { #expect(answer == "ok", "\(sample.schema)") }
  }

  @Test(
    "a member that is missing, of another type or of another form is refused",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func refused() async throws {
    var cases: [(schema: String, value: JSONValue)] = []
    var names: [String] = []
    let optional: Set = [
      "session.name", "tasks[].type", "tasks[].instructions", "tasks[].due", "tasks[].parcel",
      "tasks[].history[].reason", "batch-answer.receipt", "tasks.cursor", "tasks.more",
      "tasks.head",
      "held-question.things[].record", "held.things[].receipt", "held.head", "held.offsets",
      "renew.certificate", "tasks[].repeats", "tasks[].items",
      "tasks[].items.items[].required", "tasks[].items.items[].shot.least", "tasks[].sets",
      "tasks[].sets.around", "tasks[].places", "tasks[].attachments",
      "tasks[].sets.turn", "photo-points.points[].code",
      "photo-points.points[].name", "photo-points.points[].parcel",
      "photo-points.points[].uncertaintyMetres95", "photo-points.points[].attitude",
      "photo-points.points[].attitude.quaternion",
      "photo-points.points[].attitude.azimuthDegreesTrue",
      "photo-points.points[].attitude.elevationDegrees",
      "photo-points.points[].attitude.rollDegrees",
      "photo-points.points[].attitude.azimuthAccuracyDegrees", "photo-points.points[].footing",
      "session.bridges", "office.authorities", "tasks.proofs",
      "attestation-question.challenge", "attestation-question.secret",
      "attestation-answer.challenge", "attestation-answer.credential", "attestation-answer.seed",
      "attestation-answer.attestation",
      "earlier-photos.clusters[].id", "photo-points.points[].subject", "photo-points.withdrawn",
      "new-photo-point.footing",
      "new-photo-point.name",
      "new-photo-point.parcel", "new-photo-point.subject",
    ]
    // These texts have no form of their own: any text will do.
    let free: Set = [
      "sign-in.login", "sign-in.password", "sign-in.software", "session.token", "session.agency",
      "session.login", "session.name", "session.software", "office.software", "tasks[].name",
      "tasks[].type", "tasks[].instructions", "tasks[].parcel.identifier", "tasks[].places[].name",
      "tasks[].attachments[].name",
      "tasks[].items.type", "tasks[].items.items[].wording",
      "tasks[].history[].person", "tasks[].history[].reason", "tasks.cursor", "held.things[].id",
      "held.missing[]", "challenge.challenge", "attestation-question.challenge",
      "attestation-answer.challenge",
      "attestation-answer.attestation", "renew.software", "invitation-question.code",
      "invitation.agency", "invitation.title", "invitation.login", "invited-sign-in.code",
      "invited-sign-in.software", "parcels.parcels[].identifier", "photo-points.points[].name",
      "photo-points.points[].parcel", "photo-points.points[].maker", "new-photo-point.name",
      "new-photo-point.parcel",
    ]
    for (schema, value) in try Self.samples() {
      Self.walk(value, schema) { path, kind, mutated in
        // Seals have a schema and tests of their own.
        if path.hasPrefix("batch.seals[]") { return }
        let place = path.replacing("tasks.tasks", with: "tasks")
        if kind == "missing", optional.contains(place) || place.hasPrefix("held.offsets.") {
          return
        }
        if kind == "form", free.contains(place) { return }
        cases.append((schema, mutated))
        names.append("\(place): \(kind)")
      }
    }
    #expect(Set(names).count > 100)
    let answers = try await Self.validate(cases)
    #expect(answers.count == cases.count)
    for (name, answer) in zip(names, answers) { #expect(answer != "ok", "\(name)") }
  }

  /// Hands out the value once for each change to one of its members: taken away, of another type,
  /// null, and, if it is a text, of another form.
  private static func walk(
    _ value: JSONValue, _ path: String, _ body: (String, String, JSONValue) -> Void
  ) {
    switch value {
    case .object(let members):
      for (name, member) in members {
        func with(_ other: JSONValue?) -> JSONValue {
          var changed = members
          changed[name] = other
          return .object(changed)
        }
        let place = "\(path).\(name)"
        body(place, "missing", with(nil))
        body(place, "type", with(member.flag == nil ? .bool(true) : .integer(1)))
        body(place, "type", with(.null))
        if member.text != nil { body(place, "form", with(.string("?"))) }
        walk(member, place) { body($0, $1, with($2)) }
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        func with(_ other: JSONValue) -> JSONValue {
          var changed = elements
          changed[index] = other
          return .array(changed)
        }
        body("\(path)[]", "type", with(.bool(true)))
        if element.text != nil { body("\(path)[]", "form", with(.string("?"))) }
        walk(element, "\(path)[]") { body($0, $1, with($2)) }
      }
    default: return
    }
  }
}
