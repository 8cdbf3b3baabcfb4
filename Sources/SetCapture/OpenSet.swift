import Evidence
import FieldUnit
import Foundation
import Inspection
import Store
import TimeAndText

// The problem: walking round a barn takes minutes. A browser is closed, a battery dies, a disk fills
// at the fiftieth frame, and everything up to then must still be there.
//
// The solution: a set that is not ended is a folder. Its first file says how it began. A kept frame
// is a picture, and then a line in a journal that names it; both are durable before the page is told
// "kept", and only then the worse frame of the sector goes. A line that was cut off does not count,
// nor does a picture that no line names. Sealing moves no bytes: the pictures get their second name in the staging folder.

/// A set that is being taken, or was interrupted, as its folder on the disk.
package struct OpenSet: Sendable {
  /// The schema's name.
  static let schema = "standpoint.open-set/1"

  /// The identifier that the set will have.
  package let id: Identifier
  /// The task that the set is for; nil for a standalone set.
  package let task: Identifier?
  /// The terms under which it is taken.
  package let terms: FrameSetTerms
  /// The ring of its sectors.
  package private(set) var ring: SectorRing
  /// The standpoint at which it began.
  package let start: SealedStand
  /// True if a simulator or a replay stands in for the receiver.
  package let isSimulated: Bool
  private let path: String

  /// Begins a set: from now on it is on the disk.
  /// - Throws: `StoreError` if the disk refuses; then nothing is left behind.
  init(
    id: Identifier, task: Identifier?, terms: FrameSetTerms, ring: SectorRing, start: SealedStand,
    startRaw: [UInt8], isSimulated: Bool, of person: Person, in folder: DataFolder
  ) throws {
    (self.id, self.task, self.terms, self.ring) = (id, task, terms, ring)
    (self.start, self.isSimulated) = (start, isSimulated)
    path = Self.folder(of: person, in: folder) + "/\(id)"
    do {
      try DurableFile.makeFolder(path)
      try DurableFile.write(startRaw, to: startRawPath)
      try DurableFile.write(json.canonicalBytes, to: path + "/" + Self.head)
      try DurableFile.syncFolder(path)
    } catch {
      try? discard()
      throw error
    }
  }

  /// Reads a set that was begun earlier.
  /// - Throws: `FieldUnitError.unreadable` if its first file is damaged.
  private init(path: String, id: Identifier) throws {
    let head = path + "/" + Self.head
    let json = try JSONValue(parsing: try DurableFile.read(head))
    guard json["schema"]?.text == Self.schema, json["id"]?.text == id.description,
      let kind = json["kind"]?.text.flatMap(FrameSetKind.init(rawValue:)),
      let sectors = json["sectors"]?.wholeNumber,
      let share = json["completeShare"]?.measured,
      let weights = Self.weights(json["weights"]),
      let firstMiddle = json["firstMiddleDegrees"]?.measured
    else { throw FieldUnitError.unreadable(path: head, reason: "it is damaged") }
    self.id = id
    self.path = path
    task = json["task"]?.text.flatMap(Identifier.init(_:))
    terms = try FrameSetTerms(
      kind: kind, sectors: sectors, completeShare: share, weights: weights)
    ring = SectorRing(count: sectors, firstMiddleDegrees: firstMiddle)
    start = try SealedStand(json: json["start"], name: "start")
    isSimulated = json["simulated"]?.flag == true
  }

  private static let head = "set.json"

  private static func weights(_ json: JSONValue?) -> FrameQuality.Weights? {
    guard let roll = json?["roll"]?.measured, let pitch = json?["pitch"]?.measured,
      let acceleration = json?["acceleration"]?.measured, let angle = json?["angle"]?.measured
    else { return nil }
    return try? FrameQuality.Weights(
      checking: roll, pitch: pitch, acceleration: acceleration, angle: angle)
  }

  private var json: JSONValue {
    func number(_ value: Double) -> JSONValue { .string("\(value)") }
    var members: [String: JSONValue] = [
      "schema": .string(Self.schema), "id": .string(id.description),
      "kind": .string(terms.kind.rawValue), "sectors": .integer(ring.count),
      "completeShare": number(terms.completeShare),
      "weights": .object([
        "roll": number(terms.weights.roll), "pitch": number(terms.weights.pitch),
        "acceleration": number(terms.weights.acceleration),
        "angle": number(terms.weights.angle),
      ]),
      "firstMiddleDegrees": number(ring.firstMiddleDegrees), "start": start.json,
      "simulated": .bool(isSimulated),
    ]
    members["task"] = task.map { .string($0.description) }
    return .object(members)
  }

  // MARK: folders

  /// Returns the folder of a person's open sets: no person sees those of another.
  private static func folder(of person: Person, in folder: DataFolder) -> String {
    folder.openSets + "/" + person.folderName
  }

  /// Returns the sets that a person has not ended, the oldest first.
  /// - Throws: an error for a set that cannot be read: it is there, and must not look as if it were
  ///   not.
  static func all(of person: Person, in folder: DataFolder) throws -> [OpenSet] {
    let path = Self.folder(of: person, in: folder)
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().compactMap { name in
      guard let id = Identifier(name),
        FileManager.default.fileExists(atPath: "\(path)/\(name)/\(head)")
      else { return nil }
      return try OpenSet(path: "\(path)/\(name)", id: id)
    }
  }

  /// Removes the set with all its frames.
  package func discard() throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    // The head goes first: without it, the rest is no set any more.
    try DurableFile.remove(path + "/" + Self.head)
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: path) {
        try DurableFile.remove(path + "/" + name)
      }
      try FileManager.default.removeItem(atPath: path)
    } catch let error as StoreError {
      throw error
    } catch {
      throw FieldUnitError.unwritable(path: path, reason: error.localizedDescription)
    }
  }

  /// Keeps every other program and page from this set, for as long as the result lives.
  /// - Throws: `FieldUnitError.setHeld` if another one has it.
  func hold() throws -> OpenSetHold { try OpenSetHold(id, path + "/lock") }

  /// Removes the set with all its frames, unless it is being taken.
  /// - Throws: `FieldUnitError.setHeld` if it is.
  package func discardUnlessHeld() throws {
    let hold = try hold()
    try withExtendedLifetime(hold) { try discard() }
  }

  // MARK: frames

  /// The path of the raw window of the standpoint at which the set began.
  var startRawPath: String { path + "/start.raw" }

  /// Returns the path of the picture of a sector's frame.
  func path(of frame: SetFrame, inSector sector: Int) -> String {
    "\(path)/\(sector)-\(frame.digest.prefix(16)).jpg"
  }

  private var journalPath: String { path + "/frames.jsonl" }

  /// Turns the ring of a set that holds no frame yet.
  mutating func turn(to ring: SectorRing) throws {
    self.ring = ring
    try DurableFile.replace(path + "/" + Self.head, with: json.canonicalBytes)
  }

  /// Keeps the frame of a sector durably.
  /// - Parameter worse: the frame whose place it takes; nil if the sector is empty.
  package func keep(
    _ frame: SetFrame, _ picture: [UInt8], inSector sector: Int, replacing worse: SetFrame? = nil
  ) throws {
    try DurableFile.replace(path(of: frame, inSector: sector), with: picture)
    // The line before may have been cut off.
    try DurableFile.append(
      [0x0A] + FrameList.frame(frame).canonicalBytes + [0x0A], to: journalPath)
    if let worse, worse.digest != frame.digest {
      try DurableFile.remove(path(of: worse, inSector: sector))
    }
  }

  /// Returns the kept frames by their sectors.
  package func frames() throws -> [Int: SetFrame] {
    guard FileManager.default.fileExists(atPath: journalPath) else { return [:] }
    var frames: [Int: SetFrame] = [:]
    for line in try DurableFile.read(journalPath).split(separator: 0x0A) {
      guard let json = try? JSONValue(parsing: Array(line)) else { continue }
      let frame = try FrameList.read(json)
      let sector = ring.sector(ofDegrees: frame.attitude.angleDegrees)
      let picture = path(of: frame, inSector: sector)
      guard FileManager.default.fileExists(atPath: picture) else { continue }
      guard Digest.hexadecimal(file: picture) == frame.digest else {
        throw FieldUnitError.unreadable(path: picture, reason: "it is damaged")
      }
      frames[sector] = frame
    }
    return frames
  }
}

/// The right of one run to go on with an open set. The system takes it back when the program ends,
/// however it ends.
final class OpenSetHold: Sendable {
  private let file: Int32

  init(_ id: Identifier, _ path: String) throws {
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw FieldUnitError.unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      throw FieldUnitError.setHeld(id)
    }
  }

  deinit { close(file) }
}
