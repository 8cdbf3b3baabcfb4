import BackupArchives
import Crypto
import Foundation
import Office
import Store
import TimeAndText

/// A SHA-256, as small as it can be: a large office has millions.
struct CopyDigest: Hashable, Sendable {
  private let words: SIMD4<UInt64>

  init(of bytes: [UInt8]) {
    words = SHA256.hash(data: bytes).withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
  }

  /// Reads 64 hexadecimal digits; nil for anything else.
  init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: 64, by: 2) {
      guard let byte = UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    words = bytes.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    guard self.text == text else { return nil }
  }

  /// The digest in hexadecimal.
  var text: String {
    withUnsafeBytes(of: words) { bytes in
      bytes.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
    }
  }
}

/// The list of a copy: a line for each file as `sha256sum` writes it, by name.
enum CopyList {
  private static let folder = "lists/"
  private static let ending = ".sha256"
  /// The clock that wrote a list may be this much ahead.
  private static let aheadSeconds = 15 * 60.0

  /// Folders whose files change by right: certificates when a key is renewed, links with each delivery.
  private static let renewed: Set<String> = [
    "certificates", "revocations", "links", "stamps", "attestations", "enrolments", "composites",
  ]
  /// Folders of the backup that stay at home: what a witness has signed must never go back to an earlier state,
  /// and the makers of TPMs are the administrator's own choice.
  private static let atHome: Set<String> = ["witness", EvidenceName.makers]

  /// The sign in the name of a file that is just being brought back.
  static let arriving = ".fetched-"

  /// Returns true for a file that is copied: what a backup has beside keys and database.
  static func isCopied(_ name: String) -> Bool {
    guard StoredName.isValid(name), !name.hasSuffix(".new"), !name.contains(arriving),
      let folder = name.split(separator: "/").first.map(String.init), folder != name
    else { return false }
    return BackupLayout.officeKinds.contains(folder) && !atHome.contains(folder)
  }

  /// Returns true for a file whose bytes never change by right.
  static func isSealed(_ name: String) -> Bool {
    !renewed.contains(String(name.prefix { $0 != "/" }))
  }

  /// Returns the beginning of the keys of an office's lists.
  static func folder(of mark: String) -> String { "\(folder)\(mark)/" }

  /// Returns the key of the list of a moment. It names the list's bytes: a list that was cut off is none.
  static func name(of mark: String, at time: DeviceTime, _ bytes: [UInt8]) -> String {
    beginning(of: mark, at: time) + CopyDigest(of: bytes).text.prefix(digestDigits) + ending
  }

  private static let digestDigits = 16

  private static func beginning(of mark: String, at time: DeviceTime) -> String {
    folder(of: mark) + time.rfc3339.filter { $0 != ":" } + "-"
  }

  /// Returns true if a list has the bytes that its key names.
  static func isWhole(_ bytes: [UInt8], _ key: String) -> Bool {
    key.dropLast(ending.count).hasSuffix("-" + CopyDigest(of: bytes).text.prefix(digestDigits))
  }

  /// The refusal of a list that is not as it was written.
  static let damaged = OfficeRefusal(
    .inputInvalid,
    "the newest list of the copy is damaged: remove it there, then the one before counts")

  /// Returns true for the key of a list that is not of the future.
  static func isName(_ key: String, of mark: String, at now: DeviceTime) -> Bool {
    guard key.hasPrefix(folder(of: mark)), key.hasSuffix(ending) else { return false }
    // 2026-11-30T035829.000Z without the colons of a time, a hyphen, and the beginning of a digest
    let words = key.dropFirst(folder(of: mark).count).dropLast(ending.count)
    var text = Array(words.dropLast(digestDigits + 1))
    guard text.count == 22 else { return false }
    text.insert(":", at: 15)
    text.insert(":", at: 13)
    guard let time = DeviceTime(rfc3339: String(text)) else { return false }
    return key.hasPrefix(beginning(of: mark, at: time))
      && time.gnssTime.seconds(since: now.gnssTime) <= aheadSeconds
  }

  /// A line of a list.
  typealias Entry = (digest: String, name: String)

  /// Reads a list.
  /// - Throws: `OfficeRefusal` for a line that is none.
  static func entries(_ bytes: [UInt8]) throws -> [Entry] {
    try bytes.split(separator: UInt8(ascii: "\n")).map(entry)
  }

  private static func entry(_ line: ArraySlice<UInt8>) throws -> Entry {
    let digest = String(decoding: line.prefix(64), as: UTF8.self)
    guard line.count > 66, CopyDigest(digest) != nil,
      line.dropFirst(64).prefix(2).elementsEqual("  ".utf8)
    else { throw damaged }
    return (digest, String(decoding: line.dropFirst(66), as: UTF8.self))
  }

  /// The thing that the office has under a name.
  enum Found: Sendable {
    case bytes(CopyDigest)
    case gone
    case unreadable
    case tooLarge
    /// The object store refuses this one, with its reason.
    case notSent(String)
  }

  /// A new list that is made beside the one before it.
  struct Merging {
    private let earlier: [UInt8]
    private var place = 0
    private var files = 0
    private var complaints: [String] = []
    /// The new list as far as it is made.
    private(set) var bytes: [UInt8] = []

    init(_ earlier: [UInt8]) { self.earlier = earlier }

    /// Takes what the office has under a name. Names come in their order.
    mutating func take(_ name: String, _ found: Found) throws {
      var before: String?
      while let entry = try next(), entry.name <= name {
        pass()
        if entry.name == name { before = entry.digest } else { keepGone(entry) }
      }
      switch found {
      case .bytes(let digest):
        if let before, before != digest.text, CopyList.isSealed(name) {
          complaints.append("\(name): its bytes are others than in the copy, which keeps its own")
          add(before, name)
        } else {
          add(digest.text, name)
        }
      case .gone: keep(before, name, "it went away while the copy ran")
      case .notSent(let reason): keep(before, name, reason)
      case .unreadable: keep(before, name, "it cannot be read")
      case .tooLarge: keep(before, name, "it is larger than 256 MiB, and was not copied")
      }
    }

    /// Takes what is left of the list before.
    /// - Returns: the number of files, and what is not as it must be.
    mutating func end() throws -> (files: Int, complaints: [String]) {
      while let entry = try next() {
        pass()
        keepGone(entry)
      }
      return (files, complaints)
    }

    private func next() throws -> Entry? {
      guard place < earlier.count else { return nil }
      return try CopyList.entry(earlier[place..<lineEnd])
    }

    private var lineEnd: Int {
      earlier[place...].firstIndex(of: UInt8(ascii: "\n")) ?? earlier.count
    }

    private mutating func pass() { place = lineEnd + 1 }

    private mutating func keepGone(_ entry: Entry) {
      guard CopyList.isCopied(entry.name) else { return }
      keep(
        entry.digest, entry.name,
        CopyList.isSealed(entry.name) ? "the office does not have it any more" : nil)
    }

    private mutating func keep(_ digest: String?, _ name: String, _ complaint: String?) {
      if let complaint { complaints.append("\(name): \(complaint)") }
      if let digest { add(digest, name) }
    }

    private mutating func add(_ digest: String, _ name: String) {
      files += 1
      bytes += "\(digest)  \(name)\n".utf8
    }
  }
}
