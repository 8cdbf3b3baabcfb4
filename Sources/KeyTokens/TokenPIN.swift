import Foundation
import TimeAndText

/// The file that holds a token's PIN.
enum TokenPIN {
  /// Returns a mark that changes with the file; nil if it is not there.
  static func mark(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return
      "\(path) \(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  /// Reads the first line of the file. Only its owner may be able to read it.
  /// - Throws: `TokenError.pinFile`.
  static func read(_ path: String?) throws(TokenError) -> [UInt8] {
    guard let path else {
      throw .pinFile(path: "", "the token wants a PIN: add &pin-source=FILE to its address")
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw .pinFile(path: path, "it is not there") }
    guard status.st_mode & 0o077 == 0 else {
      throw .pinFile(path: path, "others can read it: chmod 600")
    }
    guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= 1_024 else {
      throw .pinFile(path: path, "it cannot be read")
    }
    let pin = Array(bytes.prefix { $0 != 0x0A && $0 != 0x0D })
    guard !pin.isEmpty else { throw .pinFile(path: path, "it is empty") }
    return pin
  }
}
