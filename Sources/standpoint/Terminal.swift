import Evidence
import Foundation
import TimeAndText

/// Writes results to standard output, and everything else to standard error.
enum Terminal {
  /// Writes one line of a result.
  static func say(_ line: String) {
    // A write fails when the reader has gone: no one is left to read the rest.
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    } catch {
      exit(0)
    }
  }

  /// Writes a result as one line of JSON.
  static func say(_ json: JSONValue) {
    say(String(decoding: json.canonicalBytes, as: UTF8.self))
  }

  /// Writes a message.
  static func complain(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Shows progress in one line of a terminal, and nothing elsewhere.
  static func progress(_ line: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(line)".utf8))
  }

  /// Clears the line of progress.
  static func endProgress() { progress("") }
}

extension Terminal {
  /// Returns a word as a shell reads it: unchanged if it has only characters without a special
  /// meaning, otherwise in single quotes.
  static func shellWord(_ word: String) -> String {
    let plain = word.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || "/._-+:@%".utf8.contains($0)
    }
    return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
