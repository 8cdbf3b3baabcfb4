import Foundation
import Geodesy
import Imagery
import Inspection
import Positioning
import Synchronization
import TestSupport
import TimeAndText

@testable import Evidence
@testable import Verification

/// A signer that signs each link once, as a field unit does: a second signature has other bytes.
private final class Notary: Sendable {
  private let seals = Mutex<[Link: Seal]>([:])

  func seal(_ link: Link, with key: SoftwareDeviceKey) throws -> Seal {
    // Tests share a day and run side by side, so that looking and signing must be one step.
    try seals.withLock { seals in
      if let seal = seals[link] { return seal }
      let seal = try Seal(link, with: key)
      seals[link] = seal
      return seal
    }
  }
}

/// An inspector's day, from which an evidence folder is made. An attacker with `key` can change a
/// record and seal everything again; one with the folder alone can change its files.
struct FieldDay {
  /// One sealed thing.
  struct Sealed {
    var kind: RecordKind
    var id: Identifier
    var record: JSONValue
    var file: [UInt8]?
    var raw: [UInt8]?
    /// The further files of a set.
    var parts: [SealedPart: [UInt8]] = [:]
    /// The picture as it was handed over, without its claims.
    var frame: [UInt8]?
    /// True if the files were removed; the seal stays.
    var isDeleted = false

    /// The path of the stored file, or for a record without one the path of its seal without
    /// `.seal`.
    var path: String {
      "\(kind.folder)/\(id.folder)/\(SealedPart.file.name(of: id, kind))"
    }
    var sealPath: String { path + ".seal" }
    var rawPath: String { "photos/\(id.folder)/\(id).raw" }
  }

  enum Failure: Error { case gateNeverOpened, noPosition }

  var key = SoftwareDeviceKey()
  private let notary = Notary()
  var person = Person(agency: "example", login: "ada", role: .inspector)
  var entries: [Sealed] = []
  var random: SeededGenerator
  /// The time of the device's clock.
  var now: DeviceTime
  var source = "gpsd://localhost:2947"
  /// The radio surroundings, for a shutter that falls at `shutter`; nil if no radio listens.
  var surroundings: RadioSurroundings?
  var policy: SignedPolicy?
  /// The digest of the office's last challenge; nil if there is none.
  var challenge: String?
  /// When and with which phone a page takes the pictures; nil if no page does.
  var frame: FrameClaims?
  var software = "standpoint 0.1.0"
  /// The certificate of the key; if nil, `office` makes a new one each time.
  var ownCertificate: EvidenceCertificate?
  static let shutter = ElapsedTime(milliseconds: 1_000_000)

  init(seed: UInt64, start: String = "2026-05-12T06:00:00Z") throws {
    random = SeededGenerator(seed: seed)
    guard let time = DeviceTime(rfc3339: start) else { throw Failure.noPosition }
    now = time
  }

  var context: RecordContext { context(isSimulated: false) }

  func context(isSimulated: Bool) -> RecordContext {
    RecordContext(
      person: person, device: "018f0000-0000-7000-8000-000000000000",
      key: key.publicKey.thumbprint, software: software, source: source,
      receiver: "u-blox 9", challenge: challenge, isSimulated: isSimulated)
  }

  mutating func identifier() -> Identifier {
    now = now.advanced(bySeconds: 1)
    return Identifier(at: now, using: &random)
  }

  /// The authority of an office, older than all days.
  static let office = Result {
    try Authority.make(name: "office", at: DeviceTime(millisecondsSince1970: 1_577_836_800_000))
  }

  /// Returns `ownCertificate`, or a new certificate of the day's key by `office`.
  func certificate() throws -> EvidenceCertificate {
    if let ownCertificate { return ownCertificate }
    return try Self.office.get().certify(
      key.publicKey,
      subject: DeviceSubject(
        agency: person.agency, inspector: person.login,
        device: "018f0000-0000-7000-8000-000000000000"),
      at: DeviceTime(millisecondsSince1970: 1_577_836_800_000))
  }

