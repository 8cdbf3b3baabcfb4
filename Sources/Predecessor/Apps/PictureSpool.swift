import Crypto
import Evidence
import Foundation
import Office
import Store

/// A file that is removed when nothing refers to it any more; by then its bytes may have a name
/// elsewhere.
final class SpoolFile: Sendable {
  /// The file's path.
  let path: String

  init(path: String) { self.path = path }

  deinit { unlink(path) }

  /// Appends a piece. The file is opened for it and closed after it.
  /// - Parameter isFirst: true if the piece creates the file, which must not exist yet.
  /// - Throws: `StoreError.unwritable`.
  func append(_ piece: UnsafeRawBufferPointer, isFirst: Bool) throws {
    let descriptor = open(
      path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | (isFirst ? O_EXCL : 0), 0o600)
    guard descriptor >= 0 else {
      throw StoreError.unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    try DurableFile.write(piece, to: descriptor, of: path)
  }
}

/// A picture that comes as base64, is decoded while it comes and is kept on disk.
///
/// The problem: 500 phones send a photo of some MB each at once, as text that is a third longer.
/// The obvious idea, to collect the text and decode it, takes 4 MB for each MB of picture, and 2 GB
/// for all. The solution: a few KB are decoded and written at a time. The file is opened for each
/// piece and closed after it, because a process may have no more than about a thousand open
/// connections and files. Each byte is visited once.
///
/// The apps' base64 has line feeds (Android) or none (iOS). A space is read as a plus that no
/// encoding has kept, as in the original. Any other byte outside base64 makes the picture a broken
/// one: the original left such bytes out and kept whatever the rest was.
final class PictureSpool {
  /// The reason why a picture cannot be taken.
  enum Flaw: Equatable {
    case notBase64
    case tooLarge
    case unwritable(String)
  }

  /// The file with the decoded bytes.
  let file: SpoolFile
  private(set) var bytes = 0
  private(set) var flaw: Flaw?
  private let bytesAtMost: Int
  private var hash = SHA256()
  /// The decoded bytes that are not written yet.
  private let pending = UnsafeMutableRawPointer.allocate(byteCount: pieceBytes, alignment: 16)
  private var pendingBytes = 0
  private var group: UInt32 = 0
  private var signs = 0
  private var padding = 0
  private var isMade = false
  private var isDecodingPercent = false
  private var percent = PHPDecoder()

  /// Creates an empty spool.
  /// - Parameters:
  ///   - file: a file that does not exist yet.
  ///   - bytesAtMost: the size of the largest picture, bytes.
  init(file: SpoolFile, bytesAtMost: Int) {
    self.file = file
    self.bytesAtMost = bytesAtMost
  }

  private static let pieceBytes = 32 << 10

  /// The value of each base64 character; 64 stands for no such character, 65 for one that is left
  /// out, 66 for the padding.
  private static let table: [UInt8] = (0...255).map { sign in
    switch UInt8(sign) {
    case 0x41...0x5A: UInt8(sign) - 0x41
    case 0x61...0x7A: UInt8(sign) - 0x61 + 26
    case 0x30...0x39: UInt8(sign) - 0x30 + 52
    case 0x2B, 0x20: 62
    case 0x2F: 63
    case 0x09, 0x0A, 0x0D: 65
    case 0x3D: 66
    default: 64
    }
  }

  /// Decodes the next character of the text.
  @inline(__always)
  func append(_ sign: UInt8) {
    // A percent sign in a raw body may still begin an encoded character.
    if sign == UInt8(ascii: "%") || isDecodingPercent {
      return appendDecoding(sign)
    }
    appendDecoded(sign)
  }

  private func appendDecoding(_ sign: UInt8) {
    isDecodingPercent = true
    var decoded: [UInt8] = []
    percent.decode(sign) { decoded.append($0) }
    guard !decoded.isEmpty else { return }
    isDecodingPercent = false
    for sign in decoded { appendDecoded(sign) }
  }

  @inline(__always)
  private func appendDecoded(_ sign: UInt8) {
    let value = Self.table[Int(sign)]
    if value < 64 {
      if padding > 0 { return note(.notBase64) }
      group = group << 6 | UInt32(value)
      signs += 1
      if signs == 4 {
        keep(UInt8(truncatingIfNeeded: group >> 16))
        keep(UInt8(truncatingIfNeeded: group >> 8))
        keep(UInt8(truncatingIfNeeded: group))
        (group, signs) = (0, 0)
        if pendingBytes > Self.pieceBytes - 3 { flush() }
      }
    } else if value == 66 {
      padding += 1
    } else if value == 64 {
      note(.notBase64)
    }
  }

  /// Decodes a run of letters, digits, plus signs and slashes at once; most of a picture consists
  /// of these.
  func append(run: UnsafeBufferPointer<UInt8>) {
    guard padding == 0, !isDecodingPercent else {
      for sign in run { append(sign) }
      return
    }
    var index = 0
    // Characters of an earlier run have begun a group of four.
    while index < run.count, signs > 0 {
      appendDecoded(run[index])
      index += 1
    }
    guard let signs = run.baseAddress else { return }
    Self.table.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return }
      while index + 4 <= run.count {
        let groups = min((run.count - index) / 4, (Self.pieceBytes - pendingBytes) / 3)
        let bytes = (pending + pendingBytes).assumingMemoryBound(to: UInt8.self)
        for group in 0..<groups {
          let four = signs + (index &+ 4 &* group)
          let value =
            UInt32(table[Int(four[0])] & 63) &<< 18 | UInt32(table[Int(four[1])] & 63) &<< 12
            | UInt32(table[Int(four[2])] & 63) &<< 6 | UInt32(table[Int(four[3])] & 63)
          let three = bytes + 3 &* group
          three[0] = UInt8(truncatingIfNeeded: value &>> 16)
          three[1] = UInt8(truncatingIfNeeded: value &>> 8)
          three[2] = UInt8(truncatingIfNeeded: value)
        }
        index += 4 * groups
        pendingBytes += 3 * groups
        if pendingBytes > Self.pieceBytes - 3 { flush() }
      }
    }
    while index < run.count {
      appendDecoded(run[index])
      index += 1
    }
  }

  deinit { pending.deallocate() }

  /// Keeps a decoded byte. There is always room for the three bytes of a group.
  private func keep(_ byte: UInt8) {
    pending.storeBytes(of: byte, toByteOffset: pendingBytes, as: UInt8.self)
    pendingBytes += 1
  }

  /// Ends the text, and writes what is left.
  func finish() {
    switch signs {
    case 2: keep(UInt8(truncatingIfNeeded: group >> 4))
    case 3:
      keep(UInt8(truncatingIfNeeded: group >> 10))
      keep(UInt8(truncatingIfNeeded: group >> 2))
    case 1: note(.notBase64)
    default: break
    }
    (group, signs) = (0, 0)
    flush()
  }

  /// SHA-256 of the bytes, in lower-case hexadecimal.
  var digest: String { Digest.hexadecimal(of: Array(hash.finalize())) }

  private func note(_ new: Flaw) { if flaw == nil { flaw = new } }

  private func flush() {
    guard pendingBytes > 0 else { return }
    defer { pendingBytes = 0 }
    guard flaw == nil else { return }
    guard bytes + pendingBytes <= bytesAtMost else { return note(.tooLarge) }
    let piece = UnsafeRawBufferPointer(start: pending, count: pendingBytes)
    do {
      try file.append(piece, isFirst: !isMade)
      isMade = true
    } catch {
      return note(.unwritable("\(error)"))
    }
    hash.update(bufferPointer: piece)
    bytes += piece.count
  }
}
