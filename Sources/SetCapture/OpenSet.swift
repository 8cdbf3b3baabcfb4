import Evidence
import FieldUnit
import Foundation
import Inspection
import Store
import TimeAndText

// The problem: walking round a barn takes minutes. A browser is closed, a battery dies, a disk fills
// at the fiftieth frame, and everything up to then must still be there.
//
// The solution: a set that is not ended is a folder. Its first file says how it began, and each kept
// frame is two files, the picture and what is known of it, durable before the page is told "kept".
// A frame whose two files do not belong together was cut off while it was written, and does not
// count. Sealing moves no bytes: the pictures get their second name in the staging folder.

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
  package let ring: SectorRing
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
  func discard() throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw FieldUnitError.unwritable(path: path, reason: error.localizedDescription)
    }
  }

  // MARK: frames

  /// The path of the raw window of the standpoint at which the set began.
  var startRawPath: String { path + "/start.raw" }

  /// Returns the path of the picture of a sector.
  func picturePath(ofSector sector: Int) -> String { "\(path)/\(sector).jpg" }

  private func factsPath(ofSector sector: Int) -> String { "\(path)/\(sector).json" }

  /// Keeps the frame of a sector durably, in the place of a worse one.
  func keep(_ frame: SetFrame, _ picture: [UInt8], inSector sector: Int) throws {
    try DurableFile.replace(picturePath(ofSector: sector), with: picture)
    try DurableFile.replace(
      factsPath(ofSector: sector), with: FrameList.frame(frame).canonicalBytes)
  }

  /// Returns the kept frames by their sectors. A frame that was cut off while it was written is left
  /// out.
  package func frames() throws -> [Int: SetFrame] {
    var frames: [Int: SetFrame] = [:]
    for sector in 0..<ring.count {
      let facts = factsPath(ofSector: sector)
      guard FileManager.default.fileExists(atPath: facts) else { continue }
      let frame = try FrameList.read(try JSONValue(parsing: try DurableFile.read(facts)))
      guard Digest.hexadecimal(file: picturePath(ofSector: sector)) == frame.digest,
        ring.sector(ofDegrees: frame.attitude.angleDegrees) == sector
      else { continue }
      frames[sector] = frame
    }
    return frames
  }
}
