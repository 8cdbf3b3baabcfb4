import Foundation
import Office
import Store
import Web

/// An answer that is written piece by piece: a short one is kept in memory, a longer one is written into a file, which
/// is then sent.
struct PhoneAnswerFile {
  private let desk: PhoneDesk
  private static let memoryBytes = 256 << 10
  private var pending: [UInt8] = []
  private var written: (file: SpoolFile, handle: FileHandle)?

  init(_ desk: PhoneDesk) { self.desk = desk }

  /// The next piece.
  /// - Throws: `StoreError.unwritable`.
  mutating func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// The same of bytes.
  mutating func write(_ bytes: some Sequence<UInt8>) throws {
    pending.append(contentsOf: bytes)
    if pending.count > Self.memoryBytes { try flush() }
  }

  private mutating func flush() throws {
    let (file, handle) = try written ?? desk.answerFile()
    written = (file, handle)
    do {
      try handle.write(contentsOf: Data(pending))
    } catch {
      throw StoreError.unwritable(path: file.path, reason: "\(error)")
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// The end.
  /// - Parameter name: of the file, where it is one.
  mutating func response(named name: String) throws -> WebResponse {
    if written != nil { try flush() }
    guard let (file, handle) = written else {
      return WebResponse.bytes(pending, mediaType: PhoneScripts.mediaType)
        .setting(header: "Cache-Control", to: "no-store")
    }
    try handle.close()
    return .phone(file, named: name)
  }
}

extension PhoneDesk {
  /// An empty file for an answer, beside the pictures that come in: the office looks after the room of that disk.
  /// - Throws: `StoreError.unwritable`.
  func answerFile() throws -> (file: SpoolFile, handle: FileHandle) {
    let file = SpoolFile(path: "\(folder)/answer-\(UUID().uuidString)")
    guard
      FileManager.default.createFile(
        atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600]),
      let handle = FileHandle(forWritingAtPath: file.path)
    else { throw StoreError.unwritable(path: file.path, reason: "it cannot be made") }
    return (file, handle)
  }
}

extension WebResponse {
  /// A file that was made for a phone's answer.
  static func phone(_ file: SpoolFile, named name: String) -> WebResponse {
    .file(
      path: file.path, mediaType: PhoneScripts.mediaType, fileName: "\(name).json",
      isAttachment: true
    )
    .keeping(file).setting(header: "Cache-Control", to: "no-store")
  }
}
