import Foundation
import Testing

/// The working tree that these tests were built from.
struct Repository {
  static let shared = Repository()

  let root: URL

  /// Walks up from this file to the folder that holds `Package.swift`.
  private init(thisFile: String = #filePath) {
    var folder = URL(fileURLWithPath: thisFile).deletingLastPathComponent()
    while folder.path != "/",
      !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
    {
      folder.deleteLastPathComponent()
    }
    root = folder
  }

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }

  func text(of path: String) throws -> String {
    guard exists(path) else { throw Absent(path: path) }
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Returns every visible file and folder below `folder`, in order; none if the folder is absent.
  func paths(below folder: String) -> [String] {
    let names =
      (try? FileManager.default.contentsOfDirectory(
        atPath: root.appendingPathComponent(folder).path)) ?? []
    return names.filter { !$0.hasPrefix(".") && $0 != "__pycache__" }.sorted().flatMap { name in
      let path = "\(folder)/\(name)"
      return [path] + paths(below: path)
    }
  }

  func files(below folder: String, endingWith ending: String) -> [String] {
    paths(below: folder).filter { $0.hasSuffix(ending) }
  }

  /// The folders directly under `Sources`: one for each module in Swift or C.
  var modules: [String] {
    paths(below: "Sources").filter { $0.split(separator: "/").count == 2 }
      .map { String($0.dropFirst("Sources/".count)) }
  }

  func isCModule(_ module: String) -> Bool {
    exists("Sources/\(module)/module.modulemap")
  }
}

/// A document that a rule needs and that the tree does not have.
struct Absent: Error, CustomStringConvertible {
  let path: String
  var description: String { "\(path) is not there" }
}

/// Turns each complaint into one failure of the running test.
func report(_ complaints: [String], sourceLocation: SourceLocation = #_sourceLocation) {
  for complaint in complaints {
    Issue.record(Comment(rawValue: complaint), sourceLocation: sourceLocation)
  }
}