  /// Returns a picture with a record's claims in it, as the key's holder writes them.
  func embedded(_ record: JSONValue, in frame: [UInt8]) throws -> [UInt8] {
    let position = PhotoPosition(
      kept: try Self.place(0, 0), ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
      uncertaintyMetres95: nil, method: .fix)
    let isImported = record["photo"]?["origin"]?.text == "imported"
    return try embedding(frame, isImported ? .imported : .camera).file(
      record: record, parcel: nil, position: position, key: key)
  }

  func embedding(_ frame: [UInt8], _ source: PictureSource) throws -> PhotoEmbedding {
    try PhotoEmbedding(frame: frame, source: source, certificate: try certificate())
  }

  // MARK: sealing

  @discardableResult
  mutating func capture(
    at origin: Coordinate, sampler: SamplerPolicy?, task: InspectionTask? = nil,
    picture: [UInt8], origin photoOrigin: PhotoOrigin = .camera, isSimulated: Bool = false,
    cut: ReceiverStory.Cut = .epochs, countdownSeconds: Double = 5,
    orientation: Orientation? = nil, repetition: RepeatClaims? = nil,
    sends: (@Sendable (_ sentence: Substring, _ epoch: Int) -> Bool)? = nil
  ) throws -> Identifier {
    var gate = GatePolicy()
    gate.allowsSimulated = isSimulated
    now = now.advanced(bySeconds: 600)
    var story = ReceiverStory(
      origin: origin, start: now, seed: random.next(), saysSimulated: isSimulated, cut: cut)
    story.sends = sends
    var found: ReceiverStory.Exposure?
    for _ in 0..<40 where found == nil {
      found = story.exposure(sampler: sampler, countdownSeconds: countdownSeconds, gate: gate)
      story.seed = random.next()
    }
    guard let exposure = found else { throw Failure.gateNeverOpened }
    let shutter = exposure.shutter
    let offset = Double.random(in: -1.5...2.5, using: &random)
    if let gnss = shutter.fix.time.millisecondsSince1970 {
      now = DeviceTime(millisecondsSince1970: gnss).advanced(bySeconds: offset)
    } else {
      now = now.advanced(bySeconds: 120)
    }
    let id = identifier()
    let standpoint = sampler == nil ? nil : shutter.standpoint
    guard
      let position = PhotoPosition(standpoint: standpoint, fix: shutter.fix)?
        .widened(by: frame?.lens ?? .none)
    else {
      throw Failure.noPosition
    }
    let size = try JPEGPicture.inspect(picture)
    let photo = Photo(
      id: id, agency: person.agency, inspector: person.login, task: task?.id,
      origin: photoOrigin, gnssTime: shutter.fix.time, deviceTime: now, position: position,
      standpoint: standpoint, orientation: orientation,
      camera: .assumed(widthPixels: size.widthPixels, heightPixels: size.heightPixels),
      fileDigest: Digest.hexadecimal(picture), bytes: picture.count,
      widthPixels: size.widthPixels, heightPixels: size.heightPixels, isSimulated: isSimulated)
    let claims = CaptureClaims(
      photo: photo, frameDigest: Digest.hexadecimal(picture), frameBytes: picture.count,
      imageDigest: try CaptureDigests.image(of: picture), shutter: shutter, gate: gate,
      sampler: sampler, task: task.map(TaskReference.init), fixAgeSeconds: 0.2, sky: exposure.sky,
      embedded: try embedding(picture, photoOrigin == .imported ? .imported : .camera).claims,
      surroundings: surroundings.map { ($0, Self.shutter) }, policy: policy,
      repetition: repetition, frame: frame)
    let context = context(isSimulated: isSimulated)
    let window = RawWindow(
      source: source, receiver: context.receiver, from: exposure.start.from,
      firstSample: exposure.start.firstStill, shutter: shutter.fix.time,
      cycleEnd: exposure.cycleEnd, gate: gate, sampler: sampler, chunks: exposure.chunks)
    let record = Record.capture(claims, in: context)
    entries.append(
      Sealed(
        kind: .capture, id: id, record: record, file: try embedded(record, in: picture),
        raw: try window.fileBytes(), frame: picture))
    return id
  }

