import Evidence
import Foundation
import Store
import TimeAndText
import Transparency

/// A time authority that the office asks.
package struct UsedAuthority: Codable, Hashable, Sendable {
  /// Its address.
  package var url: String
  /// The name that its files have: the host, and the beginning of the address's digest.
  package var name: String
  /// The time since which the office asks it, as RFC 3339.
  package var since: String
  /// The certificates (PEM) that must vouch for it; nil if nobody has named any.
  package var roots: String?
}

/// How it went with a time authority.
package struct AuthorityState: Codable, Hashable, Sendable {
  /// The number of entries of the last checkpoint that it has stamped; nil before the first.
  package var size: Int?
  /// The time of that stamp, as RFC 3339.
  package var stamped: String?
  /// The fault of now, in English; nil if the last question was answered.
  package var problem: String?
  /// The time since which it has been wrong, as RFC 3339.
  package var problemSince: String?
}

/// The files of time authorities below an office's data: which ones are asked, how it went, and each stamped
/// checkpoint with what belongs to its stamps. All of it is in backups: stamps cannot be made again.
struct StampShelf: Sendable {
  static let folderName = "stamps"

  let folder: String

  init(officeFolder: String) { folder = "\(officeFolder)/\(Self.folderName)" }

  private var settings: String { folder + "/authorities.json" }
  private var states: String { folder + "/state.json" }

  /// Does something that no other program does at the same time.
  private func alone<Result>(_ body: () throws -> Result) throws -> Result {
    try DurableFile.makeFolder(folder)
    return try DurableFile.withLock(folder + "/lock", body)
  }

  private func read<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value? {
    guard FileStatus(ofPath: path) != nil else { return nil }
    let bytes = try DurableFile.read(path)
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw StoreError.unavailable(
        path: path,
        reason:
          "it is damaged: remove it, and name the time authorities again with standpoint office timestamp use"
      )
    }
  }

  private func write(_ value: some Encodable, to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try DurableFile.replace(path, with: Array(try encoder.encode(value)) + [0x0A])
  }

  // MARK: authorities

  /// The authorities that the office asks.
  func authorities() throws -> [UsedAuthority] {
    try read(settings, as: [UsedAuthority].self) ?? []
  }

  /// Changes the authorities that the office asks.
  func change(_ body: (inout [UsedAuthority]) throws -> Void) throws {
    try alone {
      var all = try authorities()
      try body(&all)
      try write(all, to: settings)
    }
  }

  /// How it went with each authority, by its name.
  func allStates() throws -> [String: AuthorityState] {
    try read(states, as: [String: AuthorityState].self) ?? [:]
  }

  /// Notes how it went with an authority.
  func note(_ name: String, _ body: (inout AuthorityState) -> Void) throws {
    try alone {
      var all = try allStates()
      body(&all[name, default: AuthorityState()])
      try write(all, to: states)
    }
  }

  // MARK: stamped checkpoints

  /// A checkpoint of this office that an authority has stamped.
  struct Stamped {
    /// The number of entries.
    var size: Int
    /// The folder of its files.
    var path: String
  }

  private func path(of note: SignedNote, size: Int) -> String {
    // The digest of the checkpoint: a restored office begins a new log, which may have the same size.
    "\(folder)/\(size)-\(Digest.hexadecimal(Array(note.text.utf8)).prefix(16))"
  }

  /// Returns the bytes of a checkpoint that are stamped: the same ones for each authority and each program, although
  /// witnesses may sign the checkpoint meanwhile. They are kept before anybody is asked.
  func bytes(of note: SignedNote, size: Int) throws -> [UInt8] {
    try alone {
      let path = path(of: note, size: size)
      let kept = path + "/checkpoint"
      if FileStatus(ofPath: kept) != nil { return try DurableFile.read(kept) }
      try DurableFile.makeFolder(path)
      try DurableFile.replace(kept, with: Array(note.note.utf8))
      return Array(note.note.utf8)
    }
  }

  /// All checkpoints that were stamped, those of fewest entries first.
  func stamped() throws -> [Stamped] {
    guard FileStatus(ofPath: folder) != nil else { return [] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw StoreError.unavailable(path: folder, reason: "\(error.localizedDescription)")
    }
    return try names.compactMap { name -> Stamped? in
      guard let size = name.split(separator: "-").first.flatMap({ Int($0) }), name.contains("-")
      else { return nil }
      let stamped = Stamped(size: size, path: "\(folder)/\(name)")
      return try files(of: stamped).contains { $0.hasSuffix(".tsr") } ? stamped : nil
    }.sorted { ($0.size, $0.path) < ($1.size, $1.path) }
  }

  /// The names of a stamped checkpoint's files.
  func files(of stamped: Stamped) throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: stamped.path)
        .filter { $0 == "checkpoint" || [".tsr", ".pem", ".crl"].contains(where: $0.hasSuffix) }
        .sorted()
    } catch {
      throw StoreError.unavailable(path: stamped.path, reason: "\(error.localizedDescription)")
    }
  }

  /// Returns true if an authority has stamped a checkpoint.
  func isStamped(_ note: SignedNote, size: Int, by authority: UsedAuthority) throws -> Bool {
    FileStatus(ofPath: "\(path(of: note, size: size))/\(authority.name).tsr") != nil
  }

  /// Keeps a stamp and what belongs to it, unless this authority has stamped the checkpoint already: the earlier stamp
  /// says more. The stamp itself comes last: where it is, all is.
  func keep(
    _ reply: [UInt8], certificates: String, revocations: [[UInt8]], of note: SignedNote, size: Int,
    by authority: UsedAuthority
  ) throws {
    let path = path(of: note, size: size)
    try alone {
      guard FileStatus(ofPath: "\(path)/\(authority.name).tsr") == nil else { return }
      try DurableFile.replace("\(path)/\(authority.name).pem", with: Array(certificates.utf8))
      for (number, list) in revocations.enumerated() {
        try DurableFile.replace("\(path)/\(authority.name)-\(number + 1).crl", with: list)
      }
      try DurableFile.replace("\(path)/\(authority.name).tsr", with: reply)
    }
  }
}
