import Foundation
import Store
import TimeAndText
import Transparency

/// A file of settings or of a state (JSON), which one program changes at a time.
struct SettingsFile<Value: Codable & Sendable>: Sendable {
  let path: String
  /// The value while there is no file.
  let standard: Value
  /// The advice for a damaged file.
  let remedy: String

  /// Reads the file.
  /// - Throws: `StoreError`.
  func read() throws -> Value {
    guard FileStatus(ofPath: path) != nil else { return standard }
    let bytes = try DurableFile.read(path)
    do {
      return try JSONDecoder().decode(Value.self, from: Data(bytes))
    } catch {
      throw StoreError.unavailable(path: path, reason: "it is damaged: \(remedy)")
    }
  }

  /// Changes the value. The change is durable on return.
  func change(_ body: (inout Value) throws -> Void) throws {
    try DurableFile.makeFolder((path as NSString).deletingLastPathComponent)
    try DurableFile.withLock(path + ".lock") {
      var value = try read()
      try body(&value)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try DurableFile.replace(path, with: Array(try encoder.encode(value)) + [0x0A])
    }
  }
}

/// The file of a key that signs notes.
struct NoteKeyFile: Sendable {
  let path: String
  let lock: String
  /// The advice for a damaged file.
  let remedy: String

  /// Reads the key, and makes it the first time.
  /// - Throws: `StoreError` if the file cannot be read or written.
  func signer(or make: () throws -> NoteSigner) throws -> NoteSigner {
    if let known = try known() { return known }
    try DurableFile.makeFolder((lock as NSString).deletingLastPathComponent)
    return try DurableFile.withLock(lock) {
      if let known = try known() { return known }
      let signer = try make()
      try DurableFile.replace(path, with: Array((signer.privateText + "\n").utf8))
      return signer
    }
  }

  private func known() throws -> NoteSigner? {
    guard FileStatus(ofPath: path) != nil else { return nil }
    let text = String(decoding: try DurableFile.read(path), as: UTF8.self)
    do throws(NoteProblem) {
      return try NoteSigner(privateText: text.trimmingCharacters(in: .whitespacesAndNewlines))
    } catch {
      throw StoreError.unavailable(
        path: path, reason: "it is damaged (\(error.wording)): \(remedy)")
    }
  }
}