  mutating func transition(_ action: TaskAction, of task: inout InspectionTask) throws {
    let id = identifier()
    let transition = try task.perform(
      action, by: person, id: id, at: now, contents: TaskContents(photos: 9))
    entries.append(
      Sealed(
        kind: .transition, id: id,
        record: Record.transition(transition, task: task, in: context)))
  }

  mutating func note(
    _ text: String, task: Identifier? = nil, photo: Identifier? = nil, point: Identifier? = nil
  ) {
    let id = identifier()
    let record = Record.note(
      id: id, task: task, photo: photo, point: point, text: text, at: now, in: context)
    entries.append(Sealed(kind: .note, id: id, record: record))
  }

  mutating func track(_ points: [TrackPoint], task: Identifier? = nil) {
    let id = identifier()
    var track = Track(
      id: id, agency: person.agency, inspector: person.login, task: task, name: "North side",
      started: now, isSimulated: false, points: points)
    now = now.advanced(bySeconds: 60)
    track.ended = now
    entries.append(
      Sealed(
        kind: .track, id: id, record: Record.track(track, in: context),
        file: Record.trackFile(track)))
  }

  mutating func delete(_ id: Identifier, reason: String) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[index].isDeleted = true
    let deletion = identifier()
    let record = Record.deletion(
      id: deletion, of: id, recordDigest: Digest.hexadecimal(entries[index].record.canonicalBytes),
      reason: reason, at: now, in: context)
    entries.append(Sealed(kind: .deletion, id: deletion, record: record))
  }

  // MARK: the folder

  /// Returns the seal files of all entries, in the order of the chain.
  func sealFiles() throws -> [SealFile] {
    var previous: String?
    return try entries.enumerated().map { index, entry in
      let link = Link(
        key: key.publicKey.thumbprint, sequence: index + 1, previous: previous, kind: entry.kind,
        id: entry.id, record: Digest.hexadecimal(entry.record.canonicalBytes),
        file: entry.file.map { Digest.hexadecimal($0) },
        raw: entry.raw.map { Digest.hexadecimal($0) })
      let seal = try notary.seal(link, with: key)
      previous = seal.digest
      return SealFile(record: entry.record, seal: seal)
    }
  }

  func folder() throws -> MemoryFiles {
    var files = MemoryFiles()
    for (entry, sealFile) in zip(entries, try sealFiles()) {
      files[entry.sealPath] = sealFile.bytes
      if entry.isDeleted { continue }
      if let file = entry.file { files[entry.path] = file }
      if let raw = entry.raw { files[entry.rawPath] = raw }
      for (part, bytes) in entry.parts {
        files["\(entry.kind.folder)/\(entry.id.folder)/\(part.name(of: entry.id, entry.kind))"] =
          bytes
      }
    }
    return files
  }

  var captures: [Sealed] { entries.filter { $0.kind == .capture && !$0.isDeleted } }

  /// Changes the record of an entry, and embeds its claims again if it is a photo.
  mutating func change(_ id: Identifier, _ path: [String], to value: JSONValue?) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[index].record = entries[index].record.setting(path[...], to: value)
    guard let frame = entries[index].frame else { return }
    entries[index].file = try? embedded(entries[index].record, in: frame)
  }
}

extension FieldDay {
  /// Five small pictures, each with a metadata segment; drawn once.
  static let pictures: [[UInt8]] = (0..<5).map { seed in
    do {
      let plain = try DemonstrationPicture.jpeg(
        widthPixels: 320, heightPixels: 240, seed: UInt64(seed), captionLines: ["\(seed)"])
      let words = Array("Photoshop 3.0\0 taken somewhere".utf8)
      return plain[0..<2] + [0xFF, 0xED, 0, UInt8(words.count + 2)] + words + plain[2...]
    } catch {
      preconditionFailure("a demonstration picture cannot be drawn: \(error)")
    }
  }

