import Evidence
import Foundation
import Inspection
import Store
import Subprocess
import SystemPackage
import TimeAndText

/// The source of the frame.
public enum Camera: Sendable {
  /// A command that writes a JPEG; `{file}` in its words is the path to write.
  case command([String])
  /// A file that exists already: the photo is marked as imported, permanently.
  case imported(path: String)
  /// A picture that the program itself draws, for the demonstration.
  case drawn(@Sendable () throws -> [UInt8])
  /// A page that takes the picture with its browser's camera, and sends it.
  case page(PageCamera)

  /// The way in which the picture comes to the device.
  package var way: CameraWay {
    switch self {
    case .command, .drawn: .command
    case .imported: .imported
    case .page: .still
    }
  }

  /// The origin of the pixels, as the C2PA manifest names it.
  package var source: PictureSource {
    switch self {
    case .command, .page: .camera
    case .imported: .imported
    case .drawn: .drawn
    }
  }

  /// The largest picture that is accepted, bytes.
  private static let sizeLimit = 256 << 20
  /// The time after which a camera's command counts as hanging, seconds.
  private static let patienceSeconds = 60.0

  /// Splits a command line into words, without a shell: quotes hold words together, and a backslash
  /// takes the next character as it is.
  /// - Returns: the words; nil if a quote is not closed or there is no word.
  public static func words(_ command: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var characters = command.makeIterator()
    while let character = characters.next() {
      if let open = quote {
        if character == open {
          quote = nil
        } else if character == "\\", open == "\"", let next = characters.next() {
          word = (word ?? "") + String(next)
        } else {
          word = (word ?? "") + String(character)
        }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == "\\", let next = characters.next() {
        word = (word ?? "") + String(next)
      } else if character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return quote == nil && !words.isEmpty ? words : nil
  }

  /// Returns the frame's bytes.
  /// - Throws: `FieldUnitError.camera` or `.unreadable`.
  package func expose() async throws -> [UInt8] {
    switch self {
    case .drawn(let draw): return try draw()
    case .page(let page): return try await page.expose()
    case .imported(let path): return try Self.read(path)
    case .command(let words): return try await Self.run(words)
    }
  }

  /// Reads a picture's file.
  /// - Throws: `FieldUnitError.unreadable`, also for a file that is too large.
  package static func read(_ path: String) throws -> [UInt8] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw FieldUnitError.unreadable(path: path, reason: "there is no such file")
    }
    guard !isFolder.boolValue else {
      throw FieldUnitError.unreadable(path: path, reason: "it is a folder")
    }
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    guard size ?? 0 <= sizeLimit else {
      throw FieldUnitError.unreadable(path: path, reason: "it is larger than 256 MiB")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw FieldUnitError.unreadable(path: path, reason: "its permissions do not allow it")
    }
    return Array(data)
  }

  private static func run(_ words: [String]) async throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("standpoint-camera-\(UUID().uuidString)").path
    try DurableFile.makeFolder(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/frame.jpg"
    switch try await finish(words.map { $0.replacing("{file}", with: file) }) {
    case .exited(0): break
    case .exited(127): throw FieldUnitError.camera("there is no command \(words[0])")
    case .exited(let status):
      throw FieldUnitError.camera("\(words[0]) ended with status \(status)")
    case .signaled(let number):
      throw FieldUnitError.camera("\(words[0]) was ended by signal \(number)")
    case nil:
      throw FieldUnitError.camera(
        "\(words[0]) took longer than \(Int(patienceSeconds)) seconds and was stopped")
    }
    guard FileManager.default.fileExists(atPath: file) else {
      throw FieldUnitError.camera("\(words[0]) wrote no file; does the command contain {file}?")
    }
    return try read(file)
  }

  /// Runs a camera's command, and returns how it ended; nil if it was ended because it hung.
  private static func finish(_ words: [String]) async throws -> TerminationStatus? {
    try await withThrowingTaskGroup(of: TerminationStatus?.self) { group in
      group.addTask {
        do {
          // The camera's output goes to the log, and is never mixed with results.
          return try await Subprocess.run(
            .path("/usr/bin/env"), arguments: Arguments(["--"] + words), input: .none,
            output: .currentStandardError, error: .currentStandardError
          ).terminationStatus
        } catch let error as SubprocessError {
          throw FieldUnitError.camera("\(words[0]) cannot be started: \(error)")
        }
      }
      // A camera is a real device: it gets real seconds, whatever clock a replay has.
      group.addTask {
        try await Task.sleep(for: .seconds(patienceSeconds))
        return nil
      }
      // The other task is cancelled, and a cancelled command is killed.
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}
