import Foundation
import Testing

/// The Python programs beside the tests, with the packages of `scripts/setup.sh --tests`.
public enum PythonTools {
  private static let interpreter = program("python3").path

  /// Returns the place of a program that the packages bring.
  static func program(_ name: String) -> URL {
    Repository.root.appendingPathComponent(".venv/bin").appendingPathComponent(name)
  }

  static func has(_ name: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: program(name).path)
  }

  /// True if the packages are installed.
  public static let areHere = has("python3")
  /// The reason for skipping a test that needs them.
  public static let absence: Comment = "there is no .venv: scripts/setup.sh --tests makes it"

  /// Runs a program of `Tests/`.
  public static func run(
    _ script: String, _ arguments: [String] = [], input: Data = Data(),
    environment: [String: String] = [:]
  ) async throws -> Program.Outcome {
    let path = Repository.root.appendingPathComponent("Tests").appendingPathComponent(script).path
    return try await Program.run(
      interpreter, [path] + arguments, environment: environment, input: input)
  }

  /// Compares values with `schemas/`, and returns one line for each: `ok`, or its fault.
  /// - Parameter cases: a JSON array of pairs: a schema's name, and a value.
  public static func validate(cases: [UInt8]) async throws -> [Substring] {
    let outcome = try await run(
      "Schemas/validate.py", [Repository.root.appendingPathComponent("schemas").path],
      input: Data(cases))
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n")
  }
}