  static let parcelRing: [Coordinate] = [(48.2, 11.6), (48.2, 11.601), (48.201, 11.601)].compactMap
  {
    Coordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1)
  }

  static func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    guard let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) else {
      throw Failure.noPosition
    }
    return place
  }

  static func rules(_ samples: Int, _ method: CentroidMethod) throws -> SamplerPolicy {
    guard let policy = SamplerPolicy(samples: samples, method: method) else {
      throw Failure.noPosition
    }
    return policy
  }

  /// A day with a record of every kind, made once: three photos with different methods of a
  /// position, a deleted photo, its deletion, a track, a note and two transitions.
  static let ordinary = Result { try makeOrdinary() }

  /// Returns a picture in which a camera has written this time: `2019:04:30 11:58:07`.
  static func picture(taken time: String) throws -> [UInt8] {
    let empty = Array("II".utf8) + [42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let exif = try ExifBlock(empty).adding([.exif: [0x9003: .text(time)]]).bytes
    let body = Array("Exif\0\0".utf8) + exif
    let length = [UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)]
    return Array(pictures[0][..<2]) + [0xFF, 0xE1] + length + body + pictures[0][2...]
  }

  private static func makeOrdinary() throws -> FieldDay {
    var day = try FieldDay(seed: 20_260_512)
    var task = InspectionTask(
      id: Identifier(at: day.now, using: &day.random), agency: "example", inspector: "ada",
      name: "Catch crop", revision: 2, created: day.now,
      parcel: Parcel(identifier: "DE-1", rings: [parcelRing]))
    try day.transition(.open, of: &task)
    let here = try place(48.2005, 11.6003)
    var orientation = Orientation(
      azimuthDegreesTrue: 212.4, elevationDegrees: -12, rollDegrees: 1.5, source: .stated)
    orientation.headingDegreesMagnetic = 208.3
    orientation.declinationDegrees = 4.1
    let first = try day.capture(
      at: here, sampler: try rules(20, .innermostLayer), task: task, picture: pictures[0],
      orientation: orientation)
    day.note("The crop stands; see the second picture.", task: task.id, photo: first)
    try day.capture(at: here, sampler: nil, task: task, picture: pictures[1], cut: .lines)
    day.track(try walk(from: day.now), task: task.id)
    let unwanted = try day.capture(
      at: here, sampler: try rules(8, .median), picture: pictures[2], cut: .anywhere)
    day.delete(unwanted, reason: "blurred")
    try day.capture(
      at: here, sampler: try rules(5, .mean), picture: pictures[3], cut: .anywhere)
    try day.transition(.provide, of: &task)
    return day
  }
}

extension FieldDay {
  /// Returns six points with a corner that was set by hand, and a gap.
  private static func walk(from start: DeviceTime) throws -> [TrackPoint] {
    var points: [TrackPoint] = []
    for step in 0..<6 {
      let latitude = 48.2 + Double(step) * 1e-5
      let longitude = 11.6 + Double(step % 3) * 2e-5
      points.append(
        TrackPoint(
          kind: step == 3 ? .vertex : .recorded,
          time: start.advanced(bySeconds: Double(step)).gnssTime,
          coordinate: try place(latitude, longitude), ellipsoidalHeightMetres: 531.2,
          meanSeaLevelHeightMetres: 486.6, horizontalUncertaintyMetres95: 1.7,
          gapBefore: step == 4 ? .noFix : nil))
    }
    return points
  }
}

extension FieldDay {
  /// Returns the report after one member of a record was changed and the whole chain sealed again.
  func resealed(
    _ entry: Sealed, _ path: [String], _ value: JSONValue?
  ) throws -> VerificationReport {
    var day = self
    day.change(entry.id, path, to: value)
    return try day.folder().verified()
  }
}

extension JSONValue {
  /// Returns the same value with one member set, or removed if `value` is nil.
  func setting(_ path: ArraySlice<String>, to value: JSONValue?) -> JSONValue {
    guard let name = path.first, case .object(var members) = self else { return self }
    members[name] =
      path.count == 1
      ? value : (members[name] ?? .object([:])).setting(path.dropFirst(), to: value)
    return .object(members)
  }
}
