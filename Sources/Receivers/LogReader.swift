import Foundation
import Positioning
import TimeAndText

/// Reads logs piece by piece, so that a log may be of any size.
package enum LogReader {
  /// Passes the bytes of a file, or of standard input for `-`, to `body`, piece by piece.
  /// - Throws: `ReceiverError.unreadableLog`.
  package static func read(_ file: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) throws {
    var descriptor = STDIN_FILENO
    if file != "-" {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
        throw ReceiverError.unreadableLog(path: file, reason: "there is no such file")
      }
      guard !isFolder.boolValue else {
        throw ReceiverError.unreadableLog(path: file, reason: "it is a folder")
      }
      descriptor = open(file, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw ReceiverError.unreadableLog(path: file, reason: "its permissions do not allow it")
      }
    }
    defer { if file != "-" { close(descriptor) } }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 18)
    defer { buffer.deallocate() }
    while true {
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw ReceiverError.unreadableLog(path: file, reason: "it cannot be read to its end")
      }
      guard count > 0 else { return }
      body(UnsafeBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Passes each fix to `body` until `body` returns false, and returns the decoder with its counts.
  package static func fixes(_ file: String, _ body: (Fix) -> Bool) throws -> FixDecoder {
    var decoder = FixDecoder()
    var wantsMore = true
    func take(_ event: DecodedEvent) {
      if wantsMore, case .fix(let fix) = event { wantsMore = body(fix) }
    }
    try read(file) { chunk in if wantsMore { decoder.accept(chunk, take) } }
    if wantsMore { decoder.finish(take) }
    return decoder
  }

  /// Returns a description of everything in a log that was not sound; nil if all of it was.
  package static func unsound(_ counts: StreamCounts) -> String? {
    let parts = [
      (counts.badChecksums, "sentence with a wrong checksum", "sentences with a wrong checksum"),
      (counts.missingChecksums, "sentence without a checksum", "sentences without a checksum"),
      (counts.overlong, "sentence that never ends", "sentences that never end"),
      (counts.otherBytes, "byte that belongs to nothing", "bytes that belong to nothing"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    let steps = counts.backwardEpochs
    let time = steps > 0 ? ["time goes back \(steps == 1 ? "once" : "\(steps) times")"] : []
    let words = (parts + time).joined(separator: ", ")
    return words.isEmpty ? nil : words
  }

  /// Returns one line about a log without a fix.
  package static func emptiness(_ file: String, _ counts: StreamCounts) -> String {
    let name = name(file)
    let unused = unsound(counts).map { " (not used: \($0))" } ?? ""
    if counts.sentences == 0 && counts.gpsdMessages == 0 {
      let isBinary = counts.badChecksums + counts.missingChecksums == 0 && counts.otherBytes > 0
      return "standpoint: \(name) holds no NMEA 0183 sentence with a good checksum\(unused)"
        + (isBinary ? "; binary logs are read through gpsd (gpsfake)" : "")
    }
    let sentences = counts.sentences == 1 ? "1 sentence" : "\(counts.sentences) sentences"
    return "standpoint: \(name) holds \(sentences), and no fix in what can be used\(unused)"
  }

  /// Returns the name of a log in messages.
  package static func name(_ file: String) -> String { file == "-" ? "standard input" : file }
}
