// The problem: a code must open the office for one device and once, and a stolen copy of the
// office's data must open nothing.
//
// The obvious idea, a table of digests in the database, has two faults. Eight characters have only
// 40 random bits: whoever has their SHA-256 finds them in minutes. And an older backup of the
// database brings used codes back.
//
// The solution: each invitation is a file whose name is the code's MAC under the office's own
// secret, which is not in the database. To use it, the file is renamed: the system lets exactly one
// of two simultaneous tries do that. Backups leave the folder out.

import Crypto
import Evidence
import Foundation
import Store
import Sync
import TimeAndText

/// The invitations of an office, one file each.
struct InvitationShelf: Sendable {
  /// An invitation as it is stored.
  struct Kept: Hashable, Sendable {
    /// The name of its file: the MAC of its code.
    var mark: String
    var login: String
    var agency: String
    /// The time from which the code can no longer be used.
    var expires: DeviceTime
    /// True if a device has signed in with it.
    var isUsed = false
  }

  /// The path of the folder.
  let folder: String
  /// The office's secret.
  let secret: [UInt8]

  private static let heading = "standpoint.invitation/1"
  private static let usedEnding = ".used"

  /// Returns the name under which a code's invitation is stored.
  func mark(of code: OneTimeCode) -> String {
    let text = Array("standpoint invitation \(code.characters)".utf8)
    return Digest.hexadecimal(
      of: HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: secret)))
  }

  /// Stores an invitation.
  func keep(_ kept: Kept) throws {
    try DurableFile.makeFolder(folder)
    let lines = [
      Self.heading, kept.login, kept.agency, "\(kept.expires.millisecondsSince1970)",
    ]
    try DurableFile.replace(
      path(kept.mark, isUsed: false), with: Array(lines.joined(separator: "\n").utf8))
  }

  /// Finds the invitation of a code, also one that has ended or was used; nil if there is none.
  func find(_ code: OneTimeCode) throws -> Kept? {
    let mark = mark(of: code)
    return try read(mark, isUsed: false) ?? read(mark, isUsed: true)
  }

  /// Returns all invitations.
  func all() throws -> [Kept] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try names.compactMap { name in
      let isUsed = name.hasSuffix(Self.usedEnding)
      let mark = isUsed ? String(name.dropLast(Self.usedEnding.count)) : name
      return Digest.isDigest(mark) ? try read(mark, isUsed: isUsed) : nil
    }
  }

  /// Marks an invitation as used.
  /// - Returns: false if another try was quicker, or the invitation is gone.
  func use(_ kept: Kept) throws -> Bool {
    let (from, to) = (path(kept.mark, isUsed: false), path(kept.mark, isUsed: true))
    guard rename(from, to) == 0 else {
      guard errno == ENOENT else {
        throw StoreError.unwritable(path: to, reason: String(cString: strerror(errno)))
      }
      return false
    }
    try DurableFile.syncFolder(folder)
    return true
  }

  /// Makes a used invitation usable again, because its sign-in came to nothing.
  func giveBack(_ kept: Kept) throws {
    try DurableFile.rename(path(kept.mark, isUsed: true), to: path(kept.mark, isUsed: false))
    try DurableFile.syncFolder(folder)
  }

  /// Removes an invitation.
  func remove(_ kept: Kept) throws {
    try DurableFile.remove(path(kept.mark, isUsed: false))
    try DurableFile.remove(path(kept.mark, isUsed: true))
  }

  private func path(_ mark: String, isUsed: Bool) -> String {
    "\(folder)/\(mark)" + (isUsed ? Self.usedEnding : "")
  }

  /// Reads a file; nil if it is not there, or was not written by this program.
  private func read(_ mark: String, isUsed: Bool) throws -> Kept? {
    let path = path(mark, isUsed: isUsed)
    guard FileStatus(ofPath: path) != nil else { return nil }
    let bytes: [UInt8]
    do {
      bytes = try DurableFile.read(path)
    } catch {
      // Another request has used or withdrawn it just now.
      guard FileStatus(ofPath: path) != nil else { return nil }
      throw error
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.count == 4, lines[0] == Self.heading, let milliseconds = Int64(lines[3]) else {
      return nil
    }
    return Kept(
      mark: mark, login: String(lines[1]), agency: String(lines[2]),
      expires: DeviceTime(millisecondsSince1970: milliseconds), isUsed: isUsed)
  }
}
