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

/// The files of time authorities below an office's data: which ones are asked, how it went, and each stamped
/// checkpoint with what belongs to its stamps. All of it is in backups: stamps cannot be made again.
struct StampShelf: Sendable {
  static let folderName = "stamps"

  let folder: String

  init(officeFolder: String) { folder = "\(officeFolder)/\(Self.folderName)" }

  /// The authorities that the office asks.
  var authorities: SettingsFile<[UsedAuthority]> {
    SettingsFile(
      path: folder + "/authorities.json", standard: [],
      remedy: "remove it, and name the time authorities again with standpoint office timestamp use")
  }

  /// How it went with each authority, by its name.
  var states: SettingsFile<[String: OutsideState]> {
    SettingsFile(path: folder + "/state.json", standard: [:], remedy: "remove it")
  }

  /// Does something that no other program does at the same time.
  private func alone<Result>(_ body: () throws -> Result) throws -> Result {
    try DurableFile.makeFolder(folder)
    return try DurableFile.withLock(folder + "/lock", body)
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

  /// All checkpoints of which authorities were asked, those of fewest entries first: some may have no stamp yet.
  func stamped() throws -> [Stamped] {
    guard FileStatus(ofPath: folder) != nil else { return [] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw StoreError.unavailable(path: folder, reason: "\(error.localizedDescription)")
    }
    return names.compactMap { name -> Stamped? in
      guard name.contains("-"), let size = name.split(separator: "-").first.flatMap({ Int($0) })
      else { return nil }
      return Stamped(size: size, path: "\(folder)/\(name)")
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
