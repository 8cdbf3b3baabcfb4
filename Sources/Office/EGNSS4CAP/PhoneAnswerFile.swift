import Foundation
import Store
import Web

/// An answer that is written piece by piece: a short one is kept in memory, a longer one is written into a file, which
/// is then sent.
struct PhoneAnswerFile {
  private static let memoryBytes = 256 << 10
  private var pending: [UInt8] = []
  private var written: (file: TemporaryFile, handle: FileHandle)?

  /// The next piece.
  /// - Throws: `StoreError.unwritable`.
  mutating func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// The same of bytes.
  mutating func write(_ bytes: some Sequence<UInt8>) throws {
    pending.append(contentsOf: bytes)
    if pending.count > Self.memoryBytes { try flush() }
  }

  private mutating func flush() throws {
    let (file, handle) = try written ?? Self.make()
    written = (file, handle)
    do {
      try handle.write(contentsOf: Data(pending))
    } catch {
      throw StoreError.unwritable(path: file.path, reason: "\(error)")
    }
    pending.removeAll(keepingCapacity: true)
  }

  private static func make() throws -> (TemporaryFile, FileHandle) {
    let file = TemporaryFile(ending: "json")
    guard FileManager.default.createFile(atPath: file.path, contents: nil),
      let handle = FileHandle(forWritingAtPath: file.path)
    else { throw StoreError.unwritable(path: file.path, reason: "it cannot be made") }
    return (file, handle)
  }

  /// The end.
  /// - Parameter name: of the file, where it is one.
  mutating func response(named name: String) throws -> WebResponse {
    if written != nil { try flush() }
    let response =
      if let (file, handle) = written {
        try closed(file, handle, name)
      } else {
        WebResponse.bytes(pending, mediaType: PhoneScripts.mediaType)
      }
    return response.setting(header: "Cache-Control", to: "no-store")
  }

  private func closed(
    _ file: TemporaryFile, _ handle: FileHandle, _ name: String
  ) throws -> WebResponse {
    try handle.close()
    return WebResponse.file(file, mediaType: PhoneScripts.mediaType, fileName: "\(name).json")
  }
}
