import Foundation
import Office
import Store
import Web

/// An answer that is written piece by piece: a short answer is kept in memory, a longer one goes
/// into a file, which is then sent.
struct PhoneAnswerFile {
  private let desk: PhoneDesk
  private static let memoryBytes = 256 << 10
  private var pending: [UInt8] = []
  private var written: (file: SpoolFile, handle: FileHandle)?

  init(_ desk: PhoneDesk) { self.desk = desk }

  /// Appends a text.
  /// - Throws: `StoreError.unwritable`.
  mutating func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Appends bytes.
  /// - Throws: `StoreError.unwritable`.
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

  /// Returns the response with everything that was written.
  /// - Parameter name: the file's name without its extension, if the answer went into a file.
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
  /// Creates an empty file for an answer, in the folder of the pictures that come in: the office
  /// watches the free space of that disk.
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
  /// Returns a response that sends a file which was made for a phone's answer.
  static func phone(_ file: SpoolFile, named name: String) -> WebResponse {
    .file(
      path: file.path, mediaType: PhoneScripts.mediaType, fileName: "\(name).json",
      isAttachment: true
    )
    .keeping(file).setting(header: "Cache-Control", to: "no-store")
  }
}
