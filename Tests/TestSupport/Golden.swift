import Foundation

/// The repository's root, found from where this file lies.
public enum Repository {
  /// The root.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What developers have beside the repository: recordings, photos. Nil where it is absent: tests
  /// that use it are skipped and say so.
  public static func shared(_ path: String) -> URL? {
    let url = root.deletingLastPathComponent().appendingPathComponent("shared/\(path)")
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }
}

/// Compares text with a committed file. With STANDPOINT_UPDATE=1 the file is written anew instead.
public enum Golden {
  /// Nil when `text` is what is committed at `path`; otherwise where they differ.
  public static func difference(_ text: String, from path: String) throws -> String? {
    let file = Repository.root.appendingPathComponent(path)
    if ProcessInfo.processInfo.environment["STANDPOINT_UPDATE"] == "1" {
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
  /// What a program did.
  public struct Outcome: Sendable {
    /// Its exit status; a signal's number plus 128.
    public var status: Int32
    /// What it wrote to standard output.
    public var output: String
    /// What it wrote to standard error.
    public var errors: String
  }

  /// The path of a tool; nil where it is not installed.
  public static func tool(_ name: String) -> String? {
    let folders = ["/usr/bin", "/bin", "/usr/sbin", "/usr/local/bin"]
    return folders.map { "\($0)/\(name)" }.first(
      where: FileManager.default.isExecutableFile(atPath:))
  }

  /// The program that this package builds.
  public static var standpoint: String { product("standpoint") }

  /// A program that this package builds: it lies where the tests lie.
  public static func product(_ name: String) -> String {
    Bundle.main.bundleURL.appendingPathComponent(name).path
  }

  /// Runs a program to its end, on a thread of its own: the few threads that all tests share must
  /// not wait for processes.
  public static func run(
    _ path: String, _ arguments: [String], environment: [String: String] = [:],
    input: Data = Data(), folder: URL? = nil
  ) async throws -> Outcome {
    try await withCheckedThrowingContinuation { waiter in
      Thread {
        waiter.resume(
          with: Result {
            try runBlocking(
              path, arguments, environment: environment, input: input, folder: folder)
          })
      }.start()
    }
  }

  private static func runBlocking(
    _ path: String, _ arguments: [String], environment: [String: String], input: Data,
    folder: URL?
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("STANDPOINT_") }
      .merging(environment) { $1 }
    process.currentDirectoryURL = folder
    let files = FileManager.default.temporaryDirectory
      .appendingPathComponent("standpoint-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: files) }
    // Files and not pipes: a program that writes more than a pipe holds must not wait for us.
    func handle(_ name: String, _ contents: Data = Data()) throws -> FileHandle {
      let url = files.appendingPathComponent(name)
      try contents.write(to: url)
      return try FileHandle(forUpdating: url)
    }
    process.standardInput = try handle("in", input)
    process.standardOutput = try handle("out")
    process.standardError = try handle("err")
    try process.run()
    process.waitUntilExit()
    func text(_ name: String) -> String {
      (try? String(contentsOf: files.appendingPathComponent(name), encoding: .utf8)) ?? ""
    }
    let status =
      process.terminationReason == .uncaughtSignal
      ? process.terminationStatus + 128 : process.terminationStatus
    return Outcome(status: status, output: text("out"), errors: text("err"))
  }
}
