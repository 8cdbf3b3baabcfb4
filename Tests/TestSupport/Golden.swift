import Foundation
import Subprocess
import SystemPackage

/// The repository, found from where this file lies.
public enum Repository {
  /// The repository's folder.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns a file that developers have beside the repository, such as a recording or a photo; nil
  /// if it is absent: tests that use it are skipped and say so.
  public static func shared(_ path: String) -> URL? {
    let url = root.deletingLastPathComponent().appendingPathComponent("shared/\(path)")
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }
}

/// A comparison of text with committed files. With `STANDPOINT_UPDATE=1` they are written anew
/// instead.
public enum Golden {
  /// True if committed files are written anew: nothing can be compared with them meanwhile.
  public static let isUpdated = ProcessInfo.processInfo.environment["STANDPOINT_UPDATE"] == "1"

  /// Returns nil if `text` is committed at `path`; otherwise the first difference.
  public static func difference(_ text: String, from path: String) throws -> String? {
    let file = Repository.root.appendingPathComponent(path)
    if isUpdated {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return nil
    }
    guard let committed = try? String(contentsOf: file, encoding: .utf8) else {
      return "\(path) is not there: make exports writes it"
    }
    if committed == text { return nil }
    let old = committed.split(separator: "\n", omittingEmptySubsequences: false)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, pair) in zip(old, new).enumerated() where pair.0 != pair.1 {
      return "\(path):\(number + 1) has \"\(pair.0)\", now it is \"\(pair.1)\""
    }
    return "\(path) has \(old.count) lines, now there are \(new.count)"
  }
}

/// Programs that tests run as they are.
public enum Program {
  /// The outcome of a program's run.
  public struct Outcome: Sendable {
    /// The exit status; a signal's number plus 128.
    public var status: Int32
    /// The text that it wrote to standard output.
    public var output: String
    /// The text that it wrote to standard error.
    public var errors: String
  }

  /// Returns the path of a tool; nil if it is not installed.
  public static func tool(_ name: String) -> String? {
    let folders = ["/usr/bin", "/bin", "/usr/sbin", "/usr/local/bin"]
    return folders.map { "\($0)/\(name)" }.first(
      where: FileManager.default.isExecutableFile(atPath:))
  }

  /// Writes a script that runs the program's worker for tokens, whatever process calls it, and returns its path.
  public static func tokenWorker(in folder: URL) -> String {
    let path = folder.appendingPathComponent("standpoint").path
    _ = FileManager.default.createFile(
      atPath: path, contents: Data("#!/bin/sh\nexec '\(standpoint)' token-worker\n".utf8),
      attributes: [.posixPermissions: 0o700])
    return path
  }

  /// The path of the program that this package builds, or of another build of it that
  /// `STANDPOINT_PROGRAM` names, as in `make test-release`.
  public static var standpoint: String {
    ProcessInfo.processInfo.environment["STANDPOINT_PROGRAM"] ?? product("standpoint")
  }

  /// Returns the path of a program that this package builds: it lies where the tests lie.
  public static func product(_ name: String) -> String {
    Bundle.main.bundleURL.appendingPathComponent(name).path
  }

  /// Runs a program to its end; cancelling kills it.
  public static func run(
    _ path: String, _ arguments: [String], environment: [String: String] = [:],
    input: Data = Data(), folder: URL? = nil
  ) async throws -> Outcome {
    let files = FileManager.default.temporaryDirectory
      .appendingPathComponent("standpoint-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: files) }
    // Files and not pipes: a process that the program leaves behind must not keep a pipe open.
    func open(_ name: String, _ contents: Data = Data()) throws -> FileDescriptor {
      let url = files.appendingPathComponent(name)
      try contents.write(to: url)
      return try FileDescriptor.open(url.path, .readWrite)
    }
    let inherited = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("STANDPOINT_") }
      .merging(environment) { $1 }
    let status = try await Subprocess.run(
      .path(FilePath(path)), arguments: Arguments(arguments),
      environment: .custom(
        Dictionary(
          uniqueKeysWithValues: inherited.compactMap { name, value in
            Environment.Key(rawValue: name).map { ($0, value) }
          })),
      workingDirectory: folder.map { FilePath($0.path) },
      input: .fileDescriptor(try open("in", input), closeAfterSpawningProcess: true),
      output: .fileDescriptor(try open("out"), closeAfterSpawningProcess: true),
      error: .fileDescriptor(try open("err"), closeAfterSpawningProcess: true)
    ).terminationStatus
    func text(_ name: String) -> String {
      (try? String(contentsOf: files.appendingPathComponent(name), encoding: .utf8)) ?? ""
    }
    let code =
      switch status {
      case .exited(let code): code
      case .signaled(let number): number + 128
      }
    return Outcome(status: code, output: text("out"), errors: text("err"))
  }
}
